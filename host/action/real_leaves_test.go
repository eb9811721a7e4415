package action

import (
	"testing"

	"tabwright/host/browser"
)

// TestRealLeaves: what a page does with the tab's input is undone or told: another
// program that its script would open, of which Chrome asks in a window that takes
// all input; a pointer that it locks; the keyboard that a form moves to what is
// missing; a frame that goes elsewhere.
func TestRealLeaves(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "leaves.html")
		has(t, l.ok("click", p{"selector": "#other"}).Effect, "another program to open foo-bar:1")
		has(t, l.ok("click", p{"selector": "#turn"}).Effect, "another program to open foo-bar:2") // not where it was judged to lead
		for _, want := range []string{"Counted 1", "Counted 2"} {                                 // its window takes a moment to come
			has(t, l.ok("click", p{"selector": "#count"}).Effect, want)
		}
		l.ok("click", p{"selector": "#lock"})
		locked := `Object.getOwnPropertyDescriptor(Document.prototype, "pointerLockElement").get.call(document)` // an image has that name
		if got := l.eval("new Promise((done) => { const end = performance.now() + 3000; const look = () => " + locked + " || performance.now() > end ? done(" + locked + "?.localName) : setTimeout(look, 10); look(); })"); got != `"body"` {
			t.Fatalf("the pointer is locked to %s", got)
		}
		has(t, l.ok("click", p{"selector": "#count"}).Effect, "Counted 3")

		has(t, l.ok("type", p{"selector": "#mail", "text": "a@b.test", "submit": true}).Effect, `"a@b.test"`, `focus on`, `"Needed"`)
		has(t, l.ok("click", p{"index": l.found(p{"role": "link", "name": "On"}).Index}).Effect, "the frame went to", "next.html")
	})
}
