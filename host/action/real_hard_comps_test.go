package action

import (
	"strconv"
	"strings"
	"testing"
)

// TestRealHardCompFields: what is transparent until it has the keyboard is listed by the box
// that is drawn for it and says its name, and worked; what hides in another box, or in
// none, is not. The knobs of a range and the label of a hidden switch stand for these.
func TestRealHardCompFields(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		list := l.ok("getElements", p{}).Text
		has(t, list, `textbox "Your name"`, `textbox "Remark"`, `slider "From" value="20"`, `slider "To" value="60"`, `switch "Night"`)
		if strings.Contains(list, "Card") || strings.Contains(list, "Leave") {
			t.Errorf("nobody sees that:\n%s", list)
		}
		l.ok("type", p{"index": l.index("textbox", "Your name"), "text": "Ann"})
		l.ok("type", p{"index": l.index("textbox", "Remark"), "text": "fine"})
		l.ok("select", p{"index": l.index("slider", "From"), "value": "30"})
		l.ok("select", p{"index": l.index("slider", "To"), "value": "90"})
		l.ok("check", p{"index": l.index("switch", "Night")})
		l.ok("check", p{"index": l.index("switch", "Night")})
		if got := l.eval("JSON.stringify([out.you, out.say, out.from, out.to, out.night, out.trap])"); got != strconv.Quote(`["Ann","fine","30","90","true",null]`) {
			t.Errorf("the page took %s", got)
		}
	})
}

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
