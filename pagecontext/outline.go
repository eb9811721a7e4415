package pagecontext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// detail is how much is said of each element of a list.
type detail struct {
	names     int  // characters of a name
	rows      int  // characters of a row's text
	addresses bool // the address of every link
	telling   int  // characters of an address that tells links of one name apart
	fields    bool // placeholder, description and options of a field
}

// levels are the amounts of detail, from all to the least that tells elements apart.
var levels = [...]detail{
	{nameRoom, 120, true, addressRoom, true},
	{nameRoom, 120, false, 48, true},
	{48, 72, false, leastAddress, true},
	{32, 40, false, 0, false},
	{16, 24, false, 0, false},
}

const (
	// leastBelow is the level up to which detail is cut so that elements out of view fit.
	leastBelow = 2
	// withAddresses is how many tokens a list with the address of every link may take.
	withAddresses = 1500
)

// entry is one line of a list.
type entry struct {
	text  string
	under string    // the heading line over it
	tells []Element // the elements that it writes or counts; none for a heading or a row's line
}

// outline writes the elements of a listing as lines.
type outline struct {
	detail
	all     []Element
	rows    []Row
	rooms   func(name string) int // how many characters of a name to write (see nameRooms)
	leads   map[string]string     // address by link name; severalPlaces if there are several
	frames  map[string]int        // numbers of frames, by their ids
	hover   *hoverRows
	offered map[string]int // index of the field that first wrote its options (see offersAs)
	folds   bool           // not all of it fits
	every   bool           // nothing in view is left out

	roomsOf int // the n that rooms was made for
	entries []entry
	size    int  // tokens of the entries
	room    int  // tokens after which writing may stop
	boxes   bool // long runs of boxes are folded
	head    heading
	over    string   // the line of head
	last    *Element // written last in this layer
}

const severalPlaces = "?"

func newOutline(l *Listing) *outline {
	o := &outline{all: l.Elements, rows: l.Rows, leads: map[string]string{}, frames: map[string]int{}, hover: newHoverRows(l)}
	for i := range l.Elements {
		e := &l.Elements[i]
		if to, ok := o.leads[e.Name]; !ok {
			o.leads[e.Name] = e.Href
		} else if to != e.Href {
			o.leads[e.Name] = severalPlaces
		}
	}
	for _, layer := range layers(l.Elements) {
		for i := range layer {
			if id := layer[i].Frame; id != "" && o.frames[id] == 0 {
				o.frames[id] = len(o.frames) + 1
			}
		}
	}
	return o
}

// write returns the lines of the layers from number first on, and their tokens. It stops
// soon after room tokens.
func (o *outline) write(first int, told [][]Element, d detail, room int) ([]entry, int) {
	if o.detail = d; o.rooms == nil || o.roomsOf != d.names {
		o.rooms, o.roomsOf = nameRooms(o.all, d.names), d.names
	}
	o.entries, o.size, o.room = nil, 0, room
	if first == 0 {
		o.hover.again()
		o.offered = nil
	}
	for k, layer := range told {
		o.boxes = o.folds && (!o.every || first+k >= layerBelow)
		o.head, o.last = heading{}, nil
		mark := layerMarks[first+k]
		switch above := first == 0 && len(told) > layerLead && len(told[layerLead]) > 0 && isAbove(&told[layerLead][0]); {
		case above && k == layerLead:
			mark = layerMarks[layerAbove]
		case above && k == layerView:
			mark = layerHere
		}
		if mark != "" && len(layer) > 0 {
			o.put(entry{text: mark})
		}
		for i := 0; i < len(layer) && o.size <= room; {
			i += o.next(layer[i:])
		}
	}
	return o.entries, o.size
}

// layerMarks are the lines over layers. They are the same in every language, as roles and
// the parts of a page are.
var layerMarks = [layerCount]string{layerBelow: "## below the fold", layerAbove: "## above the view", layerCovered: "## behind the dialog"}

// layerHere is the line over what is in view when another layer is written before it.
const layerHere = "## in view"

func (o *outline) put(e entry) {
	e.under = o.over
	o.entries = append(o.entries, e)
	o.size += cost(e.text)
}

// next writes the first of the remaining elements of a layer, with its grid, run of boxes or
// row, and returns how many elements it wrote.
func (o *outline) next(es []Element) int {
	n := 1
	if bands := grid(es); bands != nil {
		o.heading(&es[0], nil)
		for n = 0; len(bands) > 0; bands = bands[1:] {
			o.band(bands[0])
			n += len(bands[0])
		}
	} else if boxes := o.boxRun(es); boxes > mostBoxes {
		n = boxes
		o.heading(&es[0], nil)
		o.run(es[:n], 0, false, strings.TrimPrefix(o.over, "## "))
	} else if row := es[0].Row; row > 0 && row <= len(o.rows) {
		for n < len(es) && es[n].Row == row {
			n++
		}
		o.row(&o.rows[row-1], es[:n])
	} else {
		name := bareWords(shownName(&es[0]))
		o.heading(&es[0], func(head string) bool { return bareWords(head) == name })
		o.element(es[:1], 0, false, nil)
	}
	o.last = &es[n-1]
	return n
}

// element writes a line for the one element in e.
func (o *outline) element(e []Element, depth int, inRow bool, states []string) {
	o.put(entry{text: strings.Repeat("  ", depth) + o.line(&e[0], inRow, states), tells: e})
}

func (o *outline) line(e *Element, inRow bool, states []string) string {
	return lineOf(e, o.shapeOf(e, inRow, states))
}

// rowLead returns the line of an element that is a row, to stand over the elements in it.
func (o *outline) rowLead(e *Element, states []string, under []Element) string {
	s := o.shapeOf(e, true, states)
	s.under = under
	return lineOf(e, s)
}

func (o *outline) shapeOf(e *Element, inRow bool, states []string) shape {
	told := inRow && !e.labelled || e.labelled && o.isRowOf(e) || e.Near != "" && shownName(e)+e.Hint != "" && strings.HasPrefix(bareWords(o.head.name), bareWords(e.Near))
	isRow := e.Row > 0 && e.Row <= len(o.rows) && o.rows[e.Row-1].Index == e.Index || e.Role == "row"
	return shape{detail: o.detail, like: o.offersAs(e), name: o.rooms(shownName(e)), inRow: told, address: o.address(e), states: states, ends: isRow}
}

// isRowOf tells whether the row of an element begins with its label.
func (o *outline) isRowOf(e *Element) bool {
	return e.Row > 0 && e.Row <= len(o.rows) && strings.HasPrefix(bareWords(o.rows[e.Row-1].Text), bareWords(e.Near))
}

// offersAs returns the index of an earlier field with the same role, name and options, so
// that the line can point to it; 0 if there is none or the options are few.
func (o *outline) offersAs(e *Element) int {
	if len(e.Options) < leastAgain || e.Name == "" {
		return 0
	}
	key := e.Role + "\x00" + e.Name + "\x00" + strings.Join(e.Options, "\x00")
	if o.offered == nil {
		o.offered = map[string]int{}
	}
	if first := o.offered[key]; first > 0 && first != e.Index {
		return first
	}
	o.offered[key] = e.Index
	return 0
}

// leastAgain is how many options a field must have for its line to point to an earlier one.
const leastAgain = 4

// leastAddress is how many characters are written of an address that stands for a name.
const leastAddress = 32

// address returns the address to write in an element's line, "" for none.
func (o *outline) address(e *Element) string {
	switch {
	case o.addresses:
		return e.Href
	case shownName(e) == "" && e.Hint == "":
		return cutMiddle(e.Href, max(o.telling, leastAddress))
	case o.leads[e.Name] == severalPlaces && o.telling > 0:
		return cutMiddle(e.Href, o.telling)
	}
	if host := otherSite(e.Href); host != "" && !strings.Contains(e.Name, host) {
		return host
	}
	return ""
}

// row writes the elements of one row under the row's line: the line of the element that
// names the row, or one with the row's text. A row that says no more than its only element,
// or than the heading, has no line.
func (o *outline) row(r *Row, all []Element) {
	es := all
	name := shownName(&es[0])
	o.heading(&es[0], func(head string) bool {
		return (saysWords(name, head) || saysWords(r.Text, head)) && bareWords(r.Text) != bareWords(head)
	})
	if s := o.hover.set(es[0].Row); s != nil {
		if !s.said {
			o.put(entry{text: s.line()})
			s.said = true
		}
		var folded []Element
		if es, folded = s.part(all); len(folded) > 0 {
			defer func() { // the last line counts for the folded ones too
				last := &o.entries[len(o.entries)-1]
				last.tells = slices.Concat(last.tells, folded)
			}()
		}
		if len(es) == 0 {
			return
		}
		name = shownName(&es[0])
	}
	own := es[0].Index == r.Index && (saysWords(name, r.Text) || saysInOrder(name, r.Text)) || len(es) > 1 && bareWords(name) == bareWords(r.Text)
	switch {
	case len(es) == 1 && (own || saysWords(name+" "+es[0].Description, r.Text)):
		o.element(es, 0, false, r.States)
		return
	case own:
		o.put(entry{text: "- " + o.rowLead(&es[0], r.States, es[1:]), tells: es[:1]})
		es = es[1:]
	case len(r.States) == 0 && (r.Text == "" || bareWords(r.Text) == bareWords(o.head.name) || r.Role == "group" && saysOneOf(r.Text, es)):
		for i := range es {
			o.element(es[i:i+1], 0, r.Text != "" && saysWords(r.Text, es[i].Near), nil)
		}
		return
	case o.cells(r, es):
		return
	default:
		o.put(entry{text: "- " + rowLine(r, o.detail.rows, es)})
	}
	o.run(es, 1, true, rowLine(&Row{Role: r.Role, Text: r.Text}, o.detail.rows, es))
}

// saysOneOf tells whether a row says no more than one of its elements.
func saysOneOf(text string, es []Element) bool {
	return slices.ContainsFunc(es, func(e Element) bool { return bareWords(shownName(&e)) == bareWords(text) })
}

// rowLine names a row by its text: row "Ida Lind Invoice for May" unread. Names of the
// elements under it are the first part to be cut.
func rowLine(r *Row, room int, under []Element) string {
	out := word(r.Role)
	if r.Text != "" {
		out += " " + quote(cutRow(r.Text, room, under))
	}
	for _, s := range r.States {
		out += " " + Flatten(s)
	}
	return out
}

// heading is a part of the page, or of a frame, that elements are listed under.
type heading struct{ frame, kind, name string }

// headingOver returns the heading of an element: its frame, kind of part, and the part's name.
func headingOver(e *Element) heading {
	kind, name, ok := strings.Cut(e.Group, ": ")
	if e.Overlay {
		if kind != "overlay" || !ok {
			name = ""
		}
		return heading{e.Frame, "overlay", name}
	}
	if !landmarks[kind] || isNotice(e) {
		kind, name = "page", ""
	}
	return heading{e.Frame, kind, name}
}

// landmarks are the kinds of group that the extractor gives. Any other kind would
// be text of the page that imitates one.
var landmarks = map[string]bool{
	"main": true, "navigation": true, "banner": true, "contentinfo": true, "complementary": true, "search": true,
	"form": true, "region": true, "section": true, "table": true, "page": true,
}

// heading writes the heading line of an element if it differs from the current one. Within
// the same part, a heading that the next line repeats (says) is left out.
func (o *outline) heading(e *Element, says func(head string) bool) {
	h := headingOver(e)
	if l := o.last; h == o.head && l != nil || l != nil && l.Group == e.Group && l.Frame == e.Frame && l.Overlay == e.Overlay {
		return
	}
	same := o.last != nil && h.frame == o.head.frame && h.kind == o.head.kind && h.kind != "overlay"
	if same && h.name != "" && says != nil && says(h.name) {
		return
	}
	o.head, o.over = h, o.headingLine(h, e)
	o.put(entry{text: o.over})
}

// headingLine writes a heading: ## main: Mugs, ## overlay "Newsletter", ## frame 1
// (pay.example) form: Card.
func (o *outline) headingLine(h heading, e *Element) string {
	part := h.kind
	switch name := Cut(Flatten(h.name), nameRoom); {
	case name == "":
	case h.kind == "overlay":
		part += " " + quote(name)
	default:
		part += ": " + name
	}
	if h.frame == "" {
		return "## " + part
	}
	frame := "## frame " + strconv.Itoa(o.frames[h.frame])
	if host := hostOf(e.FrameURL); host != "" {
		frame += " (" + host + ")"
	}
	if part != "page" {
		frame += " " + part
	}
	return frame
}

// hostOf returns the host of an address, with characters that no host has replaced: a
// parenthesis would end it early in a heading.
func hostOf(address string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_:[]%", r) {
			return r
		}
		return '_'
	}, otherSite(address))
}

// saysWords tells whether a text holds all of other words, in their order.
func saysWords(text, words string) bool {
	return strings.Contains(bareWords(text), bareWords(words))
}

// telling is how many first letters and digits must be equal for beginAlike.
const telling = 24

// beginAlike tells whether a name begins as a row does, so that it names the row.
func beginAlike(name, row string) bool {
	a, b := bareWords(name), bareWords(row)
	return len(a) >= telling && len(b) >= telling && a[:telling] == b[:telling]
}

// saysInOrder tells whether a text holds each of other words in their order, with more between.
func saysInOrder(text, words string) bool {
	for w := range strings.FieldsSeq(strings.ReplaceAll(words, "…", " ")) {
		_, rest, found := strings.Cut(text, w)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// bareWords returns the letters and digits of s in lower case, for comparing.
func bareWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// nameRooms returns how many characters of a name to write: n or, where another name of the
// list begins the same, nameRoom, or 0 for all.
func nameRooms(es []Element, n int) func(name string) int {
	short, long := beginnings{}, beginnings{}
	for i := range es {
		name := shownName(&es[i])
		short.note(Cut(name, n), name)
		long.note(Cut(name, nameRoom), name)
	}
	return func(name string) int {
		switch {
		case short.only(Cut(name, n), name):
			return n
		case long.only(Cut(name, nameRoom), name):
			return nameRoom
		}
		return 0
	}
}

// beginnings maps the beginning of a name to the name, or to "" if several begin so.
type beginnings map[string]string

func (b beginnings) note(begin, name string) {
	if known, ok := b[begin]; !ok {
		b[begin] = name
	} else if known != name {
		b[begin] = ""
	}
}

// only tells whether no other name begins so.
func (b beginnings) only(begin, name string) bool { return b[begin] == name }
