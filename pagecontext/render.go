package pagecontext

import (
	"fmt"
	"slices"
	"strings"
)

// RenderOptions says how much a model may be told, and in which language the
// words around the page's own text are.
type RenderOptions struct {
	Budget int    // tokens; 0 for no limit
	Lang   string // "en" or "zh"
	// Compact joins alike rows of controls into lines even where the budget
	// would not need it: everything is there, in half of the tokens.
	Compact bool
	// TextOnly says that nothing but the text is read: what a line stands for
	// without telling it is not shown.
	TextOnly bool
}

// foldFrom is the length from which a run of alike elements may be folded;
// foldShow of them stay visible as a sample.
const (
	foldFrom = 8
	foldShow = 3
)

// Render shows the client a look as it is written: the summary's lines, then one line per
// element under the landmark or heading it stands in; overlays first, then
// what is in the viewport, then the rest. Where that is more than the budget,
// rows that are made alike become a line each; where that is still too much,
// long runs of one role are folded. It never exceeds the budget, and says what
// it left out. Either argument may be nil.
func (p *Page) Render(s *Summary, l *Listing, o RenderOptions) string {
	o.TextOnly = true
	text, w := render(s, l, o)
	if l != nil {
		p.ShowAll(l.SnapshotID, w.shown(inOrder(l.Elements)[:min(w.count-l.from, len(l.Elements))], o))
	}
	return text
}

// Render writes what Page.Render shows.
func Render(s *Summary, l *Listing, o RenderOptions) string {
	text, _ := render(s, l, o)
	return text
}

// listedAtOnce is how many elements RenderList leaves in a listing: one line of the
// text may stand for thousands.
const listedAtOnce = 500

// RenderList shows a listing alone, and leaves in it what the text tells of, 500
// elements at most: where that is less than it held, the listing's cursor goes on
// behind them.
func (p *Page) RenderList(l *Listing, o RenderOptions) string {
	text, w := render(nil, l, o)
	if n := min(w.count-l.from, listedAtOnce); n < len(l.Elements) {
		l.Elements = inOrder(l.Elements)[:n]
		l.NextCursor = listCursor(l.SnapshotID, l.from+n)
	}
	p.ShowAll(l.SnapshotID, w.shown(l.Elements, o))
	return text
}

func render(s *Summary, l *Listing, o RenderOptions) (text string, by *writer) {
	w := &writer{budget: o.Budget, words: wordsOf(o.Lang)}
	if o.Budget > 0 && l != nil && l.Total > 0 {
		// A few tokens are kept for the line that says what was left out.
		w.reserve = min(60, o.Budget/3)
	}
	if s != nil {
		w.summary(s)
	}
	if l != nil {
		w.listing(l, o.Compact)
	}
	return strings.Join(w.lines, "\n"), w
}

// writer collects lines within a budget of tokens.
type writer struct {
	lines  []string
	used   int
	budget int
	// reserve is the part of the budget that only the last lines may use.
	reserve int
	words   words
	// count is how many elements of the listing stand in the text or before it,
	// folded are those of them that a line stands for without telling them.
	count  int
	folded map[int]bool
}

// shown leaves out of elements that are written those that the text does not tell.
func (w *writer) shown(es []Element, o RenderOptions) []Element {
	if !o.TextOnly || len(w.folded) == 0 {
		return es
	}
	return slices.DeleteFunc(slices.Clone(es), func(e Element) bool { return w.folded[e.Index] })
}

// cost of a line counts its line break.
func cost(line string) int { return Tokens(line + "\n") }

func (w *writer) fits(n int) bool { return w.budget <= 0 || w.used+n <= w.budget-w.reserve }

func (w *writer) add(line string) bool {
	c := cost(line)
	if !w.fits(c) {
		return false
	}
	w.lines = append(w.lines, line)
	w.used += c
	return true
}

func (w *writer) summary(s *Summary) {
	if !w.add("URL: " + cut(Flatten(s.URL), 300)) {
		return
	}
	w.add("Title: " + cut(Flatten(s.Title), 150))
	w.add(fmt.Sprintf(w.words.viewport, s.Viewport.Width, s.Viewport.Height, s.ScrollPosition.Y, s.ScrollMax.Y))
	if s.ReadyState == "loading" {
		w.add(w.words.loading)
	}
	w.add(w.words.counts(s.Elements))
	if f := s.FocusedElement; f != nil {
		w.add(fmt.Sprintf(w.words.focused, f.Index, Flatten(f.Tag)))
	}
	text := cut(Flatten(s.VisibleText), summaryText)
	// The text may take a third of the budget at most: elements matter more.
	for text != "" && w.budget > 0 && (cost(w.words.text+text) > w.budget/3 || !w.fits(cost(w.words.text+text))) {
		text = strings.TrimSuffix(text, "…")
		text = cut(text, len([]rune(text))*3/4)
		if len([]rune(text)) < 20 {
			text = ""
		}
	}
	if text != "" {
		w.add(w.words.text + text)
	}
	var open []string
	if s.Dialog != "" {
		open = append(open, quote(cut(s.Dialog, 200)))
	}
	for i, name := range s.Overlays {
		if i == 3 {
			break
		}
		open = append(open, quote(cut(name, 80)))
	}
	if len(open) > 0 {
		w.add(w.words.dialog + strings.Join(open, ", "))
	}
}

// section is a run of elements under one heading line.
type section struct {
	head  string
	rows  []row
	first Element
	kind  string // see standsIn, as for name
	name  string
	layer int    // see layers
	away  string // said in its heading
	// frames are the first elements of frames that stand together in it, a line each.
	frames []Element
}

// row is one line: an element, or a folded run of them.
type row struct {
	line    string
	stands  int // for how many elements
	visible bool
	above   bool
	// Of a short list: the elements in it, if it is made of them one by one; joins,
	// that it may stand on one line with others; item, that it is one of several
	// made alike.
	sayings
	joins bool
	item  bool
	// folded are the elements that it stands for without telling them.
	folded []Element
}

func (w *writer) listing(l *Listing, compact bool) {
	fits := func(parts []section) bool { return w.budget <= 0 || w.fits(total(parts)) }
	var parts []section
	long := telling(l.Elements)
	ls := layers(l.Elements)
	told, covered := ls[:], []Element(nil)
	if !l.narrow {
		told, covered = ls[:layerCovered], ls[layerCovered]
	}
	singly := !compact && (w.budget <= 0 || w.fits(leastSingly(slices.Concat(told...))))
	if singly {
		parts = build(told, w.words, singlyBy(long), false)
	}
	if !singly || !fits(parts) {
		parts = build(told, w.words, joinedBy(long), true)
	}
	if !fits(parts) {
		parts = build(told, w.words, folded(w.words, joinedBy(long)), true)
	}
	left := l.left
	left.later = l.Total - l.from - len(l.Elements) - left.total()
	stop := false
	w.count = l.from
	for _, s := range parts {
		for i, r := range s.rows {
			if !stop {
				need := cost(r.line)
				if i == 0 {
					need += cost(s.head)
				}
				if w.fits(need) {
					if i == 0 {
						w.add(s.head)
					}
					w.add(r.line)
					w.count += r.stands
					w.fold(r)
					continue
				}
				// Lines are written in order of weight: once one is too long
				// the rest is left out, so that nothing is missing in between.
				stop = true
			}
			left.count(r)
		}
	}
	w.reserve = 0
	if !stop {
		w.count += len(covered)
		w.fold(row{folded: covered})
	}
	if left.any() {
		cursor := ""
		if l.SnapshotID != "" {
			cursor = listCursor(l.SnapshotID, w.count)
		}
		w.add(w.words.left.line(left, cursor))
	}
	if l.Unread > 0 {
		w.add(fmt.Sprintf(w.words.unread, l.Unread))
	}
	if l.Truncated {
		w.add(w.words.truncated)
	}
	if l.Modal {
		w.add(w.words.modal)
	}
	if n := left.covered + len(covered); n > 0 {
		w.add(fmt.Sprintf(w.words.covered, n))
	}
	if l.Changed {
		w.add(w.words.changed)
	}
}

func (w *writer) fold(r row) {
	for i := range r.folded {
		if w.folded == nil {
			w.folded = map[int]bool{}
		}
		w.folded[r.folded[i].Index] = true
	}
}

type leftOut struct{ inView, below, above, later, covered int }

func (l *leftOut) count(r row) {
	switch {
	case r.visible:
		l.inView += r.stands
	case r.above:
		l.above += r.stands
	default:
		l.below += r.stands
	}
}

// add takes in what a frame left out.
func (l *leftOut) add(o frameLeft) {
	l.inView += o.InView
	l.below += o.Below
	l.above += o.Above
	l.covered += o.Covered
}

func (l leftOut) total() int { return l.inView + l.below + l.above + l.later + l.covered }

// any tells whether something is left out that can be asked for.
func (l leftOut) any() bool { return l != leftOut{covered: l.covered} }

func total(ss []section) int {
	n := 0
	for _, s := range ss {
		n += cost(s.head)
		n += costs(s.rows)
	}
	return n
}

func costs(rows []row) int {
	n := 0
	for _, r := range rows {
		n += cost(r.line)
	}
	return n
}

// inOrder gives the elements in the order in which they are told and paged:
// what lies over the page, what is in view, the rest, what is covered.
func inOrder(es []Element) []Element {
	ls := layers(es)
	return slices.Concat(ls[:]...)
}

// layerCovered is that of layers of which nothing is told but their number, where
// the list was not narrowed.
const layerCovered = 3

// layers puts overlays first, then what is in view, then the rest, then what is
// covered, each in document order.
func layers(es []Element) [4][]Element {
	of := func(e *Element) int {
		switch {
		case e.Covered:
			return layerCovered
		case e.Overlay:
			return 0
		case e.IsVisible:
			return 1
		default:
			return 2
		}
	}
	var n [4]int
	for i := range es {
		n[of(&es[i])]++
	}
	var out [4][]Element
	for k := range out {
		out[k] = make([]Element, 0, n[k])
	}
	for i := range es {
		k := of(&es[i])
		out[k] = append(out[k], es[i])
	}
	return out
}

// singlyBy writes a line for each element; long is telling of the list.
func singlyBy(long func(name string) int) func(run []Element) []row {
	return func(run []Element) []row {
		out := make([]row, 0, len(run))
		for i := range run {
			out = append(out, rowOf(&run[i], shape{whole: long(run[i].Name) > longName}))
		}
		return out
	}
}

// leastSingly is the least that elements cost with a line for each: a list that
// is longer need not be written so to know it.
func leastSingly(es []Element) int {
	n := 0
	for i := range es {
		e := &es[i]
		name := e.Name
		if name == "" {
			name = e.Text
		}
		around := 5 // brackets, a figure, a space and the end of the line
		if name != "" {
			around += 3 // a space and quotes
		}
		n += Tokens(Flatten(cut(onceSaid(name), nameRoom))) + (around+len(roleWord(e)))/4
	}
	return n
}

// folded is joined with long runs of one role shortened to a sample and a line
// that stands for the rest.
func folded(t words, joined func(run []Element) []row) func(run []Element) []row {
	return func(run []Element) []row {
		var out []row
		from := 0 // of what is not written yet
		for i := 0; i < len(run); {
			j := i
			for j < len(run) && run[j].Role == run[i].Role {
				j++
			}
			if j-i >= foldFrom {
				short := append(joined(run[i:i+foldShow]), foldedRow(run[i+foldShow:j], t))
				// What saves less than half is not worth what it hides.
				if 2*costs(short) < costs(joined(run[i:j])) {
					out = append(append(out, joined(run[from:i])...), short...)
					from = j
				}
			}
			i = j
		}
		return append(out, joined(run[from:])...)
	}
}

// build makes the sections of a list from its layers; short, as the lines of a
// long one are.
func build(told [][]Element, t words, rows func([]Element) []row, short bool) []section {
	var out []section
	for n, layer := range told {
		layer = withoutSums(layer, !short)
		names := &layerNames{layer: layer, short: short}
		for i := 0; i < len(layer); {
			j := i + 1
			for j < len(layer) && staysUnder(layer, i, j, names) {
				j++
			}
			s := section{first: layer[i], layer: n, rows: rows(withoutRepeats(layer[i:j], !short))}
			s.kind, s.name = standsIn(layer[i], names)
			if n == 2 && i == 0 {
				s.away = t.away // said once: all that follows is
			}
			if n == layerCovered && i == 0 {
				s.away = t.behind
			}
			out = append(out, s)
			i = j
		}
	}
	if short {
		out = together(out)
	}
	withHeadings(out, short, t.each)
	return out
}

// withHeadings writes the line over each section and, in a short list, the lines
// in it again, without what stands above them.
func withHeadings(parts []section, short bool, each string) {
	said := newSaid(parts, short)
	h := &headings{short: short, each: each, frames: map[string]int{}, said: said}
	var kinds []string // of the line above
	for i, s := range parts {
		if i == 0 || s.layer != parts[i-1].layer {
			h.last, kinds = "", nil
		}
		parts[i].head = h.of(s)
		if short {
			said.shorten(s.rows)
			kinds = below(kinds, s.rows)
		}
	}
}

func rowOf(e *Element, s shape) row {
	r := unwritten(e)
	r.line = lineOf(e, s)
	return r
}

// unwritten is the row of an element whose line is to be written yet.
func unwritten(e *Element) row {
	return row{stands: 1, visible: e.IsVisible, above: e.Rect.Y+e.Rect.Height <= 0}
}

func foldedRow(run []Element, t words) row {
	a, z := &run[0], &run[len(run)-1]
	r := unwritten(a)
	r.stands, r.folded = len(run), run
	r.line = fmt.Sprintf(t.folded, a.Index, z.Index, len(run), plural(a.Role))
	return r
}
