package action

import (
	"context"
	"regexp"
	"testing"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// hinted is a call that a text tells a model to make, listed a line of an element.
var (
	hinted = regexp.MustCompile(`(getElements|extractContent) (cursor)=([\w:–-]+)`)
	listed = regexp.MustCompile(`(?m) \[(\d+)\]$`)
)

// Every way that a list tells to what it leaves out leads there: followed one
// after another, cursors come to every element, each once.
func TestRealHints(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "dense.html?grid")
		l.eval(`document.getElementById("main").innerHTML =
			"<nav aria-label=Topics>" + Array.from({ length: 150 }, (_, i) => "<a href=/t/" + i + ">A long name of topic number " + i + ", to fill the list</a><br>").join("") + "</nav>" +
			Array.from({ length: 700 }, (_, i) => (i % 9 ? "" : "<h2>Shelf " + i / 9 + "</h2>") + "<article><a href=/p/" + i + ">Mug of the year " + i + "</a> <input aria-label='Pieces of mug " + i + "'> <button>Add mug " + i + "</button></article>").join("") +
			"<select aria-label=Size>" + Array.from({ length: 40 }, (_, i) => "<option>Size number " + i + "</option>").join("") + "</select>", 0`)
		all, err := pagecontext.New(realTab{l.tab}, 0).Elements(context.Background(), pagecontext.Query{})
		if err != nil {
			t.Fatal(err)
		}
		obs, err := l.Observe(context.Background(), ObserveOptions{Budget: 900, Full: true})
		if err != nil {
			t.Fatal(err)
		}
		seen, kinds, followed := map[string]int{}, map[string]bool{}, map[string]bool{}
		take := func(text string) (hints []string) {
			for _, m := range listed.FindAllStringSubmatch(text, -1) {
				seen[m[1]]++
			}
			for _, m := range hinted.FindAllString(text, -1) {
				if !followed[m] {
					followed[m], hints = true, append(hints, m)
				}
			}
			return hints
		}
		todo := take(obs.Text)
		if len(todo) == 0 {
			t.Fatalf("nothing is left out:\n%s", obs.Text)
		}
		for calls := 0; len(todo) > 0; calls++ {
			if calls > 60 {
				t.Fatalf("the hints have no end; next: %v", todo)
			}
			m := hinted.FindStringSubmatch(todo[0])
			kinds[m[2]] = true
			res := l.ok(m[1], p{m[2]: m[3]})
			todo = append(todo[1:], take(res.Text)...)
		}
		if len(seen) != all.Total || !kinds["cursor"] {
			t.Errorf("%d of %d elements were reached, by %v", len(seen), all.Total, kinds)
		}

		// A list that was asked for with words or within a part goes on as well.
		for _, params := range []p{{"query": "mug"}, {"scope": "main"}, {"type": "input"}} {
			res := l.ok("getElements", params)
			want := as[pagecontext.Listing](t, res).Total
			seen, followed = map[string]int{}, map[string]bool{}
			for todo = take(res.Text); len(todo) > 0; {
				m := hinted.FindStringSubmatch(todo[0])
				todo = append(todo[1:], take(l.ok(m[1], p{m[2]: m[3]}).Text)...)
			}
			if len(seen) != want {
				t.Errorf("%v: %d of %d elements were reached", params, len(seen), want)
			}
		}

		nav := l.ok("getElements", p{"scope": "nav"})
		if n := as[pagecontext.Listing](t, nav).Total; n != 150 {
			t.Errorf("%d elements in the navigation", n)
		}
		// A region is named by the ref that a snapshot gives it as well, also one in a
		// frame of another process.
		scope := func(name string) int {
			t.Helper()
			for ref, e := range as[struct {
				Refs map[string]struct{ Role, Name string }
			}](t, l.ok("snapshot", p{})).Refs {
				if e.Name == name && (e.Role == "navigation" || e.Role == "region") {
					return as[pagecontext.Listing](t, l.ok("getElements", p{"scope": ref})).Total
				}
			}
			t.Fatalf("no region %q has a ref", name)
			return 0
		}
		if n := scope("Topics"); n != 150 {
			t.Errorf("%d elements in the region of that ref", n)
		}
		framed := l.at("b.test", "region.html")
		l.eval(`new Promise((done) => { const f = document.createElement("iframe"); f.title = "Far"; f.src = "` + framed + `"; f.onload = () => done(0); document.body.prepend(f); })`)
		if n := scope("Parts"); n != 3 {
			t.Errorf("%d elements in the region of a frame", n)
		}
		l.eval(`document.querySelector("iframe").remove(), 0`)
		l.fails(InvalidParams, "getElements", p{"scope": "[["})
		l.fails(NotFound, "getElements", p{"scope": "#none"})

		size := l.ok("getElements", p{"query": "Size"})
		has(t, size.Text, "… (getOptions)")
		index := listed.FindStringSubmatch(size.Text)[1]
		has(t, l.ok("getOptions", p{"ref": "e" + index}).Text, "Size number 39")
	})
}
