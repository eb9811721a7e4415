package action

import "testing"

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
