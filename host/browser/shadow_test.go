package browser_test

import "testing"

// The only element of a page that may have a closed root is asked itself, and no list
// of such is gone through.
func TestOnlyHostIsNoList(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	w.SkipInject = func(string) bool { return true } // the world is one in which Chrome opens no closed root
	const card = `<x-card></x-card>`
	const script = `<script>customElements.define("x-card", class extends HTMLElement {
	constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>in it</button>"; } });</script>`
	s := newSite(t, map[string]string{"/one": card + script, "/two": card + card + script})
	for _, c := range []struct {
		page         string
		roots, lists int
	}{{"/one", 2, 0}, {"/two", 3, 1}} { // the document is a root, too
		tab := openTab(t, d, s.url("a.test", c.page))
		const get = "Runtime.getProperties"
		before := w.Sent(get)
		var list struct{ Roots int }
		if err := mainFrame(t, tab).Call(ctxFor(t), "list", map[string]any{}, &list); err != nil {
			t.Fatal(err)
		}
		if n := w.Sent(get) - before; list.Roots != c.roots || n != c.lists {
			t.Errorf("%s: %d roots, %d lists; want %d and %d", c.page, list.Roots, n, c.roots, c.lists)
		}
	}
}
