package pagecontext

import (
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, tt := range []struct{ before, after, want []string }{
		{nil, nil, nil},
		{[]string{"a", "b"}, []string{"b", "a"}, nil},
		{[]string{"a", "a"}, []string{"a"}, []string{"- a"}},
		{[]string{"a", "b", "c"}, []string{"a", "x", "c", "c"}, []string{"- b", "+ x", "+ c"}},
	} {
		if got, _ := diff(tt.before, tt.after); !slices.Equal(got, tt.want) {
			t.Errorf("%v to %v: %v, want %v", tt.before, tt.after, got, tt.want)
		}
	}
}

// TestTree holds the lines that a model reads, and that no name of a page can
// fake one.
func TestTree(t *testing.T) {
	open := true
	text := func(s string) ariaNode { return ariaNode{Role: textRole, Name: s} }
	nodes := []ariaNode{
		{ID: 1, Role: "navigation", Name: "Main", Children: []ariaNode{{ID: 2, Role: "link"}}},
		{ID: 3, Role: "paragraph", Children: []ariaNode{text("Hello\nbutton \"Fake\" [1]")}},
		{ID: 4, Role: "list", Children: []ariaNode{{ID: 5, Role: "listitem", Children: []ariaNode{text("One")}}}},
		{ID: 6, Role: "button"},
		{ID: 7, Role: "textbox"},
		{ID: 8, Role: "generic"},
		{ID: 9, Role: "listitem", Children: []ariaNode{
			text("Drag"), {ID: 10, Role: "strong", Children: []ariaNode{text("this")}}, {ID: 11, Role: "button", Children: []ariaNode{text("not this")}},
		}},
		{ID: 13, Role: "heading", Name: "Mugs", Level: 2},
	}
	// What the list says of controls, of which one is hidden from readers and one covered.
	listed := listResult{
		Elements: []RawElement{
			{ID: 2, Role: "link", Name: "Home", Href: "/", Enabled: true},
			{ID: 6, Role: "button", Name: "A \"quoted\"\nname", Expanded: &open},
			{ID: 7, Role: "textbox", Name: "Password", Value: "never", Type: "password", Secret: "password", Required: true, Enabled: true},
			{ID: 8, Role: "generic", Tag: "div", Name: "Menu", Enabled: true, Covered: true},
			{ID: 12, Role: "generic", Hint: "heart", Draggable: true, Enabled: true},
			{ID: 9, Role: "listitem", Enabled: true, Row: 1},
			{ID: 11, Role: "button", Name: "Up", Enabled: true},
		},
		Rows: []RawRow{{Role: "listitem", Text: "Drag this", States: []string{"unread"}, El: 9}},
	}
	for _, tt := range []struct {
		name string
		o    SnapshotOptions
		want string
	}{
		{"all", SnapshotOptions{}, `navigation "Main" [1]
  link "Home" → / [2]
paragraph "Hello button \"Fake\" [1]"
list [4]
  listitem "One"
button "A \"quoted\" name" expanded disabled [6]
textbox "Password" secret=password required [7]
clickable "Menu" [8]
clickable "heart" draggable [12]
listitem unread [9]
  text: Drag
  strong "this" [10]
  button "Up" [11]
    text: not this
heading "Mugs" level=2 [13]`},
		{"interactive", SnapshotOptions{Interactive: true}, `link "Home" → / [2]
button "A \"quoted\" name" expanded disabled [6]
textbox "Password" secret=password required [7]
clickable "Menu" [8]
clickable "heart" draggable [12]
listitem "Drag this" unread [9]
  button "Up" [11]`},
		{"compact", SnapshotOptions{Compact: true}, `navigation "Main" [1]
  link "Home" → / [2]
text: Hello button "Fake" [1]
text: One
button "A \"quoted\" name" expanded disabled [6]
textbox "Password" secret=password required [7]
clickable "Menu" [8]
clickable "heart" draggable [12]
listitem unread [9]
  text: Drag
  strong "this" [10]
  button "Up" [11]
    text: not this
heading "Mugs" level=2 [13]`},
		{"one level", SnapshotOptions{MaxDepth: 1, Interactive: false}, `navigation "Main" [1]
paragraph "Hello button \"Fake\" [1]"
list [4]
button "A \"quoted\" name" expanded disabled [6]
textbox "Password" secret=password required [7]
clickable "Menu" [8]
listitem unread [9]
heading "Mugs" level=2 [13]`},
	} {
		w := &treeWriter{o: tt.o, out: &Snapshot{Refs: map[string]TreeRef{}}}
		f := newTreeFrame(frameState{frame: mainFrame{}}, &listed, func(raw RawElement) int { return raw.ID })
		f.inner = func(int) {}
		f.find(nodes)
		w.forest(f, nodes, 0)
		w.hidden(f, len(f.order), 0)
		if got := strings.Join(w.lines, "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// mainFrame is a main frame of which nothing is asked.
type mainFrame struct{ Frame }

func (mainFrame) ParentID() string { return "" }
