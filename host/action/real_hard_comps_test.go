package action

import (
	"strings"
	"testing"
)

// TestRealHardCompParts: a component and the button in it are one control, whatever is drawn in
// that; where the component takes the presses and not what is in it, it stays.
func TestRealHardCompParts(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		list := l.ok("getElements", p{}).Text
		if n := strings.Count(list, `"Go on"`); n != 1 {
			t.Errorf("listed %d times:\n%s", n, list)
		}
		l.ok("click", p{"index": l.index("button", "Go on")})
		l.ok("click", p{"index": l.index("generic", "Week")})
		if got := l.eval("JSON.stringify([out.go, out.week])"); got != `"[1,1]"` {
			t.Errorf("the page took %s", got)
		}
	})
}
