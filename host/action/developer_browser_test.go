package action

import (
	_ "image/jpeg"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

// TestRealDeveloper: the log of a page, its requests and the size of its viewport.
func TestRealDeveloper(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		l.eval(`(console.log("a note", 1, {a: 2}), console.warn("careful"), console.error("bad news from https://b.test/in?token=abcdef0123456789abcdef"), console.debug("small talk"),
		setTimeout(() => { throw new Error("nobody caught it") }), fetch("/next.html?x=1&token=abcdef0123456789abcdef").then((r) => r.text()).then(() => fetch("/nowhere.json")).then(() => new Promise((d) => setTimeout(d, 50))))`)
		texts := func(params p) string { return l.ok("consoleMessages", params).Text }
		all := texts(p{})
		has(t, all, "[info] a note 1 Object", "[warning] careful", "[error] bad news", "Error: nobody caught it")
		if strings.Contains(all, "abcdef0123456789") {
			t.Errorf("the log tells a token: %s", all)
		}
		if strings.Contains(all, "small talk") || !strings.Contains(texts(p{"level": "debug"}), "small talk") {
			t.Errorf("the levels are %s", all)
		}
		if errors := texts(p{"level": "error"}); strings.Contains(errors, "careful") || !strings.Contains(errors, "bad news") {
			t.Errorf("the errors are %s", errors)
		}
		type list struct{ Requests []browser.PageRequest }
		made := as[list](t, l.ok("networkRequests", p{"filter": "next.html"})).Requests
		if len(made) != 1 || made[0].Method != "GET" || made[0].Status != 200 || made[0].Type != "Fetch" || strings.Contains(made[0].URL, "abcdef0123456789") {
			t.Errorf("the request is %+v", made)
		}
		if guess := as[list](t, l.ok("networkRequests", p{"filter": "token=abcdef"})).Requests; len(guess) != 0 {
			t.Errorf("the filter tells how a hidden value begins: %+v", guess)
		}
		if r := l.ok("networkRequests", p{"filter": "nowhere.json"}).Text; !strings.Contains(r, " 404 ") {
			t.Errorf("of a missing file it says %s", r)
		}
		whole := as[list](t, l.ok("networkRequests", p{"static": true})).Requests
		if !slices.ContainsFunc(whole, func(r browser.PageRequest) bool { return r.Type == "Document" && r.Status == 200 }) {
			t.Errorf("the document is not among %+v", whole)
		}
		l.ok("resize", p{"width": 700, "height": 400})
		if got := l.eval("[innerWidth, innerHeight]"); got != "[700,400]" {
			t.Errorf("the viewport is %s", got)
		}
		l.ok("resize", p{"width": 0, "height": 0})
		if got := l.eval("innerWidth"); got == "700" {
			t.Error("the viewport has not its own size again")
		}
		l.fails(InvalidParams, "resize", p{"width": 700, "height": 0})
		l.ok("navigate", p{"url": l.at("a.test", "read.html")})
		if got := texts(p{}); strings.Contains(got, "bad news") || !strings.Contains(texts(p{"all": true}), "bad news") {
			t.Errorf("on the next page the log is %s", got)
		}
	})
}
