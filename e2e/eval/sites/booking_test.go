package sites

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
)

// free reads the free hours of a day.
func (c *client) free(offer, staff, day string) []string {
	var hours []string
	if err := json.Unmarshal([]byte(c.get("/free?"+url.Values{"offer": {offer}, "staff": {staff}, "day": {day}}.Encode())), &hours); err != nil {
		c.t.Fatal(err)
	}
	return hours
}

func (c *client) book(offer, staff, day, hour, guests, name, phone, remarks string) string {
	return c.post("/book", "offer", offer, "staff", staff, "day", day, "hour", hour, "guests", guests, "name", name, "phone", phone, "remarks", remarks)
}

// late is the nth day of July with a free hour at 17:30.
func (c *client) late(staff string, nth int) string {
	for d := 1; d <= 31; d++ {
		day := fmt.Sprintf("2026-07-%02d", d)
		if slices.Contains(c.free("deep", staff, day), "17:30") {
			if nth--; nth == 0 {
				return day
			}
		}
	}
	return ""
}

func (c *client) appointment(slug, do string, fields ...string) string {
	for _, a := range c.w.site.(*booking).booked {
		if a.Offer == slug {
			return c.post(fmt.Sprintf("/bookings/%d/%s", a.No, do), fields...)
		}
	}
	c.t.Fatal("no booking of " + slug)
	return ""
}

var bookingSolutions = map[string]solution{
	"booking-cancel": {
		func(c *client) string { return c.appointment("hot", "cancel") },
		func(c *client) string { return c.appointment("face", "cancel") },
	},
	"booking-price": {
		func(c *client) string {
			k := c.w.site.(*booking)
			return k.dearest("course").Name + ", " + k.money(k.dearest("course").Price)
		},
		func(c *client) string {
			k := c.w.site.(*booking)
			return k.dearest("care").Name + ", " + k.money(k.dearest("care").Price)
		},
	},
	"booking-late": {
		func(c *client) string {
			return c.book("deep", "Noor Haddad", c.late("Noor Haddad", 1), "17:30", "1", "Eli Stone", "0117 555 0142", "")
		},
		func(c *client) string {
			return c.book("deep", "Noor Haddad", c.late("Noor Haddad", 2), "17:30", "1", "Eli Stone", "0117 555 0142", "")
		},
	},
	"booking-move-zh": {
		func(c *client) string { return c.appointment("pottery", "move", "day", "2026-06-19", "hour", "10:00") },
		func(c *client) string { return c.appointment("yoga", "cancel") },
	},
	"booking-ink-zh": {
		func(c *client) string {
			return c.book("ink", c.w.site.(*booking).offer("ink").Staff[0], "2026-06-12", "16:00", "2", "何小雨", "13800138000", "需要儿童座椅")
		},
		func(c *client) string {
			return c.book("ink", c.w.site.(*booking).offer("ink").Staff[1], "2026-06-12", "16:00", "2", "何小雨", "13800138000", "需要儿童座椅")
		},
	},
}
