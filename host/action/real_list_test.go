package action

import (
	"fmt"
	"testing"
)

// TestRealRowAndLink: a row under the hand does nothing, and its result names the link in
// it; what a selector clicks is said to be clicked.
func TestRealRowAndLink(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		res := l.ok("click", p{"index": l.index("row", "QU-2 Tom Becker Sent")})
		if res.Effect != NoEffect {
			t.Errorf("the row: %s", res.Text)
		}
		link := l.index("link", "QU-2")
		has(t, res.Text, fmt.Sprintf(`Inside it: link "QU-2" [%d].`, link))
		res = l.ok("click", p{"selector": `a:has-text("QU-1")`})
		has(t, res.Text, `clicked link "QU-1" in "`)
		has(t, res.Effect, "Opened QU-1")
	})
}
