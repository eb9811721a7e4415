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
	Interactive bool   // only what one can act on, without what is around it
	Compact     bool   // wrappers without a name are left out
	MaxDepth    int    // levels shown; 0 for all
	Scope       string // a ref: only what stands within
	Delta       bool   // only the lines that came and went since the last such snapshot
}

// Snapshot is the tree of roles and names of a tab, child frames where their
// <iframe> stands.
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

	index int // given when it is written
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
	trees := make([]treeResult, len(fs))
	at := make(map[string]int, len(fs))
	for i, f := range fs {
		at[f.ID()] = i
	}
	states := eachAtOnce(ctx, fs, func(ctx context.Context, f *frameState) error {
		r := &trees[at[f.frame.ID()]]
		if err := f.frame.Call(ctx, "tree", map[string]int{"scopeId": id, "max": treeNodes}, r); err != nil {
			return err
		}
		f.list.Elements = owners(r.Nodes, nil)
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
		w.forest(trees[i].Nodes, depth, func(n *ariaNode) {
			n.index = p.note(f.frame, RawElement{ID: n.ID, Tag: n.Tag, Role: n.Role, Name: n.Name}, rev, trees[i].Seen, s).Index
		}, func(depth int) {
			for _, c := range kids[f.frame.ID()] {
				if c.at == nth {
					frame(c.frame, depth)
				}
			}
			nth++
		})
	}
	frame(0, 0)
	w.count()
	tree := strings.Join(w.lines, "\n")
	out.indices, out.bare = w.indices, o.Interactive || o.Delta
	if o.Delta {
		key := fmt.Sprintf("%t %t %d %s", o.Interactive, o.Compact, o.MaxDepth, o.Scope)
		if p.trees == nil {
			p.trees = map[string][]string{}
		}
		if before, ok := p.trees[key]; ok {
			lines, came := diff(before, w.lines)
			tree, out.Delta, out.indices = strings.Join(lines, "\n"), true, make([]int, len(lines)-len(came))
			for _, i := range came {
				out.indices = append(out.indices, w.indices[i])
			}
		}
		p.trees[key] = w.lines
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
	buf     []byte // the line being written
	// twins are the refs of each role and name, in the order of the tree.
	twins map[TreeRef][]string
}

// forest writes nodes of one frame; give gives a node its index, inner writes
// the child frame of the next <iframe>.
func (w *treeWriter) forest(ns []ariaNode, depth int, give func(*ariaNode), inner func(depth int)) {
	for i := range ns {
		n := &ns[i]
		if w.skips(n) {
			w.forest(n.Children, depth, give, inner)
			continue
		}
		deep := w.o.MaxDepth > 0 && depth >= w.o.MaxDepth
		if !deep {
			if n.ID > 0 && hasRef(n) {
				give(n)
			}
			w.line(n, depth)
		}
		children := n.Children
		if len(children) == 1 && children[0].Role == textRole && !w.o.Interactive {
			children = nil // it stands in the line
		}
		w.forest(children, depth+1, give, inner)
		if n.FrameOf {
			inner(depth + 1)
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

// line writes a node: - button "Pay" [disabled] [ref=e12].
func (w *treeWriter) line(n *ariaNode, depth int) {
	b := w.buf[:0]
	for range depth {
		b = append(b, "  "...)
	}
	b = append(b, "- "...)
	if n.Role == textRole {
		b = append(b, "text: "...)
		w.keep(append(b, Flatten(n.Name)...), 0)
		return
	}
	role := n.Role
	if role == "generic" && n.Tag != "" {
		role = n.Tag
	}
	b = append(b, Flatten(role)...)
	if n.Name != "" {
		b = appendQuoted(append(b, ' '), n.Name)
	} else if n.Hint != "" {
		b = appendQuoted(append(b, " hint="...), n.Hint)
	}
	b = appendMarks(b, n)
	if n.index > 0 {
		ref := FormatRef(n.index)
		b = append(append(append(b, " [ref="...), ref...), ']')
		t := TreeRef{Role: n.Role, Name: Flatten(n.Name)}
		if before := len(w.twins[t]); before > 0 && t.Name != "" {
			b = append(strconv.AppendInt(append(b, " [nth="...), int64(before), 10), ']')
		}
		if w.twins == nil {
			w.twins = map[TreeRef][]string{}
		}
		w.twins[t] = append(w.twins[t], ref)
		t.Index = n.index
		w.out.Refs[ref] = t
		if n.Active {
			w.out.Stats.Interactive++
		}
	}
	switch {
	case n.Secret != "":
		b = append(append(append(b, ": ("...), Flatten(n.Secret)...), ", hidden)"...)
	case n.Value != "":
		b = appendQuoted(append(b, ": "...), n.Value)
	case w.o.Interactive && n.Name == "" && n.Hint == "" && n.Href == "" && textIn(n) != "":
		b = append(append(b, ": "...), textIn(n)...) // they have no line of their own
	case len(n.Children) == 1 && n.Children[0].Role == textRole && !w.o.Interactive:
		b = append(append(b, ": "...), Flatten(n.Children[0].Name)...)
	case n.Href != "":
		b = append(append(b, " → "...), Flatten(n.Href)...)
	}
	w.keep(b, n.index)
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

// keep takes a line, and the room it was written in for the next one.
func (w *treeWriter) keep(line []byte, index int) {
	w.lines, w.indices, w.buf = append(w.lines, string(line)), append(w.indices, index), line
}

func appendMarks(b []byte, n *ariaNode) []byte {
	add := func(on bool, s string) {
		if on {
			b = append(append(append(b, " ["...), s...), ']')
		}
	}
	add(n.Checked == "true", "checked")
	add(n.Checked == "mixed", "checked=mixed")
	add(n.Disabled, "disabled")
	if n.Expanded != nil {
		add(*n.Expanded, "expanded")
		add(!*n.Expanded, "collapsed")
	}
	add(n.Selected, "selected")
	add(n.Pressed, "pressed")
	add(n.Current, "current")
	if n.Level > 0 {
		add(true, "level="+strconv.Itoa(n.Level))
	}
	return b
}

// nthMark is not compared: it changes with others of the same name.
var nthMark = regexp.MustCompile(` \[nth=\d+\]`)

// diff gives the lines that went and came, in their order, "- x" and "+ y", and
// where those that came, the last ones, stand in after. A line that only moved is
// no change.
func diff(before, after []string) (out []string, came []int) {
	left := map[string]int{}
	key := func(l string) string { return nthMark.ReplaceAllString(l, "") }
	for _, l := range before {
		left[key(l)]++
	}
	for i, l := range after {
		if k := key(l); left[k] > 0 {
			left[k]--
			continue
		}
		came = append(came, i)
	}
	for i := len(before) - 1; i >= 0; i-- { // what is left over went; the last ones of equal lines
		l := before[i]
		if k := key(l); left[k] > 0 {
			left[k]--
			out = append(out, "- "+l)
		}
	}
	slices.Reverse(out)
	for _, i := range came {
		out = append(out, "+ "+after[i])
	}
	return out, came
}
