package action

import "testing"

// TestRealHardLed: a press that the browser leads to the page around a frame, and
// its release to the frame, is no press: the release is stopped as well, and both
// are sent again.
func TestRealHardLed(t *testing.T) {
	hard(t, "hard_led.html", func(t *testing.T, l *live) {
		l.awaitFrames(`button "Press in"`)
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Press in", "exact": true}).Index})
		l.saw(pressKinds, pressedOn("in:hit")...)
	})
}

// TestRealHardKept: a page beside frames that keeps presses from the guard gets its
// click all the same, and it is told as done: said to be lost, it would be done again.
func TestRealHardKept(t *testing.T) {
	hard(t, "hard_kept.html", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Count"}).Index})
		if got := l.eval("n"); got != "1" {
			t.Errorf("it was clicked %s times", got)
		}
	})
}
