package action

import (
	"testing"

	"tabwright/host/browser"
)

// TestRealSet: a field that is set rather than typed into holds its value at once,
// and where the page's scripts asked for nothing no change is waited for that
// nobody announced.
func TestRealSet(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`note.insertAdjacentHTML("beforebegin", "<select id=size aria-label=Size><option>Small<option>Large</select>" + ["date", "range"].map((k) => "<input id=a" + k + " aria-label=" + k + " type=" + k + ">").join("")), 0`)
		for selector, values := range map[string][2]string{
			"#size": {"Large", "Small"}, "#adate": {"2026-11-23", "2026-11-24"}, "#arange": {"20", "70"},
		} {
			l.notWaitedAt(selector, func(i int) {
				has(t, l.ok("select", p{"selector": selector, "value": values[i%2]}).Effect, values[i%2])
			})
		}
	})
}
