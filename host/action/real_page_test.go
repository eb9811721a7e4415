package action

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

func TestRealNavigation(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "")
		res := l.ok("navigate", p{"url": strings.TrimPrefix(l.at("a.test", "click.html"), "http://")})
		has(t, res.Effect, "navigated to http://a.test:", "(Click)")
		rev := res.PageRev
		res = l.ok("click", p{"selector": "#next"})
		has(t, res.Effect, "navigated to http://a.test:", "next.html (Next)")
		if res.PageRev != rev+1 {
			t.Errorf("page rev %d after %d", res.PageRev, rev)
		}
		has(t, l.ok("goBack", p{}).Effect, "click.html (Click)")
		has(t, l.ok("goForward", p{}).Effect, "next.html (Next)")
		l.fails(NavigationFailed, "goForward", p{})
		has(t, l.ok("refresh", p{}).Effect, "next.html (Next)")
		l.ok("navigate", p{"url": l.at("a.test", "click.html")})
		rev = l.do("wait", p{"ms": 1}).PageRev
		res = l.ok("click", p{"selector": "#hash"})
		has(t, res.Effect, "address is now", "#below")
		if res.PageRev != rev {
			t.Errorf("within one document the page rev went from %d to %d", rev, res.PageRev)
		}
		l.fails(Blocked, "navigate", p{"url": "chrome://version"})
		l.fails(Blocked, "navigate", p{"url": "javascript:alert(1)"})
		l.fails(NavigationFailed, "navigate", p{"url": "http://a.test:1/"})
	})
}

func TestRealTabs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		other, err := d.Open(context.Background(), l.at("b.test", "next.html"), false, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.CloseTab(context.Background(), other.ID) })
		res := l.ok("click", p{"selector": "#blank"})
		has(t, res.Effect, "opened a new tab at", "next.html")
		if n := len(l.Tabs()); n != 2 {
			t.Fatalf("%d tabs: %+v", n, l.Tabs())
		}
		l.fails(NotFound, "switchTab", p{"url": "b.test"})
		was := l.Tab()
		has(t, l.ok("switchTab", p{"url": "next.html"}).Text, "Next")
		if l.Tab() == was {
			t.Error("still in the old tab")
		}
		l.ok("click", p{"selector": "a"})
		if err := d.CloseTab(context.Background(), l.Tab()); err != nil {
			t.Fatal(err)
		}
		has(t, l.fails(TabClosed, "click", p{"selector": "a"}).Text, "switchTab")
		l.ok("switchTab", p{"index": 1})
		l.ok("click", p{"selector": "#nothing"})
	})
}

func TestRealDialogs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		res := l.ok("click", p{"selector": "#alert"})
		has(t, res.Effect, `an alert said "Hello" and was closed`)
		l.wantLog("alert")
		res = l.ok("click", p{"selector": "#confirm"})
		has(t, res.Effect, `a confirm dialog opened: "Proceed?"`)
		has(t, l.fails(DialogOpen, "click", p{"selector": "#nothing"}).Text, "Proceed?", "handleDialog")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
		if err != nil || o.Dialog == nil {
			t.Errorf("observation %+v, %v", o, err)
		}
		l.ok("handleDialog", p{"accept": true})
		l.wantLog("alert", "confirm", "answer true")

		if err := l.tab.Navigate(context.Background(), l.at("a.test", "dialogs.html")); err != nil {
			t.Fatal(err)
		}
		has(t, l.ok("click", p{"selector": "#ask"}).Effect, "a prompt dialog opened")
		has(t, l.ok("handleDialog", p{"accept": true, "text": "Ada"}).Effect, `"none" → "Ada"`)
		l.eval(`addEventListener("beforeunload", (e) => e.preventDefault()), 0`)
		has(t, l.fails(DialogOpen, "navigate", p{"url": l.at("a.test", "next.html")}).Text, "Leave the page?")
		l.ok("handleDialog", p{"accept": false})
		if got := l.eval("document.title"); got != `"Dialogs"` {
			t.Errorf("left for %s", got)
		}
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.ok("click", p{"selector": "#wipe"})
		l.fails(Denied, "handleDialog", p{"accept": true})
		if len(l.person.cards) != 1 || l.person.cards[0].Decision.Class != safety.Destroy {
			t.Errorf("cards %+v", l.person.cards)
		}
		has(t, l.ok("handleDialog", p{"accept": false}).Effect, `"false"`)
	})
}

func TestRealForm(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		res := l.ok("type", p{"selector": "#nick", "text": "Ada B?"})
		if got := l.eval("nick.value"); got != `"oldAda B?"` {
			t.Errorf("value %s", got)
		}
		has(t, res.Effect, `"old" → "oldAda B?"`)
		if got := l.eval("keys"); got != `["A","d","a"," ","B","?"]` {
			t.Errorf("keys %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Zoë 茶 😀", "clear": true})
		if got := l.eval("nick.value"); got != `"Zoë 茶 😀"` {
			t.Errorf("value %s", got)
		}
		long := strings.Repeat("long text ", 40)
		l.ok("type", p{"selector": "#notes", "text": "one\ntwo\n" + long})
		if got := l.eval("notes.value"); got != `"one\ntwo\n`+long+`"` {
			t.Errorf("notes %s", got)
		}
		l.ok("type", p{"selector": "#rich", "text": "bold"})
		if got := l.eval("rich.textContent"); got != `"bold"` {
			t.Errorf("rich %s", got)
		}
		if got := l.fails(NotEditable, "type", p{"selector": "#fixed", "text": "y"}).Text; !strings.Contains(got, "it can only be read") || strings.Count(got, `"Fixed"`) != 1 {
			t.Errorf("fixed: %s", got)
		}

		res = l.ok("select", p{"selector": "#colour", "value": "Blue"})
		has(t, res.Text, `selected "Blue"`)
		has(t, l.fails(NotFound, "select", p{"selector": "#colour", "value": "Pink"}).Text, "Red")
		l.fails(Disabled, "select", p{"selector": "#colour", "value": "Black"})
		l.ok("select", p{"selector": "#colour", "value": "0"})
		has(t, l.ok("click", p{"selector": "#gift"}).Effect, "checked")
		l.ok("click", p{"selector": "#nick"})
		l.ok("pressKey", p{"key": "a", "modifiers": []string{"ctrl"}})
		l.ok("pressKey", p{"key": "Backspace"})
		if got := l.eval("nick.value"); got != `""` {
			t.Errorf("value %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Bo"})
		l.ok("pressKey", p{"key": "Enter"})
		l.wantLog("colour b", "colour r", "submitted Bo")
		l.ok("type", p{"selector": "#nick", "text": "Cy\n", "clear": true})
		l.wantLog("colour b", "colour r", "submitted Bo", "submitted Cy")
		res = l.ok("type", p{"selector": "#q", "text": "mugs\n"})
		has(t, res.Effect, "navigated to", "next.html?q=mugs")
	})
}

func TestRealUpload(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		file := filepath.Join(t.TempDir(), "report.txt")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		l.ok("uploadFile", p{"selector": "#file", "filePath": file})
		l.wantLog("file report.txt")
		if len(l.person.cards) != 1 {
			t.Errorf("%d cards", len(l.person.cards))
		}
		l.fails(NotFound, "uploadFile", p{"selector": "#file", "filePath": file + "x"})
		l.fails(Unsupported, "uploadFile", p{"selector": "#nick", "filePath": file})
		has(t, l.fails(Unsupported, "click", p{"selector": "#file"}).Text, "uploadFile")
		has(t, l.fails(Unsupported, "click", p{"selector": "#colour"}).Text, "Red, Blue")
	})
}

func TestRealScroll(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "long.html")
		l.ok("scroll", p{"direction": "down", "amount": 700})
		if got := l.eval("scrollY"); got != "700" {
			t.Errorf("at %s", got)
		}
		l.ok("scroll", p{"direction": "up"})
		l.ok("scroll", p{"direction": "up", "amount": 5000})
		if got := l.eval("scrollY"); got != "0" {
			t.Errorf("at %s", got)
		}
		has(t, l.ok("pressKey", p{"key": "End"}).Effect, "scrolled")
		l.ok("pressKey", p{"key": "Home"})
		l.ok("scroll", p{"direction": "down", "amount": 300, "selector": "#box"})
		if got := l.eval("[scrollY, box.scrollTop]"); got != "[0,300]" {
			t.Errorf("at %s", got)
		}
		var at [2]float64 // a model that points scrolls what is there
		if err := json.Unmarshal([]byte(l.eval("(() => { const r = box.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()")), &at); err != nil {
			t.Fatal(err)
		}
		l.ok("scroll", p{"direction": "up", "amount": 100, "x": at[0], "y": at[1]})
		if got := l.eval("[scrollY, box.scrollTop]"); got != "[0,200]" {
			t.Errorf("at %s", got)
		}
		l.ok("scroll", p{"direction": "down", "amount": 100, "selector": "#box"})
		has(t, l.ok("click", p{"selector": "#far"}).Effect, "Reached")
	})
}

// TestRealScrollEnd: whether there is more to scroll to is told in each direction,
// also where a page begins at the right or a box at its bottom; where there is no
// more, no movement is waited for, and what the page itself makes of the wheel is
// told all the same.
func TestRealScrollEnd(t *testing.T) {
	type place struct {
		X, Y  float64
		AtEnd bool
	}
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "long.html")
		to := func(want bool, direction string, params p) place {
			t.Helper()
			params["direction"] = direction
			got := as[place](t, l.ok("scroll", params))
			if got.AtEnd != want {
				t.Errorf("%s: at the end %t, want %t", direction, got.AtEnd, want)
			}
			return got
		}
		to(false, "down", p{"amount": 700})
		to(true, "up", p{"amount": 5000})
		to(true, "down", p{"amount": 9000})
		best := time.Hour
		for range 5 {
			began := time.Now()
			to(true, "down", p{})
			best = min(best, time.Since(began))
		}
		if t.Logf("at the end: %s", best); best > wheelTime {
			t.Errorf("at the end of the page it takes %s, as long as a wheel that hangs", best)
		}
		l.eval(`addEventListener("wheel", () => { far.textContent = "Turned the globe"; far.style.top = scrollY + 100 + "px"; }), 0`)
		has(t, l.ok("scroll", p{"direction": "down"}).Effect, "Turned the globe")

		l.eval(`document.body.style.cssText = "width: 5000px", document.documentElement.dir = "rtl", scrollTo(0, 0), 0`)
		to(true, "right", p{"amount": 100})
		if got := to(false, "left", p{"amount": 300}); got.X != -300 {
			t.Errorf("at %g from the right", got.X)
		}
		to(true, "left", p{"amount": 9000})
		l.eval(`document.documentElement.dir = "ltr", box.style.cssText = "display: flex; flex-direction: column-reverse", document.getElementById("in").style.flex = "none", 0`)
		to(true, "down", p{"selector": "#box"})
		if got := to(false, "up", p{"selector": "#box", "amount": 300}); got.Y != -300 {
			t.Errorf("at %g from the bottom", got.Y)
		}
		to(true, "up", p{"selector": "#box", "amount": 9000})
	})
}

func TestRealReading(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		has(t, l.ok("hover", p{"selector": "#menu"}).Effect, "Hovered item")
		has(t, l.ok("getElements", p{"type": "link"}).Text, `link "Next page"`)
		i := l.index("link", "Next page")
		has(t, l.ok("getElementDetails", p{"indices": []int{i}}).Text, "#next", "xpath", "/next.html")
		res := l.ok("screenshot", p{})
		if len(res.Image) < 1000 || res.MIME != "image/jpeg" {
			t.Errorf("picture of %d bytes, %s", len(res.Image), res.MIME)
		}
		has(t, l.ok("executeJS", p{"code": "document.title"}).Text, `Result: "Click"`)
		res = l.ok("executeJS", p{"code": `"x".repeat(20000)`})
		if n := len(res.Text); n > maxScriptResult+200 {
			t.Errorf("%d characters", n)
		}
		has(t, l.fails(Unsupported, "executeJS", p{"code": "nope()"}).Text, "nope")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true, Image: true, Budget: 400})
		if err != nil || len(o.Image) == 0 || o.Title != "Click" || o.SnapshotID == "" || o.PageRev == 0 {
			t.Errorf("observation %+v, %v", o, err)
		}
		has(t, o.Text, "Add to cart", "URL: ")
	})
}
