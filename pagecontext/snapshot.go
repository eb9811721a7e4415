package pagecontext

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// SnapshotOptions say which part of the tree of roles is wanted.
type SnapshotOptions struct {
	Interactive bool   // only the elements of the list, without what is around them
	Compact     bool   // wrappers without a name are left out
	MaxDepth    int    // levels shown; 0 for all
	Scope       string // a ref: only what stands within
	Delta       bool   // only the lines that came and went since the last such snapshot of this document
}

// Snapshot is the tree of roles and names of a tab, child frames where their
// <iframe> stands. It holds the elements of the list, in the same words and with the
// same refs, and the nodes between them.
type Snapshot struct {
	Tree       string             `json:"tree"`
	Refs       map[string]TreeRef `json:"refs"`
	Stats      SnapshotStats      `json:"stats"`
	PageRev    int                `json:"pageRev"`
	SnapshotID string             `json:"snapshotId"`
	// Delta says that Tree holds changes: "+ " and "- " before each line.
	Delta bool `json:"delta,omitempty"`
	// Truncated says that a frame held more than is read at once; Unread counts
	// child frames that could not be read just now.
	Truncated bool `json:"truncated,omitempty"`
	Unread    int  `json:"unread,omitempty"`
	// Modal is as in Listing: what is behind the dialog is left out.
	Modal bool `json:"modal,omitempty"`
	// Changed is as in Listing: the page kept changing while it was read.
	Changed bool `json:"changed,omitempty"`

	// indices are those of the lines of Tree, 0 for a line without one; bare says that
	// the lines show controls without what is around them.
	indices []int
	bare    bool
}

// ShowTree records that the client is shown the first lines of a tree.
// If the tree shows no rows (bare), a control with the same role and name keeps the
// row with which it was shown before.
func (p *Page) ShowTree(s *Snapshot, lines int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	snap := p.snapshot(s.SnapshotID)
	if snap == nil {
		return
	}
	for _, i := range s.indices[:min(lines, len(s.indices))] {
		if old, now := p.entries[i], snap.seen[i]; s.bare && old.shown && old.Role == now.Role && old.Name == now.Name {
			snap.shown[i] = true
			continue
		}
		p.show(snap, i)
	}
}

// TreeRef is what a ref of a snapshot stands for.
type TreeRef struct {
	Index int    `json:"index"`
	Role  string `json:"role"`
	Name  string `json:"name,omitempty"`
	// Nth is its position, from 0, among those of the same role and name, in the
	// order of the tree; nil if there is only one or it has no name.
	Nth *int `json:"nth,omitempty"`
}

// SnapshotStats tells how much a snapshot holds.
type SnapshotStats struct {
	Lines       int `json:"lines"`
	Chars       int `json:"chars"`
	Tokens      int `json:"tokens"`
	Refs        int `json:"refs"`
	Interactive int `json:"interactive"`
}

// ariaNode is AriaNode of api.ts.
type ariaNode struct {
	ID       int        `json:"id"`
	Role     string     `json:"role"`
	Tag      string     `json:"tag"`
	Name     string     `json:"name"`
	Level    int        `json:"level"`
	Checked  string     `json:"checked"`
	Expanded *bool      `json:"expanded"`
	Selected bool       `json:"selected"`
	Pressed  bool       `json:"pressed"`
	Current  bool       `json:"current"`
	Disabled bool       `json:"disabled"`
	FrameOf  bool       `json:"frameOf"`
	Rect     Rect       `json:"rect"`
	Children []ariaNode `json:"children"`

	control *control // the same element in the list, or nil
}

// treeResult is AriaTree of api.ts.
type treeResult struct {
	Nodes     []ariaNode `json:"nodes"`
	List      listResult `json:"list"`
	Truncated bool       `json:"truncated"`
	NodeCount int        `json:"nodeCount"`
	Modal     bool       `json:"modal"`
	Changed   bool       `json:"changed"`
	Seen      int        `json:"seen"`
}

// UnmarshalJSON uses version 2 of the JSON package, which takes less than half the time of
// version 1.
func (r *treeResult) UnmarshalJSON(raw []byte) error {
	type plain treeResult
	return jsonv2.Unmarshal(raw, (*plain)(r), jsonv2.AllowInvalidUTF8(true))
}

const (
	textRole = "text"
	// treeNodes is how many elements of a frame are read for a snapshot.
	treeNodes = 20000
)

// Snapshot reads the tree of roles.
func (p *Page) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	rev := p.src.PageRev()
	fs, id, err := p.within(ctx, o.Scope)
	if err != nil {
		return nil, err
	}
	trees := make([]treeResult, len(fs))
	at := make(map[string]int, len(fs))
	for i, f := range fs {
		at[f.ID()] = i
	}
	states := eachAtOnce(ctx, fs, func(ctx context.Context, f *frameState) error {
		i := at[f.frame.ID()]
		err := f.frame.Call(ctx, "tree", map[string]int{"scopeId": id, "max": treeNodes}, &trees[i])
		if err != nil {
			return err
		}
		f.list.Elements, f.list.Viewport = owners(trees[i].Nodes, nil), trees[i].List.Viewport
		return nil
	})
	if err := states[0].err; err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	for i, f := range states {
		if !f.shown {
			trees[i] = treeResult{}
		}
	}
	kids := place(states)

	p.mu.Lock()
	defer p.mu.Unlock()
	o = p.lastOptions(fs[0].Document(), o)
	s := p.newSnapshot(rev)
	out := &Snapshot{
		Refs: map[string]TreeRef{}, PageRev: rev, SnapshotID: s.id,
		Truncated: slices.ContainsFunc(trees, func(r treeResult) bool { return r.Truncated }),
		Modal:     slices.ContainsFunc(trees, func(r treeResult) bool { return r.Modal }),
		Changed:   slices.ContainsFunc(trees, func(r treeResult) bool { return r.Changed }),
	}
	w := &treeWriter{o: o, out: out}
	for _, f := range states {
		if f.err != nil {
			out.Unread++
		}
	}
	var frame func(i, depth int)
	frame = func(i, depth int) {
		f := states[i]
		nth := 0
		t := newTreeFrame(f, &trees[i].List, func(raw RawElement) int { return p.note(f.frame, raw, rev, trees[i].Seen, s).Index })
		t.inner = func(depth int) {
			for _, c := range kids[f.frame.ID()] {
				if c.at == nth {
					frame(c.frame, depth)
				}
			}
			nth++
		}
		t.find(trees[i].Nodes)
		w.forest(t, trees[i].Nodes, depth)
		w.hidden(t, len(t.order), depth)
	}
	frame(0, 0)
	w.count()
	tree := strings.Join(w.lines, "\n")
	out.indices, out.bare = w.indices, o.Interactive || o.Delta
	if before, ok := p.rebase(fs[0].Document(), o, w.lines); ok && o.Delta {
		lines, came := diff(before, w.lines)
		tree, out.Delta, out.indices = strings.Join(lines, "\n"), true, make([]int, len(lines)-len(came))
		for _, i := range came {
			out.indices = append(out.indices, w.indices[i])
		}
	}
	out.Tree = tree
	out.Stats.Lines, out.Stats.Chars, out.Stats.Tokens = strings.Count(tree, "\n")+1, len(tree), Tokens(tree)
	if tree == "" {
		out.Stats.Lines = 0
	}
	out.Stats.Refs = len(out.Refs)
	return out, nil
}

// owners returns the <iframe>s of a tree in order, as place takes them.
func owners(ns []ariaNode, out []RawElement) []RawElement {
	for i := range ns {
		n := &ns[i]
		if n.FrameOf {
			out = append(out, RawElement{ID: n.ID, Tag: n.Tag, Role: n.Role, FrameOf: true, Rect: n.Rect})
		}
		out = owners(n.Children, out)
	}
	return out
}

// treeWriter writes one line per node.
type treeWriter struct {
	o     SnapshotOptions
	out   *Snapshot
	lines []string
	// indices are those of the lines, 0 for a line without one.
	indices []int
	// twins are the refs of each role and name, in the order of the tree.
	twins map[TreeRef][]string
}

// treeFrame is a frame whose tree is written, with the elements of its list.
type treeFrame struct {
	give     func(RawElement) int // returns the index of an element
	inner    func(depth int)      // writes the child frame of the next <iframe>
	controls map[int]*control     // by their ids
	order    []*control           // those that are not covered, in list order
	next     int                  // position in order of the next to write
}

// control is an element of the list.
type control struct {
	element Element
	raw     RawElement
	states  []string // of the row, if it is a row
	place   int      // in the order, from 1; 0 if it is covered
	inTree  bool     // it is written as a node of the tree
}

func newTreeFrame(f frameState, l *listResult, give func(RawElement) int) *treeFrame {
	t := &treeFrame{give: give, controls: make(map[int]*control, len(l.Elements))}
	for _, raw := range l.Elements {
		if raw.FrameOf {
			continue
		}
		c := &control{element: element(0, raw, f), raw: raw}
		if raw.Row > 0 && raw.Row <= len(l.Rows) && l.Rows[raw.Row-1].El == raw.ID {
			c.states = rowFrom(l.Rows[raw.Row-1]).States
		}
		if t.controls[raw.ID] = c; !raw.Covered {
			t.order = append(t.order, c)
			c.place = len(t.order)
		}
	}
	return t
}

// find sets the control of each node that the list has too.
func (t *treeFrame) find(ns []ariaNode) {
	for i := range ns {
		n := &ns[i]
		if n.control = t.controls[n.ID]; n.control != nil {
			n.control.inTree = true
		}
		t.find(n.Children)
	}
}

// forest writes nodes of one frame.
func (w *treeWriter) forest(t *treeFrame, ns []ariaNode, depth int) {
	for i := range ns {
		n := &ns[i]
		if w.skips(n) {
			w.forest(t, n.Children, depth)
			continue
		}
		if w.o.MaxDepth == 0 || depth < w.o.MaxDepth {
			if c := n.control; c != nil && c.place > 0 {
				w.hidden(t, c.place-1, depth)
				t.next = max(t.next, c.place)
			}
			w.line(t, n, depth)
		}
		children := n.Children
		if saysText(n) && !w.o.Interactive {
			children = nil // the line has their text
		}
		w.forest(t, children, depth+1)
		if n.FrameOf {
			t.inner(depth + 1)
		}
	}
}

// saysText tells whether a node without a name has a text as its only child, which names it.
func saysText(n *ariaNode) bool {
	if n.control != nil && (n.control.raw.Name != "" || n.control.raw.Hint != "") {
		return false
	}
	return n.Name == "" && len(n.Children) == 1 && n.Children[0].Role == textRole
}

// hidden writes the controls of the list before a place that are no nodes of the tree: they
// are visible, but hidden from screen readers.
func (w *treeWriter) hidden(t *treeFrame, before, depth int) {
	for ; t.next < before; t.next++ {
		if c := t.order[t.next]; !c.inTree && w.o.MaxDepth == 0 {
			e := c.element
			w.tell(&e, t.give(c.raw), depth, c.states, true)
		}
	}
}

// skips tells whether a node has no line of its own; its children are written.
func (w *treeWriter) skips(n *ariaNode) bool {
	switch {
	case n.FrameOf:
		return false
	case w.o.Interactive:
		return n.control == nil
	case w.o.Compact:
		return n.control == nil && n.Role != textRole && n.Name == "" && len(n.Children) != 0 &&
			(len(n.Children) != 1 || n.Children[0].Role != textRole || n.Role == "paragraph" || n.Role == "listitem")
	}
	return false
}

// hasRef tells whether a node gets a ref: not the frequent roles that no client acts on.
func hasRef(n *ariaNode) bool {
	switch n.Role {
	case textRole, "paragraph", "listitem", "separator", "term", "definition", "caption", "row", "cell", "columnheader", "rowheader":
		return false
	}
	return true
}

// line writes a node as the list would: button "Pay" disabled [12].
func (w *treeWriter) line(t *treeFrame, n *ariaNode, depth int) {
	if n.Role == textRole {
		w.keep(strings.Repeat("  ", depth)+"text: "+Flatten(n.Name), 0)
		return
	}
	var more []string
	if n.Level > 0 {
		more = []string{"level=" + strconv.Itoa(n.Level)}
	}
	if c := n.control; c != nil {
		e := c.element
		switch {
		case e.Name != "" || e.Hint != "":
		case saysText(n) && !w.o.Interactive:
			e.Text = n.Children[0].Name
		case w.o.Interactive && e.Href == "":
			e.Text = textIn(n) // they have no line of their own
		}
		w.tell(&e, t.give(c.raw), depth, append(more, c.states...), true)
		return
	}
	e := Element{
		Tag: n.Tag, Role: n.Role, Name: n.Name, IsEnabled: !n.Disabled,
		Checked: n.Checked, Expanded: n.Expanded, Selected: &n.Selected, Pressed: &n.Pressed, Current: n.Current,
	}
	if e.Name == "" && saysText(n) {
		e.Text = n.Children[0].Name
	}
	if e.Role == "generic" {
		e.Role = ""
	}
	index := 0
	if n.ID > 0 && hasRef(n) {
		index = t.give(RawElement{ID: n.ID, Tag: n.Tag, Role: n.Role, Name: n.Name})
	}
	w.tell(&e, index, depth, more, false)
}

// tell writes the line of an element, and keeps its ref.
func (w *treeWriter) tell(e *Element, index, depth int, more []string, active bool) {
	e.Index = index
	if e.Secret != "" {
		e.Value = ""
	}
	s := shape{detail: levels[0], address: e.Href, inRow: !placeWords.MatchString(e.Near), states: more, noIndex: index == 0}
	w.keep(strings.Repeat("  ", depth)+lineOf(e, s), index)
	if index == 0 {
		return
	}
	ref, key := FormatRef(index), TreeRef{Role: e.Role, Name: Flatten(e.Name)}
	if w.twins == nil {
		w.twins = map[TreeRef][]string{}
	}
	w.twins[key] = append(w.twins[key], ref)
	key.Index = index
	w.out.Refs[ref] = key
	if active {
		w.out.Stats.Interactive++
	}
}

// placeWords matches the end of Element.Near that tells which of several elements beside the
// same words it is.
var placeWords = regexp.MustCompile(`\((?:left|middle|right|top|bottom|\d+ of \d+| )+\)$`)

// textIn returns the text in a node without that of controls and frames in it.
func textIn(n *ariaNode) string {
	var words []string
	var read func(ns []ariaNode)
	read = func(ns []ariaNode) {
		for i := range ns {
			switch c := &ns[i]; {
			case c.Role == textRole:
				words = append(words, Flatten(c.Name))
			case c.control == nil && !c.FrameOf:
				read(c.Children)
			}
		}
	}
	read(n.Children)
	return Cut(strings.Join(words, " "), 80)
}

// count numbers the refs whose role and name come more than once.
func (w *treeWriter) count() {
	for _, refs := range w.twins {
		for i, ref := range refs {
			if t := w.out.Refs[ref]; len(refs) > 1 && t.Name != "" {
				t.Nth = &i
				w.out.Refs[ref] = t
			}
		}
	}
}

func (w *treeWriter) keep(line string, index int) {
	w.lines, w.indices = append(w.lines, line), append(w.indices, index)
}

// diff returns the removed lines, as "- x", then the added ones, as "+ y", each in
// their order, and the positions of the added ones in after. A line that only moved
// is no change.
func diff(before, after []string) (out []string, came []int) {
	left := map[string]int{}
	for _, l := range before {
		left[l]++
	}
	for i, l := range after {
		if left[l] > 0 {
			left[l]--
			continue
		}
		came = append(came, i)
	}
	for i := len(before) - 1; i >= 0; i-- { // of equal lines, the last ones count as removed
		l := before[i]
		if left[l] > 0 {
			left[l]--
			out = append(out, "- "+l)
		}
	}
	slices.Reverse(out)
	for _, i := range came {
		out = append(out, "+ "+after[i])
	}
	return out, came
}
