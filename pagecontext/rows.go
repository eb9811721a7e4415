package pagecontext

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// A pattern of roles of at most maxPeriod elements that comes at least
	// minRows times is written a line a time. Elements of one role stand
	// perLine on a line; where they are fewer than minAlike, only before a
	// pattern.
	maxPeriod = 10
	minRows   = 3
	minAlike  = 4
	perLine   = 8
	// shortLine is how many bytes a line of different things may have, and
	// mostOnLine how many of them stand on one.
	shortLine  = 160
	mostOnLine = 12
	// longWords is how many bytes of words are not found somewhere by chance.
	longWords = 12
)

// staysUnder tells whether layer[k] still stands under the heading of the
// section that layer[i] began. A group within it whose name its own first
// element, or the one before it, says already needs no heading: in a list of
// articles each link is followed by the controls of "its" region.
func staysUnder(layer []Element, i, k int, names *layerNames) bool {
	head, e := &layer[i], &layer[k]
	if e.Frame != head.Frame {
		return false
	}
	if e.Group == head.Group || e.Group == layer[k-1].Group {
		return true
	}
	kind, name, ok := strings.Cut(Flatten(e.Group), ": ")
	above, _, _ := strings.Cut(Flatten(head.Group), ": ")
	return ok && !e.Overlay && kind == above && (names.say(&layer[k-1], name) || names.say(e, name))
}

// layerNames are what the elements of a layer and its headings are called, in order;
// they are put together when first asked for.
type layerNames struct {
	layer  []Element
	short  bool // names are cut
	sorted []string
}

// say tells whether an element's name is all that a heading would say: the heading
// itself, or long words of it with little around them, of which half is shown. A name
// that the heading only begins with ("Why the bridge stays" of "Why the bridge stays
// (site.test)") does if nothing else in the layer begins so.
func (l *layerNames) say(e *Element, heading string) bool {
	name := onceSaid(shownName(e))
	heading, isCut := strings.CutSuffix(heading, saidWithin)
	n, h := columns(name), columns(heading)
	switch {
	case n <= 3 || h == 0:
		return false
	case name == heading || isCut && strings.HasPrefix(name, heading):
		return true
	case wordsAt(heading, 0, len(name)) && strings.HasPrefix(heading, name):
		return 2*n >= h && l.only(name, heading)
	case h < longWords || 2*h < n:
		return false
	}
	at := strings.Index(name, heading)
	end := at + len(heading)
	return at >= 0 && wordsAt(name, at, end) && (!l.short || columns(name[:at])+h/2 <= ownName)
}

// only tells whether nothing but a name and the heading that begins with it begins so.
func (l *layerNames) only(name, heading string) bool {
	if l.sorted == nil {
		for i := range l.layer {
			e := &l.layer[i]
			_, head, _ := strings.Cut(Flatten(e.Group), ": ")
			l.sorted = append(l.sorted, onceSaid(shownName(e)), strings.TrimSuffix(head, saidWithin))
		}
		slices.Sort(l.sorted)
		l.sorted = slices.Compact(l.sorted)
	}
	at, _ := slices.BinarySearch(l.sorted, name)
	for _, other := range l.sorted[at:] {
		if !strings.HasPrefix(other, name) {
			break
		}
		if other != name && other != heading {
			return false
		}
	}
	return true
}

// wordsAt tells whether s[from:to] are whole words of s. Wide letters have no
// spaces between words: there they begin where s does, or behind another sign.
func wordsAt(s string, from, to int) bool {
	if to > len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	last, _ := utf8.DecodeLastRuneInString(s[:to])
	behind, _ := utf8.DecodeRuneInString(s[to:])
	return (from == 0 || !isWord(before)) && (to == len(s) || !isWord(behind) || !isWord(last) || isWide(behind))
}

// shownName is what an element is called in its line.
func shownName(e *Element) string {
	if e.Name != "" {
		return Flatten(e.Name)
	}
	return Flatten(e.Text)
}

// onceSaid takes away the first words of a name that says them twice: a
// picture's text and the words below it, in one link.
func onceSaid(s string) string {
	for i := range s {
		if s[i] == ' ' && i > 3 && strings.HasPrefix(s[i+1:], s[:i]) {
			if rest := s[i+1+i:]; rest == "" || rest[0] == ' ' {
				return s[i+1:]
			}
		}
	}
	return s
}

// joined writes elements that come in a pattern (a link, a price field and a
// button, over and over) a line each time, with each number before what it
// stands for. Roles stand in the first such line; the lines below it have the
// same, and so have elements of one role on one line.
func joined(run []Element) []row { return joinedBy(telling(run))(run) }

// joinedBy is joined for the runs of a list; long is telling of all of it.
func joinedBy(long func(name string) int) func(run []Element) []row {
	return func(run []Element) []row { return joinedRows(run, saidOnce(run, long)) }
}

func joinedRows(whole, run []Element) []row {
	var out []row
	form := isForm(run)
	single := func(es []Element) {
		for i := range es {
			r := unwritten(&es[i])
			r.sayings = sayingsOf([]Element{es[i]})
			r.joins = !fields[es[i].Role] || !form && !slices.ContainsFunc(r.said[0], func(s string) bool { return !stateWords[s] })
			if !r.joins {
				r.line = r.inRow(nil, false)
			}
			out = append(out, r)
		}
	}
	for i := 0; i < len(run); {
		if n := counted(run[i:]); n > 0 {
			out = append(out, countedRow(run[i:i+n]))
			i += n
			continue
		}
		p, n := pattern(run[i:])
		if skip := beginning(run, i, p, n); skip > 0 {
			single(run[i : i+skip])
			i += skip
			continue
		}
		switch {
		case n == 0:
			single(run[i : i+1])
			i++
		case p == 1:
			if n < minAlike {
				n = beforePattern(run[i:], n)
			}
			n = beforeCounted(run[i:], n)
			if n < minAlike && fields[run[i].Role] {
				single(run[i : i+n])
			} else {
				rows := alikeRows(run[i : i+n])
				rows[0].joins = len(rows) == 1
				out = append(out, rows...)
			}
			i += n
		default:
			var r row
			for range n {
				r = itemRow(run[i:i+p], onceSaid(whole[i].Name), r.kinds)
				out = append(out, r)
				i += p
			}
		}
	}
	return sideBySide(out)
}

// isForm tells whether a run has several fields: an empty search box may stand on
// one line with its button.
func isForm(run []Element) bool {
	n := 0
	for _, e := range run {
		if fields[e.Role] && e.Role != "listbox" {
			n++
		}
	}
	return n > 1
}

// fields are what a form is made of: a few of them have a line each.
var fields = map[string]bool{"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "slider": true, "listbox": true}

// beforePattern gives how many of the n elements of one role that a run begins
// with stand before a pattern of several roles that begins among them.
func beforePattern(run []Element, n int) int {
	for k := 1; k < n; k++ {
		if p, _ := pattern(run[k:]); p > 1 {
			return k
		}
	}
	return n
}

// pattern gives the length of the roles' pattern that a run begins with and how
// often it comes; n is 0 where there is none worth the name.
func pattern(run []Element) (period, n int) {
	for p := 1; p <= maxPeriod; p++ {
		k := p
		for k < len(run) && run[k].Role == run[k-p].Role {
			k++
		}
		if rows := k / p; (p == 1 && rows > 1 || p > 1 && rows >= minRows) && rows*p > period*n {
			period, n = p, rows
		}
	}
	return period, n
}

// beginning gives how many elements are left of an item that began before
// run[i], where a pattern of period p was found n times: the parts of one item
// take less room together than those of two.
func beginning(run []Element, i, p, n int) int {
	if p < 2 {
		return 0
	}
	end := min(i+n*p+p-1, len(run))
	room := func(skip int) float64 {
		sum, rows := 0.0, 0
		for k := i + skip; k+p <= end; k += p {
			sum, rows = sum+area(run[k:k+p]), rows+1
		}
		return sum / float64(max(rows, 1))
	}
	best, least := 0, room(0)*0.9
	for skip := 1; skip < p; skip++ {
		if a := room(skip); a < least {
			best, least = skip, a
		}
	}
	return best
}

// area is that of the smallest box around elements, in square CSS pixels.
func area(es []Element) float64 {
	r := es[0].Rect
	left, top, right, bottom := r.X, r.Y, r.X+r.Width, r.Y+r.Height
	for _, e := range es[1:] {
		left, top = min(left, e.Rect.X), min(top, e.Rect.Y)
		right, bottom = max(right, e.Rect.X+e.Rect.Width), max(bottom, e.Rect.Y+e.Rect.Height)
	}
	return (right - left) * (bottom - top)
}

// alikeRows writes elements of one role, some on each line.
func alikeRows(es []Element) []row {
	var out []row
	var kinds []string
	for part := range slices.Chunk(es, perLine) {
		r := unwritten(&part[0])
		r.stands, r.sayings = len(part), sayingsOf(withShortAddresses(part))
		r.line, kinds = r.inRow(kinds, false), r.kinds
		out = append(out, r)
	}
	return out
}

func withShortAddresses(es []Element) []Element {
	es = slices.Clone(es)
	shortenAddresses(es)
	return es
}

func shortenAddresses(es []Element) {
	for i := range es {
		es[i].Href = shortAddress(&es[i])
	}
}

// itemRow writes the elements of an item on one line; the first has that name.
// above are the kinds of the line above.
func itemRow(es []Element, name string, above []string) row {
	es = slices.Clone(es)
	first := es[0].Name
	if begun, ok := strings.CutSuffix(first, saidWithin); ok && strings.HasPrefix(name, begun) {
		first = name // of which the end was cut off
	}
	for i := 1; i < len(es); i++ {
		e := &es[i]
		e.Name = within(e.Name, first)
		if near := bareWords(e.Near); near != "" && strings.Contains(bareWords(name), near) {
			e.Near = ""
		}
	}
	shortenAddresses(es)
	r := unwritten(&es[0])
	r.stands, r.sayings, r.item = len(es), sayingsOf(es), true
	r.line = r.inRow(above, false)
	return r
}

// sideBySide puts the elements of rows that say their own roles on common lines.
func sideBySide(rows []row) []row {
	var out []row
	for i := 0; i < len(rows); {
		if !rows[i].joins {
			out = append(out, rows[i])
			i++
			continue
		}
		var all sayings
		for ; i < len(rows) && rows[i].joins; i++ {
			all = all.and(rows[i].sayings)
		}
		for _, part := range broken(all) {
			r := unwritten(&part.es[0])
			r.stands, r.sayings, r.joins = len(part.es), part, true
			r.line = r.inRow(nil, false)
			out = append(out, r)
		}
	}
	return out
}

// isKnown tells whether there is something to tell an element by, other than the
// words beside it; hasWords, or those.
func isKnown(e *Element) bool {
	return e.Name != "" || e.Text != "" || e.Hint != "" || e.Value != "" && e.Role != "button"
}

func hasWords(e *Element) bool { return isKnown(e) || e.Near != "" }

// shortAddress is where a link of a row leads, as far as it says more than the
// link's name: the other site, or all of it where there is no name.
func shortAddress(e *Element) string {
	if !hasText(e) || !strings.ContainsAny(e.Href, "/#?:") { // it has been made short
		return e.Href
	}
	if u, err := url.Parse(e.Href); err == nil && !strings.Contains(e.Name, u.Host) {
		return u.Host
	}
	return ""
}
