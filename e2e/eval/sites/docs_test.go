package sites

import (
	"regexp"
	"testing"
)

// A time counts with its own unit in any form, or with none, and not with another one.
func TestUnitsOfAnAnswer(t *testing.T) {
	g := (&docs{}).asks("25 s", "40 s")
	for answer, right := range map[string]bool{
		"It is 25 s.": true, "It is 25s": true, "25": true, "The default is 25 seconds (25000 ms).": true, "默认是 25 秒": true,
		"It is 25 ms.": false, "It is 25ms": false, "25 milliseconds": false, "25 minutes": false, "默认是 25 毫秒": false, "25 s or 40 s": false, "250 s": false,
	} {
		if err := g.checkAnswer(answer); (err == nil) != right {
			t.Errorf("%q: %v", answer, err)
		}
	}
	if err := (&docs{}).asks("7105", "7405").checkAnswer("Port 7105"); err != nil {
		t.Error(err)
	}
}

// setting reads the default of a setting off the page of a version.
func setting(c *client, version, name string) string {
	page := c.get("/docs/settings?version=" + version)
	return regexp.MustCompile(`(?s)<code>` + regexp.QuoteMeta(name) + `</code>.*?<td class="default">([^<]+)<`).FindStringSubmatch(page)[1]
}

func port(c *client, system string) string {
	return regexp.MustCompile(`(?s)id="tab-` + system + `".*?(\d{4})`).FindStringSubmatch(c.get("/docs/install"))[1]
}

var docsSolutions = map[string]solution{
	"docs-helpful": {
		func(c *client) string { return c.post("/feedback/install", "helpful", "yes") },
		func(c *client) string { return c.post("/bookmark/install") },
	},
	"docs-theme-zh": {
		func(c *client) string { return c.post("/prefs", "theme", "dark") },
		func(c *client) string { return c.post("/feedback/first-job", "helpful", "yes") },
	},
	"docs-default": {
		func(c *client) string { return "The default is " + setting(c, "2.x", "retry.max_delay") + "." },
		func(c *client) string { return "The default is " + setting(c, "3.x", "retry.max_delay") + "." },
	},
	"docs-port-zh": {
		func(c *client) string { return "默认端口是" + port(c, "windows") },
		func(c *client) string { return "默认端口是" + port(c, "macos") },
	},
	"docs-errands": {
		func(c *client) string {
			c.post("/bookmark/rate-limits")
			c.post("/feedback/webhooks", "helpful", "no")
			c.post("/feedback/webhooks", "helpful", "no", "text", "The example is out of date")
			return c.post("/subscribe", "mail", "mira.koch@example.com", "for", "2.x", "agree", "on")
		},
		func(c *client) string {
			c.post("/bookmark/schedules")
			c.post("/feedback/webhooks", "helpful", "no", "text", "The example is out of date")
			return c.post("/subscribe", "mail", "mira.koch@example.com", "for", "2.x", "agree", "on")
		},
	},
}
