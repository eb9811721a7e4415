package action

import "testing"

// TestRealHardLabel: a label hands the click on an option within it on to its
// field. That is the browser's own doing, and does not make the choice a failure.
func TestRealHardLabel(t *testing.T) {
	hard(t, "hard_label.html", func(t *testing.T, l *live) {
		for _, name := range []string{"Green", "Blue"} {
			res := l.ok("select", p{"selector": "#colours", "value": name})
			has(t, res.Text, `selected "`+name+`"`)
			l.saw("colour", "colour "+name)
		}
		if got := l.eval(`chosen.textContent`); got != `"Green Blue "` {
			t.Errorf("chosen: %s", got)
		}
		// A tick box is another matter: the label would tick it, and nobody judged that.
		// The choice was made all the same.
		l.ok("select", p{"selector": "#size", "value": "Large"})
		if got := l.eval(`agree.checked + size.textContent`); got != `"falseLarge"` {
			t.Errorf("ticked, and chosen: %s", got)
		}
	})
}
