package pagecontext_test

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestAskedFor: whole words count before parts of them, a control before the others of
// its row, what is open before what it covers; bars part alternatives, and a heading is a
// part of the page with and without its mark.
func TestAskedFor(t *testing.T) {
	tb := open(t, `<style>.mail{padding:4px;cursor:pointer}</style><body><nav><ul><li>Labels <button>Work</button><button>Create label</button></ul></nav>
<button>Get started</button><button>★</button><button class="mail-star star-yellow">★</button>
<div class=mail tabindex=0>Ida Lind, lease <button>Archive</button></div><div class=mail tabindex=0>Tom Becker, lunch <button>Archive</button></div>
<div id=dialog hidden role=dialog aria-label="Create Filter" style="position:fixed;inset:0;background:#fff"><h2>Create Filter</h2><button>×</button><button>Create filter</button><label>Apply label <input></label></div>`)
	p := pagecontext.New(tb, 0)
	ask := func(q pagecontext.Query, want string) {
		t.Helper()
		l, err := p.Elements(t.Context(), q)
		if err != nil {
			t.Errorf("%+v: %v", q, err)
			return
		}
		var got []string
		for line := range strings.Lines(pagecontext.WithoutIndices(p.RenderList(l, pagecontext.RenderOptions{Budget: 2000}))) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "##") {
				got = append(got, line)
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%+v:\n got %s\nwant %s", q, s, want)
		}
	}
	ask(pagecontext.Query{Text: "label"}, `- listitem "Labels"|button "Create label"`)
	ask(pagecontext.Query{Text: "star"}, `button "★" (black star)|button "★" (mail star yellow)`)
	ask(pagecontext.Query{Text: "star|lab|tom"}, `- listitem "Labels"|button "Create label"|button "★" (black star)|button "★" (mail star yellow)|- clickable "Tom Becker, lunch"|button "Archive"`)
	ask(pagecontext.Query{Text: "archive ida"}, `- group "Ida Lind, lease"|button "Archive"`)
	tb.js(`dialog.hidden = false`)
	ask(pagecontext.Query{Text: "create"}, `button "Create filter"|… 1 elements of the page are behind the dialog and can't be used until that is closed`)
	tb.js(`document.body.insertAdjacentHTML("beforeend", '<table><tr><td>Flow "aa02"<td><button>Open</button><tr><td>Flow "bb03"<td><button>Open</button></table>')`)
	for scope, role := range map[string]string{
		"Create Filter": "dialog", `"Create Filter"`: "dialog", `row "Flow \"aa02\""`: "row", `- row "Flow \"bb03\"" selected`: "row", `"Flow \"aa02\""`: "row", `row "Flo… \"aa02\""`: "row",
	} {
		r := do[struct{ Element pagecontext.RawElement }](tb, "resolve", map[string]any{"selector": scope, "exact": true, "part": true})
		if r.Element.Role != role {
			t.Errorf("scope %s: %+v", scope, r)
		}
	}
}

// TestRowsAskedFor: rows that say what is asked for are given alike, with all their controls, though a link
// of one of them says it by itself; and a table that shows some of its rows says which.
func TestRowsAskedFor(t *testing.T) {
	const row = `<tr><td><input type=checkbox value="Greta Hansen %[1]s"><td><a href="/edit?n=%[1]s">Edit</a><td>%[1]s<td>Greta<td>Hansen<td>%[2]s</tr>`
	tb := open(t, `<body><p>Showing rows <b>0</b> - <b>24</b> (84 total, query took 0.0003 seconds)</p><p>Open 9-5, call 2024-10-07</p><table>`+
		fmt.Sprintf(row, "67", "Bergen")+fmt.Sprintf(row, "82", `<a href="mailto:greta.hansen@post.test">greta.hansen@post.test</a>`)+strings.ReplaceAll(fmt.Sprintf(row, "90", "Oslo"), "Greta", "Ida")+`</table>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{Text: "Greta Hansen"})
	tb.must(err)
	text := p.RenderList(l, pagecontext.RenderOptions{Budget: 2000})
	if strings.Count(text, `link "Edit"`) != 2 || strings.Count(text, "checkbox") != 2 || !strings.HasSuffix(text, `"Showing rows 0 - 24 (84 total, query took 0.0003 seconds)"`) {
		t.Error(text)
	}
	l, err = p.Elements(t.Context(), pagecontext.Query{Text: "Edit"})
	tb.must(err)
	if text = p.RenderList(l, pagecontext.RenderOptions{Budget: 2000}); strings.Count(text, `link "Edit"`) != 3 || strings.Contains(text, "checkbox") {
		t.Error(text)
	}
	tb.js(`document.querySelector("p").textContent = "Showing rows 0 - 2 of 3"`)
	if l, err = p.Elements(t.Context(), pagecontext.Query{Text: "Edit"}); err != nil || l.Paging != "" {
		t.Error(l.Paging, err)
	}
}

// TestFieldBesideItsLabel: a field without a name is called by its label as one sees it, also
// where a figure is its placeholder; what belongs to another field, or to a card, is no label.
func TestFieldBesideItsLabel(t *testing.T) {
	tb := open(t, `<body><div><label>Amount</label><input type=number placeholder=0.00></div><div><label>Note</label><input placeholder="For whom"></div>
		<div>Town: <input></div><div>To <input><b>Cc</b></div><div><textarea></textarea></div>
		<div style="position:relative"><input style="width:200px"><label style="position:absolute;left:8px;top:2px">Street</label></div>
		<div><input type=checkbox> Remember me</div><div><span role=checkbox tabindex=0 aria-checked=false>☐</span><span>Send copies</span></div>
		<table><tr><th>Item<th>Quantity<tr><td>Mug<td><input size=2><tr><td>Lamp<td><input size=2></table>
		<div><h3>Blue mug</h3><div><button>−</button><input type=number value=1><button>+</button></div></div>
		<fieldset><legend>Notes</legend><div class=tabs><ul><li><a href=#e>Edit</a><li><a href=#p>Preview</a></ul></div><div><textarea></textarea></div><label><input type=checkbox> Private</label></fieldset>
		<p><label for=s>Start</label> <input id=s> <label><input type=checkbox>Empty</label></p><p><label for=d>Due</label> <input id=d> <label><input type=checkbox>Empty</label></p>
		<div><b><a href=/help>Carrier</a></b> <input></div>
		<p><label>Phone <span><button type=button aria-label="Country: Norway">+47</button><input type=search style="display:none"><input type=tel></span></label></p>
		<table><tr><th colspan=2>Column<th>Null<th>Auto<tr><td>1<td><input size=2 aria-label=Name><td><input type=checkbox><td><input type=checkbox></table>
		<div role=grid><div role=row><span role=columnheader>City</span><span role=columnheader>Paid</span></div><div role=row><span role=gridcell>Oslo</span><span role=gridcell><input type=checkbox></span></div></div>
		<div><span>Volume</span> <div role=slider tabindex=0 aria-valuenow=3 style="display:inline-block;width:50px;height:9px;background:#999"></div></div>
		<div><label>Currency</label><div><div onclick="" style="cursor:pointer">AUD ▾</div></div></div><div><label>Tax</label> <button aria-haspopup=listbox>None</button> <button>Add</button></div>
		<div><p>Whoever writes to us has an answer within a week, or at least knows when to expect one.</p><textarea></textarea></div>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	text := pagecontext.WithoutIndices(p.RenderList(l, pagecontext.RenderOptions{}))
	for _, want := range []string{
		`spinbutton "Amount" placeholder="0.00"`, `textbox "Note" placeholder="For whom"`, `textbox "Town:"`, `textbox "To"`, `textbox "Street"`, `checkbox "Remember me"`, `textbox "Quantity"`,
		`textbox "Notes"`, `checkbox "Empty" near="Start"`, `checkbox "Empty" near="Due"`, `textbox "Carrier"`, `textbox "Phone" type=tel`, `checkbox "Null"`, `checkbox "Auto"`, `checkbox "Paid"`, `slider "Volume" value="3"`,
		`clickable "AUD ▾" near="Currency"`, `button "None" near="Tax" popup`, `button "Add"`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(text, `spinbutton "Blue mug`) || strings.Contains(text, `textbox "Cc`) || strings.Contains(text, `textbox "Whoever`) {
		t.Error("it names one by what is no label")
	}
	if t.Failed() {
		t.Log(text)
	}
}
