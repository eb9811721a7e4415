package sites

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// steps of the checkout, in order, and what each is told.
var checkoutSteps = []string{"address", "delivery", "payment", "review"}

func (s *shop) cartRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /cart", func(w http.ResponseWriter, _ *http.Request) { s.showCart(w, "") })
	mux.HandleFunc("POST /cart/update", func(w http.ResponseWriter, r *http.Request) {
		for k := range maps.Clone(s.cart) {
			if q, err := strconv.Atoi(r.FormValue("qty:" + k)); err == nil && q >= 0 && q <= 20 {
				s.cart[k] = q
			}
		}
		if k := r.FormValue("remove"); k != "" {
			delete(s.cart, k)
		}
		s.toast = s.t("Basket updated", "购物篮已更新")
		see(w, r, "/cart")
	})
	mux.HandleFunc("POST /cart/gift", func(w http.ResponseWriter, r *http.Request) {
		s.gift = r.FormValue("gift") == "on"
		writeJSON(w, map[string]string{"toast": s.t("Basket saved", "购物篮已保存")})
	})
	mux.HandleFunc("POST /cart/coupon", func(w http.ResponseWriter, r *http.Request) {
		if code := strings.ToUpper(strings.TrimSpace(r.FormValue("code"))); code != "STEEP10" {
			s.showCart(w, s.t("We don't know this code.", "优惠码无效。"))
			return
		}
		s.coupon = "STEEP10"
		s.toast = s.t("10% off", "已享九折")
		see(w, r, "/cart")
	})
	mux.HandleFunc("GET /checkout/{step}", func(w http.ResponseWriter, r *http.Request) { s.checkout(w, r, nil) })
	mux.HandleFunc("POST /checkout/{step}", s.checkoutPost)
}

func (s *shop) showCart(w http.ResponseWriter, wrong string) {
	sum, off := s.total()
	s.show(w, "cart", s.t("Your basket", "购物篮"), map[string]any{
		"Lines": s.lines(), "Gift": s.gift, "Coupon": s.coupon, "Sum": sum, "Off": off, "Total": sum - off, "Wrong": wrong,
	})
}

func (s *shop) checkout(w http.ResponseWriter, r *http.Request, wrong map[string]string) {
	step := r.PathValue("step")
	if len(s.lines()) == 0 {
		see(w, r, "/cart")
		return
	}
	// A step is shown once those before it are complete.
	for _, before := range checkoutSteps {
		if before == step {
			break
		}
		if s.draft[map[string]string{"address": "name", "delivery": "delivery", "payment": "payment"}[before]] == "" {
			see(w, r, "/checkout/"+before)
			return
		}
	}
	if step == "review" {
		s.draft["step"] = "review"
	}
	sum, off := s.total()
	ship := s.shipping(s.draft["delivery"])
	at := 0
	for i, name := range checkoutSteps {
		if name == step {
			at = i
		}
	}
	s.show(w, "checkout", s.t("Checkout", "结账"), map[string]any{
		"Step": step, "At": at, "Steps": checkoutSteps, "Draft": s.draft, "Wrong": wrong,
		"Form": r.Form, "Lines": s.lines(), "Sum": sum, "Off": off, "Ship": ship, "Total": sum - off + ship, "Gift": s.gift,
		"Express": s.shipping("express"), "Standard": s.shipping("standard"),
	})
}

func (s *shop) checkoutPost(w http.ResponseWriter, r *http.Request) {
	wrong := map[string]string{}
	step := r.PathValue("step")
	need := map[string][]string{"address": {"name", "street", "city", "postcode"}, "delivery": {"delivery"}, "payment": {"payment"}}[step]
	for _, k := range need {
		if strings.TrimSpace(r.FormValue(k)) == "" {
			wrong[k] = s.t("Please fill this in", "请填写此项")
		}
	}
	if p := strings.TrimSpace(r.FormValue("postcode")); step == "address" && p != "" && len(p) < 4 {
		wrong["postcode"] = s.t("This postcode is too short", "邮编太短")
	}
	if len(wrong) > 0 {
		s.checkout(w, r, wrong)
		return
	}
	for _, k := range need {
		s.draft[k] = strings.TrimSpace(r.FormValue(k))
	}
	switch step {
	case "address":
		see(w, r, "/checkout/delivery")
	case "delivery":
		see(w, r, "/checkout/payment")
	case "payment":
		see(w, r, "/checkout/review")
	default:
		s.place(w, r)
	}
}

// place makes an order of the cart.
func (s *shop) place(w http.ResponseWriter, r *http.Request) {
	if s.draft["step"] != "review" || len(s.lines()) == 0 {
		see(w, r, "/checkout/address")
		return
	}
	o := order{No: fmt.Sprintf("LK-%d", s.next), Day: today, Lines: s.lines(), Draft: maps.Clone(s.draft)}
	sum, off := s.total()
	o.Total = sum - off + s.shipping(s.draft["delivery"])
	for _, l := range o.Lines {
		o.Draft[l.Key] = strconv.Itoa(l.Qty)
	}
	o.Draft["gift"], o.Draft["coupon"] = onOff(s.gift), s.coupon
	delete(o.Draft, "step")
	s.next++
	s.orders = append([]order{o}, s.orders...)
	s.cart, s.draft, s.gift, s.coupon = map[string]int{}, facts{}, false, ""
	s.toast = s.t("Thank you! Your order is placed.", "谢谢!订单已提交。")
	see(w, r, "/orders/"+o.No)
}
