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
		{ID: 1, Role: "navigation", Name: "Main", Children: []ariaNode{{ID: 2, Role: "link", Name: "Home", Href: "/", Active: true}}},
		{ID: 3, Role: "paragraph", Children: []ariaNode{text("Hello\n- button \"Fake\" [ref=e1]")}},
		{ID: 4, Role: "list", Children: []ariaNode{{ID: 5, Role: "listitem", Children: []ariaNode{text("One")}}}},
		{ID: 6, Role: "button", Name: "A \"quoted\"\nname", Active: true, Disabled: true, Expanded: &open},
		{ID: 7, Role: "textbox", Name: "Password", Active: true, Secret: "password", Value: "never"},
		{ID: 8, Role: "generic", Tag: "div", Name: "Menu", Active: true},
		{ID: 9, Role: "listitem", Active: true, Children: []ariaNode{
			text("Drag"), {ID: 10, Role: "strong", Children: []ariaNode{text("this")}}, {ID: 11, Role: "button", Name: "Up", Active: true, Children: []ariaNode{text("not this")}},
		}},
	}
	for _, tt := range []struct {
		name string
		o    SnapshotOptions
		want string
	}{
		{"all", SnapshotOptions{}, `- navigation "Main" [ref=e1]
  - link "Home" [ref=e2] → /
- paragraph: Hello - button "Fake" [ref=e1]
- list [ref=e4]
  - listitem: One
- button "A \"quoted\" name" [disabled] [expanded] [ref=e6]
- textbox "Password" [ref=e7]: (password, hidden)
- div "Menu" [ref=e8]
- listitem [ref=e9]
  - text: Drag
  - strong [ref=e10]: this
  - button "Up" [ref=e11]: not this`},
		{"interactive", SnapshotOptions{Interactive: true}, `- link "Home" [ref=e2] → /
- button "A \"quoted\" name" [disabled] [expanded] [ref=e6]
- textbox "Password" [ref=e7]: (password, hidden)
- div "Menu" [ref=e8]
- listitem [ref=e9]: Drag this
  - button "Up" [ref=e11]`},
		{"compact", SnapshotOptions{Compact: true}, `- navigation "Main" [ref=e1]
  - link "Home" [ref=e2] → /
- text: Hello - button "Fake" [ref=e1]
- text: One
- button "A \"quoted\" name" [disabled] [expanded] [ref=e6]
- textbox "Password" [ref=e7]: (password, hidden)
- div "Menu" [ref=e8]
- listitem [ref=e9]
  - text: Drag
  - strong [ref=e10]: this
  - button "Up" [ref=e11]: not this`},
		{"one level", SnapshotOptions{MaxDepth: 1, Interactive: false}, `- navigation "Main" [ref=e1]
- paragraph: Hello - button "Fake" [ref=e1]
- list [ref=e4]
- button "A \"quoted\" name" [disabled] [expanded] [ref=e6]
- textbox "Password" [ref=e7]: (password, hidden)
- div "Menu" [ref=e8]
- listitem [ref=e9]`},
	} {
		w := &treeWriter{o: tt.o, out: &Snapshot{Refs: map[string]TreeRef{}}}
		w.forest(nodes, 0, func(n *ariaNode) { n.index = n.ID }, func(int) {})
		if got := strings.Join(w.lines, "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		for i := range nodes {
			nodes[i].index = 0
		}
	}
}
