package action

import (
	_ "image/jpeg"
	"strconv"
	"testing"

	_ "golang.org/x/image/webp"

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
