package action

import (
	"testing"
	"time"

	"tabwright/host/browser"
)

// TestRealSet: a field that is set rather than typed into holds its value at once,
// and where the page's scripts asked for nothing no change is waited for that
// nobody announced. Both share what the machine has to do besides.
func TestRealSet(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`note.insertAdjacentHTML("beforebegin", "<select id=size aria-label=Size><option>Small<option>Large</select>" + ["date", "range"].map((k) => "<input id=a" + k + " aria-label=" + k + " type=" + k + ">").join("")), 0`)
		fastest := func() map[string]time.Duration {
			best := map[string]time.Duration{}
			for i := range 4 { // even, so that each begins with another value
				for selector, values := range map[string][2]string{
					"#size": {"Large", "Small"}, "#adate": {"2026-11-23", "2026-11-24"}, "#arange": {"20", "70"},
				} {
					began := time.Now()
					has(t, l.ok("select", p{"selector": selector, "value": values[i%2]}).Effect, values[i%2])
					if took := time.Since(began); best[selector] == 0 || took < best[selector] {
						best[selector] = took
					}
				}
			}
			return best
		}
		plain := fastest()
		l.eval(`document.body.addEventListener("input", () => { setTimeout(() => {}, 1000); }), 0`)
		for selector, asked := range fastest() {
			t.Logf("%s: %s where nothing was asked for, %s where a timer was", selector, plain[selector], asked)
			if asked < firstTime || plain[selector] > asked-firstTime/3 {
				t.Errorf("%s: %s where nothing was asked for, %s where a timer was", selector, plain[selector], asked)
			}
		}
	})
}
