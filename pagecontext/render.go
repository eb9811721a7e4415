package pagecontext

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// RenderOptions says how long the text may be, and the language of the words
// around the page's own text.
type RenderOptions struct {
	Budget int // tokens; 0 for no limit
	// Most, if it is more than Budget, is the limit in tokens when that is needed to list
	// everything in view.
	Most int
	Lang string // "en" or "zh"
	// NoText leaves out the beginning of the page's text.
	NoText bool
	// TextOnly says that the client reads only the text: elements not in it are not shown.
	TextOnly bool
}

// Render shows the client a look as text: the summary's lines, then one line per element
// under its landmark or heading and its row; overlays first, then what is in the viewport,
// then the rest. If that is more than the budget, each line says less, and the last
// elements out of view are only counted. Either argument may be nil.
func (p *Page) Render(s *Summary, l *Listing, o RenderOptions) string {
	o.TextOnly = true
	text, w := render(s, l, o)
	if l != nil {
		p.ShowAll(l.SnapshotID, w.shown(inOrder(l.Elements)[:min(w.count-l.from, len(l.Elements))], o))
		p.ShowAll(l.SnapshotID, w.named)
	}
	return text
}

// Render returns the text of Page.Render without showing it to a client.
func Render(s *Summary, l *Listing, o RenderOptions) string {
	text, _ := render(s, l, o)
	return text
}

// listedAtOnce is how many elements RenderList leaves in a listing.
const listedAtOnce = 500

// RenderList shows a listing alone. It cuts l to the elements of the text,
// listedAtOnce at most; if some are left out, l.NextCursor continues after
// them.
func (p *Page) RenderList(l *Listing, o RenderOptions) string {
	text, w := render(nil, l, o)
	if n := min(w.count-l.from, listedAtOnce); n < len(l.Elements) || l.left.total() > 0 {
		l.Elements = inOrder(l.Elements)[:n]
		l.NextCursor = listCursor(l.SnapshotID, l.from+n)
	}
	p.ShowAll(l.SnapshotID, w.shown(l.Elements, o))
	p.ShowAll(l.SnapshotID, w.named)
	return text
}

func render(s *Summary, l *Listing, o RenderOptions) (text string, by *writer) {
	w := &writer{budget: o.Budget, most: o.Most, words: wordsOf(o.Lang), short: s == nil && o.Most == 0}
	if o.Budget > 0 && l != nil && l.Total > 0 {
		// A few tokens are kept for the line that says what was left out.
		w.reserve = min(60, max(o.Budget/3, 28))
	}
	if s != nil {
		w.summary(s, l, o.NoText)
	}
	if l != nil {
		w.listing(l)
	}
	return strings.Join(w.lines, "\n"), w
}

// writer collects lines within a budget of tokens.
type writer struct {
	lines  []string
	used   int
	budget int
	most   int
	// reserve is the part of the budget that only the last lines may use.
	reserve int
	words   words
	// count is how many elements of the listing are in the text or before it.
	count  int
	narrow bool      // Listing.narrow: covered elements are listed
	named  []Element // elements named in the line that counts what is left out
	short  bool      // a listing alone: elements in view may be left out
}

// shown returns the elements without those that the text only counts.
func (w *writer) shown(es []Element, o RenderOptions) []Element {
	if !o.TextOnly || w.narrow {
		return es
	}
	return slices.DeleteFunc(slices.Clone(es), func(e Element) bool { return e.Covered })
}

// cost returns the tokens of a line with its line break.
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

func (w *writer) summary(s *Summary, l *Listing, noText bool) {
	if !w.add("URL: " + Cut(Flatten(s.URL), 300)) {
		return
	}
	w.add("Title: " + Cut(Flatten(s.Title), 150))
	w.add(fmt.Sprintf(w.words.viewport, s.Viewport.Width, s.Viewport.Height, s.ScrollPosition.Y, s.ScrollMax.Y))
	if s.ReadyState == "loading" {
		w.add(w.words.loading)
	} else if s.Loading {
		w.add(w.words.filling)
	}
	w.add(w.words.counts(s.Elements))
	if f := s.FocusedElement; f != nil {
		w.add(w.words.focused + focused(f, l))
	}
	text := Cut(Flatten(s.VisibleText), summaryText)
	if noText {
		text = ""
	}
	// The text may take a third of the budget at most: elements matter more.
	for text != "" && w.budget > 0 && (cost(w.words.text+text) > w.budget/3 || !w.fits(cost(w.words.text+text))) {
		text = strings.TrimSuffix(text, "…")
		text = Cut(text, len([]rune(text))*3/4)
		if len([]rune(text)) < 20 {
			text = ""
		}
	}
	if text != "" {
		w.add(w.words.text + text)
	}
	var open []string
	if s.Dialog != "" {
		open = append(open, quote(Cut(s.Dialog, 200)))
	}
	for i, name := range s.Overlays {
		if i == 3 {
			break
		}
		open = append(open, quote(Cut(name, 80)))
	}
	if len(open) > 0 {
		w.add(w.words.dialog + strings.Join(open, ", "))
	}
}

// focused names the focused element as the list does.
func focused(f *Focused, l *Listing) string {
	if l != nil {
		for i := range l.Elements {
			if e := &l.Elements[i]; e.Index == f.Index {
				return Mention(Called(e.Role, e.Tag, shownName(e)), "", f.Index)
			}
		}
	}
	return word(f.Tag) + " " + indexWord(f.Index)
}

func (w *writer) listing(l *Listing) {
	w.narrow = l.narrow
	told := layers(l.Elements)
	var covered []Element
	if !l.narrow {
		covered, told[layerCovered] = told[layerCovered], nil
	}
	if l.Same {
		w.add(w.words.same)
	}
	shown, stop := w.entries(newOutline(l), told), false
	w.count = l.from
	left := l.left
	left.later = l.Total - l.from - len(l.Elements) - left.total()
	var over []string // pending headings and row lines
	need := 0
	for _, e := range shown {
		over, need = append(over, e.text), need+cost(e.text)
		if len(e.tells) == 0 {
			continue
		}
		if stop = !w.fits(need); stop {
			// The first line that does not fit ends the list, so that only
			// the end of it is missing.
			break
		}
		w.lines, w.used = append(w.lines, over...), w.used+need
		w.count += len(e.tells)
		over, need = nil, 0
	}
	n := w.count - l.from
	for _, layer := range told {
		for i := range layer {
			if n--; n < 0 {
				left.count(&layer[i])
			}
		}
	}
	w.reserve = 0
	if !stop {
		w.count += len(covered)
	}
	if left.any() {
		cursor := ""
		if l.SnapshotID != "" {
			cursor = listCursor(l.SnapshotID, w.count)
		}
		line := w.words.left.line(left, cursor)
		if by := w.buttonsLeft(told, w.count-l.from); by == "" || !w.add(line+by) {
			w.named = nil
			w.add(line)
		}
	}
	if len(l.stood) > 0 {
		w.add(w.words.standing(l.stood))
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
	if n := left.covered + len(covered) + l.behind; n > 0 {
		w.add(fmt.Sprintf(w.words.covered, n))
	}
	if l.Paging != "" {
		w.add(fmt.Sprintf(w.words.paging, quote(l.Paging)))
	}
	if l.Changed {
		w.add(w.words.changed)
	}
}

const (
	// mostLeft is up to how many left-out elements the buttons among them are named: they
	// are the end of a form then.
	mostLeft = 12
	// mostSending is how many submit buttons are named if more elements are left out.
	mostSending = 3
	// allLeft is up to how many left-out elements all but links are named.
	allLeft = 4
)

// buttonsLeft names some of the elements that a list leaves out at its end: of up to allLeft all
// but links, of up to mostLeft the buttons outside of rows, of more the last submit buttons.
func (w *writer) buttonsLeft(told [layerCount][]Element, written int) string {
	all := slices.Concat(told[:]...)
	rest := all[min(max(written, 0), len(all)):]
	var by []Element
	for _, e := range rest {
		if shownName(&e) != "" && e.Role != "link" && len(rest) <= allLeft || e.Role == "button" && e.Name != "" && e.Row == 0 && (len(rest) <= mostLeft || sends(&e, all)) {
			by = append(by, e)
		}
	}
	if len(rest) > mostLeft && len(by) > mostSending {
		by = by[len(by)-mostSending:]
	}
	if by == nil {
		return ""
	}
	w.named = by
	return w.words.among + mentions(by)
}

// mentions returns elements by role, name and index, separated by commas.
func mentions(es []Element) string {
	names := make([]string, len(es))
	for i := range es {
		names[i] = Mention(Called(es[i].Role, es[i].Tag, shownName(&es[i])), "", es[i].Index)
	}
	return strings.Join(names, ", ")
}

// sends tells whether a submit button has fields of its group among the others.
func sends(e *Element, others []Element) bool {
	return e.Type == "submit" && slices.ContainsFunc(others, func(f Element) bool {
		return described[f.Role] && f.Role != "searchbox" && f.Group == e.Group && f.Frame == e.Frame
	})
}

// entries writes a list with as much detail as the budget has room for: what is over the
// page and in view first. If that does not fit with the least detail, the budget is raised
// up to w.most.
func (w *writer) entries(o *outline, told [layerCount][]Element) []entry {
	room := math.MaxInt
	if w.budget > 0 {
		room = w.budget - w.reserve - w.used
	}
	own := withoutLeads(told)
	if all, size := o.write(0, own[:], levels[0], min(room, withAddresses)); size <= min(room, withAddresses) {
		told = own
		if len(told[layerOver])+len(told[layerCovered]) > 0 || len(told[layerAbove]) == 0 {
			return all
		}
		// Everything fits, so the list can be in the page's own order, its title first.
		above, _ := o.write(layerAbove, told[layerAbove:layerCovered], levels[0], room)
		rest, _ := o.write(0, told[:layerAbove], levels[0], room)
		return slices.Concat(above, []entry{{text: layerHere}}, rest)
	}
	o.folds, o.every = !w.narrow, !w.short
	first, rest := told[:layerBelow], told[layerBelow:]
	level, least := 1, len(levels)-1
	if w.short {
		least-- // fewer elements, rather than names too short to read
	}
	view, size := o.write(0, first, levels[level], room)
	for size > room && level < least {
		level++
		view, size = o.write(0, first, levels[level], room)
	}
	if size > room && w.most > w.budget {
		view, size = o.write(0, first, levels[level], w.most-w.reserve-w.used)
		w.budget = min(w.most, size+w.reserve+w.used)
	} else if size > room {
		if _, whole := o.write(0, first, levels[level], 2*room); whole > 2*room {
			level = 1 // less than half of it fits anyway: write names in full
			view, size = o.write(0, first, levels[level], room)
		}
	}
	room -= size
	below, size := o.write(layerBelow, rest, levels[level], room)
	for level < leastBelow && size > room {
		level++
		below, size = o.write(layerBelow, rest, levels[level], room)
	}
	return append(view, below...)
}

type leftOut struct{ inView, below, above, later, covered int }

func (l *leftOut) count(e *Element) {
	switch layerOf(e) {
	case layerOver, layerView:
		l.inView++
	case layerLead:
		if isAbove(e) {
			l.above++
		} else {
			l.inView++
		}
	case layerAbove:
		l.above++
	default:
		l.below++
	}
}

// add adds the counts of a frame.
func (l *leftOut) add(o frameLeft) {
	l.inView += o.InView
	l.below += o.Below
	l.above += o.Above
	l.covered += o.Covered
}

func (l leftOut) total() int { return l.inView + l.below + l.above + l.later + l.covered }

// any tells whether elements are left out that are not covered.
func (l leftOut) any() bool { return l != leftOut{covered: l.covered} }
