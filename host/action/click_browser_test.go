package action

import (
	"context"
	"encoding/json"
	_ "image/jpeg"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

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

// TestRealHardDoubleClick: the presses of a double click come in its pace, also where
// the page is busy with the first.
func TestRealHardDoubleClick(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#pad", "clicks": 2})
		l.saw("press|double", "press ", "press ", "double true")
	})
}

// TestRealHardOwnPress: what a press itself brings about is its effect: its own row is
// chosen, a menu opens over it, a copy of it follows the mouse. Another amount is not.
func TestRealHardOwnPress(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"selector": "#i60", "button": "right"}).Effect, `"First"`, `checked "false" → "true"`, `checked "true" → "false"`)
		l.eval(`choices.style.display = "none", choose(issues.rows[1])`)
		has(t, l.ok("click", p{"selector": "#plain60"}).Effect, `checked "false" → "true"`)
		l.saw("row|chose", "row")
		has(t, l.fails(StaleRef, "click", p{"selector": "#bill"}).Text, "other amounts or fields")
		l.saw("bill")
		has(t, l.ok("click", p{"selector": "#down"}).Effect, `listitem "First" [`, `listitem "Second" [`)
		l.eval(`choices.style.display = "none"`)
		has(t, l.ok("click", p{"selector": "#made"}).Effect, `"Third Fourth"`)
		l.ok("click", p{"selector": "#card"})
		l.saw("chose|let", "let go")
	})
}

// TestRealHardBegunCount: a press that changes what stands beside its target is
// not done again, and not said to have changed the target.
func TestRealHardBegunCount(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		text := l.fails(StaleRef, "click", p{"selector": "#plus"}).Text
		has(t, text, "other amounts or fields", "Click again only if it is not")
		if got := l.eval("count.value"); got != `"2"` || strings.Contains(text, "became") {
			t.Errorf("it stands at %s: %s", got, text)
		}
	})
}

// TestRealHardBegunAsked: nobody is asked about what can't be done, and the card
// shows what it is once it can.
func TestRealHardBegunAsked(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		at := l.found(p{"testId": "pay"}).Rect
		l.fails(Disabled, "click", p{"x": at.X + at.Width/2, "y": at.Y + at.Height/2})
		if n := len(l.person.cards); n != 0 {
			t.Fatalf("%d cards for a disabled button", n)
		}
		l.eval("sell()")
		l.ok("click", p{"selector": "#buy"})
		if n := len(l.person.cards); n != 1 || !strings.Contains(l.person.cards[0].Target, "25 EUR") {
			t.Errorf("%d cards: %+v", n, l.person.cards)
		}
		has(t, l.fails(Disabled, "select", p{"selector": "#off", "value": "One"}).Text, "is disabled")
	})
}

// TestRealHardBegunTooltip: what lost the title that it was called by, as a tooltip
// shows it, is still the same.
func TestRealHardBegunTooltip(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		index := l.found(p{"role": "checkbox", "name": "Check all"}).Index
		l.ok("hover", p{"index": index})
		l.ok("click", p{"index": index})
		if got := l.eval("[every.title, every.checked].join()"); got != `",true"` {
			t.Errorf("the box is %s", got)
		}
	})
}

// TestRealHardEnds: where a press or a drag ends is not always where it began, or
// where the page shows its end.
func TestRealHardEnds(t *testing.T) {
	t.Parallel()
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_ends.html")
		at := func(selector string) p { return p{"selector": selector} }

		// The handle is drawn anew with each move; the release is the page's all the same.
		l.ok("dragDrop", p{"from": at("#rim"), "to": p{"x": 250, "y": 35}})
		l.saw("long", "long true")

		// The menu takes the mouse away from what was pressed.
		res := l.ok("click", p{"selector": "#ask", "button": "right"})
		has(t, res.Text, "Back")
		l.ok("click", at("#back"))
		l.saw("back", "back")

		// What came under the mouse gets the release, or the page would wait for it; it is told that it was not what was pressed.
		has(t, l.fails(StaleRef, "click", at("#s2")).Text, "reached something else")
		l.saw("drew", "drew s2")
		l.ok("click", at("#after"))
		l.saw("after", "after")

		l.ok("type", p{"selector": "xpath=(//*[@id='pins']//input)[1]", "text": "1234"})
		l.saw("pin", "pin 1234")

		s := l.found(p{"role": "switch", "name": "Wireless"})
		l.ok("check", p{"index": s.Index})
		l.ok("check", p{"index": s.Index})
		l.ok("uncheck", p{"index": s.Index})
		l.saw("switch", "switch true", "switch false")
		if text := l.observe().Text; strings.Count(text, "Wireless") != 1 {
			t.Errorf("the switch is listed more than once:\n%s", text)
		}

		has(t, l.ok("click", at("#space")).Text, "Item one")

		// A field that is drawn only with the keyboard in it.
		has(t, l.ok("type", p{"selector": "#soft", "text": "Zed"}).Text, `value "" → "Zed"`)
	})
}

// TestRealHardHoles: what has a hole where its middle is, is a line, or is
// covered but for an edge is pressed where it takes a press.
func TestRealHardHoles(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.pressAll([]pressable{
			{role: "button", name: "Thin ring", selector: "#thin", id: "thin", noPoint: true},
			{role: "button", name: "Edge", selector: "#line", id: "line", noPoint: true},
			{role: "button", name: "Donut", selector: "#donut", id: "donut", noPoint: true},
			{role: "button", name: "Strip", selector: "#strip", id: "strip", noPoint: true},
			{role: "button", name: "Core", selector: "#core", id: "core"},
		})
	})
}

// TestRealHardMoreHeard: a part of what hears the clicks of all its parts is pressed itself.
func TestRealHardMoreHeard(t *testing.T) {
	more(t, "heard", func(t *testing.T, l *live) {
		for _, id := range []string{"h1", "h3"} {
			l.ok("click", sel("#"+id))
			l.gives("out.by", `"`+id+`"`)
		}
	})
}

func TestRealHardPlace(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		set        func(l *live)
	}{
		{name: "plain", page: "hard_place.html"},
		{name: "right to left", page: "hard_place.html?dir=rtl"},
		{name: "zoomed in", page: "hard_place.html?zoom=1.5"},
		{name: "zoomed out", page: "hard_place.html?zoom=0.7"},
		{name: "transformed", page: "hard_place.html", set: func(l *live) {
			l.eval(`all.style.cssText = "transform: scale(0.8); transform-origin: 0 0", 0`)
		}},
		{name: "two pixels to one", page: "hard_place.html", set: func(l *live) {
			l.cdp("Emulation.setDeviceMetricsOverride", p{"width": 900, "height": 700, "deviceScaleFactor": 2, "mobile": false})
		}},
		{name: "three pixels to two", page: "hard_place.html", set: func(l *live) {
			l.cdp("Emulation.setDeviceMetricsOverride", p{"width": 801, "height": 601, "deviceScaleFactor": 1.5, "mobile": false})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hard(t, tt.page, func(t *testing.T, l *live) {
				if tt.set != nil {
					tt.set(l)
				}
				all := []pressable{
					{role: "button", name: "Plain", selector: "#plain", id: "plain"},
					{role: "button", name: "A cat", selector: "#cat", id: "cat"},
					{role: "link", name: "a link that is so long that it runs over several lines here", selector: "#multi", id: "multi", noPoint: true},
					{role: "button", name: "Three scrollers deep", selector: "#nested", id: "nested"},
					{role: "button", name: "Lower", selector: "#lower", id: "lower", noPoint: true},
					{role: "button", name: "Upper", selector: "#upper", id: "upper"},
					{role: "button", name: "Behind glass", selector: "#behind", id: "behind"},
					{role: "button", name: "Only this", selector: "#only", id: "only"},
					{role: "button", name: "Child without pointer", selector: "#kid", id: "kid"},
					{role: "button", name: "Comes sliding", selector: "#anim", id: "anim"},
					{role: "button", name: "With a tooltip", selector: "#tipped", id: "tipped"},
					{role: "button", name: "Snap three", selector: "#snap3", id: "snap3"},
					{role: "button", name: "Snap one", selector: "#snap1", id: "snap1"},
					{role: "button", name: "In lazy content", selector: "#lazyb", id: "lazyb"},
					{role: "button", name: "Inner button", selector: "#inner", id: "inner", noPoint: true},
					{role: "button", name: "Half off the edge", selector: "#half", id: "half", noPoint: true},
					{role: "button", name: "Clipped away", selector: "#clipped", id: "clipped"},
					{role: "button", name: "At the bottom", selector: "#bottom", id: "bottom"},
				}
				if tt.name == "plain" {
					l.pressAll(all)
					return
				}
				l.pressSome(all, "plain", "multi", "nested", "lower", "snap3", "bottom")
			})
		})
	}
}

// TestRealHardUnreachable: what a user could not press isn't pressed, and
// nothing that lies in its place is.
func TestRealHardUnreachable(t *testing.T) {
	hard(t, "hard_place.html", func(t *testing.T, l *live) {
		has(t, l.fails(Covered, "click", p{"selector": "#whole"}).Text, "Lid")
		for selector, code := range map[string]Code{
			"#dead": Covered, "#inert": Disabled, "#uf": NotVisible, "#print": NotVisible, "#off": NotVisible,
		} {
			if res := l.do("click", p{"selector": selector}); res.Err == nil || res.Err.Code != code {
				t.Errorf("%s: %v, want %s", selector, res.Err, code)
			}
		}
		l.saw(pressKinds)
		// The words of its own that others are found by.
		for _, by := range []p{{"testId": "plain-one"}, {"title": "A plain"}, {"text": "Plain", "exact": true}} {
			l.ok("click", p{"index": l.found(by).Index})
			l.saw(pressKinds, pressedOn("plain")...)
		}
		l.ok("click", p{"index": l.found(p{"alt": "A cat"}).Index})
		l.saw(pressKinds, pressedOn("cat")...)
		l.ok("type", p{"index": l.found(p{"placeholder": "Search here"}).Index, "text": "x"})
		l.saw("input", "input find")
	})
}

// TestRealHardPress: what a page does at the press itself is done once. The click
// that follows is held back where the press made another thing of its target, and
// it is not pressed again by itself, which might do it again or undo it.
func TestRealHardPress(t *testing.T) {
	hard(t, "hard_press.html", func(t *testing.T, l *live) {
		res := l.ok("click", p{"selector": "#star"})
		has(t, res.Text, `clicked button "Not starred"`, `"Not starred" → "Starred"`, "answered the press itself")
		if got := l.eval("log.join()"); got != `"on"` {
			t.Errorf("a star that is set by the press was pressed for %s", got)
		}
		if !res.Sent {
			t.Error("nothing is said to have been sent")
		}
		l.ok("click", p{"selector": "#star"})
		if got := l.eval("log.join()"); got != `"on,off"` {
			t.Errorf("pressed once more: %s", got)
		}
		has(t, l.ok("click", p{"selector": "#more"}).Effect, `"Add one" → "Added 1"`)
		if got := l.eval("more.textContent"); got != `"Added 1"` {
			t.Errorf("one was to be added, the page says %s", got)
		}
		l.eval("log.length = 0")
		l.ok("click", p{"selector": "#ripple"})
		has(t, l.ok("click", p{"selector": "#late"}).Effect, `"Later" → "Later, done"`)
		if got := l.eval("log.join()"); got != `"plain,late"` {
			t.Errorf("a press that only looks like one, and a release that acts: %s", got)
		}
		l.eval("log.length = 0")
		has(t, l.ok("click", p{"index": l.found(p{"role": "button", "name": "Not starred"}).Index}).Effect, `"Not starred" → "Starred"`)
		if got := l.eval("log.join()"); got != `"on"` {
			t.Errorf("by index a star was pressed for %s", got)
		}
		has(t, l.ok("click", p{"selector": "#found"}).Effect, "/plain?from=search")
	})
}

// TestRealHardSlips: where nothing was pressed because the target slipped away
// from the mouse, that is what is said, and not that the press went astray.
func TestRealHardSlips(t *testing.T) {
	hard(t, "hard_combo.html", func(t *testing.T, l *live) {
		res := l.fails(Timeout, "mouseDown", p{"selector": "#slips"})
		has(t, res.Text, "nothing was pressed")
		if res.Sent {
			t.Error("it says that input was sent")
		}
		l.saw(pressKinds)
		l.ok("mouseDown", p{"selector": "#fruit"}) // no button is held
		l.ok("mouseUp", p{})
		l.saw(pressKinds, pressedOn("fruit")...)
	})
}

func TestRealButtons(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		l.ok("click", p{"selector": "#many", "modifiers": []string{"ctrl", "shift"}})
		l.ok("click", p{"selector": "#many", "button": "middle"})
		has(t, l.ok("click", p{"selector": "#many", "button": "right"}).Text, "right-clicked")
		l.wantLog("ctrl+shift+click0", "auxclick1", "contextmenu2", "auxclick2")
		l.eval("log.length = 0")
		has(t, l.ok("click", p{"selector": "#many", "clicks": 2}).Text, "double-clicked")
		l.wantLog("click0", "click0", "dblclick0")
		l.ok("click", p{"selector": "#name", "clicks": 3})
		if got := l.eval("getSelection().toString()"); got != `"one two"` {
			t.Errorf("selected %s", got)
		}
		l.eval("log.length = 0")
		has(t, l.ok("click", p{"selector": "#once", "clicks": 2}).Text, "Only 1 of 2 clicks")
		l.wantLog("once")
		l.fails(InvalidParams, "click", p{"selector": "#many", "button": "side"})
		l.fails(InvalidParams, "click", p{"selector": "#many", "clicks": 9})
	})
}

// TestRealClickUnnamed: an item without a name is told by its words.
func TestRealClickUnnamed(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "next.html")
		l.eval("document.body.innerHTML = `<ul>` + ['Leo Fisher', 'Lea Fischer'].map((n) => `<li onclick=0 style=cursor:pointer><b>${n}</b> <i>design</i></li>`).join('') + `</ul>`; 0")
		res := l.ok("click", p{"selector": "li:last-child"})
		has(t, res.Text, `OK: clicked listitem "Lea Fischer design" [`)
		has(t, res.Line, `Clicked "Lea Fischer design" on a.test`)
	})
}
