package pagecontext_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
	"tabwright/pagecontext/corpus"
)

const manyKinds = `<style>.grip{cursor:grab;width:20px;height:20px}.edge{cursor:ew-resize;width:8px;height:40px}.card{cursor:pointer}</style>
<header><nav aria-label=Main><a href=/>Home</a></nav></header>
<main><h1>Mugs</h1><div><div><p>Some words</p></div></div>
<ul><li><button>Add</button></li><li><button>Add</button></li><li><button>Take away</button></li></ul>
<div class=card>A card <span>to press</span></div>
<div class=grip></div><div class=edge></div>
<section aria-label=Form><label>Name <input value=Mara></label><label>Code <input type=password value=hush></label></section></main>`

// One control is one node: no wrapper round it, no label beside its box and no part
// of it is another one; what acts by itself in a control or round one is.
func TestTreeNamesAControlOnce(t *testing.T) {
	tb := open(t, `<style>.hand{cursor:pointer}.hid{opacity:0;position:absolute}</style>
<div role=radio tabindex=0 aria-checked=false><span class=hand>Basic</span></div>
<label class=hand><input type=checkbox>Plain</label>
<label class=hand><input type=checkbox class=hid><span class=hand>Drawn</span> box</label>
<div class=hand><button>Open</button></div>
<div role=tab tabindex=0><div class=hand>First</div></div>
<x-b onclick="0"><template shadowrootmode=open><button>Inner</button></template></x-b>
<div class=hand style="width:300px"><a href=/x>Card</a><p>and its words</p></div>
<div role=tab tabindex=0>Mail <span class=hand onclick="0">close</span></div>
<div class=hand><button>Yes</button> <button>No</button></div>`)
	s, err := pagecontext.New(tb, 0).Snapshot(t.Context(), pagecontext.SnapshotOptions{})
	tb.must(err)
	want := `radio "Basic" [1]
checkbox "Plain" [2]
checkbox "Drawn box" [3]
button "Open" [4]
tab "First" [5]
button "Inner" [6]
clickable "Card and its words" [7]
  link "Card" → /x [8]
  paragraph "and its words"
tab "Mail close" [9]
  clickable "close" [10]
clickable "Yes No" [11]
  button "Yes" [12]
  button "No" [13]`
	if s.Tree != want {
		t.Errorf("the tree is\n%s\nwant\n%s", s.Tree, want)
	}
}

// What stands several times beside the same words is told by its place in the tree too.
func TestTreeTellsPlaces(t *testing.T) {
	node := func(name string, y int) string {
		return fmt.Sprintf(`<g class=hand transform="translate(100 %d)"><rect width=150 height=30 fill=#ddd></rect><text x=40 y=20>%s</text>
			<g><rect class=flow-port x=-5 y=10 width=10 height=10 onclick="0"></rect></g><g><rect class=flow-port x=145 y=10 width=10 height=10 onclick="0"></rect></g></g>`, y, name)
	}
	tb := open(t, `<style>.hand,rect{cursor:pointer}</style><svg width=400 height=200>`+node("Dew point", 20)+node("To Celsius", 120)+`</svg>`)
	p := pagecontext.New(tb, 0)
	s, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
	tb.must(err)
	for _, want := range []string{`clickable "flow port" near="Dew point (left)" [`, `clickable "flow port" near="Dew point (right)" [`} {
		if !strings.Contains(s.Tree, want) {
			t.Errorf("the tree lacks %q:\n%s", want, s.Tree)
		}
	}
	ds, err := p.Details(t.Context(), []int{3})
	tb.must(err)
	if line := pagecontext.Line(ds[0].Element); !strings.HasPrefix(line, `clickable "flow port" near="Dew point (`) {
		t.Errorf("details: %s\n%s", line, s.Tree)
	}
}

// Each option of a snapshot, on a page that has something for each.
func TestSnapshotOptions(t *testing.T) {
	tb := open(t, manyKinds)
	p := pagecontext.New(tb, 0)
	take := func(o pagecontext.SnapshotOptions) *pagecontext.Snapshot {
		t.Helper()
		s, err := p.Snapshot(t.Context(), o)
		tb.must(err)
		lines := 0
		if s.Tree != "" {
			lines = strings.Count(s.Tree, "\n") + 1
		}
		if s.Stats.Lines != lines || s.Stats.Chars != len(s.Tree) || s.Stats.Refs != len(s.Refs) || s.Stats.Tokens != pagecontext.Tokens(s.Tree) {
			t.Errorf("%+v: %+v for\n%s", o, s.Stats, s.Tree)
		}
		return s
	}
	has := func(what string, s *pagecontext.Snapshot, yes, no []string) {
		t.Helper()
		for _, x := range yes {
			if !strings.Contains(s.Tree, x) {
				t.Errorf("%s: no %q in\n%s", what, x, s.Tree)
			}
		}
		for _, x := range no {
			if strings.Contains(s.Tree, x) {
				t.Errorf("%s: %q in\n%s", what, x, s.Tree)
			}
		}
	}
	all := take(pagecontext.SnapshotOptions{})
	has("all", all, []string{`navigation "Main"`, `heading "Mugs" level=1`, `paragraph "Some words"`, `textbox "Name"`, `value="Mara"`, "secret=password"}, []string{"hush"})

	// What a user can hold on to is there: two buttons, a card, a grip, an
	// edge; what is listed and what is in the tree are the same elements.
	active := take(pagecontext.SnapshotOptions{Interactive: true})
	has("interactive", active, []string{`button "Add"`, "A card to press", `clickable "grip"`, `clickable "resize"`}, []string{"heading", "paragraph", "Some words"})
	if active.Stats.Interactive != 9 || len(active.Refs) != 9 {
		t.Errorf("interactive: %+v\n%s", active.Stats, active.Tree)
	}

	// Which of several is meant is said only where role and name repeat.
	for ref, r := range active.Refs {
		if (r.Name == "Add") != (r.Nth != nil) && r.Role == "button" {
			t.Errorf("%s: %+v", ref, r)
		}
	}

	compact := take(pagecontext.SnapshotOptions{Compact: true})
	if has("compact", compact, []string{"Some words", `button "Add"`}, []string{"listitem"}); compact.Stats.Lines >= all.Stats.Lines {
		t.Errorf("compact: %d lines of %d", compact.Stats.Lines, all.Stats.Lines)
	}
	for depth := 1; depth <= 3; depth++ {
		s := take(pagecontext.SnapshotOptions{MaxDepth: depth})
		for line := range strings.SplitSeq(s.Tree, "\n") {
			if in := len(line) - len(strings.TrimLeft(line, " ")); in/2 >= depth {
				t.Errorf("maxDepth %d: %q", depth, line)
			}
		}
	}
	region := ""
	for ref, r := range all.Refs {
		if r.Name == "Form" {
			region = ref
		}
	}
	part := take(pagecontext.SnapshotOptions{Scope: region, Interactive: true})
	has("scope", part, []string{`textbox "Name"`, `textbox "Code"`}, []string{"button", "Home"})

	// Where none of these options was taken, the last one is compared, in its form.
	tb.js(`document.querySelector("h1").textContent = "Cups"`)
	other := pagecontext.New(tb, 0)
	_, err := other.Snapshot(t.Context(), pagecontext.SnapshotOptions{Compact: true})
	tb.must(err)
	tb.js(`document.querySelector("h1").textContent = "Mugs"`)
	changed, err := other.Snapshot(t.Context(), pagecontext.SnapshotOptions{Delta: true})
	if tb.must(err); !changed.Delta || strings.Count(changed.Tree, "\n") != 1 || !strings.Contains(changed.Tree, `"Cups"`) {
		t.Errorf("delta of another form: %v\n%s", changed.Delta, changed.Tree)
	}

	// The baseline is the last snapshot of these options, asked for with delta or not.
	take(pagecontext.SnapshotOptions{})
	take(pagecontext.SnapshotOptions{Interactive: true})
	if s := take(pagecontext.SnapshotOptions{Delta: true}); !s.Delta || s.Tree != "" {
		t.Errorf("nothing changed, yet\n%s", s.Tree)
	}
	tb.js(`document.querySelector("h1").textContent = "Plates", document.querySelector("li").remove()`)
	s := take(pagecontext.SnapshotOptions{Delta: true})
	has("delta", s, []string{`+   heading "Plates"`, `-   heading "Mugs"`, `button "Add" [7]`}, []string{"Home", "Take away", "e8"})
}

// What the list has is in the tree as well, but for what is hidden from it.
func TestTreeHasWhatTheListHas(t *testing.T) {
	server := httptest.NewServer(corpus.Handler())
	defer server.Close()
	tb := newTab(t)
	for _, name := range []string{"shoplist-en", "calendar-en", "kanban-en", "wizard-en", "maps-en"} {
		tb.show(server.URL + "/" + name)
		p := pagecontext.New(tb, 0)
		l, err := p.Elements(t.Context(), pagecontext.Query{})
		tb.must(err)
		s, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{Interactive: true})
		tb.must(err)
		in := map[int]bool{}
		for r := range maps.Values(s.Refs) {
			in[r.Index] = true
		}
		var missing []string
		for _, e := range l.Elements {
			if !in[e.Index] && !e.AriaHidden {
				missing = append(missing, pagecontext.Line(e))
			}
		}
		if slices.Sort(missing); len(missing) > 0 {
			t.Errorf("%s: %d of %d are not in the tree:\n%s", name, len(missing), len(l.Elements), strings.Join(missing[:min(len(missing), 20)], "\n"))
		}
	}
}
