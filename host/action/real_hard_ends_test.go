package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

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

// TestRealHardPlaces: things that are held before they move, and dropped on an
// empty place that has taken the room of what was named.
func TestRealHardPlaces(t *testing.T) {
	t.Parallel()
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_ends.html")
		at := func(selector string) p { return p{"selector": selector} }

		has(t, l.ok("dragDrop", p{"from": at("#c3"), "to": at("#c1")}).Text, "Town")
		l.saw("cols", "cols c3,c1,c2")

		l.ok("dragDrop", p{"from": at("#g1 p"), "to": at("#g2 p")})
		l.saw("tiles", "tiles moved g1")

		// A button that comes there is no place: the tile is let go where it was taken.
		l.fails(StaleRef, "dragDrop", p{"from": at("#h1 p"), "to": at("#h2 p")})
		l.saw("traps|(?:pointerup|mouseup|click) del", "traps back h1")
	})
}
