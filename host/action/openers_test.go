package action

import (
	"strings"
	"testing"

	"tabwright/safety"
)

// TestOpeners: what was seen to only open a question is asked about no more; its answer is, and so is a request that
// the press sends after all.
func TestOpeners(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	const page = `<h1>Record</h1><button id=del>Delete record</button> <button id=now>Delete page</button> <button id=edit>Edit</button>
<div id=ask role=dialog aria-label="Really?" hidden style="position:fixed;inset:60px;background:white"><button id=yes>Delete</button> <button id=no>Cancel</button></div>
<script>
const send = () => fetch("/evil/api/records/17", {method: "DELETE"});
del.onclick = edit.onclick = () => { ask.hidden = false };
yes.onclick = () => { ask.hidden = true; send() };
now.onclick = send;
</script>`
	var known Openers
	by := byPolicy
	visit := func(path, body string, allow bool, ids ...string) (cards int) {
		l := w.newLive(t, path, body)
		l.person.answers = []Answer{{Allow: allow, By: by}}
		l.begin(chromium.d, Options{
			TaskDir: t.TempDir(), Openers: &known,
			Policy: safety.Context{Sites: []string{"a.test"}, LocalHosts: []string{"a.test"}},
		}, w.at("a.test", path))
		for _, id := range ids {
			on(id).run(l)
		}
		return len(l.person.cards)
	}
	if visit("/records/15", page, true, "del", "yes"); len(known.keys) > 0 {
		t.Error("a policy's yes taught an opener")
	}
	by = "panel"
	if n := visit("/records/16", page, true, "now", "edit", "yes"); n != 2 {
		t.Errorf("the page and the record: %d cards, want 2", n)
	}
	if n := visit("/records/16", page, false, "now"); n != 1 {
		t.Errorf("what deletes at once was taken for an opener: %d cards", n)
	}
	const acts = page + `<script>del.onclick = async () => { await send(); ask.hidden = false }</script>`
	for i := range 2 {
		if n := visit("/acts/17", acts, true, "del", "yes"); n != 2 {
			t.Errorf("what deletes and then asks about more, time %d: %d cards, want 2", i+1, n)
		}
	}
	if n := visit("/records/17", page, true, "del", "yes"); n != 2 {
		t.Errorf("the first time: %d cards, want 2", n)
	}
	if n := visit("/records/18", page, true, "del", "no", "del"); n != 0 {
		t.Errorf("the opener of another record: %d cards, want none", n)
	}
	if n := visit("/records/18", page, false, "del", "yes"); n != 1 || len(w.harmed()) > 0 {
		t.Errorf("its answer: %d cards, want 1; harm %q", n, w.harmed())
	}
	if n := visit("/other/18", page, false, "del"); n != 1 {
		t.Errorf("the same words elsewhere on the site: %d cards, want 1", n)
	}
	const changed = page + `<script>del.onclick = send</script>`
	if n := visit("/records/19", changed, false, "del"); n != 1 || len(w.harmed()) > 0 {
		t.Errorf("an opener that deletes after all: %d cards, want 1; harm %q", n, w.harmed())
	}

	// A link whose page asks.
	const (
		list = `<h1>Records</h1><a id=del href=delete>Delete</a>`
		form = `<h1>Record</h1><form method=post><button id=yes>Delete</button></form>`
	)
	w.mu.Lock()
	for _, n := range []string{"1", "2", "3"} {
		w.pages["/list/"+n+"/delete"] = form
	}
	w.mu.Unlock()
	if n := visit("/list/1/", list, true, "del", "yes"); n != 2 {
		t.Errorf("a link, the first time: %d cards, want 2", n)
	}
	if n := visit("/list/2/", list, false, "del", "yes"); n != 1 || len(w.harmed()) > 0 {
		t.Errorf("the link of another record: %d cards, want 1; harm %q", n, w.harmed())
	}
	const cart = `<h1>Cart</h1><form method=post action=/list/9/delete><button id=yes>Delete</button></form>`
	w.mu.Lock()
	w.pages["/cart/1/delete"] = cart
	w.mu.Unlock()
	for i := range 2 {
		if n := visit("/cart/1/", list, true, "del", "yes"); n != 2 {
			t.Errorf("a link that acts and shows the form of another one, time %d: %d cards, want 2", i+1, n)
		}
	}
	if n := visit("/list/3/", strings.Replace(list, "href=delete", "href=delete?now=1", 1), false, "del"); n != 1 {
		t.Errorf("a link with another query: %d cards, want 1", n)
	}
}
