package action

import (
	"strings"
	"testing"
)

func TestRealHardFrames(t *testing.T) {
	hard(t, "hard_frames.html", func(t *testing.T, l *live) {
		names := []string{"same", "padded", "b", "c", "deep", "doc", "sand", "scaled", "zoomed", "low", "shadow"}
		buttons := make([]string, len(names))
		for i, n := range names {
			buttons[i] = `button "Press ` + n + `"`
		}
		l.awaitFrames(buttons...)
		for _, n := range names {
			b := l.found(p{"role": "button", "name": "Press " + n, "exact": true})
			l.ok("click", p{"index": b.Index})
			l.saw(pressKinds, pressedOn(n+":hit")...)
			b = l.found(p{"role": "button", "name": "Press " + n, "exact": true})
			l.ok("click", p{"x": b.Rect.X + b.Rect.Width/2, "y": b.Rect.Y + b.Rect.Height/2})
			l.saw(pressKinds, pressedOn(n+":hit")...)
			if n == "doc" {
				continue
			}
			l.ok("type", p{"index": l.found(p{"label": "Name " + n}).Index, "text": "x"})
			l.saw("keydown|input", "keydown "+n+":field", "input "+n+":field")
			l.ok("click", p{"index": l.found(p{"role": "button", "name": "Below " + n, "exact": true}).Index})
			l.saw(pressKinds, pressedOn(n+":below")...)
		}
		// A frame that is turned round: the point is wrong, the guard stops it, and
		// the keyboard does it.
		turned := l.found(p{"role": "button", "name": "Press turned", "exact": true}).Index
		if res := l.fails(Unsupported, "click", p{"index": turned}); !strings.Contains(res.Text, "turned or mirrored") || !strings.Contains(res.Text, "pressKey") {
			l.t.Errorf("it says %s", res.Text)
		}
		l.saw(pressKinds)
		l.ok("focus", p{"index": turned})
		l.ok("pressKey", p{"key": "Enter"})
		l.saw("click", "click turned:hit")
	})
}

func TestRealHardShadow(t *testing.T) {
	hard(t, "hard_shadow.html", func(t *testing.T, l *live) {
		// The played service worker has no chrome.dom, which is what opens closed
		// roots for the extension: TestRealClosedRootsInTheExtension has the real one.
		if !strings.HasSuffix(t.Name(), "/relay") {
			l.useClosedRoots()
		}
		l.pressAll([]pressable{
			{role: "button", name: "Open inside", selector: "#oin", id: "oin"},
			{role: "button", name: "Declared open", selector: "#dopen", id: "dopen"},
			{role: "button", name: "Slotted button", selector: "#slotted", id: "slotted"},
			{role: "button", name: "Slotted words", selector: "#around", id: "words"},
			{role: "button", name: "Fallback", selector: "#fallback", id: "fallback"},
			{role: "button", name: "Six deep", selector: "#six", id: "six"},
		})
		l.typeInto("ofield", p{"label": "Open field"})
		l.typeInto("delegated", p{"placeholder": "Delegated"})
	})
}

// useClosedRoots presses and types into what stands in the closed roots of
// hard_shadow.html: made by a script, one in another, and declared.
func (l *live) useClosedRoots() {
	l.t.Helper()
	l.pressAll([]pressable{
		{role: "button", name: "Closed inside", selector: "#cin", id: "cin"},
		{role: "link", name: "Closed twice", selector: "#clink", id: "clink"},
		{role: "button", name: "Declared closed", selector: "#dclosed", id: "dclosed"},
	})
	l.typeInto("cfield", p{"label": "Closed field"})
	l.typeInto("dfield", p{"label": "Declared field"})
}

// typeInto types into a field and takes the last character away.
func (l *live) typeInto(field string, by p) {
	l.t.Helper()
	l.ok("type", p{"index": l.found(by).Index, "text": "ab"})
	l.saw("input", "input "+field, "input "+field)
	l.ok("pressKey", p{"key": "Backspace"})
	l.saw("input", "input "+field)
}

func TestRealHardSVG(t *testing.T) {
	hard(t, "hard_svg.html", func(t *testing.T, l *live) {
		l.pressAll([]pressable{
			{role: "button", name: "Knob", selector: "#knob", id: "knob"},
			{role: "link", name: "Drawn link", selector: "#slink", id: "slink"},
			{role: "button", name: "Slice", selector: "#slice", id: "slice"},
			{role: "button", name: "Ring", selector: "#ring", id: "ring", noPoint: true},
			{role: "button", name: "Icon only", selector: "#icon", id: "icon"},
			{role: "link", name: "Kitchen", selector: "#kitchen", id: "kitchen"},
			{role: "link", name: "Hall", selector: "#hall", id: "hall"},
			{role: "link", name: "Yard", selector: "#yard", id: "yard"},
		})
		l.ok("click", p{"selector": "#bar"})
		l.saw("bar", "bar")
		b := l.found(p{"label": "Board"})
		l.ok("click", p{"x": b.Rect.X + 2 + 70, "y": b.Rect.Y + 2 + 40})
		l.saw("drew", "drew 70,40")
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
