package pagecontext_test

import (
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestSectionsWithoutHeadings: the title of each of several parts alike stands over what is
// in it, as a heading does; cards, rows and menus are no such parts.
func TestSectionsWithoutHeadings(t *testing.T) {
	tb := newTab(t)
	card := func(name string) string {
		return `<div class=card draggable=true><a href="#` + name + `">` + name + `</a><span>bug 3 days</span></div>`
	}
	column := func(title string, cards ...string) string {
		return `<div class=col><div class=head><span>` + title + `</span> <span>` + string(rune('0'+len(cards))) + `</span> <button>+</button></div><div class=body>` + strings.Join(cards, "") + `</div></div>`
	}
	setting := func(title, a, b string) string {
		return `<div class=part><div>` + title + `</div><div><div class=s><label>` + a + ` <input type=checkbox></label> <p>Told by mail</p></div><div class=s><label>` + b + ` <input type=checkbox></label> <p>Told here</p></div></div></div>`
	}
	for _, c := range []struct {
		name, html string
		want       []string // the headings
	}{
		{"a board", `<main><h2>Board</h2><button>New</button><div>` + column("Open", card("Ada"), card("Bo")) + column("Doing", card("Kim")) + column("Closed") + `</div></main>`, []string{"## main: Board", "## main: Open 2", "## main: Doing 1", "## main: Closed 0"}},
		{"settings", setting("Mail", "New", "Old") + setting("Phone", "Calls", "Notes"), []string{"## page: Mail", "## page: Phone"}},
		{"headings of their own", `<div class=col><h3>Open</h3><div>` + card("Ada") + card("Bo") + `</div></div><div class=col><h3>Shut</h3><div>` + card("Kim") + card("Per") + `</div></div>`, []string{"## page: Open", "## page: Shut"}},
		{"cards", `<div class=c><b>Mug</b><p>$4</p><button>Buy</button><button>Share</button></div><div class=c><b>Pot</b><p>$5</p><button>Buy</button><button>Share</button></div>`, []string{"## page"}},
		{"a menu", `<ul><li><span>Labels</span><ul><li><a href=/a>Work</a><li><a href=/b>Home</a></ul><li><span>Folders</span><ul><li><a href=/c>In</a><li><a href=/d>Out</a></ul></ul>`, []string{"## page"}},
		{"headings in clickable cards", `<h2>Massages</h2><div onclick=a()><h3>Deep tissue</h3><p>60 minutes</p></div><div onclick=b()><h3>Hot stone</h3><p>60 minutes</p></div><button>Join</button>`, []string{"## page: Massages"}},
		{"headings in items", `<h2>Teas</h2><ul><li><a href=/a><img alt=pic></a><h3>Assam</h3><p>$4</p><button>Buy</button><li><a href=/b><img alt=pic></a><h3>Rooibos</h3><p>$5</p><button>Buy</button></ul><button>Join</button>`, []string{"## page: Teas"}},
		{"headings that open what follows", `<div onclick=a()><h3>Deep tissue</h3> 2</div><button>Book</button><div onclick=b()><h3>Hot stone</h3> 1</div><button>Join</button>`, []string{"## page", "## page: Deep tissue", "## page", "## page: Hot stone"}},
		{
			"a side bar before the content", `<h1>House</h1><div><div class=side><h3>Queries</h3><a href=/a>Mine</a><h3>Watchers</h3><a href=/b>Add</a></div><div class=content><a href=/c>Edit</a><h2>Party</h2><a href=/d>Mei</a></div></div>`,
			[]string{"## page: Queries", "## page: Watchers", "## page: House", "## page: Party"},
		},
		{
			"content of several sections before a bar", `<h1>Mail</h1><div><div><h2>Rules</h2><button>Add</button><h2>Signature</h2><input aria-label=Text></div><div><button>Save</button></div></div>`,
			[]string{"## page: Rules", "## page: Signature", "## page: Mail"},
		},
		{
			"a box before its own heading", `<main><h1>Shop</h1><div class=tea><h2>Tea</h2><button>Sort</button></div><div class=mugs><a href=/a>All</a><h2>Mugs</h2><button>Filter</button></div></main>`,
			[]string{"## main: Tea", "## main: Shop", "## main: Mugs"},
		},
		{"a box beside a heading with controls", `<h2>Queries</h2><a href=/a>Mine</a><div><a href=/b>Add</a><h2>Watchers</h2><a href=/c>Mei</a></div>`, []string{"## page: Queries", "## page", "## page: Watchers"}},
		{
			"a heading in a bar of its own", `<div><div class=head><h2>Orders</h2><button>New</button></div><div class=body><a href=/a>One</a><div><h3>Old</h3><a href=/b>Two</a></div></div></div>`,
			[]string{"## page: Orders", "## page: Old"},
		},
		{
			"a column beside a section", `<h1>Issue</h1><div style="display:flex"><div style="width:400px"><h2>Time</h2><button>Add</button><p style="height:300px">Spent</p></div><div style="width:200px;height:300px"><button>Assign</button></div></div><button>Close</button>`,
			[]string{"## page: Time", "## page: Issue"},
		},
		{
			"buttons beside a title", `<h1>Issue</h1><div style="display:flex"><div><h2>Time</h2><p>Spent on it</p></div><div><button>Assign</button></div></div><div><button>Add</button></div>`,
			[]string{"## page: Time"},
		},
		{
			"the last section of a part that ended", `<h1>Issue</h1><div><div>Slow page</div><div><h3>Time</h3><p>3 hours</p><button>Add</button></div></div><div><div>Assignee: Ida</div><button>Assign</button></div>`,
			[]string{"## page: Time", "## page: Issue"},
		},
		{
			"a title under the way to it", `<h1>Issue</h1><div><div>Plan / Issue</div><div><h3>Time</h3></div></div><div><button>Add</button></div>`,
			[]string{"## page: Time"},
		},
		{"a hidden heading", `<div><h2>Orders</h2></div><div><a href=/a>One</a><h1 hidden>Menu</h1></div>`, []string{"## page: Orders"}},
		{
			"the parts of a dialog", `<div role=dialog aria-modal=true><header><b>Delete files</b> <button>×</button></header><form aria-label=f>Delete 3 files? <input aria-label=Reason></form><footer><button>Cancel</button></footer></div>`,
			[]string{`## overlay "Delete files Delete 3 files?"`},
		},
		{
			"a section of a dialog", `<dialog open><section aria-label=Question><p>Delete 3 files?</p><button>Delete</button></section></dialog>`,
			[]string{`## overlay "Delete 3 files?"`},
		},
		{
			"a dialog over another", `<div role=dialog aria-label="Edit file"><button>Save</button><div role=alertdialog aria-modal=true><p>Delete 3 files?</p><button>Delete</button></div></div>`,
			[]string{`## overlay "Edit file"`, `## overlay "Delete 3 files?"`},
		},
		{
			"a dialog's own box in it", `<div aria-modal=true><div role=dialog aria-label=Inner><p>Delete 3 files?</p><button>Delete</button></div></div>`,
			[]string{`## overlay "Inner"`},
		},
		{"only one", column("Open", card("Ada"), card("Bo")), []string{"## page"}},
	} {
		tb.goTo("<body>" + c.html + "</body>")
		l, err := pagecontext.New(tb, 0).Elements(t.Context(), pagecontext.Query{})
		tb.must(err)
		text := pagecontext.Render(nil, l, pagecontext.RenderOptions{})
		var got []string
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "## ") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q:\n%s", c.name, got, c.want, text)
		}
	}

	// The line over them is a scope.
	tb.goTo("<body>" + setting("Mail", "New", "Old") + setting("Phone", "Calls", "Notes") + "</body>")
	for _, scope := range []string{"## page: Phone", "Phone"} {
		l, err := pagecontext.New(tb, 0).Elements(t.Context(), pagecontext.Query{Part: scope})
		tb.must(err)
		if len(l.Elements) != 2 || l.Elements[0].Name != "Calls" {
			t.Errorf("scope %q: %+v", scope, l.Elements)
		}
	}
}
