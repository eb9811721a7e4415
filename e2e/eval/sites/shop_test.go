package sites

import "strings"

func buy(c *client, street, delivery, payment string) {
	c.post("/checkout/address", "name", "Lena Holt", "street", street, "city", "Bristol", "postcode", "BS1 4QA")
	c.post("/checkout/delivery", "delivery", delivery)
	c.post("/checkout/payment", "payment", payment)
	c.get("/checkout/review")
	c.post("/checkout/review")
}

func oolong(c *client, nth int) string {
	page := c.get("/tea/oolong?sort=price")
	for range nth {
		_, page, _ = strings.Cut(page, `action="/wish/`)
	}
	slug, _, _ := strings.Cut(page, `"`)
	return slug
}

var shopSolutions = map[string]solution{
	"shop-add": {
		func(c *client) string { return c.post("/cart/add", "tea", "assam") },
		func(c *client) string { return c.post("/cart/add", "tea", "darjeeling") },
	},
	"shop-size": {
		func(c *client) string {
			return c.post("/cart/add", "tea", "earl-grey-blue", "size", "250", "qty", "2")
		},
		func(c *client) string {
			return c.post("/cart/add", "tea", "earl-grey", "size", "250", "qty", "2")
		},
	},
	"shop-cheapest": {
		func(c *client) string { return c.post("/wish/" + oolong(c, 1)) },
		func(c *client) string { return c.post("/wish/" + oolong(c, 2)) },
	},
	"shop-buy": {
		func(c *client) string {
			c.post("/cart/add", "tea", "sencha")
			buy(c, "14 Mill Lane", "express", "visa")
			return ""
		},
		func(c *client) string {
			c.post("/cart/add", "tea", "sencha-fukujyu")
			buy(c, "14 Mill Lane", "express", "visa")
			return ""
		},
	},
	"shop-review": {
		func(c *client) string {
			c.post("/cart/add", "tea", "chamomile")
			c.post("/cart/add", "tea", "rooibos-vanilla")
			c.post("/cart/coupon", "code", "steep10")
			c.post("/checkout/address", "name", "Omar Reyes", "street", "3 Dock Street", "city", "Leeds", "postcode", "LS10 1JF")
			c.post("/checkout/delivery", "delivery", "standard")
			return c.post("/checkout/payment", "payment", "transfer")
		},
		func(c *client) string {
			c.post("/cart/add", "tea", "chamomile")
			c.post("/cart/add", "tea", "rooibos")
			buy(c, "3 Dock Street", "standard", "transfer")
			return ""
		},
	},
	"shop-gift": {
		func(c *client) string { return c.post("/cart/gift", "gift", "on") },
		func(c *client) string { return c.post("/cart/coupon", "code", "STEEP10") },
	},
	"shop-amount-zh": {
		func(c *client) string { return c.post("/cart/update", "qty:longjing/100", "3") },
		func(c *client) string { return c.post("/cart/update", "qty:sencha/100", "3") },
	},
	"shop-order-zh": {
		func(c *client) string {
			s := c.w.site.(*shop)
			return "总价是 " + s.money(s.orders[1].Total)
		},
		func(c *client) string {
			s := c.w.site.(*shop)
			return "总价是 " + s.money(s.orders[3].Total)
		},
	},
}
