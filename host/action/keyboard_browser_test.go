package action

import (
	"context"
	_ "image/jpeg"
	"strconv"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
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
		l.releaseHeldInput(context.Background(), h)
		l.ok("click", p{"selector": "#pad"})
		l.saw("press", "press ")
	})
}

func TestRealRawKeys(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		has(t, l.ok("pressKey", p{"key": "Escape"}).Text, "pressed Escape on the page")
		l.ok("focus", p{"selector": "#name"})
		l.eval("log.length = 0")
		l.ok("keyDown", p{"key": "Shift"})
		l.ok("keyDown", p{"key": "ArrowRight"})
		l.ok("keyUp", p{"key": "ArrowRight"})
		l.ok("keyUp", p{"key": "Shift"})
		l.wantLog("shift+keydown Shift", "shift+keydown ArrowRight", "shift+keyup ArrowRight", "keyup Shift")
		l.fails(InvalidParams, "keyDown", p{"key": "nonsense"})
		l.fails(Unsupported, "focus", p{"selector": "#nobody, title"})
		l.fails(NotFound, "focus", p{"selector": "#nobody"})

		l.eval("document.getElementById('wipe').focus(), log.length = 0")
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.fails(Denied, "keyDown", p{"key": "Enter"})
		l.fails(Denied, "keyUp", p{"key": "Enter"})
		l.wantLog()
	})
}

// TestRealArrows: an arrow key that moves on to what stands beside it is done, drawn anew
// or not.
func TestRealArrows(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		for _, tt := range []struct{ from, key, want string }{
			{"#tabs [role=tab]:first-child", "ArrowRight", "Second"},
			{"#menu li:first-child", "ArrowDown", "Copy"},
			{"#tree li:first-child", "ArrowDown", "Sent"},
			{"#grid td:first-child", "ArrowRight", "B1"},
			{"#sizes div:first-child", "ArrowDown", "Large"},
		} {
			l.ok("focus", p{"selector": tt.from})
			l.ok("pressKey", p{"key": tt.key})
			if got := l.eval(`out.textContent`); got != strconv.Quote(tt.want) {
				t.Errorf("%s on %s: at %s", tt.key, tt.from, got)
			}
		}
		l.ok("pressKey", p{"key": "ArrowUp"}) // the radio button that was drawn anew
		l.ok("focus", p{"selector": "[value=red]"})
		has(t, l.ok("pressKey", p{"key": "ArrowDown"}).Effect, "Blue")
		if got := l.eval(`document.querySelector("[value=blue]").checked`); got != "true" {
			t.Error("blue is not chosen")
		}
	})
}
