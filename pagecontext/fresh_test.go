package pagecontext_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// After an act a list of what is new leaves out what stood there before, but counts it; rows
// are told as a whole. What is new on the next page is told without the links that it has in
// common with the page before: these keep their indices.
func TestListOfWhatIsNew(t *testing.T) {
	const nav = `<nav><a href="/a">Orders</a> <a href="/b">Customers</a></nav>`
	const page = nav + `<main><h1>Orders</h1><button id=b>Edit</button><ul><li id=r>Anchor <button>Order</button><li>Rope <button>Order</button></ul>
<svg width=300 height=60><rect width=40 height=40 tabindex=0 aria-label=Pump /></svg></main><div id=d></div>`
	tb := newTab(t)
	tb.goTo(page)
	p := pagecontext.New(tb, 0)
	fresh := func() string {
		t.Helper()
		return p.RenderList(list(t, p, pagecontext.Query{Fresh: true}), pagecontext.RenderOptions{Budget: 600})
	}
	first := p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{Budget: 600})
	if !strings.Contains(first, `link "Customers" → /b [2]`) {
		t.Fatal(first)
	}
	effectsTold(tb, "#b", `d.innerHTML = '<div role=dialog style="position:fixed;top:200px;left:400px;width:300px;height:90px;background:#fff" aria-label="Edit order">Note <button>Save</button></div>'; r.insertAdjacentHTML("beforeend", "<button>Cancel</button>")`)
	want := `## overlay "Edit order"
button "Save" [8]
## main: Orders
- listitem "Anchor"
  button "Order" [4]
  button "Cancel" [7]
… unchanged since the last act, with the indices that they had: 2 in navigation, 3 in main (getElements lists all)`
	if got := fresh(); got != want {
		t.Errorf("after an act:\n%s\nwant\n%s", got, want)
	}
	zh := p.RenderList(list(t, p, pagecontext.Query{Fresh: true}), pagecontext.RenderOptions{Budget: 600, Lang: "zh"})
	if want := "编号不变：navigation 中 2 个, main 中 3 个（getElements 列出全部）"; !strings.HasSuffix(zh, want) {
		t.Errorf("in Chinese:\n%s\nwant at its end %s", zh, want)
	}
	effectsTold(tb, "#b", `0`)
	if got := fresh(); !strings.HasPrefix(got, "… nothing is new since the last act; all there is:\n") || !strings.Contains(got, `button "Edit" [3]`) {
		t.Errorf("where nothing is new all of it is told:\n%s", got)
	}
	tb.goTo(nav + `<main><h1>Customers</h1><a href="/a">Orders</a><button>New</button></main>`)
	want = `## main: Customers
link "Orders" → /a [9]
button "New" [10]
… unchanged since the last act, with the indices that they had: 2 in navigation (getElements lists all)`
	if got := fresh(); got != want {
		t.Errorf("on another page:\n%s\nwant\n%s", got, want)
	}
	if e, err := p.LookupIndex(t.Context(), 2); err != nil || e.Name != "Customers" {
		t.Errorf("index 2 is %v, %v", e, err)
	}
}

// Where a page draws a control anew with another object to act on, the old index is not kept, and the list
// of what is new has the new one; with the same object, or another id made by a library, it is kept.
func TestListOfControlsDrawnAnewForSomethingElse(t *testing.T) {
	const fixed = `<button>New board</button><button %s>Delete board</button>`
	for _, tt := range []struct {
		was, is string
		kept    bool
	}{
		{`data-id=board_1`, `data-id=board_1`, true},
		{`data-id=board_1`, `data-id=board_3`, false},
		{`data-board=bugs`, `data-board=sprint`, false},
		{`data-state=open`, `data-state=closed`, true},
		{`data-testid=delete-1`, `data-testid=delete-3`, true},
		{`onclick="drop(1)"`, `onclick="drop(3)"`, false},
		{`name=drop value=1`, `name=drop value=3`, false},
		{`name=drop1`, `name=drop3`, false},
		{`formaction=/boards/1/drop`, `formaction=/boards/3/drop`, false},
		{`id=drop-bugs`, `id=drop-sprint`, false},
		{`id=:r1:`, `id=:r3:`, true},
		{``, `data-open=true`, true},
	} {
		bar := func(attributes string) string { return strings.Replace(fixed, "%s", attributes, 1) }
		tb := newTab(t)
		tb.goTo(`<main><h1>Boards</h1><button id=tab>Sprint</button><div id=bar>` + bar(tt.was) + `</div><div id=d></div></main>`)
		p := pagecontext.New(tb, 0)
		p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{})
		effectsTold(tb, "#tab", `bar.innerHTML = '`+bar(tt.is)+`'; d.innerHTML = "<button>Undo</button>"`)
		got := p.RenderList(list(t, p, pagecontext.Query{Fresh: true, Budget: 2400}), pagecontext.RenderOptions{Budget: 600})
		want := "## main: Boards\nbutton \"Delete board\" [4]\nbutton \"Undo\" [5]\n… unchanged since the last act, with the indices that they had: 2 in main with button \"Sprint\" [1], button \"New board\" [2] (getElements lists all)"
		if tt.kept {
			want = "## main: Boards\nbutton \"Undo\" [4]\n… unchanged since the last act, with the indices that they had: 3 in main with button \"Sprint\" [1], button \"New board\" [2], button \"Delete board\" [3] (getElements lists all)"
		}
		if got != want {
			t.Errorf("%s and then %s:\n%s\nwant\n%s", tt.was, tt.is, got, want)
		}
	}
}

// A handler with a number of a record keeps a control's index where what stands around it is mostly the same, not beside
// other words: the number may be that of a place.
func TestListOfControlsDrawnAnewBesideOthers(t *testing.T) {
	const tabs = `<button onclick="show(32)">Ideas</button> <button onclick="show(33)">Plans</button> <button onclick="show(34)">News</button>`
	for _, tt := range []struct{ was, is, want string }{
		{`<button onclick="show(31)">Bugs</button> ` + tabs + `<p>Leak</p>`, tabs + `<p>Darkness</p>`, `4 in main`},
		{`Apple <button onclick="drop(0)">Remove</button>`, `Pear <button onclick="drop(0)">Remove</button>`, `button "Remove" [3]`},
	} {
		tb := newTab(t)
		tb.goTo(`<main><h1>Boards</h1><button id=tab>Sprint</button><div id=bar></div><div id=d></div></main>`)
		tb.js(`bar.innerHTML = ` + strconv.Quote(tt.was))
		p := pagecontext.New(tb, 0)
		p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{})
		effectsTold(tb, "#tab", `bar.innerHTML = `+strconv.Quote(tt.is)+`; d.innerHTML = "<button>Undo</button>"`)
		if got := p.RenderList(list(t, p, pagecontext.Query{Fresh: true, Budget: 2400}), pagecontext.RenderOptions{Budget: 600}); !strings.Contains(got, tt.want) {
			t.Errorf("%s is missing where %s became %s:\n%s", tt.want, tt.was, tt.is, got)
		}
	}
}

// A row in which something shows under the mouse only is as it was where all else is.
func TestListOfWhatIsNewWithoutHoverParts(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<style>li b{visibility:hidden}li:hover b{visibility:visible}</style><main><ul><li>Anchor <button>Order</button> <b><button>Hide</button></b><li>Rope <button>Order</button> <b><button>Hide</button></b></ul><button id=b>Add</button></main><div id=d></div>`)
	p := pagecontext.New(tb, 0)
	p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{Budget: 600})
	effectsTold(tb, "#b", `d.innerHTML = "<button>Undo</button>"`)
	got := p.RenderList(list(t, p, pagecontext.Query{Fresh: true}), pagecontext.RenderOptions{Budget: 600})
	if !strings.Contains(got, `button "Undo"`) || strings.Contains(got, "Anchor") || strings.Contains(got, "Hide") {
		t.Errorf("what is new:\n%s", got)
	}
}

// A link is the same on the next page by its name, its whole address and its part of the page, where no other has them.
func TestLinksThatPagesHaveInCommon(t *testing.T) {
	link := func(id int, name, href, group string) pagecontext.RawElement {
		e := raw(id, "link", name)
		e.Tag, e.Href, e.Group = "a", href, group
		return e
	}
	tab := oneFrame(
		link(1, "Home", "/", "navigation"), link(2, "Log out", "/out", "navigation"), link(3, "Menu", "#", "navigation"),
		link(4, "Edit", "/7/edit", "main"), link(5, "Help", "/help", "navigation"), link(6, "Help", "/help", "navigation"), raw(7, "button", "Delete"))
	p := pagecontext.New(tab, 0)
	list(t, p, pagecontext.Query{})
	tab.frames[0].document, tab.rev = "D2", 2
	tab.frames[0].elements = []pagecontext.RawElement{
		link(1, "Help", "/help", "navigation"), link(2, "Home", "/", "navigation"), link(3, "Log out", "/out", "navigation"), link(4, "Menu", "#", "navigation"),
		link(5, "Edit", "/8/edit", "main"), raw(6, "button", "Delete"),
	}
	var got []int
	for _, e := range list(t, p, pagecontext.Query{}).Elements {
		got = append(got, e.Index)
	}
	if want := []int{8, 1, 2, 9, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("indices %v, want %v", got, want)
	}
}

// Menu buttons and fields of a site's frame keep their indices on the next page, where one has their role, name,
// part and row; a button that may act on what the page shows does not. Of what stands after the first element of the page's own content only menus, searches and fields of the frame do.
func TestControlsThatPagesHaveInCommon(t *testing.T) {
	const frame = `<header><button aria-expanded=false>Menu</button><button>Follow</button></header><search><label>Search <input id=q></label></search>
<nav aria-label="Main menu"><a href="/a">Orders</a><button aria-expanded=false>Reports</button><button>×</button><button>×</button></nav>`
	page := func(name, extra string) string {
		return frame + `<main><h1>` + name + `</h1><nav aria-label=Actions><button>Save</button></nav><button>Delete</button></main><aside><button>Watch</button></aside><nav aria-label=Tools><button aria-haspopup=true>More</button><button>Purge</button></nav><div role=search><input aria-label=Find><button>Go</button></div>` + extra
	}
	tb := newTab(t)
	p := pagecontext.New(tb, 0)
	fresh := func(html string) string {
		t.Helper()
		tb.goTo(html)
		return p.RenderList(list(t, p, pagecontext.Query{Fresh: true, Budget: 2400}), pagecontext.RenderOptions{Budget: 600})
	}
	fresh(page("Order 7", ""))
	want := `## banner
button "Follow" [15]
## navigation: Main menu
button "×" near="Orders (left)" [16]
button "×" near="Orders (right)" [17]
## navigation: Actions
button "Save" [18]
## main: Order 8
button "Delete" [19]
## complementary
button "Watch" [20]
## navigation: Tools
button "Purge" [21]
… unchanged since the last act, with the indices that they had: 1 in banner, 3 in search, 3 in navigation (getElements lists all)`
	if got := fresh(page("Order 8", "")); got != want {
		t.Errorf("on the next page:\n%s\nwant\n%s", got, want)
	}
	got := fresh(strings.ReplaceAll(page("Order 9", `<script>q.value = "tea"</script>`), "Main menu", "Shop"))
	for _, want := range []string{`textbox "Search" value="tea" [3]`, `button "Reports" collapsed [23]`, "1 in banner, 2 in navigation, 2 in search ("} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing where the part has another name, and the field a value:\n%s", want, got)
		}
	}
	if e, err := p.LookupIndex(t.Context(), 1); err != nil || e.Name != "Menu" {
		t.Errorf("index 1 is %v, %v", e, err)
	}
}

// What the client was never shown is not said to be as it was: all of a document that it was
// shown nothing of is new, and of one that it knows a part of, the rest is counted by itself.
func TestListOfWhatIsNewWithoutAKnownOne(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<nav><a href="/a">Orders</a></nav><main><button id=b>Deploy</button><button>Edit</button></main><div id=d></div>`)
	p := pagecontext.New(tb, 0)
	fresh := func() string {
		t.Helper()
		return p.RenderList(list(t, p, pagecontext.Query{Fresh: true, Budget: 2400}), pagecontext.RenderOptions{Budget: 600})
	}
	effectsTold(tb, "#b", `0`)
	if got := fresh(); !strings.Contains(got, `button "Deploy" [2]`) || strings.Contains(got, "unchanged") {
		t.Errorf("nothing was shown before:\n%s", got)
	}
	tb.goTo(`<nav><a href="/a">Orders</a></nav><main><button id=b>Deploy</button><button>Edit</button></main><div id=d></div>`)
	p = pagecontext.New(tb, 0)
	l := list(t, p, pagecontext.Query{Text: "Deploy"})
	p.RenderList(l, pagecontext.RenderOptions{Budget: 600})
	effectsTold(tb, "#b", `d.innerHTML = "<button>Undo</button>"`)
	got := fresh()
	if want := `… unchanged since the last act, with the indices that they had: 1 in main with button "Deploy" [1]; not listed so far: 2 (getElements lists all)`; !strings.Contains(got, `button "Undo"`) || !strings.HasSuffix(got, want) {
		t.Errorf("a part was shown before:\n%s\nwant at the end\n%s", got, want)
	}
}

// Rows with nothing but what shows on hover are new with that.
func TestListOfNewRowsWithHoverOnly(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<style>.row button{opacity:0}.row:hover button{opacity:1}</style><nav><button id=b>Profile</button></nav><main id=d></main>`)
	p := pagecontext.New(tb, 0)
	p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{})
	effectsTold(tb, "#b", `d.innerHTML = "<button>Leave</button>" + ["Full name", "Username"].map((n) => "<div class=row><span>" + n + "</span> <span>alex</span> <button>Edit " + n + "</button></div>").join("")`)
	got := p.RenderList(list(t, p, pagecontext.Query{Fresh: true, Budget: 2400}), pagecontext.RenderOptions{Budget: 600})
	for _, want := range []string{`button "Leave"`, `button "Edit Full name" (on hover)`, `button "Edit Username" (on hover)`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing:\n%s", want, got)
		}
	}
}
