package sites

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// shop is a tea shop, rendered by the server, of native controls.
type shop struct {
	base
	teas   []*tea // as they are listed
	cart   map[string]int
	wish   map[string]bool
	gift   bool
	coupon string
	news   bool
	draft  facts // what the checkout was told
	orders []order
	next   int
}

type tea struct {
	Slug, Name, Kind string
	Small, Large     int // price of 100 g and of 250 g
	SoldOut          bool
}

type order struct {
	No    string
	Day   time.Time
	Lines []cartLine
	Total int
	Draft facts // of those that were placed now
}

type cartLine struct {
	Key  string // tea/size
	Name string
	Size string
	Qty  int
	Unit int
}

func (l cartLine) Sum() int { return l.Qty * l.Unit }

var teaNames = []struct{ kind, en, zh string }{
	{"black", "Assam", "阿萨姆红茶"},
	{"black", "Darjeeling", "大吉岭红茶"},
	{"black", "Earl Grey", "伯爵茶"},
	{"black", "Earl Grey Blue", "蓝花伯爵茶"},
	{"black", "Keemun", "祁门红茶"},
	{"black", "Lapsang Souchong", "正山小种"},
	{"green", "Sencha", "日本煎茶"},
	{"green", "Longjing", "龙井"},
	{"green", "Biluochun", "碧螺春"},
	{"green", "Gunpowder", "珠茶"},
	{"green", "Genmaicha", "玄米茶"},
	{"green", "Sencha Fukujyu", "福寿煎茶"},
	{"oolong", "Tieguanyin", "铁观音"},
	{"oolong", "Dong Ding", "冻顶乌龙"},
	{"oolong", "Milk Oolong", "奶香乌龙"},
	{"oolong", "Da Hong Pao", "大红袍"},
	{"oolong", "Oriental Beauty", "东方美人"},
	{"herbal", "Chamomile", "洋甘菊"},
	{"herbal", "Rooibos", "路易波士"},
	{"herbal", "Rooibos Vanilla", "香草路易波士"},
	{"herbal", "Peppermint", "薄荷茶"},
	{"herbal", "Ginger & Lemon", "柠檬姜茶"},
}

func newShop(b base) *shop {
	s := &shop{base: b, cart: map[string]int{}, wish: map[string]bool{}, news: true, draft: facts{}}
	prices := shuffle(&s.base, []int{390, 420, 450, 475, 495, 520, 540, 560, 585, 610, 640, 675, 690, 720, 745, 780, 810, 840, 865, 895, 930, 960})
	for i, n := range teaNames {
		p := prices[i]
		if s.lang == "zh" {
			p *= 8
		}
		s.teas = append(s.teas, &tea{
			Slug: strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(n.en, " & ", " ")), " ", "-"), Name: s.t(n.en, n.zh), Kind: n.kind,
			Small: p, Large: p * 23 / 10, SoldOut: n.en == "Peppermint",
		})
	}
	shuffle(&s.base, s.teas)
	s.next = s.between(20400, 20900)
	s.history()
	s.parse("shop", template.FuncMap{"kind": s.kind})
	return s
}

// history makes the orders of before: two of them hold Biluochun, not the newest.
func (s *shop) history() {
	day := today
	with := [][]string{{"keemun", "rooibos", "chamomile"}, {"longjing", "biluochun"}, {"milk-oolong", "assam", "gunpowder"}, {"sencha", "biluochun", "genmaicha"}, {"tieguanyin"}}
	no := s.next
	for _, slugs := range with {
		day = day.AddDate(0, 0, -s.between(6, 40))
		no -= s.between(3, 60)
		o := order{No: fmt.Sprintf("LK-%d", no), Day: day, Total: s.shipping("standard")}
		for _, slug := range slugs {
			t := s.tea(slug)
			o.Lines = append(o.Lines, cartLine{slug + "/100", t.Name, "100 g", s.between(1, 3), t.Small})
			o.Total += o.Lines[len(o.Lines)-1].Sum()
		}
		s.orders = append(s.orders, o)
	}
}

func (s *shop) tea(slug string) *tea {
	i := slices.IndexFunc(s.teas, func(t *tea) bool { return t.Slug == slug })
	if i < 0 {
		return nil
	}
	return s.teas[i]
}

func (s *shop) kind(k string) string {
	switch k {
	case "black":
		return s.t("Black tea", "红茶")
	case "green":
		return s.t("Green tea", "绿茶")
	case "oolong":
		return s.t("Oolong", "乌龙茶")
	case "herbal":
		return s.t("Herbal", "花草茶")
	}
	return s.t("All teas", "全部茶叶")
}

func (s *shop) shipping(way string) int {
	price := map[string]int{"standard": 350, "express": 790}[way]
	if s.lang == "zh" {
		price *= 4
	}
	return price
}

func (s *shop) facts() facts {
	f := facts{"cart.gift": onOff(s.gift), "cart.coupon": s.coupon, "account.news": onOff(s.news)}
	for k, n := range s.cart {
		if n > 0 {
			f["cart."+k] = strconv.Itoa(n)
		}
	}
	for k := range s.wish {
		f["wish."+k] = "yes"
	}
	for k, v := range s.draft {
		f["checkout."+k] = v
	}
	n := 0
	for i := len(s.orders) - 1; i >= 0; i-- { // the newest stands first
		o := &s.orders[i]
		if o.Draft == nil {
			continue
		}
		n++
		for k, v := range o.Draft {
			f[fmt.Sprintf("order.%d.%s", n, k)] = v
		}
	}
	return f
}

func (s *shop) lines() []cartLine {
	var out []cartLine
	for _, t := range s.teas {
		for _, size := range []string{"100", "250"} {
			if n := s.cart[t.Slug+"/"+size]; n > 0 {
				unit := t.Small
				if size == "250" {
					unit = t.Large
				}
				out = append(out, cartLine{t.Slug + "/" + size, t.Name, size + " g", n, unit})
			}
		}
	}
	return out
}

// total is what the cart costs, and what the coupon takes off.
func (s *shop) total() (sum, off int) {
	for _, l := range s.lines() {
		sum += l.Sum()
	}
	if s.coupon != "" {
		off = sum / 10
	}
	return sum, off
}

func (s *shop) show(w http.ResponseWriter, name, title string, v map[string]any) {
	n := 0
	for _, q := range s.cart {
		n += q
	}
	v["Title"], v["Count"], v["Wish"] = title, n, s.wish
	if v["Kinds"] == nil {
		v["Kinds"] = []string{"", "black", "green", "oolong", "herbal"}
	}
	s.render(w, http.StatusOK, name, v)
}

const teasOnPage = 9

func (s *shop) list(w http.ResponseWriter, r *http.Request) {
	kind, q, sort := r.PathValue("kind"), strings.TrimSpace(r.FormValue("q")), r.FormValue("sort")
	var found []*tea
	for _, t := range s.teas {
		if (kind == "" || t.Kind == kind) && strings.Contains(strings.ToLower(t.Name), strings.ToLower(q)) {
			found = append(found, t)
		}
	}
	switch sort {
	case "price":
		slices.SortStableFunc(found, func(a, b *tea) int { return a.Small - b.Small })
	case "dear":
		slices.SortStableFunc(found, func(a, b *tea) int { return b.Small - a.Small })
	case "name":
		slices.SortStableFunc(found, func(a, b *tea) int { return cmp.Compare(a.Name, b.Name) })
	}
	page, _ := strconv.Atoi(r.FormValue("page"))
	pages := max(1, (len(found)+teasOnPage-1)/teasOnPage)
	page = min(max(page, 1), pages)
	var links []int
	for i := range pages {
		links = append(links, i+1)
	}
	shown := found[(page-1)*teasOnPage : min(page*teasOnPage, len(found))]
	s.show(w, "list", s.kind(kind), map[string]any{"Teas": shown, "Kind": kind, "Q": q, "Sort": sort, "Page": page, "Pages": links, "Found": len(found), "Path": r.URL.Path})
}

func (s *shop) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /tea/{kind}", s.list)
	mux.HandleFunc("GET /product/{slug}", func(w http.ResponseWriter, r *http.Request) {
		t := s.tea(r.PathValue("slug"))
		if t == nil {
			http.NotFound(w, r)
			return
		}
		s.show(w, "product", t.Name, map[string]any{"Tea": t})
	})
	mux.HandleFunc("POST /cart/add", s.add)
	mux.HandleFunc("POST /wish/{slug}", func(w http.ResponseWriter, r *http.Request) {
		if t := s.tea(r.PathValue("slug")); t != nil {
			if s.wish[t.Slug] {
				delete(s.wish, t.Slug)
				s.toast = s.t(t.Name+" is off your wish list", "已从心愿单移除"+t.Name)
			} else {
				s.wish[t.Slug] = true
				s.toast = s.t(t.Name+" is on your wish list", "已将"+t.Name+"加入心愿单")
			}
		}
		back(w, r)
	})
	mux.HandleFunc("GET /wishlist", func(w http.ResponseWriter, _ *http.Request) {
		var on []*tea
		for _, t := range s.teas {
			if s.wish[t.Slug] {
				on = append(on, t)
			}
		}
		s.show(w, "wishlist", s.t("Wish list", "心愿单"), map[string]any{"Teas": on})
	})
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, _ *http.Request) {
		s.show(w, "orders", s.t("My orders", "我的订单"), map[string]any{"Orders": s.orders})
	})
	mux.HandleFunc("GET /orders/{no}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(s.orders, func(o order) bool { return o.No == r.PathValue("no") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		s.show(w, "order", s.orders[i].No, map[string]any{"Order": s.orders[i]})
	})
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, _ *http.Request) {
		s.show(w, "account", s.t("Account", "我的账户"), map[string]any{"News": s.news})
	})
	mux.HandleFunc("POST /account", func(w http.ResponseWriter, r *http.Request) {
		s.news = r.FormValue("news") != ""
		s.toast = s.t("Saved", "已保存")
		see(w, r, "/account")
	})
	s.cartRoutes(mux)
}

// back goes to the page a form was on.
func back(w http.ResponseWriter, r *http.Request) {
	to := r.FormValue("back")
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
		to = "/"
	}
	see(w, r, to)
}

func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	t := s.tea(r.FormValue("tea"))
	size, qty := cmp.Or(r.FormValue("size"), "100"), 1
	if q, err := strconv.Atoi(r.FormValue("qty")); err == nil {
		qty = q
	}
	if t == nil || t.SoldOut || qty < 1 || qty > 20 || size != "100" && size != "250" {
		http.Error(w, s.t("That can't be added.", "无法加入购物篮。"), http.StatusBadRequest)
		return
	}
	s.cart[t.Slug+"/"+size] += qty
	s.toast = s.t(fmt.Sprintf("%d × %s (%s g) in your basket", qty, t.Name, size), fmt.Sprintf("已将%s(%s 克)× %d 放入购物篮", t.Name, size, qty))
	back(w, r)
}
