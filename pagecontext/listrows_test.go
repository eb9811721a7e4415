package pagecontext_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// Each control is listed with the repeated part of the page that it stands in, and
// with what a user reads there: never what stands in the next one.
func TestRows(t *testing.T) {
	tb := newTab(t)
	card := func(words string, buttons ...string) string {
		return `<div class=card><div>` + words + `</div><div><button>` + strings.Join(buttons, "</button><button>") + `</button></div></div>`
	}
	edited := func(link string, cells ...string) string {
		return `<tr><td><input type=checkbox><td>` + link + `Edit</a><td class=e>` + strings.Join(cells, "<td class=e>")
	}
	for _, c := range []struct {
		name, html string
		want       []string // row: controls
	}{
		{
			"a table", `<table><tr><th><button>Name</button><th>Sum<th><tr><td><a href=/1>INV-1</a><td>$20<td>Paid<td><a href=/1/edit>Edit</a><tr><td><a href=/2>INV-2</a><td>$30<td>Due<td><a href=/2/edit>Edit</a></table>`,
			[]string{": Name", "row INV-1 $20 Paid: INV-1 Edit", "row INV-2 $30 Due: INV-2 Edit"},
		},
		{
			"actions before the words, with one address", `<table><tr><td><input type=checkbox><td><a href=/delete>Delete</a><td>1<td>Ada<tr><td><input type=checkbox><td><a href=/delete>Delete</a><td>2<td>Bo</table>`,
			[]string{"row 1 Ada:  Delete", "row 2 Bo:  Delete"},
		},
		{
			"a list, and a menu that needs no rows", `<nav><ul><li><a href=/a>Home</a><li><a href=/b>News</a></ul></nav><ul><li>Apple <button>Remove</button><li>Fig <button>Remove</button></ul>`,
			[]string{": Home News", "listitem Apple: Remove", "listitem Fig: Remove"},
		},
		{
			"words that several links follow", `<div><div>Folders<ul><li><a href=/1>Inbox</a><li><a href=/2>Sent</a></ul></div><div>Labels |<ul><li><a href=/3>Work</a><li><a href=/4>Travel</a></ul></div></div>`,
			[]string{"group Folders: Inbox Sent", "group Labels: Work Travel"},
		},
		{
			"links to one thing in two tables", `<div><table><tr><td><a href=/i/1>1</a><td>New<td><a href=/i/1>Press proofs</a><tr><td><a href=/i/2>2</a><td>New<td><a href=/i/2>Cover art</a></table><table><tr><td><a href=/i/1>1</a><td>New<td><a href=/i/1>Press proofs</a></table></div>`,
			[]string{"row 1 New Press proofs: 1 Press proofs", "row 2 New Cover art: 2 Cover art", "row 1 New Press proofs: 1 Press proofs"},
		},
		{
			"a cell with many options", `<table>` + strings.Repeat(`<tr><td><input aria-label=Column><td><select aria-label=Collation>`+strings.Repeat("<option>armscii8_general_nopad_ci", 200)+`</select><td><input aria-label=Comments>`, 2) + `</table>`,
			[]string{"row 1 of 2: Column Collation Comments", "row 2 of 2: Column Collation Comments"},
		},
		{
			"a list in an item of another one", `<ul><li>All <a href=#>Expand</a><ul><li><a href=#>Expand</a> <a href=/b>orders</a></ul></ul>`,
			[]string{"listitem All: Expand", "listitem orders: Expand orders"},
		},
		{
			"a branch of a tree, and what is in it", `<ul role=tree><li role=treeitem tabindex=0 aria-expanded=true aria-label=Home><span>Home</span> <button>Add</button><ul role=group><li role=treeitem tabindex=-1>Garden</ul></ul>`,
			[]string{"treeitem* Home: Home Add Garden"},
		},
		{
			"a box whose label is another cell", `<table><tr><td><input type=checkbox id=a><td>1<td><label for=a>id</label><td>int(11)<td><a href=/d>Drop</a><tr><td><input type=checkbox id=b><td>2<td><label for=b>customer</label><td>int(11)<td><a href=/d>Drop</a></table>`,
			[]string{"row 1 id int(11): id Drop", "row 2 customer int(11): customer Drop"},
		},
		{
			"labels drawn apart", `<style>.l{background:#fee;padding:0 5px;border-radius:4px}</style><ul><li><a href=/1>Import</a> <span class=l>bug</span><span class=l>duplicate</span> <button>Close</button><li><a href=/2>Export</a> <span class=l>slow</span><span class=l>bug</span> <button>Close</button></ul>`,
			[]string{"listitem Import bug duplicate: Import Close", "listitem Export slow bug: Export Close"},
		},
		{
			"a word in a font with symbols as substitute", `<style>body{font-family:Arial,"Segoe UI Symbol"}</style><table><tr><td><a href=/1>prices</a><td><span class=s>permanent</span><tr><td><a href=/2>work</a><td><span class=s>temporary</span></table>`,
			[]string{"row prices permanent: prices", "row work temporary: work"},
		},
		{
			"two bars of a page with landmarks in them", `<div><div id=l><nav><h3>Names</h3><a href=/a>Page</a> <a href=/b>Talk</a></nav></div><div id=r><nav><h3>Views</h3><a href=/r>Read</a> <a href=/e>Edit</a></nav><div role=search><h3><label for=s>Search</label></h3><input id=s type=search aria-label="Search the wiki"><button>Go</button></div></div></div>`,
			[]string{": Page Talk Read Edit Search the wiki Go"},
		},
		{
			"cells that can be pressed, and a control in one", `<table><tr><td><a href=/1>A1</a><td onclick="">Ada<td onclick="">Monday <button>Shop</button><td onclick="">Paid<tr><td><a href=/2>B2</a><td onclick="">Bo<td onclick="">Friday <button>Shop</button><td onclick="">Due</table>`,
			[]string{"row A1 Ada Monday Paid: A1 Ada Monday Shop Shop Paid", "row B2 Bo Friday Due: B2 Bo Friday Shop Shop Due"},
		},
		{
			"days that can be pressed, and what is in them", `<table><tr><td onclick="">27 <button>Choir</button><button>Dentist</button><td onclick="">28 <button>Party</button><button>Nap</button></table>`,
			[]string{"cell* 27: 27 Choir Dentist Choir Dentist", "cell* 28: 28 Party Nap Party Nap"},
		},
		{
			"cards with other buttons", card("Metoprol<br>50 mg", "Approve", "Deny") + card("Lisino<br>10 mg", "Approve") + card("Atorva", "View"),
			[]string{"group Metoprol 50 mg: Approve Deny", "group Lisino 10 mg: Approve", "group Atorva: View"},
		},
		{
			"cards without classes", `<div><div><p>Ship it?</p><div><button>Yes</button></div></div><div><p>Pack it?</p><div><button>No</button></div></div></div>`,
			[]string{"group Ship it?: Yes", "group Pack it?: No"},
		},
		{
			"cells of rows made of boxes", `<style>.r{display:flex}</style>` + strings.Repeat(`<div class=r><div class=c><input type=checkbox></div><div class=c>Ida</div><div class=c>Due <button>Pay</button></div></div>`, 2),
			[]string{"group Ida Due:  Pay", "group Ida Due:  Pay"},
		},
		{
			"rows that can be pressed", `<ul><li tabindex=0>Kim Lee, 10:32 <button>Star</button><li tabindex=0>Ann Ray, 9:10 <button>Star</button></ul>`,
			[]string{"listitem* Kim Lee, 10:32: Kim Lee, 10:32 Star", "listitem* Ann Ray, 9:10: Ann Ray, 9:10 Star"},
		},
		{
			"links in rows under the hand, heard by the page", `<style>tr{cursor:pointer}</style><table><tr><td><a data-action=view>QU-1</a><td>Ida<td><span data-route=/2>Notes</span><tr><td><a class=l>QU-2</a><td>Bo<td><b>late</b></table>`,
			[]string{"row* QU-1 Ida Notes: QU-1 Ida Notes QU-1 Notes", "row* QU-2 Bo late: QU-2 Bo late QU-2"},
		},
		{"a row that is its link", `<style>li{cursor:pointer}</style><ul><li><a>Home</a><li><a>News</a></ul>`, []string{": Home News"}},
		{
			"what stands in rows within rows", `<ul><li>Fruit <button>Add</button><ul><li>Apple <button>Remove</button><li>Fig <button>Remove</button></ul><li>Tea <button>Add</button></ul>`,
			[]string{"listitem Fruit: Add", "listitem Apple: Remove", "listitem Fig: Remove", "listitem Tea: Add"},
		},
		{
			"columns of cards", `<section class=col><p>To do</p><button>Add</button>` + card("Paint", "Move") + card("Glue", "Move") + `</section><section class=col><p>Done</p><button>Add</button>` + card("Nails", "Move") + card("Wood", "Move") + `</section>`,
			[]string{"group To do: Add", "group Paint: Move", "group Glue: Move", "group Done: Add", "group Nails: Move", "group Wood: Move"},
		},
		{"parts that their headings are told of", `<section class=c><h3>Fruit</h3><button>Add</button></section><section class=c><h3>Tea</h3><button>Add</button></section>`, []string{": Add Add"}},
		{
			"a menu with parts", `<div class=m><p>Shop</p><a href=/1>Tea</a><a href=/2>Salt</a><a href=/3>Figs</a><a href=/4>Nuts</a></div><div class=m><p>Help</p><a href=/5>Faq</a> <a href=/6>Chat</a></div>`,
			[]string{"group Shop: Tea Salt Figs Nuts", "group Help: Faq Chat"},
		},
		{
			"menus of nothing else", `<div class=m><button>Shop</button><a href=/1>Tea</a><a href=/2>Salt</a></div><div class=m><button>Help</button><a href=/5>Faq</a><a href=/6>Chat</a></div>`,
			[]string{": Shop Tea Salt Help Faq Chat"},
		},
		{
			"names and values side by side", `<dl><dt>Visa<dd>4410 <button>Remove</button><dt>Maestro<dd>6221 <button>Remove</button></dl>`,
			[]string{"group Visa 4410: Remove", "group Maestro 6221: Remove"},
		},
		{
			"a grid without rows", `<div style="display:grid;grid-template-columns:1fr 1fr 1fr"><span>Ida</span><span>Due</span><button>Pay</button><span>Per</span><span>Paid</span><button>Pay</button></div>`,
			[]string{"group Ida Due: Pay", "group Per Paid: Pay"},
		},
		{
			"buttons before their words in one box", `<div><button>Edit</button><button>Delete</button><span>Ida</span><button>Edit</button><button>Delete</button><span>Per</span></div>`,
			[]string{"group Ida: Edit Delete", "group Per: Edit Delete"},
		},
		{
			"parts without a box of their own", `<section><h4>Discover</h4><p>6221</p><button>Remove</button><h4>Visa</h4><p>4410</p><p>Expired</p><button>Remove</button></section>`,
			[]string{"group Discover 6221: Remove", "group Visa 4410 Expired: Remove"},
		},
		{
			"days that are pressed, as what is on them", `<table><tr><td onclick="">1<td onclick="">2 <a href=/e>Meet</a> <button>Move</button><td onclick="">3 <a href=/f>Call</a> <button>Move</button></table>`,
			[]string{": 1", "cell* 2 Meet: 2 Meet Move Meet Move", "cell* 3 Call: 3 Call Move Call Move"},
		},
		{
			"cells that are edited where they stand", `<style>.e{cursor:pointer}</style><table>` + edited("<a href=/1>", "1", "TW-7", "Rope, red", "0") + edited("<a href=/2>", "2", "TW-8", "Rope, tan", "0") + `</table>`,
			[]string{"row 1 TW-7 Rope, red 0:  Edit 1 TW-7 Rope, red 0", "row 2 TW-8 Rope, tan 0:  Edit 2 TW-8 Rope, tan 0"},
		},
		{
			"rows with a header that is said elsewhere", `<p><a href=/x>ida</a> <a href=/y>per</a></p><table><tr><th><a href=/1>ida</a><td><a href=/1/d>Drop</a><td>84 rows<tr><th><a href=/2>per</a><td><a href=/2/d>Drop</a><td>9 rows</table>`,
			[]string{": ida per", "row ida 84 rows: ida Drop", "row per 9 rows: per Drop"},
		},
		{
			"rows of fields alone", `<table><tr><th>Name<th>Type<tr><td><input><td><select><option>INT<option>DATE</select><tr><td><input><td><select><option>INT<option>DATE</select></table>`,
			[]string{"row 1 of 2: Name Type", "row 2 of 2: Name Type"},
		},
		{
			"rows of fields and choices, whose values are no names", `<style>.d{cursor:pointer}</style><table>` + strings.Repeat(`<tr><td><div class=d><span>200 - Sales</span><span>▾</span></div><td><input aria-label=Text><td><input aria-label=Price><td><div class=d><span>None</span><span>▾</span></div><td>$0.00`, 2) + `</table>`,
			[]string{"row 1 of 2 $0.00: 200 - Sales▾ Text Price None▾", "row 2 of 2 $0.00: 200 - Sales▾ Text Price None▾"},
		},
		{
			"fields that their help describes", `<div><div class=f><label>Slug <input aria-describedby=h1></label><p id=h1>The name of the page in addresses</p></div><div class=f><label>Title tag <input aria-describedby=h2></label><p id=h2>The name of the page in search results</p></div></div>`,
			[]string{": Slug Title tag"},
		},
		{
			"rows that are all selected", `<table><tr class=menu-selection><td><input type=checkbox checked><td>Ida<tr class=menu-selection><td><input type=checkbox checked><td>Bo</table><table><tr class=selected><td><input type=checkbox><td>Kim<tr class=selected><td><input type=checkbox><td>Per</table>`,
			[]string{"row Ida selected: ", "row Bo selected: ", "row Kim: ", "row Per: "},
		},
		{"tasks with labels", `<ul><li><input type=checkbox id=a><label for=a>Milk</label><button>×</button><li><input type=checkbox id=b><label for=b>Eggs</label><button>×</button></ul>`, []string{"listitem Milk: Milk ×", "listitem Eggs: Eggs ×"}},
		{
			"boxes of rows that have no more than a number", strings.Repeat(`<div class=row><div><input type=checkbox></div><div>12</div></div>`, 2),
			[]string{"group 12: ", "group 12: "},
		},
		{
			"boxes of a grid of plain boxes, and one for all", `<div class="row head"><div role=checkbox aria-checked=false tabindex=0>☐</div><div>Name</div><div>Time</div></div><div class=row><div role=checkbox aria-checked=true tabindex=0>☑</div><div>Ida</div><div>10:32</div></div>`,
			[]string{"group Name Time: ☐", "group Ida 10:32: ☑"},
		},
		{"a form is no list", `<form><div class=f><label>Name <input></label></div><div class=f><label>Town <input></label></div></form>`, []string{": Name Town"}},
		{"a calendar", `<table><tr><td><button>1</button><td><button>2</button><td><button>3</button><td><button>4</button><td><button>5</button><td><button>6</button></table>`, []string{": 1 2 3 4 5 6"}},
		{"text with links", `<ul><li>The <a href=/cat>cat</a> is a small animal that lives with people<li>The <a href=/dog>dog</a> is a larger animal of the same kind</ul>`, []string{": cat dog"}},
		{
			"results", `<div class=r><a href=/1><h3>Blue mugs</h3></a><span>example.org</span></div><div class=r><a href=/2><h3>Red mugs</h3></a><span>example.com</span></div>`,
			[]string{"group example.org: Blue mugs", "group example.com: Red mugs"},
		},
	} {
		tb.goTo("<body>" + c.html + "</body>")
		got := rowsSaid(tb, "")
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}

	// What stands in a row and is not listed yet is no word of the row.
	tb.goTo(`<style>.g span{cursor:pointer}</style><div class=g><p>Spaces</p><span>Add</span><span>Sort</span></div><div class=g><p>Labels</p><span>Work</span><span>Home</span><span>Club</span><span>Bank</span><p style="margin-top:3000px"></p><span>Tax</span></div>`)
	first := do[struct {
		Elements []pagecontext.RawElement
		Rows     []pagecontext.RawRow
	}](tb, "list", map[string]any{"first": 2})
	if len(first.Rows) == 0 || first.Rows[len(first.Rows)-1].Text != "Labels" {
		t.Errorf("first: %+v", first)
	}

	// What is looked for is found by the words of its row, and that comes alone.
	tb.goTo(card("Visa 4410", "Remove") + card("Maestro 6221", "Remove"))
	if got := rowsSaid(tb, "6221"); !slices.Equal(got, []string{"group Maestro 6221: Remove"}) {
		t.Errorf("query: %q", got)
	}
	// What its row says comes before what stands beside it; a word of a cell brings what its row can do.
	tb.goTo(`<div class=r><b>Primary</b> <input type=checkbox aria-label="toggle"></div><div class=r><b>Social</b> <input type=checkbox aria-label="toggle"></div><div class=r><b>Offers</b> <input type=checkbox aria-label="toggle"></div>`)
	if got := strings.Join(rowsSaid(tb, "Social"), "; "); got != "group Social: toggle" {
		t.Errorf("query of a group's label: %q", got)
	}
	tb.goTo(`<style>.e{cursor:pointer}</style><table>` + edited("<a href=/1>", "1", "TW-7", "Rope, red", "0") + edited("<a href=/2>", "2", "TW-8", "Rope, tan", "0") + `</table>`)
	if got := rowsSaid(tb, "tan"); len(got) != 1 || !strings.HasPrefix(got[0], "row 2 TW-8 Rope, tan 0:  Edit") {
		t.Errorf("query of a cell: %q", got)
	}
}

// What a row is called leaves out what can be done with it, in a list of one kind and where it is found.
func TestRowsWithoutActions(t *testing.T) {
	tb := open(t, `<table><tr><td><input type=checkbox><td><a href=/1>Edit</a> <button>Copy</button><td>TW-7<td><a href=/s>Rope</a><tr><td><input type=checkbox><td><a href=/2>Edit</a> <button>Copy</button><td>TW-8<td><a href=/t>Chain</a></table>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{Type: "input"})
	if tb.must(err); len(l.Rows) != 2 || l.Rows[0].Text != "TW-7 Rope" || l.Rows[1].Text != "TW-8 Chain" {
		t.Errorf("rows: %+v", l.Rows)
	}
	l, err = p.Find(t.Context(), pagecontext.Wanted{Role: "row", Name: "TW-8"})
	if tb.must(err); len(l.Elements) != 1 || l.Elements[0].Name != "TW-8 Chain" {
		t.Errorf("found: %+v", l.Elements)
	}
}

// A row whose cells can be pressed is written by them, each word once; what else is in it follows.
func TestRowsOfCells(t *testing.T) {
	row := func(words string, cells ...string) string {
		return "<tr><td>" + words + `<td><a href=/e>Edit</a><td class=e>` + strings.Join(cells, "<td class=e>")
	}
	tb := newTab(t)
	for _, c := range []struct{ name, html, want string }{
		{"all of its words", row("", "3", "Mei Chen", "Ulm") + row("", "4", "Ida Holm", "Ulm"), "- row: cell \"3\" [2] \"Mei Chen\" [3] \"Ulm\" [4]\n  link \"Edit\" → /e [1]\n- row: cell \"4\" [6] \"Ida Holm\" [7] \"Ulm\" [8]\n  link \"Edit\" → /e [5]"},
		{"not all", row("Paid", "3", "Mei Chen", "Ulm") + row("Due", "4", "Ida Holm", "Ulm"), `- row "Paid": cell "3" [2] "Mei Chen" [3] "Ulm" [4]`},
		{"one cell", row("Paid", "3") + row("Due", "4"), "- row \"Paid 3\"\n  link \"Edit\" → /e [1]\n  cell \"3\" [2]"},
	} {
		tb.goTo(`<style>.e{cursor:pointer}</style><table>` + c.html + `</table>`)
		p := pagecontext.New(tb, 0)
		l, err := p.Elements(t.Context(), pagecontext.Query{})
		tb.must(err)
		if got := p.RenderList(l, pagecontext.RenderOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// What is out of view only to the side of its row is told in it.
func TestRowsOutOfViewToTheSide(t *testing.T) {
	row := `<tr><td><input><td><div style="width:3000px"></div><td><input type=checkbox>`
	tb := open(t, `<table><tr><th>Length<th>-<th>Auto`+row+row+`</table><div style="height:3000px"></div><button>Save</button>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	got := p.RenderList(l, pagecontext.RenderOptions{})
	if above, below, _ := strings.Cut(got, "## below the fold"); strings.Count(above, "checkbox") != 2 || strings.Count(above, "- row") != 2 || !strings.Contains(below, "Save") {
		t.Error(got)
	}
}

// rowsSaid gives what is listed by rows: "row Ida 10:32: Open Delete"; * marks a row
// that can be pressed.
func rowsSaid(tb *tab, query string) []string {
	l := do[struct {
		Elements []pagecontext.RawElement
		Rows     []pagecontext.RawRow
	}](tb, "list", map[string]any{"query": query})
	var out []string
	last := -1
	for _, e := range l.Elements {
		if e.Row != last {
			head := ":"
			if last = e.Row; last > 0 {
				r := l.Rows[last-1]
				head = r.Role + map[bool]string{true: "*"}[r.El > 0] + " " + strings.Join(append([]string{r.Text}, r.States...), " ") + ":"
			}
			out = append(out, head)
		}
		out[len(out)-1] += " " + cmp.Or(e.Name, e.Text)
	}
	return out
}

// The rows of frames are numbered as one list.
func TestRowsOfFrames(t *testing.T) {
	list := func(name string) string {
		return fmt.Sprintf(`<ul><li>%[1]s 1 <button>Go</button><li>%[1]s 2 <button>Go</button></ul>`, name)
	}
	tb := open(t, list("Outer")+`<iframe width=300 height=200 srcdoc="`+list("Inner")+`"></iframe>`+list("Last"))
	p := pagecontext.New(tb, 0)
	check := func(es []pagecontext.Element, rows []pagecontext.Row, want ...string) {
		t.Helper()
		var got []string
		for _, e := range es {
			got = append(got, rows[e.Row-1].Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	_, l, err := p.Look(t.Context(), 1500)
	tb.must(err)
	check(l.Elements, l.Rows, "Outer 1", "Outer 2", "Inner 1", "Inner 2", "Last 1", "Last 2")
	l, err = p.Elements(t.Context(), pagecontext.Query{Limit: 4})
	tb.must(err)
	l, err = p.Elements(t.Context(), pagecontext.Query{Cursor: l.NextCursor})
	tb.must(err)
	check(l.Elements, l.Rows, "Last 1", "Last 2")
	if len(l.Rows) != 2 {
		t.Errorf("%+v", l.Rows)
	}
}

// A list for a text of so many tokens reads what there is room for and counts the
// rest, and its cursor goes on until all was told, each once.
func TestListReadsWhatThereIsRoomFor(t *testing.T) {
	tb := open(t, `<script>for(let i=0;i<700;i++)document.write('<p><button>Model '+(i*7919).toString(36)+'</button>');scrollTo(0,3000)</script>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{Budget: 800})
	tb.must(err)
	if len(l.Elements) < 50 || len(l.Elements) > 300 || l.Total != 700 {
		t.Errorf("%d elements were read of %d", len(l.Elements), l.Total)
	}
	told := map[string]int{}
	for calls := 0; calls < 60; calls++ {
		p.RenderList(l, pagecontext.RenderOptions{Budget: 400})
		for _, e := range l.Elements {
			told[e.Name]++
		}
		if l.NextCursor == "" {
			break
		}
		l, err = p.Elements(t.Context(), pagecontext.Query{Cursor: l.NextCursor})
		tb.must(err)
	}
	for name, n := range told {
		if n != 1 {
			t.Errorf("%s was told %d times", name, n)
		}
	}
	if len(told) != 700 {
		t.Errorf("%d elements were told", len(told))
	}
}
