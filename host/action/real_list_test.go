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

// TestRealDrawnSwitch: check and uncheck work a switch that is only drawn.
func TestRealDrawnSwitch(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		at := p{"index": l.index("switch", "Weekly news")}
		has(t, l.ok("check", at).Text, "is checked already")
		has(t, l.ok("uncheck", at).Text, `unchecked switch "Weekly news"`, " on → off.")
		has(t, l.ok("click", at).Effect, "off → on")
		has(t, l.ok("getElements", p{}).Text, `switch "Weekly news" on [`)
	})
}

// TestRealDrawnList: select opens a list that no role says is one, and chooses in it; its
// words are told where there is no such option.
func TestRealDrawnList(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		res := l.fails(NotFound, "select", p{"index": l.index("generic", "Light ▾"), "value": "Blue"})
		has(t, res.Text, `there is no option "Blue" in clickable "Light ▾"`, "Its options: ✓ Light, Dark, Soft.")
		res = l.ok("select", p{"index": l.index("generic", "Light ▾"), "value": "Dark"}) // it is open still
		has(t, res.Text, `selected "Dark" in clickable "Light ▾"`)
		has(t, res.Effect, `"Dark ▾"`)
		res = l.ok("getOptions", p{"index": l.index("generic", "Dark ▾")})
		has(t, res.Text, `OK: 3 options of clickable "Dark ▾"`, `option "✓ Dark"`, `option "Soft"`)
		has(t, l.ok("select", p{"index": l.index("generic", "Dark ▾"), "value": "Soft"}).Effect, `"Soft ▾"`)
		res = l.fails(Unsupported, "select", p{"index": l.index("row", "QU-2 Tom Becker Sent"), "value": "x"})
		has(t, res.Text, `row "QU-2 Tom Becker Sent" has no options`)
	})
}

// TestRealDrawnDropdown: what opens something else than a list says so where its options
// are asked for, and is called in results as in the list.
func TestRealDrawnDropdown(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		at := p{"index": l.index("generic", "Default ▾")}
		res := l.ok("click", at)
		has(t, res.Text, `clicked clickable "Default ▾"`)
		has(t, res.Effect, `button "Newest"`)
		res = l.ok("getOptions", at)
		has(t, res.Text, `clickable "Default ▾"`, "shows no options")
	})
}
