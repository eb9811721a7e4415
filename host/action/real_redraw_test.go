package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealRedraw: where a page draws itself anew, what is the same to a user keeps its
// ref, and nothing is told of it; what may be another thing by now is stale.
func TestRealRedraw(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "redrawn.html")
		refs := func() map[string]int {
			out := map[string]int{}
			for _, e := range l.observe().Elements.Elements {
				key := e.Role + " " + e.Name
				if e.Role == "checkbox" && e.Name != "" { // what stands beside it is its name
					key = "checkbox  " + strings.Fields(e.Name)[0]
				} else if e.Near != "" && e.Name+e.Role != "" && (e.Name == "Delete" || e.Role == "checkbox") {
					key += " " + strings.Fields(e.Near)[0]
				}
				out[key] = e.Index
			}
			return out
		}
		said := func(want string) {
			t.Helper()
			if got := l.eval(`out.textContent`); got != `"`+want+`"` {
				t.Fatalf("the page says %s, want %s", got, want)
			}
			l.eval(`say("none")`)
		}
		at := refs()
		for _, key := range []string{"checkbox  Per", "button Delete Per", "button Delete Ola", "link Folder 7", "tab Unread", "textbox Search"} {
			if at[key] == 0 {
				t.Fatalf("no %s in %v", key, at)
			}
		}
		res := l.ok("click", p{"index": at["checkbox  Per"]})
		has(t, res.Effect, `checked "false" → "true"`)
		if strings.Contains(res.Effect, "Folder") || strings.Contains(res.Effect, "Delete") {
			t.Errorf("what stayed is told: %s", res.Effect)
		}
		has(t, l.ok("click", p{"index": at["checkbox  Per"]}).Effect, `checked "true" → "false"`)
		l.ok("click", p{"index": at["tab Unread"]})
		said("tab Unread")
		l.ok("type", p{"index": at["textbox Search"], "text": "mug"})
		l.eval(`draw()`)
		if got := refs(); got["button Delete Ola"] != at["button Delete Ola"] || got["link Folder 7"] != at["link Folder 7"] {
			t.Errorf("refs are %v, were %v", got, at)
		}
		// A row goes: the others stay what they were.
		l.ok("click", p{"index": at["button Delete Ida"]})
		said("deleted Ida Holm Invoice")
		l.fails(StaleRef, "click", p{"index": at["button Delete Ida"]})
		l.ok("click", p{"index": at["button Delete Ola"]})
		said("deleted Ola Berg Mugs")

		for _, tt := range []struct{ name, change, key string }{
			{"other words", `rows[1].what = "Minutes"`, "button Delete Per"},
			{"the row of another in its place", `rows[1] = rows[2], rows.splice(2, 1)`, "button Delete Per"},
			{"two rows that say the same", `rows.push({...rows[1]})`, "button Delete Per"},
			{"no row", `rows = []`, "button Delete Per"},
		} {
			l.eval(`start(), 0`)
			at = refs()
			l.eval(tt.change + `, draw(), 0`)
			if res := l.do("click", p{"index": at[tt.key]}); res.Err == nil || res.Err.Code != StaleRef {
				t.Errorf("%s: %s", tt.name, res.Text)
			}
			said("none")
		}
		// A row is what it says, wherever it stands.
		l.eval(`start(), 0`)
		at = refs()
		l.eval(`rows.unshift(rows.pop(), {who: "Eva", what: "Jam"}, {who: "Kai", what: "Tea"}), rows.push({who: "Lea", what: "Ink"}), draw(), 0`)
		l.ok("click", p{"index": at["button Delete Ola"]})
		said("deleted Ola Berg Mugs")
		// One of two that say the same is not the other.
		l.eval(`start(), rows[2] = {...rows[1]}, draw(), 0`)
		refs()
		var twins []int
		for _, e := range l.observe().Elements.Elements {
			if e.Name == "Delete" {
				twins = append(twins, e.Index)
			}
		}
		l.ok("click", p{"index": twins[1]})
		said("deleted Per Lund Rota")
		for _, i := range twins[1:3] {
			l.fails(StaleRef, "click", p{"index": i})
		}
		said("none")
		// Another question with the same answer.
		l.eval(`start(), dialog = "Ida", draw(), 0`)
		yes := l.index("button", "Yes")
		l.eval(`new Promise((done) => requestIdleCallback(() => done(0)))`) // where it stands is seen when the page is idle
		l.eval(`draw()`)
		l.ok("hover", p{"index": yes})
		l.eval(`dialog = "Per", draw(), 0`)
		l.fails(StaleRef, "click", p{"index": yes})
		l.eval(`dialog = null, draw(), dialog = "Per", draw(), 0`)
		l.fails(StaleRef, "click", p{"index": yes})
		said("none")
		// What was resorted in its nodes and drawn anew then is what it was shown as.
		l.eval(`start(), 0`)
		at = refs()
		l.eval(`rows.reverse(), document.querySelectorAll(".row").forEach((r, i) => { r.children[1].textContent = rows[i].who; r.children[2].textContent = rows[i].what; }), 0`)
		l.fails(StaleRef, "click", p{"index": at["button Delete Per"]})
		l.eval(`draw()`)
		l.fails(StaleRef, "click", p{"index": at["button Delete Ida"]})
		said("none")
	})
}
