package action

import "testing"

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
