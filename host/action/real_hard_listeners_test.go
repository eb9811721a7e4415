package action

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestRealHardListeners: what hears presses and shows it by nothing is listed, in
// frames and shadow roots too and when it came since, and works.
func TestRealHardListeners(t *testing.T) {
	hard(t, "hard_listeners.html", func(t *testing.T, l *live) {
		press := func(want string, which func(es []pagecontext.Element) int) {
			t.Helper()
			es := l.listed()
			i := which(es)
			if i < 0 {
				t.Fatalf("%s: nothing to press among %v", want, namesOf(es))
			}
			l.ok("click", p{"index": es[i].Index})
			l.gives("out.textContent", strconv.Quote(want))
		}
		named := func(name string) func(es []pagecontext.Element) int {
			return func(es []pagecontext.Element) int {
				for i, e := range es {
					if e.Name == name || e.Text == name {
						return i
					}
				}
				return -1
			}
		}
		press("send on Olga", func(es []pagecontext.Element) int { return named("Olga Lease")(es) + 2 })
		press("open Ravi", named("Ravi Keys"))
		press("before", named("Before"))
		press("day 14", named("14"))
		press("part 1", func(es []pagecontext.Element) int {
			for i, e := range es {
				if e.Tag == "path" {
					return i
				}
			}
			return -1
		})
		press("inner", named("Inner one"))
		press("shaded", named("Shaded"))
		// What takes the keys of a shell is a field that nobody sees.
		l.ok("click", p{"index": l.listed()[named("$")(l.listed())].Index})
		l.ok("type", p{"text": "ls"})
		l.ok("pressKey", p{"key": "Enter"})
		l.gives("out.textContent", `"ran ls"`)
		l.eval("more()")
		press("late", named("Came late"))
		es := l.listed()
		l.ok("dragDrop", p{"from": p{"index": es[named("Yeast")(es)].Index}, "to": p{"index": es[named("Salt")(es)].Index}})
		l.gives("out.textContent", `"order Yeast,Salt,Flour"`)
		l.ok("click", p{"index": es[named("any tone")(es)].Index})
		press("tone light", named("light"))
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

// TestRealHardFieldList: the rows of a list that a field has open, and that show by
// nothing but their listeners that they are pressed, are options of that field.
func TestRealHardFieldList(t *testing.T) {
	hard(t, "hard_listeners.html", func(t *testing.T, l *live) {
		field := l.found(p{"role": "textbox", "name": "Agent"}).Index
		l.ok("click", p{"index": field})
		l.until("!offer.hidden")
		option := func(name string) int {
			t.Helper()
			es := l.listed()
			i := slices.IndexFunc(es, func(e pagecontext.Element) bool { return e.Role == "option" && strings.HasPrefix(e.Name, name) })
			if i < 0 {
				t.Fatalf("no option %s: %s", name, namesOf(es))
			}
			return es[i].Index
		}
		l.ok("click", p{"index": option("Moa Berg")})
		l.gives("out.textContent", `"agent Moa Berg"`)
		l.ok("type", p{"index": field, "text": "m", "clear": true})
		l.until("offer.childElementCount === 3")
		has(t, l.ok("getOptions", p{"index": field}).Text, "Mara Holm", "Mika Sund", "Moa Berg")
		l.ok("select", p{"index": field, "value": "Mika Sund"})
		l.gives("out.textContent", `"agent Mika Sund"`)
		// A field without a list has no options.
		l.eval("who.onfocus = who.oninput = null, who.blur(), offer.hidden = true")
		l.ok("focus", p{"index": field})
		l.fails(Unsupported, "select", p{"index": field, "value": "Lars Ek"})
	})
}

// listed gives all elements of the page.
func (l *live) listed() []pagecontext.Element {
	l.t.Helper()
	return as[pagecontext.Listing](l.t, l.ok("getElements", p{"limit": 500})).Elements
}

func namesOf(es []pagecontext.Element) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Tag+" "+e.Name+e.Text)
	}
	return strings.Join(out, ", ")
}
