package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealRedrawnViews: a ref lives on where the page draws its view anew, and where
// it comes back to it, as long as one element is what it was shown as; that of another
// record, or of another view, never takes its place.
func TestRealRedrawnViews(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "redrawnviews.html")
		refs := func() map[string]int {
			out := map[string]int{}
			list := l.observe().Elements
			for i := range list.Elements {
				e := &list.Elements[i]
				out[strings.TrimSpace(e.Role+" "+e.Name+" "+list.RowOf(e))] = e.Index
			}
			return out
		}
		find := func(at map[string]int, words ...string) int {
			t.Helper()
			for key, i := range at {
				if containsAll(key, words) {
					return i
				}
			}
			t.Fatalf("nothing says %q in %v", words, at)
			return 0
		}
		said := func(want string) {
			t.Helper()
			if got := l.eval(`out.textContent`); got != `"`+want+`"` {
				t.Fatalf("the page says %s, want %s", got, want)
			}
			l.eval(`say("none"), 0`)
		}
		at := refs()
		// All cards are drawn anew: the others keep their refs.
		l.ok("click", p{"index": find(at, "Save Offer", "Harbour")})
		said("save Harbour Bakery")
		l.ok("click", p{"index": find(at, "Save Offer", "Linde")})
		said("save Linde & Co")
		// A filter leaves two: the row and the box in the table's head are what they were.
		l.ok("click", p{"index": find(at, "Saved 0")})
		res := l.ok("check", p{"index": find(at, "checkbox", "Number")})
		has(t, res.Text, "2 others are checked now, it stays unchecked itself")
		said("every ")
		row := find(at, "link", "OF-34")
		// Another view, and back again.
		l.ok("click", p{"index": row})
		detail := refs()
		res = l.ok("click", p{"index": find(detail, "Approve")})
		has(t, res.Effect, `Left to pay "$249.75" → "$0.00"`, `OF-34 "draft" → "approved"`, `new: button "Close"`, `gone: button "Approve"`)
		said("approve Approve")
		l.ok("hover", p{"index": find(detail, "Back")})
		l.fails(StaleRef, "click", p{"index": find(detail, "Approve")})
		l.eval(`location.hash = "#/offer/12", 0`)
		l.fails(StaleRef, "click", p{"index": find(detail, "Edit")})
		said("none")
		l.eval(`location.hash = "#/offers", 0`)
		l.ok("hover", p{"index": row})
		// Of a view with more than a result has room for, what it is called and where it is.
		res = l.ok("click", p{"index": find(at, "Rules")})
		has(t, res.Effect, `the view changed to "Rules"`)
		if strings.Contains(res.Effect, "new:") || strings.Contains(res.Effect, "more changes") || res.Part == "" {
			t.Errorf("a view is told as %s, its part is %q", res.Effect, res.Part)
		}
		part := l.ok("getElements", p{"scope": res.Part}).Text
		has(t, part, `textbox "Rule 1"`, `button "Add a rule"`)
		if strings.Contains(part, "Team") {
			t.Errorf("the part is not the view: %s", part)
		}
		said("nav Rules")
		// What opens above moves what is below, which has its name from nothing else.
		l.fails(StaleRef, "click", p{"index": find(at, "Desktop")})
		l.eval(`location.hash = "#/offers", 0`)
		res = l.ok("click", p{"index": find(at, "Desktop")})
		has(t, res.Effect, "How Desktop news come.")
		if strings.Contains(res.Effect, "Offer saved") {
			t.Errorf("a toast that went by itself is told: %s", res.Effect)
		}
		l.ok("click", p{"index": find(at, "Email")})
		said("pane Email")
		// A card of the same words for another record.
		l.eval(`start(), 0`)
		at = refs()
		l.eval(`offers[1].id = "77", draw(), 0`)
		l.fails(StaleRef, "click", p{"index": find(at, "Save Offer", "Whistle")})
		said("none")
	})
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}
