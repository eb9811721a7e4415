package action

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

func TestRealClick(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		res := l.ok("click", p{"index": l.index("button", "Add to cart")})
		has(t, res.Text, `clicked button "Add to cart"`, `0" → "`, `new: link "View cart" [`)
		if res.Line != `Clicked "Add to cart" on a.test` || res.Site != "a.test" {
			t.Errorf("line %q", res.Line)
		}
		if res := l.ok("click", p{"selector": "#nothing"}); res.Effect != NoEffect {
			t.Errorf("effect %q", res.Effect)
		}
		l.ok("click", p{"selector": "xpath=//button[text()='Nothing']"})
		var r struct{ X, Y, Width, Height float64 }
		if err := json.Unmarshal([]byte(l.eval(`(() => { const r = nothing.getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height}; })()`)), &r); err != nil {
			t.Fatal(err)
		}
		l.ok("click", p{"x": r.X + r.Width/2, "y": r.Y + r.Height/2})
		l.wantLog("add", "nothing", "nothing", "nothing")
		l.fails(Disabled, "click", p{"selector": "#disabled"})
		l.fails(NotVisible, "click", p{"selector": "#hidden"})
		res = l.fails(Covered, "click", p{"selector": "#under"})
		has(t, res.Text, "Cookies")
		l.fails(NotFound, "click", p{"selector": "#nobody"})
		l.fails(InvalidParams, "click", p{"selector": "###"})
		l.wantLog("add", "nothing", "nothing", "nothing")
	})
}

// TestRealStop: a stop is obeyed at once, even while the page answers nothing,
// and no guard is left behind to eat the user's own clicks.
func TestRealStop(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		begin := time.Now()
		l.ok("click", p{"selector": "#nothing"}) // as long as that takes here, the other one must have to be sent
		ctx, cancel := context.WithTimeout(context.Background(), max(600*time.Millisecond, 2*time.Since(begin)))
		defer cancel()
		begin = time.Now()
		res := l.Do(ctx, Call{Name: "click", Params: json.RawMessage(`{"selector":"#busy"}`)})
		if res.Err == nil || res.Err.Code != Timeout || !res.Sent {
			t.Errorf("error %v, sent %t", res.Err, res.Sent)
		}
		if deadline, _ := ctx.Deadline(); time.Since(deadline) > 1500*time.Millisecond {
			t.Errorf("took %s", time.Since(begin))
		}
		l.loose.Wait()
		var at struct{ X, Y float64 }
		if err := json.Unmarshal([]byte(l.eval(`(() => { const r = nothing.getBoundingClientRect(); return {x: r.x + 5, y: r.y + 5}; })()`)), &at); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
			if err := l.tab.Mouse(context.Background(), kind, at.X, at.Y, "left", 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		l.wantLog("nothing", "busy", "nothing")
	})
}

func TestRealSwap(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		for _, when := range []string{"mousemove", "pointermove", "mouseover", "pointerdown", "mousedown"} {
			t.Run(when, func(t *testing.T) {
				l := openLive(t, d, "swap.html?on="+when)
				res := l.do("click", p{"selector": "#good"})
				if got := l.eval(`log.filter((x) => x.startsWith("evil"))`); got != "[]" {
					t.Errorf("the other button saw %s", got)
				}
				if res.Err != nil && res.Err.Code != StaleRef && res.Err.Code != Covered {
					t.Errorf("error %v", res.Err)
				}
				if res.Err == nil && l.eval("log") != `["good"]` {
					t.Errorf("said to be clicked, but the page saw %s", l.eval("log"))
				}
			})
		}
	})
}

func TestRealPay(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "pay.html")
		l.person.onAsk = func(n int, c Card) {
			if n == 1 {
				if c.Decision.Amount != "$12.50" || c.Changed || c.Target != `button "Pay"` {
					t.Errorf("first card %+v", c)
				}
				l.eval(`price("$99.00", 9900)`)
			} else if c.Decision.Amount != "$99.00" || !c.Changed {
				t.Errorf("second card %+v", c)
			}
		}
		res := l.ok("click", p{"selector": "#pay"})
		if len(l.person.cards) != 2 {
			t.Errorf("%d cards", len(l.person.cards))
		}
		has(t, res.Effect, "Thank you")
		l.wantLog("paid $99.00")

		for _, when := range []string{"mousemove", "mouseover", "mousedown"} {
			late := openLive(t, d, "pay.html?on="+when)
			res := late.ok("click", p{"selector": "#pay"})
			if n := len(late.person.cards); n != 2 || !late.person.cards[1].Changed || late.person.cards[1].Decision.Amount != "$99.00" {
				t.Errorf("%s: %d cards, %+v", when, n, late.person.cards)
			}
			has(t, res.Effect, "Thank you")
			late.wantLog("paid $99.00")
		}

		enter := openLive(t, d, "pay.html")
		enter.person.answers = []Answer{{By: "panel"}}
		enter.fails(Denied, "type", p{"selector": "#coupon", "text": "FREE\n"})
		enter.wantLog()
		if got := enter.eval("coupon.value"); got != `"FREE"` {
			t.Errorf("coupon %s", got)
		}
		if c := enter.person.cards; len(c) != 1 || c[0].Decision.Class != safety.Purchase || c[0].Decision.Amount != "$12.50" {
			t.Errorf("cards %+v", c)
		}
		enter.fails(Denied, "click", p{"selector": "#pay"})
		enter.ForgetDenials()
		enter.person.answers = []Answer{{Allow: true}}
		enter.ok("click", p{"selector": "#coupon"})
		enter.ok("pressKey", p{"key": "Enter"})
		enter.wantLog("paid $12.50")

		// What is asked about is in sight while it is asked, wherever it stands.
		below := openLive(t, d, "pay.html")
		below.eval(`document.body.style.paddingTop = "3000px", document.body.style.paddingBottom = "3000px", scrollTo(0, 0), 0`)
		below.person.onAsk = func(int, Card) {
			if got := below.eval(`[pay, coupon].map((e) => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })`); got != "[true,true]" {
				t.Errorf("the button and the field beside it are in sight: %s", got)
			}
		}
		below.ok("focus", p{"selector": "#coupon"})
		below.eval(`(scrollTo(0, 0), 0)`)
		below.ok("pressKey", p{"key": "Enter"})
		below.eval(`(scrollTo(0, 0), 0)`)
		below.ok("click", p{"selector": "#pay"})
		if len(below.person.cards) != 2 {
			t.Errorf("%d cards", len(below.person.cards))
		}

		denied := openLive(t, d, "pay.html")
		denied.person.answers = []Answer{{By: "panel"}}
		denied.fails(Denied, "click", p{"selector": "#pay"})
		denied.fails(Denied, "executeJS", p{"code": "pay.click()"})
		denied.wantLog()
		if len(denied.person.cards) != 1 {
			t.Errorf("%d cards", len(denied.person.cards))
		}
	})
}

func TestRealDrag(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "drag.html")
		l.ok("dragDrop", p{"from": p{"x": 60, "y": 60}, "to": p{"x": 340, "y": 140}})
		l.wantLog("ball on basket")
		l.eval(`ball.remove()`)
		res := l.ok("dragDrop", p{"from": p{"x": 60, "y": 240}, "to": p{"x": 340, "y": 140}})
		has(t, res.Text, `button "Card"`, `button "Basket"`)
		l.wantLog("ball on basket", "card dropped")
	})
}

func TestRealFrames(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "frames.html")
		// On a busy machine a frame's process is joined after the page's load.
		o := l.observe()
		for end := time.Now().Add(20 * time.Second); strings.Count(o.Text, `button "Press me"`) != 3; o = l.observe() {
			if time.Now().After(end) {
				t.Fatalf("not three buttons in\n%s", o.Text)
			}
			l.ok("wait", p{"ms": 100})
		}
		for _, tt := range []struct{ selector, host string }{{".inner", "a.test"}, {".deep", "c.test"}} {
			res := l.ok("click", p{"selector": tt.selector})
			has(t, res.Effect, "pressed "+tt.host)
			if strings.Contains(res.Effect, "!") || !strings.HasPrefix(res.Site, tt.host) {
				t.Errorf("effect %q on %s", res.Effect, res.Site)
			}
		}
		boxes := 0
		for _, e := range o.Elements.Elements {
			if e.Role == "textbox" {
				boxes++
				res := l.ok("type", p{"index": e.Index, "text": "hi"})
				has(t, res.Effect, "hi")
				host := siteOf(e.FrameURL)
				res = l.ok("pressKey", p{"key": "Enter"})
				has(t, res.Effect, "sent hi")
				if res.Site != host {
					t.Errorf("pressed on %s, want %s", res.Site, host)
				}
				x, y := e.Rect.X+e.Rect.Width/2, e.Rect.Y-e.Rect.Height
				res = l.ok("click", p{"x": x, "y": y + 5})
				if res.Site != host {
					t.Errorf("a click at %g,%g went to %s, want %s", x, y, res.Site, host)
				}
			}
		}
		if boxes != 2 {
			t.Errorf("%d fields were typed into, want one in each frame that has one", boxes)
		}
	})
}

func TestRealStaleRef(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "render.html")
		old := l.index("button", "Add to cart")
		l.eval(`render("Remove all")`)
		l.fails(StaleRef, "click", p{"index": old})
		l.eval(`root.innerHTML = "", document.body.insertAdjacentHTML("beforeend", "<button style='margin-top:9em' onclick='log.push(1)'>Add to cart</button>"), 0`)
		has(t, l.fails(StaleRef, "click", p{"index": old}).Text, `button "Add to cart"`)
		l.wantLog()
		l.eval(`document.body.lastChild.remove(), render("Add to cart")`)
		l.ok("click", p{"index": old}) // drawn anew, and the same to a user
		l.wantLog("Add to cart")
		l.eval(`log.length = 0, render("Add to  cart now")`)
		l.fails(StaleRef, "click", p{"index": old})
		l.eval(`render("Put into cart")`)
		now := l.index("button", "Put into cart")
		if now == old {
			t.Error("an index was given twice")
		}
		l.ok("click", p{"ref": fmt.Sprintf("@e%d", now)})
		l.wantLog("Put into cart")
		l.eval(`root.firstChild.textContent = "Delete basket"`)
		l.fails(StaleRef, "click", p{"index": now})
		l.ok("refresh", p{})
		l.fails(StaleRef, "click", p{"index": now})
	})
}
