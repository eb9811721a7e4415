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

// TestFieldBesideItsLabel: a field is told by the words above it, also where a figure is
// its placeholder.
func TestFieldBesideItsLabel(t *testing.T) {
	tb := open(t, `<body><div><label>Amount</label><input type=number placeholder=0.00></div><div><label>Note</label><input placeholder="For whom"></div>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	text := p.RenderList(l, pagecontext.RenderOptions{})
	if !strings.Contains(text, `spinbutton "0.00" near="Amount"`) || strings.Contains(text, `near="Note"`) {
		t.Error(text)
	}
}
