package action

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// TestRealRefsKeepTheirRow: the page gives its nodes to other rows. A ref is what its
// client was shown, whatever the program looks at meanwhile, and a look that shows it
// anew makes it that. Two sessions that were shown different things mean different
// things by their refs.
func TestRealRefsKeepTheirRow(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "refs.html")
		// in gives the ref of a button in a row.
		in := func(s *Session, name, row string) string {
			t.Helper()
			res := s.Do(context.Background(), Call{Name: "getElements", Params: json.RawMessage(`{}`)})
			list, ok := res.Data.(*pagecontext.Listing)
			if !ok {
				t.Fatalf("%+v", res)
			}
			i := slices.IndexFunc(list.Elements, func(e pagecontext.Element) bool {
				return e.Name == name && (e.Near == row || row != "" && strings.Contains(e.Group, row))
			})
			if i < 0 {
				t.Fatalf("no %s of %q in\n%s", name, row, res.Text)
			}
			return list.Elements[i].Ref
		}
		said := func(want string) {
			t.Helper()
			if got := l.eval(`out.textContent`); got != `"`+want+`"` {
				t.Fatalf("the page says %s, want %s", got, want)
			}
			l.eval(`say("none")`)
		}
		arne, bea := in(l.Session, "Delete", "Arne Nyland"), in(l.Session, "Delete", "Bea Colling")
		ida, gita := in(l.Session, "Approve", "Ida Berg"), in(l.Session, "Gita Solberg", "")

		// Digits and times change by themselves.
		l.eval(`tick()`)
		l.ok("click", p{"ref": arne})
		said("deleted Arne Nyland")

		l.eval(`resort()`)
		refs := []string{ida, gita, arne}
		stale := func(what string) Result {
			t.Helper()
			var res Result
			for _, ref := range refs {
				if res = l.do("click", p{"ref": ref}); res.Err == nil || res.Err.Code != StaleRef {
					t.Fatalf("after %s %s is %s", what, ref, res.Text)
				}
			}
			said("none")
			return res
		}
		stale("nothing")
		res := stale("presses that failed")
		l.fails(NotFound, "click", p{"selector": "#delete"})
		stale("a selector that was not found, with what is near")
		l.fails(NotEditable, "type", p{"selector": "#bump", "text": "x"})
		stale("what was no field, with those that are")
		l.ok("getText", p{"selector": "#list"})
		l.ok("getElements", p{"query": "Refresh"})
		l.ok("screenshot", p{})
		l.ok("hover", p{"selector": "#bump"})
		if _, err := l.Observe(context.Background(), ObserveOptions{}); err != nil {
			t.Fatal(err)
		}
		var index int
		if _, err := fmt.Sscanf(arne, "e%d", &index); err != nil {
			t.Fatal(err)
		}
		l.fails(StaleRef, "getElementDetails", p{"indices": []int{index}})
		stale("reads")
		// A tree of controls alone says nothing of rows: what is called as it was is that of its own.
		l.ok("snapshot", p{"interactive": true})
		refs = []string{ida, arne}
		for _, ref := range refs {
			has(t, l.fails(StaleRef, "click", p{"ref": ref}).Text, map[bool]string{true: `in "Ida Berg wants two days`, false: `in "Arne Nyland `}[ref == ida])
		}
		said("none")

		// What is offered instead is named so that nothing is taken for another.
		var offered []pagecontext.Candidate
		if s, ok := res.Err.Data.(*pagecontext.StaleError); ok {
			offered = s.Candidates
		}
		i := slices.IndexFunc(offered, func(c pagecontext.Candidate) bool { return c.Near == "Arne Nyland" })
		if i < 0 {
			t.Fatalf("Arne is none of %+v", offered)
		}
		has(t, res.Text, `in "Arne Nyland `)
		// Another session was shown what there is now.
		other, err := NewSession(Options{Driver: d, Tab: l.shown, Confirmer: l.person, Policy: safety.Context{Sites: []string{"a.test"}, LocalHosts: []string{"a.test"}}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close(context.Background()) }()
		dina := in(other, "Delete", "Dina Ek")
		stale("a look of another session")
		if res := other.Do(context.Background(), Call{Name: "click", Params: json.RawMessage(`{"ref":"` + dina + `"}`)}); res.Err != nil {
			t.Fatal(res.Err)
		}
		said("deleted Dina Ek")
		l.fails(StaleRef, "click", p{"ref": bea})
		l.fails(StaleRef, "click", p{"ref": arne})
		// The list is shown again, and is what its refs are.
		if now := in(l.Session, "Delete", "Dina Ek"); now != arne {
			t.Errorf("the node of %s is %s", arne, now)
		}
		l.ok("click", p{"ref": arne})
		said("deleted Dina Ek")
		l.ok("click", p{"ref": in(l.Session, "Delete", "Arne Nyland")})
		said("deleted Arne Nyland")
		// So does a search, with the rows of those that are called alike, and a tree with its rows.
		l.eval(`resort()`)
		l.fails(StaleRef, "click", p{"ref": arne})
		has(t, l.ok("find", p{"role": "button", "name": "Delete"}).Text, `near="Arne Nyland"`, `near="Carl Dorn"`)
		l.ok("click", p{"ref": arne})
		said("deleted Carl Dorn")
		l.eval(`resort()`)
		l.fails(StaleRef, "click", p{"ref": arne})
		l.ok("snapshot", p{})
		l.ok("click", p{"ref": arne})
		said("deleted Bea Colling")
	})
}

// TestRealSelectorsMeanOne: a selector that several elements answer to is refused with
// them, for acting and for reading. What nobody sees does not count where one is
// shown, nor the label beside its box.
func TestRealSelectorsMeanOne(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "refs.html")
		l.eval(`document.body.insertAdjacentHTML("beforeend", '<div hidden><button class=go>Go</button></div><button class=go onclick="say(1)">Go</button>' +
			'<label class=tick>Tick <input class=tick type=checkbox></label><form onsubmit="say(q.value); return false"><input id=q class=q></form><p class=sr hidden>one</p><p class=sr hidden>two</p>'), 0`)
		l.eval(`q.oninput = () => document.querySelectorAll(".q").length > 1 || document.body.insertAdjacentHTML("beforeend", "<input class=q>"), 0`)
		var res Result
		for action, params := range map[string]p{
			"click": {"selector": "#rows button"}, "hover": {"selector": "#rows button"}, "getText": {"selector": "#rows td"}, "getAttribute": {"selector": "#cards h3", "name": "id"},
			"isVisible": {"selector": ".sr"}, "getElements": {"scope": "#rows tr"}, "snapshot": {"scope": "#rows tr"}, "screenshot": {"selector": "#cards section"},
			"getHTML": {"selector": "xpath=//h3"}, "scroll": {"selector": "text=Platform", "direction": "down"}, "extractContent": {"selector": "section"},
			"dragDrop": {"from": p{"selector": "#rows button"}, "to": p{"x": 5, "y": 5}},
		} {
			if r := l.do(action, params); r.Err == nil || r.Err.Code != InvalidParams {
				t.Errorf("%s %v: %s", action, params, r.Text)
			} else if action == "click" {
				res = r
			}
		}
		if got := l.eval(`out.textContent`); got != `"none"` {
			t.Fatalf("something was pressed: %s", got)
		}
		has(t, res.Text, "matches 4 elements", `button "Delete" in "Arne Nyland"`, `button "Delete" in "Dina Ek"`)
		var told struct {
			Matches    int
			Candidates []struct{ Ref, Role, Name, Near string }
		}
		if b, err := json.Marshal(res.Err.Data); err != nil || json.Unmarshal(b, &told) != nil || told.Matches != 4 || len(told.Candidates) != 4 || told.Candidates[1].Near != "Bea Colling" {
			t.Fatalf("%s %v", b, err)
		}
		for _, c := range []struct {
			action string
			params p
			want   string
		}{
			{"click", p{"ref": told.Candidates[1].Ref}, "deleted Bea Colling"},
			{"click", p{"selector": "#list li:first-child button"}, "opened Gita Solberg"},
			{"click", p{"selector": ".go"}, "1"},
			{"type", p{"selector": ".q", "text": "red", "submit": true}, "red"},
		} {
			l.ok(c.action, c.params)
			if got := l.eval(`out.textContent`); got != `"`+c.want+`"` {
				t.Errorf("%s %v: the page says %s", c.action, c.params, got)
			}
		}
		l.ok("click", p{"selector": ".tick"})
		if l.eval(`document.querySelector("input.tick").checked`) != "true" {
			t.Error("the box is not ticked")
		}
		l.ok("waitFor", p{"selector": "#rows button"})
	})
}
