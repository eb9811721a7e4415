package action

import (
	"slices"
	"strings"
	"testing"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// TestRealViews: what shows for no other reason than where the mouse is, is told only by
// a hover; where a part shows something else, that is told and not what is gone.
func TestRealViews(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "views.html")
		index := func(role, name string) int {
			list := l.observe().Elements.Elements
			i := slices.IndexFunc(list, func(e pagecontext.Element) bool { return e.Role == role && e.Name == name })
			if i < 0 {
				t.Fatalf("no %s %q", role, name)
			}
			return list[i].Index
		}
		without := func(effect string, words ...string) {
			t.Helper()
			for _, w := range words {
				if strings.Contains(effect, w) {
					t.Errorf("%q is told: %s", w, effect)
				}
			}
		}
		res := l.ok("click", p{"index": index("checkbox", "Select")})
		has(t, res.Effect, `checked "false" → "true"`)
		without(res.Effect, "Archive", "Feb")
		res = l.ok("click", p{"index": index("button", "Team")})
		has(t, res.Effect, `the view changed to "People"`, `button "Invite"`, "Three people are here.")
		without(res.Effect, "gone", "Feb", "Delete")
		res = l.ok("hover", p{"index": index("button", "Tips")})
		has(t, res.Effect, "Press twice to keep it")
		without(l.ok("click", p{"index": index("button", "Mail")}).Effect, "Press twice")
	})
}

// TestRealDialogsInARow: the answer to a dialog that opened late is told, and so is the
// next one, which opens late as well, and what comes of that.
func TestRealDialogsInARow(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "views.html")
		opened := func() {
			t.Helper()
			select {
			case <-l.tab.DialogOpened():
			case <-t.Context().Done():
				t.Fatal("no dialog opened")
			}
		}
		for _, e := range l.observe().Elements.Elements {
			if e.Name == "Twice" {
				l.ok("click", p{"index": e.Index})
			}
		}
		opened()
		l.ok("handleDialog", p{"accept": true})
		opened()
		res := l.ok("handleDialog", p{"accept": true})
		has(t, res.Effect, `"shown true"`)
	})
}
