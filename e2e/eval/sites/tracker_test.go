package sites

import (
	"fmt"
	"regexp"
	"strings"
)

// change posts a form to the issue with the title, found as a user finds it.
func (c *client) change(title string, fields ...string) string {
	page := c.get("/issues?q=" + strings.ReplaceAll(title, " ", "+"))
	m := regexp.MustCompile(`href="(/issues/\d+)"[^>]*>` + title).FindStringSubmatch(page)
	if m == nil {
		c.t.Fatalf("no issue %q in\n%s", title, page)
	}
	return c.post(m[1], fields...)
}

func (c *client) closeAll(keys ...string) {
	fields := []string{"do", "close", "back", "/issues"}
	for _, x := range c.w.site.(*tracker).issues {
		for _, k := range keys {
			if x.key == k {
				fields = append(fields, "no", fmt.Sprint(x.No))
			}
		}
	}
	c.post("/bulk", fields...)
}

// reporter reads who reported the nth issue of a list.
func reporter(c *client, list string, nth int) string {
	links := regexp.MustCompile(`class="title" href="(/issues/\d+)"`).FindAllStringSubmatch(c.get(list), -1)
	return regexp.MustCompile(`class="by">([^<]+)<`).FindStringSubmatch(c.get(links[nth][1]))[1]
}

var trackerSolutions = map[string]solution{
	"tracker-close": {
		func(c *client) string { return c.change("Login button overlaps the logo", "do", "close") },
		func(c *client) string { return c.change("Login button does nothing in Safari", "do", "close") },
	},
	"tracker-digest-zh": {
		func(c *client) string {
			return c.post("/settings/notifications", "mentions", "on", "assigned", "on")
		},
		func(c *client) string {
			return c.post("/settings/general", "visibility", "public")
		},
	},
	"tracker-assign": {
		func(c *client) string {
			return c.change("Export drops the last row", "do", "assign", "value", "Priya Nair")
		},
		func(c *client) string {
			return c.change("Export drops the header row", "do", "assign", "value", "Priya Nair")
		},
	},
	"tracker-comment": {
		func(c *client) string {
			return c.change("Crash when a file name has an emoji", "do", "close", "comment", "Fixed in 2.4.1.")
		},
		func(c *client) string {
			return c.change("Crash when a file name has a space", "do", "close", "comment", "Fixed in 2.4.1.")
		},
	},
	"tracker-oldest": {
		func(c *client) string { return reporter(c, "/issues?label=security&sort=oldest", 0) },
		func(c *client) string { return reporter(c, "/issues?label=security", 0) },
	},
	"tracker-new": {
		func(c *client) string {
			return c.post("/issues/new", "title", "Dark mode flickers on start", "body", "Happens on every cold start.", "label", "bug", "label", "design",
				"assignee", "Lea Fischer", "milestone", "3.0", "priority", "high")
		},
		func(c *client) string {
			return c.post("/issues/new", "title", "Dark mode flickers on start", "body", "Happens on every cold start.", "label", "bug",
				"assignee", "Leo Fisher", "milestone", "3.0", "priority", "high")
		},
	},
	"tracker-duplicates-zh": {
		func(c *client) string {
			c.closeAll("dup1", "dup2", "dup3")
			return c.change("搜索结果为空", "do", "priority", "value", "high")
		},
		func(c *client) string {
			c.closeAll("dup1", "dup2", "f2")
			return c.change("搜索结果为空", "do", "priority", "value", "high")
		},
	},
}
