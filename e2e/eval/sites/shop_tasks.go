package sites

import (
	"slices"

	"tabwright/e2e/eval/suite"
)

var shopTasks = slices.Concat(on(newShop,
	taskOn[*shop]{
		suite.Task{
			ID: "shop-add", Lang: "en", Level: 1, Acts: 1, Start: "/tea/black",
			Text: "Add the Assam tea to the basket.",
		},
		func(*shop) goal { return goal{set: facts{"cart.assam/100": "1"}} },
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-size", Lang: "en", Level: 2, Acts: 4, Start: "/tea/black",
			Text: "Add two 250 g bags of Earl Grey Blue to the basket.",
		},
		func(*shop) goal {
			return goal{set: facts{"cart.earl-grey-blue/250": "2"}, via: map[string][]string{"cart.earl-grey-blue/250": {"1"}}}
		},
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-cheapest", Lang: "en", Level: 2, Acts: 3, Start: "/",
			Text: "Put the cheapest oolong on the wish list.",
		},
		func(s *shop) goal {
			return goal{set: facts{"wish." + s.cheapest("oolong").Slug: "yes"}}
		},
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-buy", Lang: "en", Level: 3, Acts: 11, Start: "/tea/green",
			Text: "Buy one 100 g bag of Sencha (plain Sencha, nothing else). Have it delivered by express to Lena Holt, 14 Mill Lane, Bristol, BS1 4QA, and pay with the saved Visa card. Place the order.",
		},
		func(*shop) goal {
			to := facts{"name": "Lena Holt", "street": "14 Mill Lane", "city": "Bristol", "postcode": "BS1 4QA", "delivery": "express", "payment": "visa"}
			g := goal{set: facts{"order.1.sencha/100": "1", "order.1.gift": "off"}, via: checkoutVia(to)}
			for k, v := range to {
				g.set["order.1."+k] = v
			}
			g.via["cart.sencha/100"] = []string{"1"}
			return g
		},
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-review", Lang: "en", Level: 3, Acts: 14, Start: "/tea/herbal",
			Text: "Put one Chamomile and one Rooibos Vanilla (100 g each) into the basket and use the coupon code STEEP10. Go through the checkout with standard delivery to Omar Reyes, 3 Dock Street, Leeds, LS10 1JF, and payment by bank transfer, as far as the review step. Do not place the order.",
		},
		func(*shop) goal {
			to := facts{"name": "Omar Reyes", "street": "3 Dock Street", "city": "Leeds", "postcode": "LS10 1JF", "delivery": "standard", "payment": "transfer"}
			g := goal{set: facts{"cart.chamomile/100": "1", "cart.rooibos-vanilla/100": "1", "cart.coupon": "STEEP10", "checkout.step": "review"}}
			for k, v := range to {
				g.set["checkout."+k] = v
			}
			return g
		},
	},
), on(shopWithCart,
	taskOn[*shop]{
		suite.Task{
			ID: "shop-gift", Lang: "en", Level: 1, Acts: 1, Start: "/cart",
			Text: `Tick "Gift wrap" for what is in the basket.`,
		},
		func(*shop) goal { return goal{set: facts{"cart.gift": "on"}} },
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-amount-zh", Lang: "zh", Level: 1, Acts: 2, Start: "/cart",
			Text: "把购物篮里龙井的数量改成 3,并更新购物篮。",
		},
		func(*shop) goal { return goal{set: facts{"cart.longjing/100": "3"}} },
	},
	taskOn[*shop]{
		suite.Task{
			ID: "shop-order-zh", Lang: "zh", Level: 2, Acts: 4, Start: "/",
			Text: "在“我的订单”里找出最近一次买了碧螺春的订单,这笔订单的总价是多少?",
		},
		func(s *shop) goal {
			g := goal{}
			for _, o := range s.orders {
				has := slices.ContainsFunc(o.Lines, func(l cartLine) bool { return l.Key == "biluochun/100" })
				if has && g.answer == nil {
					g.answer = [][]string{moneyForms(o.Total)}
				} else {
					g.decoys = append(g.decoys, plainMoney(o.Total))
				}
			}
			return g
		},
	},
))

// shopWithCart has three teas in the basket.
func shopWithCart(b base) *shop {
	s := newShop(b)
	s.cart = map[string]int{"longjing/100": s.between(1, 2), "sencha/100": s.between(1, 2), "keemun/250": 1}
	return s
}

func (s *shop) cheapest(kind string) *tea {
	var best *tea
	for _, t := range s.teas {
		if t.Kind == kind && (best == nil || t.Small < best.Small) {
			best = t
		}
	}
	return best
}

// checkoutVia are the facts that a checkout passes through.
func checkoutVia(draft facts) map[string][]string {
	via := map[string][]string{"checkout.step": {"review"}}
	for k, v := range draft {
		via["checkout."+k] = []string{v}
	}
	return via
}

// moneyForms are the forms in which an answer may give an amount.
func moneyForms(cents int) []string {
	forms := []string{plainMoney(cents)}
	if cents%100 == 0 {
		forms = append(forms, forms[0][:len(forms[0])-3])
	} else if cents%10 == 0 {
		forms = append(forms, forms[0][:len(forms[0])-1])
	}
	return forms
}
