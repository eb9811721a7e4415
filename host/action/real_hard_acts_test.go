package action

import (
	"context"
	"testing"
)

// TestRealHardHeldKeys: modifiers that keyDown holds count for keys, text and
// presses until keyUp, and go up with the session.
func TestRealHardHeldKeys(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		l.ok("focus", p{"selector": "#plain"})
		l.ok("keyDown", p{"key": "Shift"})
		l.ok("pressKey", p{"key": "b"})
		l.ok("pressKey", p{"key": "ctrl+ArrowLeft"})
		l.saw("down|up", "down Shift S", "down B S", "up B S", "down Control CS", "down ArrowLeft CS", "up ArrowLeft CS", "up Control S")
		l.ok("type", p{"selector": "#plain", "text": "ab 1é", "clear": true})
		if got := l.eval("plain.value"); got != `"AB !é"` {
			t.Errorf("with Shift held it holds %s", got)
		}
		l.took(".*", 0)
		l.ok("click", p{"selector": "#pad"})
		l.ok("keyUp", p{"key": "Shift"})
		l.ok("click", p{"selector": "#pad"})
		l.saw("press|enter", "enter S", "press S", "press ")
		l.ok("type", p{"selector": "#plain", "text": "ab", "clear": true})
		if got := l.eval("plain.value"); got != `"ab"` {
			t.Errorf("with Shift up it holds %s", got)
		}
		l.ok("keyDown", p{"key": "Control"})
		has(t, l.fails(InvalidParams, "type", p{"selector": "#plain", "text": "x"}).Text, "keyUp")
		l.ok("click", p{"selector": "#pad"})
		l.saw("press", "press C")
		h, err := l.here(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		l.freeHands(context.Background(), h)
		l.ok("click", p{"selector": "#pad"})
		l.saw("press", "press ")
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
