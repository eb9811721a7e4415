package pagecontext_test

import (
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
	for _, scope := range []string{"Create Filter", `"Create Filter"`} {
		r := do[struct{ Element pagecontext.RawElement }](tb, "resolve", map[string]any{"selector": scope, "exact": true, "part": true})
		if r.Element.Role != "dialog" {
			t.Errorf("scope %s: %+v", scope, r)
		}
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
		<div><p>Whoever writes to us has an answer within a week, or at least knows when to expect one.</p><textarea></textarea></div>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	text := pagecontext.WithoutIndices(p.RenderList(l, pagecontext.RenderOptions{}))
	for _, want := range []string{
		`spinbutton "Amount" placeholder="0.00"`, `textbox "Note" placeholder="For whom"`, `textbox "Town:"`, `textbox "To"`, `textbox "Street"`, `checkbox "Remember me"`, `textbox "Quantity"`,
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
