package pagecontext

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// SnapshotOptions say which part of the tree of roles is wanted.
type SnapshotOptions struct {
	Interactive bool   // only what one can act on, without what is around it
	Compact     bool   // wrappers without a name are left out
	MaxDepth    int    // levels shown; 0 for all
	Scope       string // a ref: only what stands within
	Delta       bool   // only the lines that came and went since the last such snapshot of this document
}

// Snapshot is the tree of roles and names of a tab, child frames where their
// <iframe> stands: what the list tells, in the same words and with the same refs, with
// what stands in between.
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
	// Modal is as of a Listing: what is behind the dialog is left out.
	Modal bool `json:"modal,omitempty"`
	// Changed is as of a Listing: the page kept changing while it was read.
	Changed bool `json:"changed,omitempty"`

	// indices are those of the lines of Tree, 0 where one has none; bare says that
	// these tell controls without what is around them.
	indices []int
	bare    bool
}

// ShowTree says that the client is shown the first lines of a tree.
// Where those tell nothing of rows, a control that is called as it was is still that
// of the row in which it was shown.
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
	// Nth counts from 0 those of the same role and name, in the order of the
	// tree; it is nil where there is only one.
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
	Hint     string     `json:"hint"`
	Value    string     `json:"value"`
	Href     string     `json:"href"`
	Level    int        `json:"level"`
	Checked  string     `json:"checked"`
	Expanded *bool      `json:"expanded"`
	Selected bool       `json:"selected"`
	Pressed  bool       `json:"pressed"`
	Current  bool       `json:"current"`
	Disabled bool       `json:"disabled"`
	Secret   string     `json:"secret"`
	Active   bool       `json:"active"`
	FrameOf  bool       `json:"frameOf"`
	Rect     Rect       `json:"rect"`
	Children []ariaNode `json:"children"`
}

// treeResult is what tree of api.ts gives.
type treeResult struct {
	Nodes     []ariaNode `json:"nodes"`
	Truncated bool       `json:"truncated"`
	NodeCount int        `json:"nodeCount"`
	Modal     bool       `json:"modal"`
	Changed   bool       `json:"changed"`
	Seen      int        `json:"seen"`
}

// UnmarshalJSON reads it by hand, and what is not as expected by version 2 of the
// package, which takes less than half of the time of the first.
func (r *treeResult) UnmarshalJSON(raw []byte) error {
	if r.scan(raw) {
		return nil
	}
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
	trees, lists := make([]treeResult, len(fs)), make([]listResult, len(fs))
	at := make(map[string]int, len(fs))
	for i, f := range fs {
		at[f.ID()] = i
	}
	states := eachAtOnce(ctx, fs, func(ctx context.Context, f *frameState) error {
		i := at[f.frame.ID()]
		// The list says more of what can be operated: both are read at once, and where
		// that fails the tree stands for itself.
		var listed sync.WaitGroup
		listed.Go(func() {
			if f.frame.Call(ctx, "list", listOptions{ScopeID: id}, &lists[i]) != nil {
				lists[i] = listResult{}
			}
		})
		err := f.frame.Call(ctx, "tree", map[string]int{"scopeId": id, "max": treeNodes}, &trees[i])
		if listed.Wait(); err != nil {
			return err
		}
		f.list.Elements, f.list.Viewport = owners(trees[i].Nodes, nil), lists[i].Viewport
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
		t := newTreeFrame(f, &lists[i], func(raw RawElement) int { return p.note(f.frame, raw, rev, trees[i].Seen, s).Index })
		t.inner = func(depth int) {
			for _, c := range kids[f.frame.ID()] {
				if c.at == nth {
					frame(c.frame, depth)
				}
			}
			nth++
		}
		t.find(trees[i].Nodes, o.Interactive)
		w.forest(t, trees[i].Nodes, depth)
		w.hidden(t, len(t.order), depth)
	}
	frame(0, 0)
	w.count()
	tree := strings.Join(w.lines, "\n")
	out.indices, out.bare = w.indices, o.Interactive || o.Delta
	kind := fmt.Sprintf("%t %t %d %s", o.Interactive, o.Compact, o.MaxDepth, o.Scope)
	if before, ok := p.rebase(fs[0].Document(), kind, w.lines); ok && o.Delta {
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

// owners gives the <iframe>s of a tree in order, as place wants them.
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
	// indices are those of the lines, 0 where one has none.
	indices []int
	// twins are the refs of each role and name, in the order of the tree.
	twins map[TreeRef][]string
}

// treeFrame is a frame whose tree is written, with what its list says.
type treeFrame struct {
	give   func(RawElement) int // an index
	inner  func(depth int)      // writes the child frame of the next <iframe>
	listed map[int]*Element     // by their ids
	raw    map[int]RawElement
	states map[int][]string // of rows that are listed elements
	order  []int            // ids in the order of the list
	place  map[int]int      // where they stand in it
	inTree map[int]bool
	next   int // of the order, to be written
}

func newTreeFrame(f frameState, l *listResult, give func(RawElement) int) *treeFrame {
	t := &treeFrame{give: give, listed: map[int]*Element{}, raw: map[int]RawElement{}, states: map[int][]string{}, place: map[int]int{}, inTree: map[int]bool{}}
	for _, raw := range l.Elements {
		if raw.FrameOf || raw.Covered {
			continue
		}
		e := element(0, raw, f)
		if raw.Row > 0 && raw.Row <= len(l.Rows) && l.Rows[raw.Row-1].El == raw.ID {
			t.states[raw.ID] = rowFrom(l.Rows[raw.Row-1]).States
		}
		t.listed[raw.ID], t.raw[raw.ID], t.place[raw.ID] = &e, raw, len(t.order)
		t.order = append(t.order, raw.ID)
	}
	return t
}

// find notes which listed elements are written as nodes of the tree.
func (t *treeFrame) find(ns []ariaNode, interactive bool) {
	for i := range ns {
		n := &ns[i]
		if n.ID > 0 && (n.Active || !interactive) {
			t.inTree[n.ID] = true
		}
		t.find(n.Children, interactive)
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
			if at, ok := t.place[n.ID]; ok {
				w.hidden(t, at, depth)
				t.next = max(t.next, at+1)
			}
			w.line(t, n, depth)
		}
		children := n.Children
		if saysText(n) && !w.o.Interactive {
			children = nil // it stands in the line
		}
		w.forest(t, children, depth+1)
		if n.FrameOf {
			t.inner(depth + 1)
		}
	}
}

// saysText tells whether a node without a name is called by the only text in it.
func saysText(n *ariaNode) bool {
	return n.Name == "" && n.Hint == "" && len(n.Children) == 1 && n.Children[0].Role == textRole
}

// hidden writes what stands in the list before a place in it, and is no node of the tree:
// it is hidden from readers, but not from the eye.
func (w *treeWriter) hidden(t *treeFrame, before, depth int) {
	for ; t.next < before; t.next++ {
		if id := t.order[t.next]; !t.inTree[id] && w.o.MaxDepth == 0 {
			e := *t.listed[id]
			w.tell(&e, t.give(t.raw[id]), depth, t.states[id], true)
		}
	}
}

// skips tells what is not written itself, though what is in it is.
func (w *treeWriter) skips(n *ariaNode) bool {
	switch {
	case n.FrameOf:
		return false
	case w.o.Interactive:
		return !n.Active
	case w.o.Compact:
		return !n.Active && n.Role != textRole && n.Name == "" && len(n.Children) != 0 &&
			(len(n.Children) != 1 || n.Children[0].Role != textRole || n.Role == "paragraph" || n.Role == "listitem")
	}
	return false
}

// hasRef leaves out the roles that nobody acts on and that come in numbers.
func hasRef(n *ariaNode) bool {
	switch n.Role {
	case textRole, "paragraph", "listitem", "separator", "term", "definition", "caption", "row", "cell", "columnheader", "rowheader":
		return n.Active
	}
	return true
}

// line writes a node as the list does, by what that says of it: button "Pay" disabled [12].
func (w *treeWriter) line(t *treeFrame, n *ariaNode, depth int) {
	if n.Role == textRole {
		w.keep(strings.Repeat("  ", depth)+"text: "+Flatten(n.Name), 0)
		return
	}
	e := Element{
		Tag: n.Tag, Role: n.Role, Name: n.Name, Hint: n.Hint, Value: n.Value, Href: n.Href, IsEnabled: !n.Disabled,
		Checked: n.Checked, Expanded: n.Expanded, Selected: &n.Selected, Pressed: &n.Pressed, Current: n.Current, Secret: n.Secret,
	}
	l, listed := t.listed[n.ID]
	if listed {
		e = *l
	}
	raw := RawElement{ID: n.ID, Tag: n.Tag, Role: n.Role, Name: n.Name}
	switch {
	case e.Name != "" || e.Hint != "":
	case saysText(n) && !w.o.Interactive:
		e.Text = n.Children[0].Name
	case w.o.Interactive && n.Href == "":
		e.Text = textIn(n) // they have no line of their own
	}
	if e.Role == "generic" && !n.Active && !listed {
		e.Role = ""
	}
	var more []string
	if n.Level > 0 {
		more = []string{"level=" + strconv.Itoa(n.Level)}
	}
	index := 0
	if listed {
		index = t.give(t.raw[n.ID])
	} else if n.ID > 0 && hasRef(n) {
		index = t.give(raw)
	}
	w.tell(&e, index, depth, append(more, t.states[n.ID]...), n.Active || listed)
}

// tell writes the line of an element, and keeps its ref.
func (w *treeWriter) tell(e *Element, index, depth int, more []string, active bool) {
	e.Index = index
	if e.Secret != "" {
		e.Value = ""
	}
	s := shape{detail: levels[0], address: e.Href, inRow: true, states: more, noIndex: index == 0}
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

// textIn gives the text in a node, but not in what can be acted on in it.
func textIn(n *ariaNode) string {
	var words []string
	var read func(ns []ariaNode)
	read = func(ns []ariaNode) {
		for i := range ns {
			switch c := &ns[i]; {
			case c.Role == textRole:
				words = append(words, Flatten(c.Name))
			case !c.Active && !c.FrameOf:
				read(c.Children)
			}
		}
	}
	read(n.Children)
	return cut(strings.Join(words, " "), 80)
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

// diff gives the lines that went and came, in their order, "- x" and "+ y", and
// where those that came, the last ones, stand in after. A line that only moved is
// no change.
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
	for i := len(before) - 1; i >= 0; i-- { // what is left over went; the last ones of equal lines
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
