package pagecontext_test

import (
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestUnsaidStates: what only its place and its drawing tell: a head that opens the part under
// it, and the cross of a dialog. Of what has a sign and no such part nothing is said.
func TestUnsaidStates(t *testing.T) {
	tb := open(t, `<style>.h{cursor:pointer}.row{display:flex}</style><body>
		<div><div class=h onclick=""><span>Desktop</span><svg class="expand-arrow" width=9 height=9><path d="M1 1l3 3"/></svg></div><div hidden><input aria-label=Sound></div></div>
		<div><div class=h onclick=""><span>Mobile</span><svg class="expand-arrow open" width=9 height=9><path d="M1 1l3 3"/></svg></div><div><input aria-label=Vibrate></div></div>
		<div><div><span>Labels</span><button>▾</button></div><ul hidden><li>Work</li></ul></div>
		<ul><li><a href="#" onclick="">+</a><ul class=children hidden><li><a href=/new>New issue</a></ul><li><a href=/all>Overview</a><ul class=children><li><a href=/act>Activity</a></ul></ul>
		<div class=row><button><i class="caret"></i>Sort</button><button>Filter</button></div>
		<div><button>Send</button><div class=error hidden>Too long</div></div>
		<div><div><span class=arrow title=Previous onclick="">‹</span><b>May 2026</b><span class=arrow title=Later onclick="">›</span></div><div>1 2 3 4 5 6 7</div></div>
		<div><button><i class="arrow"></i>Next</button><span class=tooltip hidden>Go on</span></div>
		<div role=dialog aria-label=Note style="position:fixed;left:200px;top:200px;width:400px;height:200px;background:#fff">
			<div style="display:flex;justify-content:space-between"><h2>Note</h2><button style="width:30px;height:30px"><svg width=14 height=14 viewBox="0 0 14 14"><path d="M3.5 3.5c2 1 5 5 7 7z"/></svg></button></div>
			<p>Text <button><svg width=24 height=24 viewBox="0 0 24 24" stroke="#000"><path d="M18 6 6 18"/><path d="m6 6 12 12"/></svg></button>
			<button><svg width=24 height=24 viewBox="0 0 24 24" stroke="#000"><path d="M12 5v14"/><path d="M5 12h14"/></svg></button></p></div>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	text := pagecontext.WithoutIndices(p.RenderList(l, pagecontext.RenderOptions{})) + "\n"
	for _, want := range []string{"clickable \"Desktop\" collapsed\n", "clickable \"Mobile\" expanded\n", "button \"▾\" near=\"Labels\" collapsed", "link \"+\" near=\"Overview Activity\" popup", "link \"Overview\" → /all\n", "button \"Sort\"\n", "button \"Send\"\n", "button \"Next\"\n", "clickable \"Later\"\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(text, `button "close"`); n != 2 {
		t.Errorf("%d crosses of 2", n)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestFindHidden: of what only a closed menu holds it is said that it is there, and under what.
func TestFindHidden(t *testing.T) {
	tb := open(t, `<body><ul><li><a href="#" onclick="">+</a><ul hidden><li><a href=/new>New issue</a></ul><li><a href=/all>Issues</a></ul>
		<button aria-controls=m>Tools</button><p>Words</p><div id=m hidden><button>Export</button></div><div hidden><p>Lost</p></div>`)
	p := pagecontext.New(tb, 0)
	for name, want := range map[string]string{"New issue": `link "New issue" under "+"`, "Export": `button "Export" under "Tools"`, "Lost": "", "Nothing": ""} {
		l, err := p.Find(t.Context(), pagecontext.Wanted{Name: name})
		tb.must(err)
		got := ""
		if h := l.Hidden; h != nil {
			got = pagecontext.Called(h.Role, "", h.Name) + " under "
			if h.Under != nil {
				got += `"` + h.Under.Name + `"`
			}
		}
		if got != want || len(l.Elements) != 0 {
			t.Errorf("%s: %q and %d shown, want %q", name, got, len(l.Elements), want)
		}
	}
	if l, err := p.Find(t.Context(), pagecontext.Wanted{Name: "Issues"}); err != nil || l.Hidden != nil || len(l.Elements) != 1 {
		t.Errorf("what is shown: %+v, %v", l, err)
	}
}
