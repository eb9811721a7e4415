package sites

import (
	"strconv"
	"strings"
)

// act does something to letters by their keys.
func (c *client) act(deed, label string, keys ...string) string {
	var ids []string
	for _, l := range c.w.site.(*mail).box {
		for _, k := range keys {
			if l.key == k {
				ids = append(ids, strconv.Itoa(l.ID))
			}
		}
	}
	if deed == "open" {
		return c.get("/api/mail/" + ids[0])
	}
	return c.post("/api/act", "do", deed, "ids", strings.Join(ids, ","), "label", label)
}

// starts reads when what a notice announces begins.
func starts(c *client, key string) string {
	return clock.FindString(c.act("open", "", key))
}

var mailSolutions = map[string]solution{
	"mail-open": {
		func(c *client) string { return c.act("open", "", "ida_lund") },
		func(c *client) string { return c.act("open", "", "ian_lund") },
	},
	"mail-star": {
		func(c *client) string { return c.act("star", "", "ruben_vega") },
		func(c *client) string { return c.act("star", "", "rosa_vega") },
	},
	"mail-archive-zh": {
		func(c *client) string { return c.act("archive", "", "wangfang") },
		func(c *client) string { return c.act("archive", "", "wangfen") },
	},
	"mail-label": {
		func(c *client) string { return c.act("label", "Travel", "ferry_booking", "ferry_times") },
		func(c *client) string { return c.act("label", "Work", "ferry_booking", "ferry_times") },
	},
	"mail-reply": {
		func(c *client) string {
			return c.post("/api/send", "to", "clara.wong@example.com", "subject", "Re: Budget for the workshop", "body", "Approved, go ahead")
		},
		func(c *client) string {
			return c.post("/api/send", "to", "clara.wong@example.com", "subject", "Re: Budget for the summer party", "body", "Approved, go ahead")
		},
	},
	"mail-water-zh": {
		func(c *client) string {
			return "停水从" + starts(c, "water") + "开始,停电从 " + starts(c, "power") + " 开始。"
		},
		func(c *client) string {
			return "停水从" + starts(c, "water") + "开始,停电从 " + starts(c, "lift") + " 开始。"
		},
	},
	"mail-store": {
		func(c *client) string {
			c.act("archive", "", "store_sale", "store_new", "store_points", "store_survey")
			return c.act("star", "", "sailing")
		},
		func(c *client) string {
			c.act("archive", "", "store_sale", "store_new", "store_points", "store_survey", "sailing")
			return c.act("star", "", "sailing")
		},
	},
	"mail-vacation": {
		func(c *client) string {
			return c.post("/api/settings", "page", "vacation", "vacation", "on", "vacation.from", "2026-08-03", "vacation.to", "2026-08-14",
				"vacation.subject", "Away until 17 August", "vacation.text", "I am away. Please write to Clara Wong.")
		},
		func(c *client) string {
			return c.post("/api/settings", "page", "signature", "signature", "I am away. Please write to Clara Wong.")
		},
	},
}
