package action

import (
	"encoding/json"
	_ "image/jpeg"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

// TestRealHardBegunScroll: only what is shown at the first look is a list to
// scroll within; what comes while nothing moves is what was waited for.
func TestRealHardBegunScroll(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		l.eval(`setTimeout(() => document.body.append(Object.assign(document.createElement("div"), { id: "later", textContent: "Later" })), 600)`)
		has(t, l.ok("scrollUntil", p{"selector": "#later", "text": "nothing of that kind", "stallMs": 8000}).Text, stopSelector)
	})
}

// TestRealHardListByName: a list that is named by selector is scrolled within
// until the text comes.
func TestRealHardListByName(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		res := l.ok("scrollUntil", p{"selector": "#rows", "text": "Row 43"})
		has(t, res.Text, stopText, "Row 43")
		if got := l.eval("rows.scrollTop > 300 && scrollY === 0"); got != "true" {
			t.Errorf("the list was not scrolled: %s", res.Text)
		}
		has(t, l.ok("scrollUntil", p{"selector": "#rows"}).Text, stopSelector)
		has(t, l.ok("scrollUntil", p{"selector": "#rows", "text": "Row 43"}).Text, "after 0 scrolls")
	})
}

func TestRealUntil(t *testing.T) {
	type end struct {
		Scrolls    int    `json:"scrolls"`
		Loads      int    `json:"loads"`
		Items      int    `json:"items"`
		StopReason string `json:"stopReason"`
		Index      int    `json:"index"`
	}
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "feed.html?rows=60")
		e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 45"}))
		if e.StopReason != stopText || e.Scrolls == 0 || e.Index == 0 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("scrollUntil", p{"selector": "#r45"})); e.StopReason != stopSelector || e.Scrolls != 0 {
			t.Errorf("end %+v", e)
		}
		if v := as[struct{ InViewport bool }](t, l.ok("isVisible", p{"selector": "#r45"})); !v.InViewport {
			t.Error("what was found is not in view")
		}
		if e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 99", "maxScrolls": 1})); e.StopReason != stopScrolls || e.Scrolls != 1 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 99", "maxScrolls": 200, "stallMs": 400})); e.StopReason != stopStalled {
			t.Errorf("end %+v", e)
		}
		l.fails(InvalidParams, "scrollUntil", p{"selector": "###"})

		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=18")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "itemSelector": ".row", "itemCount": 12})); e.StopReason != stopItems || e.Items != 15 || e.Loads != 2 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "itemSelector": ".row", "itemCount": 90})); e.StopReason != stopNoMore || e.Items != 18 || e.Loads != 1 {
			t.Errorf("end %+v", e)
		}
		l.wantLog("more", "more", "more")
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=50")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "text": "Item number 9"})); e.StopReason != stopText || e.Loads != 1 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "maxLoads": 2})); e.StopReason != stopLoads || e.Loads != 2 {
			t.Errorf("end %+v", e)
		}
		l.fails(InvalidParams, "loadMoreUntil", p{"selector": "#more"})
		l.fails(InvalidParams, "loadMoreUntil", p{"selector": "#more", "itemCount": 3})
		l.fails(NotFound, "loadMoreUntil", p{"selector": "#nobody", "maxLoads": 2})

		// The control's click passes the gate like any other.
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=50&name=Delete%20account")})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "loadMoreUntil", p{"selector": "#more", "maxLoads": 2})
		l.wantLog()

		// Of words in a long line of links, the one that has them is found.
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=5")})
		l.eval(`list.insertAdjacentHTML("beforeend", "<p>" + Array.from({length: 900}, (_, i) => "<a href=#>Link " + i + ".</a> ").join("") + "</p>")`)
		e = as[end](t, l.ok("scrollUntil", p{"text": "link 890."}))
		if got := as[struct{ Text string }](t, l.ok("getText", p{"index": e.Index})).Text; e.StopReason != stopText || got != "Link 890." {
			t.Errorf("end %+v at %q", e, got)
		}
		if v := as[struct{ InViewport bool }](t, l.ok("isVisible", p{"index": e.Index})); !v.InViewport {
			t.Error("the link that was found is not in view")
		}

		l.ok("navigate", p{"url": l.at("a.test", "feed.html?rows=60")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"text": "Item number 25", "maxLoads": 20})); e.StopReason != stopText || e.Loads == 0 {
			t.Errorf("end %+v", e)
		}
	})
}

// TestRealScrollsOn: scrollUntil goes on as soon as the page has drawn, and waits
// where a step had the page ask for something: of what came after a timer or a
// server's answer nothing is passed by. A page that does not move is given its time.
func TestRealScrollsOn(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`document.body.innerHTML = Array.from({ length: 16 }, (_, i) => "<div style='height: 90vh'>Part " + i + "</div>").join("") + "<p>The end</p>", addEventListener("scroll", () => { if (window.asks) setTimeout(() => {}, 1000); }), 0`)
		type end struct {
			Scrolls    int
			StopReason string
		}
		best := [2]time.Duration{time.Hour, time.Hour}
		steps := 0
		for i := range 8 {
			l.eval([]string{"window.asks = false, scrollTo(0, 0), 0", "window.asks = true, scrollTo(0, 0), 0"}[i%2])
			began := time.Now()
			e := as[end](t, l.ok("scrollUntil", p{"selector": "#none", "maxScrolls": 12}))
			best[i%2] = min(best[i%2], time.Since(began))
			if steps = e.Scrolls; e.StopReason != stopScrolls || steps != 12 {
				t.Fatalf("end %+v", e)
			}
		}
		t.Logf("%d scrolls: %s, and %s where each has the page ask for a timer", steps, best[0], best[1])
		if best[1] < 11*scrollPause || best[0] > best[1]/2 {
			t.Errorf("%d scrolls: %s, and %s where each has the page ask for a timer", steps, best[0], best[1])
		}

		// What a step brings after a while comes only where the next is not taken yet.
		for what, code := range map[string]string{
			"timer":  `setTimeout(() => came(n), 80)`,
			"server": `fetch("/late?ms=80").then(() => came(n))`,
		} {
			l.eval(`window.steps = 0, scrollTo(0, 0), window.onscroll = () => { const n = ++steps; ` + code + `; },
				window.came = (n) => { if (n > 1 && n === steps) document.body.insertAdjacentHTML("beforeend", "<i style='position: fixed; top: 0'>Came by ` + what + `</i>"); }, 0`)
			if e := as[end](t, l.ok("scrollUntil", p{"text": "Came by " + what, "maxScrolls": 12})); e.StopReason != stopText {
				t.Errorf("%s: %+v", what, e)
			}
		}

		l.eval(`window.onscroll = null, scrollTo(0, 1e6), 0`)
		began := time.Now()
		if e := as[end](t, l.ok("scrollUntil", p{"text": "never there", "stallMs": 600})); e.StopReason != stopStalled || time.Since(began) < 600*time.Millisecond {
			t.Errorf("end %+v after %s", e, time.Since(began))
		}
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
