package sites

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// booking is a studio where courses and treatments are booked: a calendar, hours
// that are fetched for the day that is chosen, a list of its own making, dialogs.
type booking struct {
	base
	offers []*offer
	booked []*appointment
	next   int
	news   bool
}

type offer struct {
	Slug, Name, Kind string
	Minutes, Price   int
	Staff            []string
	free             map[string][]string // "staff 2006-01-02" → hours
}

type appointment struct {
	Key                     string
	No                      int
	Offer, Name             string
	Staff                   string
	Day                     time.Time
	Hour                    string
	Guests                  int
	Contact, Phone, Remarks string
}

var hours = []string{"09:00", "10:00", "11:30", "13:00", "14:30", "16:00", "17:30", "19:00"}

func newBooking(b base) *booking {
	k := &booking{base: b, next: 1}
	staff := strings.Split(k.t("Noor Haddad,Nora Hadley,Felix Brandt,Yuki Sato", "苏敏,苏明,方远,白雪"), ",")
	prices := shuffle(&k.base, []int{2400, 2900, 3250, 3800, 4400, 4950, 5600, 6200, 7150, 8300})
	for i, n := range shuffle(&k.base, [][4]string{
		{"deep", "Deep tissue massage", "深层按摩", "care"},
		{"hot", "Hot stone massage", "热石按摩", "care"},
		{"face", "Facial", "面部护理", "care"},
		{"pottery", "Pottery for beginners", "陶艺入门课", "course"},
		{"wheel", "Pottery on the wheel", "陶艺拉坯课", "course"},
		{"yoga", "Yoga flow", "流瑜伽", "course"},
		{"ink", "Ink painting", "水墨画课", "course"},
	}) {
		o := &offer{Slug: n[0], Name: k.t(n[1], n[2]), Kind: n[3], Minutes: k.between(3, 6) * 15, Price: prices[i], free: map[string][]string{}}
		o.Staff = shuffle(&k.base, slices.Clone(staff))[:2]
		if o.Slug == "deep" {
			o.Staff = shuffle(&k.base, slices.Clone(staff))
		}
		k.offers = append(k.offers, o)
		k.plan(o)
	}
	k.mine()
	k.parse("booking", map[string]any{"guests": func(n int) string { return k.t(fmt.Sprintf("%d people", n), fmt.Sprintf("%d 人", n)) }})
	return k
}

// plan draws the free hours of an offer for ten weeks. What tasks ask for by its
// hour is free, and the first late hour of July is on one of its first days.
func (k *booking) plan(o *offer) {
	for _, who := range o.Staff {
		for d := range 80 {
			day := today.AddDate(0, 0, d)
			if day.Weekday() == time.Sunday {
				continue
			}
			late := day.Month() == time.July && day.Day() < 2+k.between(0, 3) // then the late hours are taken
			var free []string
			for _, h := range hours {
				if k.between(0, 2) > 0 && !(late && h >= "17:00") {
					free = append(free, h)
				}
			}
			key := day.Format(time.DateOnly)
			for at, h := range map[string]string{"pottery 2026-06-17": "14:30", "pottery 2026-06-19": "10:00", "ink 2026-06-12": "16:00", "deep 2026-07-06": "17:30"} {
				if at == o.Slug+" "+key && !slices.Contains(free, h) {
					free = append(free, h)
					slices.Sort(free)
				}
			}
			o.free[who+" "+key] = free
		}
	}
}

// mine are the appointments of before.
func (k *booking) mine() {
	for _, slug := range shuffle(&k.base, []string{"pottery", "hot", "yoga", "face"}) {
		o := k.offer(slug)
		k.booked = append(k.booked, &appointment{Key: "old-" + slug, Offer: slug, Name: o.Name, Staff: o.Staff[0], Day: today.AddDate(0, 0, k.between(2, 14)), Hour: hours[k.between(0, 7)], Guests: 1})
	}
	for i, a := range k.booked {
		a.No = 100*k.between(31, 98) + i
	}
}

func (k *booking) offer(slug string) *offer {
	i := slices.IndexFunc(k.offers, func(o *offer) bool { return o.Slug == slug })
	if i < 0 {
		return nil
	}
	return k.offers[i]
}

func (k *booking) facts() facts {
	f := facts{"news": onOff(k.news)}
	for _, a := range k.booked {
		p := "booking." + a.Key
		f[p] = fmt.Sprintf("%s with %s, %s %s", a.Offer, a.Staff, a.Day.Format(time.DateOnly), a.Hour)
		f[p+".guests"], f[p+".name"], f[p+".phone"], f[p+".remarks"] = strconv.Itoa(a.Guests), a.Contact, strings.ReplaceAll(a.Phone, " ", ""), a.Remarks
	}
	return f
}

func (k *booking) show(w http.ResponseWriter, name, title string, v map[string]any) {
	v["Title"], v["Offers"], v["Booked"], v["Today"] = title, k.offers, k.booked, today.Format(time.DateOnly)
	k.render(w, http.StatusOK, name, v)
}

func (k *booking) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		k.show(w, "home", k.t("What we offer", "我们的项目"), map[string]any{})
	})
	mux.HandleFunc("GET /offer/{slug}", func(w http.ResponseWriter, r *http.Request) {
		o := k.offer(r.PathValue("slug"))
		if o == nil {
			http.NotFound(w, r)
			return
		}
		k.show(w, "offer", o.Name, map[string]any{"Offer": o})
	})
	mux.HandleFunc("GET /bookings", func(w http.ResponseWriter, _ *http.Request) {
		k.show(w, "bookings", k.t("My bookings", "我的预约"), map[string]any{})
	})
	mux.HandleFunc("GET /prices", func(w http.ResponseWriter, _ *http.Request) {
		k.show(w, "prices", k.t("Prices", "价目表"), map[string]any{})
	})
	mux.HandleFunc("GET /free", func(w http.ResponseWriter, r *http.Request) {
		free := []string{}
		if o := k.offer(r.FormValue("offer")); o != nil {
			free = append(free, o.free[r.FormValue("staff")+" "+r.FormValue("day")]...)
		}
		writeJSON(w, free)
	})
	mux.HandleFunc("POST /book", k.book)
	mux.HandleFunc("POST /bookings/{no}/{do}", k.change)
	mux.HandleFunc("POST /news", func(w http.ResponseWriter, r *http.Request) {
		k.news = true
		k.toast = k.t("Thank you for joining.", "感谢订阅。")
		see(w, r, "/")
	})
}

// open reports whether an hour is free, and the day.
func (o *offer) open(staff, day, hour string) (time.Time, bool) {
	d, err := time.Parse(time.DateOnly, day)
	return d, err == nil && slices.Contains(o.free[staff+" "+day], hour)
}

func (k *booking) book(w http.ResponseWriter, r *http.Request) {
	o := k.offer(r.FormValue("offer"))
	if o == nil {
		http.NotFound(w, r)
		return
	}
	day, ok := o.open(r.FormValue("staff"), r.FormValue("day"), r.FormValue("hour"))
	contact, phone := strings.TrimSpace(r.FormValue("name")), strings.TrimSpace(r.FormValue("phone"))
	wrong := map[string]string{}
	if contact == "" {
		wrong["name"] = k.t("Who is coming?", "请填写姓名")
	}
	if len(phone) < 6 {
		wrong["phone"] = k.t("We need a phone number.", "请填写电话号码")
	}
	if !ok {
		wrong["hour"] = k.t("This time is not free.", "该时间不可预约")
	}
	if len(wrong) > 0 {
		writeJSON(w, map[string]any{"wrong": wrong})
		return
	}
	guests, err := strconv.Atoi(r.FormValue("guests"))
	if err != nil || guests < 1 || guests > 6 {
		guests = 1
	}
	k.booked = append(k.booked, &appointment{
		Key: strconv.Itoa(k.next), No: 9900 + k.next, Offer: o.Slug, Name: o.Name, Staff: r.FormValue("staff"), Day: day, Hour: r.FormValue("hour"),
		Guests: guests, Contact: contact, Phone: phone, Remarks: strings.TrimSpace(r.FormValue("remarks")),
	})
	k.next++
	k.toast = k.t("Your booking is confirmed.", "预约成功。")
	writeJSON(w, map[string]any{"to": "/bookings"})
}

// change cancels an appointment or moves it.
func (k *booking) change(w http.ResponseWriter, r *http.Request) {
	i := slices.IndexFunc(k.booked, func(a *appointment) bool { return strconv.Itoa(a.No) == r.PathValue("no") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	a := k.booked[i]
	if r.PathValue("do") == "cancel" {
		k.booked = slices.Delete(k.booked, i, i+1)
		k.toast = k.t(a.Name+" is cancelled.", "已取消:"+a.Name)
	} else {
		day, ok := k.offer(a.Offer).open(a.Staff, r.FormValue("day"), r.FormValue("hour"))
		if !ok {
			writeJSON(w, map[string]any{"wrong": map[string]string{"hour": k.t("Choose a day and a time.", "请选择日期和时间")}})
			return
		}
		a.Day, a.Hour = day, r.FormValue("hour")
		k.toast = k.t(a.Name+" is moved.", "已改期:"+a.Name)
	}
	writeJSON(w, map[string]any{"to": "/bookings"})
}
