package sites

import (
	"regexp"
	"strings"
)

func (c *client) transfer(from, to, amount, reference string) string {
	c.post("/transfer", "from", from, "to", to, "amount", amount, "reference", reference)
	return c.post("/transfer/confirm")
}

// paid reads the amount of a payment in a list of transactions.
func paid(c *client, month, who string) string {
	m := regexp.MustCompile(`(?s)<td>` + who + `</td>\s*<td[^>]*>(−¥[\d.,]+)`)
	for _, page := range []string{"1", "2"} {
		if found := m.FindStringSubmatch(c.get("/accounts/everyday?month=" + month + "&page=" + page)); found != nil {
			return strings.TrimPrefix(found[1], "−")
		}
	}
	return ""
}

// day is the day of the month of a standing order.
func (c *client) day(slug string) string {
	return regexp.MustCompile(`name="day"[^>]*value="(\d+)"`).FindStringSubmatch(c.get("/standing-orders/" + slug))[1]
}

func (c *client) balance(name string) string {
	page := c.get("/accounts")
	page = page[strings.Index(page, ">"+name+"<"):]
	return regexp.MustCompile(`class="avail">([^<]+)<`).FindStringSubmatch(page)[1]
}

var bankSolutions = map[string]solution{
	"bank-freeze": {
		func(c *client) string { return c.post("/cards/travel", "frozen", "on") },
		func(c *client) string { return c.post("/cards/online", "frozen", "on") },
	},
	"bank-balance": {
		func(c *client) string { return "It is " + c.balance("Holiday savings") + "." },
		func(c *client) string { return "It is " + c.balance("Rainy day savings") + "." },
	},
	"bank-statements-zh": {
		func(c *client) string { return c.post("/statements", "everyday", "online") },
		func(c *client) string { return c.post("/statements", "joint", "online") },
	},
	"bank-transfer": {
		func(c *client) string { return c.transfer("everyday", "Holiday savings", "85.50", "") },
		func(c *client) string { return c.transfer("everyday", "Rainy day savings", "85.50", "") },
	},
	"bank-power-zh": {
		func(c *client) string { return paid(c, "2026-03", "城市电力") },
		func(c *client) string { return paid(c, "2026-03", "城市燃气") },
	},
	"bank-payee": {
		func(c *client) string {
			c.post("/payees", "name", "Marek Novak", "iban", "CZ65 0800 0000 1920 0014 5399")
			return c.transfer("everyday", "Marek Novak", "120", "Bike repair")
		},
		func(c *client) string {
			c.post("/payees", "name", "Marek Novak", "iban", "CZ65 0800 0000 1920 0014 5399")
			return c.transfer("everyday", "Marek Novotny", "120", "Bike repair")
		},
	},
	"bank-changes": {
		func(c *client) string {
			c.post("/standing-orders/gym", "amount", "32", "day", c.day("gym"))
			return c.post("/cards/online", "limit", "500")
		},
		func(c *client) string {
			c.post("/standing-orders/school", "amount", "32", "day", c.day("school"))
			return c.post("/cards/online", "limit", "500")
		},
	},
}
