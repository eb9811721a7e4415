package action

import (
	_ "image/jpeg"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// TestRealHardHovered: what is drawn otherwise while the mouse is over it is the same
// element then and afterwards; what becomes another one under the mouse is not.
func TestRealHardHovered(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		at := l.found(p{"role": "link", "name": "Ida 14 Feb"}).Index
		l.ok("click", p{"index": at})
		l.ok("hover", p{"selector": "#plain"})
		l.ok("click", p{"index": at})
		l.saw("opened", "opened", "opened")
		at = l.found(p{"selector": "#lena"}).Index // a long row, of which other words are shown without its date
		l.ok("click", p{"selector": "#lena button"})
		l.ok("click", p{"index": at})
		l.saw("lena", "lena", "lena")
		for _, name := range []string{"Ruben Vega Minutes", "Clara Wong Rota"} { // what comes has no role
			l.ok("click", p{"index": l.found(p{"role": "generic", "name": name, "exact": true}).Index})
		}
		l.saw("ruben|clara", "ruben", "clara")
		l.fails(StaleRef, "click", p{"index": l.found(p{"role": "link", "name": "Call Anna"}).Index})
		for _, name := range []string{"Dan Hill Ask for a lift", "Ema Roth Hire a van"} { // other words, and an amount
			l.fails(StaleRef, "click", p{"index": l.found(p{"role": "generic", "name": name, "exact": true}).Index})
		}
		// A row that is for another one by now: drawn anew under the mouse, or filled since the mouse was there.
		l.fails(StaleRef, "click", p{"index": l.found(p{"role": "generic", "name": "Ann Lee Rota", "exact": true}).Index})
		at = l.found(p{"role": "generic", "name": "Eve Orr Rota", "exact": true}).Index
		l.ok("click", p{"index": at})
		l.ok("hover", p{"selector": "#plain"})
		l.eval(`eve.firstChild.textContent = "Mary"`)
		l.fails(StaleRef, "click", p{"index": at})
		l.saw("called|dan|ema|ann|eve", "eve")
	})
}

// TestRealHardOnHover: what shows only while the mouse is over its row is listed, and
// comes to be pressed, with the mouse over its row.
func TestRealHardOnHover(t *testing.T) {
	hard(t, "hard_listeners.html", func(t *testing.T, l *live) {
		for name, want := range map[string]string{"Pin": "pin milk", "Fold": "fold bread", "Lift": "lift eggs"} {
			i := slices.IndexFunc(l.listed(), func(e pagecontext.Element) bool { return e.OnHover && (e.Name == name || e.Text == name) })
			if i < 0 {
				t.Fatalf("%s is not listed: %s", name, namesOf(l.listed()))
			}
			res := l.ok("click", p{"index": l.listed()[i].Index})
			l.gives("out.textContent", strconv.Quote(want))
			t.Log(res.Text)
		}
	})
}

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
