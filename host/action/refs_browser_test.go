package action

import (
	"context"
	"encoding/json"
	"fmt"
	_ "image/jpeg"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

func TestRealStaleRef(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "render.html")
		old := l.index("button", "Add to cart")
		l.eval(`render("Remove all")`)
		l.fails(StaleRef, "click", p{"index": old})
		l.eval(`root.innerHTML = "", document.body.insertAdjacentHTML("beforeend", "<button style='margin-top:9em' onclick='log.push(1)'>Add to cart</button>"), 0`)
		has(t, l.fails(StaleRef, "click", p{"index": old}).Text, `button "Add to cart"`)
		l.wantLog()
		l.eval(`document.body.lastChild.remove(), render("Add to cart")`)
		l.ok("click", p{"index": old}) // drawn anew, and the same to a user
		l.wantLog("Add to cart")
		l.eval(`log.length = 0, render("Add to  cart now")`)
		l.fails(StaleRef, "click", p{"index": old})
		l.eval(`render("Put into cart")`)
		now := l.index("button", "Put into cart")
		if now == old {
			t.Error("an index was given twice")
		}
		l.ok("click", p{"ref": fmt.Sprintf("@e%d", now)})
		l.wantLog("Put into cart")
		l.eval(`root.firstChild.textContent = "Delete basket"`)
		l.fails(StaleRef, "click", p{"index": now})
		l.ok("refresh", p{})
		l.fails(StaleRef, "click", p{"index": now})
	})
}

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

// TestRealRedrawnViews: a ref lives on where the page draws its view anew, and where
// it comes back to it, as long as one element is what it was shown as; that of another
// record, or of another view, never takes its place.
func TestRealRedrawnViews(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "redrawnviews.html")
		refs := func() map[string]int {
			out := map[string]int{}
			list := l.observe().Elements
			for i := range list.Elements {
				e := &list.Elements[i]
				out[strings.TrimSpace(e.Role+" "+e.Name+" "+list.RowOf(e))] = e.Index
			}
			return out
		}
		find := func(at map[string]int, words ...string) int {
			t.Helper()
			for key, i := range at {
				if containsAll(key, words) {
					return i
				}
			}
			t.Fatalf("nothing says %q in %v", words, at)
			return 0
		}
		said := func(want string) {
			t.Helper()
			if got := l.eval(`out.textContent`); got != `"`+want+`"` {
				t.Fatalf("the page says %s, want %s", got, want)
			}
			l.eval(`say("none"), 0`)
		}
		at := refs()
		// All cards are drawn anew: the others keep their refs.
		l.ok("click", p{"index": find(at, "Save Offer", "Harbour")})
		said("save Harbour Bakery")
		l.ok("click", p{"index": find(at, "Save Offer", "Linde")})
		said("save Linde & Co")
		// A filter leaves two: the row and the box in the table's head are what they were.
		l.ok("click", p{"index": find(at, "Saved 0")})
		res := l.ok("check", p{"index": find(at, "checkbox", "Number")})
		has(t, res.Text, "2 others are checked now, it stays unchecked itself")
		said("every ")
		row := find(at, "link", "OF-34")
		// Another view, and back again.
		l.ok("click", p{"index": row})
		detail := refs()
		res = l.ok("click", p{"index": find(detail, "Approve")})
		has(t, res.Effect, `Left to pay "$249.75" → "$0.00"`, `OF-34 "draft" → "approved"`, `new: button "Close"`, `gone: button "Approve"`)
		said("approve Approve")
		l.ok("hover", p{"index": find(detail, "Back")})
		l.fails(StaleRef, "click", p{"index": find(detail, "Approve")})
		l.eval(`location.hash = "#/offer/12", 0`)
		l.fails(StaleRef, "click", p{"index": find(detail, "Edit")})
		said("none")
		l.eval(`location.hash = "#/offers", 0`)
		l.ok("hover", p{"index": row})
		// Of a view with more than a result has room for, what it is called and where it is.
		res = l.ok("click", p{"index": find(at, "Rules")})
		has(t, res.Effect, `the view changed to "Rules"`)
		if strings.Contains(res.Effect, "new:") || strings.Contains(res.Effect, "more changes") || res.Part == "" {
			t.Errorf("a view is told as %s, its part is %q", res.Effect, res.Part)
		}
		part := l.ok("getElements", p{"scope": res.Part}).Text
		has(t, part, `textbox "Rule 1"`, `button "Add a rule"`)
		if strings.Contains(part, "Team") {
			t.Errorf("the part is not the view: %s", part)
		}
		said("nav Rules")
		// What opens above moves what is below, which has its name from nothing else.
		l.fails(StaleRef, "click", p{"index": find(at, "Desktop")})
		l.eval(`location.hash = "#/offers", 0`)
		res = l.ok("click", p{"index": find(at, "Desktop")})
		has(t, res.Effect, "How Desktop news come.")
		if strings.Contains(res.Effect, "Offer saved") {
			t.Errorf("a toast that went by itself is told: %s", res.Effect)
		}
		l.ok("click", p{"index": find(at, "Email")})
		said("pane Email")
		// A card of the same words for another record.
		l.eval(`start(), 0`)
		at = refs()
		l.eval(`offers[1].id = "77", draw(), 0`)
		l.fails(StaleRef, "click", p{"index": find(at, "Save Offer", "Whistle")})
		said("none")
	})
}

// TestRealRedrawnTools: a button that a page draws anew to act on something else loses its index, even the one
// that was pressed, and the result says its new one; other buttons keep theirs.
func TestRealRedrawnTools(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "redrawntools.html")
		sprint, ideas, dropBugs, open := l.index("button", "Sprint"), l.index("button", "Ideas"), l.index("button", "Delete board"), l.index("button", "New board")
		l.ok("click", p{"index": open})
		if got := l.index("button", "Delete board"); got != dropBugs {
			t.Errorf("a button that acts on the same is [%d], was [%d]", got, dropBugs)
		}
		res := l.ok("click", p{"index": sprint})
		dropSprint := l.index("button", "Delete board")
		if want := fmt.Sprintf(`button "Delete board" [%d] is now [%d]`, dropBugs, dropSprint); !strings.Contains(res.Effect, want) || strings.Count(res.Effect, "is now") != 1 {
			t.Errorf("the effect is %s, want %s and no more of it", res.Effect, want)
		}
		l.fails(StaleRef, "click", p{"index": dropBugs})
		res = l.ok("click", p{"index": dropSprint})
		l.gives(`out.textContent`, `"deleted Sprint"`)
		if got := l.index("button", "Ideas"); got != ideas || strings.Contains(res.Effect, `"Ideas"`) {
			t.Errorf("a tab that shows the same is [%d], was [%d]: %s", got, ideas, res.Effect)
		}
		res = l.fails(StaleRef, "click", p{"index": dropSprint})
		has(t, res.Err.Hint, `It is now button "Delete board" [`)
		l.ok("click", p{"index": open})
		l.gives(`out.textContent`, `"deleted Sprint"`)
	})
}

// TestRealRedrawnPlace: the number of a place in an attribute does not make a button that moved the same one.
func TestRealRedrawnPlace(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	l.eval(`document.body.innerHTML = '<div id=app></div><button id=next>Next request</button>', window.draw = (who, tall) => {
		app.innerHTML = '<div><div style="height:' + tall + 'px">A request to be checked by the office of ' + who + '</div><button data-index=0>Approve</button></div>' },
		draw("Ada", 20), next.onclick = () => draw("Bob", 300), 0`)
	was := l.index("button", "Approve")
	has(t, l.ok("click", p{"index": l.index("button", "Next request")}).Effect, fmt.Sprintf(`button "Approve" [%d] is now [`, was))
	l.fails(StaleRef, "click", p{"index": was})
}

// TestRealRefsBesideHints: a hint that a page shows while a field is filled in, and takes away later, makes it no other
// field. If only its row tells which of two fields it is, the words of the row count.
func TestRealRefsBesideHints(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	field := `<div class=f><div>%s</div><input aria-label="%s"><div class=hint></div></div>`
	l.eval(`document.body.innerHTML = '<form>` + fmt.Sprintf(field, "Customer", "Customer") + fmt.Sprintf(field, "Town", "Town") + `</form><form>` +
		fmt.Sprintf(field, "Guest Ida Lind of Bergen", "Guest") + fmt.Sprintf(field, "Guest Tom Becker of Ulm", "Guest") + `</form><button id=end>End</button>',
		document.querySelectorAll("input").forEach((f) => { f.oninput = () => { f.nextSibling.textContent = "Press Enter to submit the form"; }; }),
		end.onclick = () => document.querySelectorAll(".hint").forEach((h) => { h.textContent = ""; }), 0`)
	customer, end := l.index("textbox", "Customer"), l.index("button", "End")
	l.ok("type", p{"index": customer, "text": "Ada"})
	l.ok("click", p{"index": end})
	l.ok("type", p{"index": customer, "text": " Byron"})
	l.gives(`document.querySelector("input").value`, `"Ada Byron"`)
	guest := l.found(p{"role": "textbox", "name": "Guest", "nth": 1}).Index
	l.eval(`document.querySelectorAll(".f div")[6].textContent = "Guest", 0`)
	l.fails(StaleRef, "type", p{"index": guest, "text": "x"})
}

// TestRealRedrawnAlone: the only row that a search left is not the first row of the whole list.
func TestRealRedrawnAlone(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	l.eval(`document.body.innerHTML = '<div id=app></div><button id=whole>Whole list</button>', window.draw = (names) => { while (app.children.length > names.length) app.lastChild.remove();
		names.forEach((n, i) => { const row = app.children[i] ?? app.appendChild(document.createElement("div")); row.innerHTML = "<div><p>" + n + "</p></div><div><button>Remind</button></div>"; }); },
		draw(["Tom Becker"]), whole.onclick = () => draw(["Ida Lind", "Tom Becker", "Ines Roth"]), 0`)
	was := l.index("button", "Remind")
	if res := l.ok("click", p{"index": l.index("button", "Whole list")}); strings.Contains(res.Effect, "is now") || !strings.Contains(res.Effect, `"Ida Lind"`) {
		t.Errorf("the effect is %s", res.Effect)
	}
	l.fails(StaleRef, "click", p{"index": was})
}

// TestRealRefsOfASiteFrame: the next page of a site keeps the indices of its frame, and only counts them; a button of
// the page itself is another one.
func TestRealRefsOfASiteFrame(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "siteframe.html")
		menu, search, reports, save := l.index("button", "Menu"), l.index("textbox", "Search"), l.index("button", "Reports"), l.index("button", "Save")
		l.ok("click", p{"index": l.index("link", "Order 8")})
		now := l.ok("getElements", p{"type": "new"}).Text
		has(t, now, `button "Save" [`, "1 in banner, 1 in search, 3 in navigation")
		if strings.Contains(now, "Menu") || strings.Contains(now, "Reports") || strings.Contains(now, fmt.Sprintf("[%d]", save)) {
			t.Errorf("the frame is told again, or the page's button is not new:\n%s", now)
		}
		l.ok("click", p{"index": menu})
		l.gives(`out.textContent`, `"menu"`)
		l.ok("click", p{"index": reports})
		l.gives(`out.textContent`, `"reports"`)
		l.ok("type", p{"index": search, "text": "tea"})
		l.gives(`q.value`, `"tea"`)
		l.fails(StaleRef, "click", p{"index": save})
		l.gives(`out.textContent`, `"reports"`)
	})
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

// TestRealRedrawnMany: of many elements drawn anew three are told with their new index, and what came is not left out for them.
func TestRealRedrawnMany(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	l.eval(`document.body.innerHTML = '<div id=app></div><button id=next>Next requests</button>', window.draw = (who) => {
		app.innerHTML = [1, 2, 3, 4, 5, 6].map((n) => '<section>A request to be checked by the office of ' + who + n + '<button data-id=' + who + n + '>Approve ' + "ABCDEF"[n - 1] + '</button></section>').join("") },
		draw("Ada"), next.onclick = () => { draw("Bob"); next.insertAdjacentHTML("afterend", "<p>Are they all checked?</p>"); }, 0`)
	l.observe()
	res := l.ok("click", p{"index": l.index("button", "Next requests")})
	has(t, res.Effect, `is now [`, "also drawn anew: 3 elements", "Are they all checked?")
	if n := strings.Count(res.Effect, "is now ["); n != 3 {
		t.Errorf("%d are told: %s", n, res.Effect)
	}
}
