package pagecontext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Query says which elements are wanted; the zero Query wants all.
type Query struct {
	Type    string // button, input, link, select, image, all
	Visible *bool  // in the viewport, or not
	Text    string // words that must all stand in name, text, value of a link or placeholder
	Limit   int    // elements a page; 0 for all
	Cursor  string // NextCursor of the listing before
	Range   string // 31-80: only those with these indices
	Scope   string // a ref, a CSS selector or xpath=…: only what stands within
	Part    string // a heading as the list prints it (see IsPart): only what stands under it
	Fresh   bool   // only what came with the last act; the rest is counted
	Cut     int    // with Fresh: the tokens that will be written, which may leave out elements in view
	Budget  int    // tokens of the text to be written: only its first elements are listed, the rest counted (see Look); 0 for all
}

// narrow tells whether the query asks for a part of the page. Elements behind a
// dialog are then listed too.
func (q Query) narrow() bool {
	return q.Text != "" || q.Scope != "" || q.Part != "" || q.Type != "" && q.Type != "all"
}

// hovers tells whether the query asks for elements by text or type. What a row
// shows on hover is then listed in each row.
func (q Query) hovers() bool { return q.Text != "" || q.Type != "" && q.Type != "all" }

// Listing is a tab's elements in document order, child frames where their
// <iframe> stands. A page of them (Limit, Cursor) is in the order of layers:
// over the page, in view, the rest.
type Listing struct {
	Elements   []Element `json:"elements"`
	Rows       []Row     `json:"rows,omitempty"` // by Element.Row, from 1
	Total      int       `json:"total"`
	NextCursor string    `json:"nextCursor,omitempty"`
	PageRev    int       `json:"pageRev"`
	SnapshotID string    `json:"snapshotId"`
	// Unread counts child frames that could not be read.
	Unread int `json:"unread,omitempty"`
	// Truncated says that a frame held more than the extractor lists.
	Truncated bool `json:"truncated,omitempty"`
	// Modal says that a modal dialog is open: what is behind it takes neither
	// pointer nor keyboard, and is not listed.
	Modal bool `json:"modal,omitempty"`
	// Changed says that a large page kept changing while it was read: something
	// may be missing, or elsewhere by now.
	Changed bool `json:"changed,omitempty"`

	// Paging is the page's own words on which of its rows it shows; set with Query.Text.
	Paging string `json:"paging,omitempty"`

	// Same says that a list of what is new found nothing new, and has all elements.
	Same bool `json:"same,omitempty"`

	// Hidden is what Find met that is hidden, if nothing else matches.
	Hidden *HiddenMatch `json:"-"`

	// left counts what a listing of the first elements left out, from is the
	// number of elements before the first one, narrow is Query.narrow.
	left   leftOut
	from   int
	narrow bool
	// hovers is Query.hovers.
	hovers bool
	// behind is how many elements that match Query.Text a dialog covers.
	behind int
	// stood counts what a list of new elements left out.
	stood []standing
}

// Whole tells whether the listing holds every element of the page.
func (l *Listing) Whole() bool {
	return len(l.Elements) >= l.Total && !l.Truncated && l.Unread == 0 && !l.Modal
}

// Elements lists the interactive elements of every frame.
func (p *Page) Elements(ctx context.Context, q Query) (*Listing, error) {
	off := 0
	if q.Cursor != "" {
		l, asked, n, err := p.continued(q)
		if l != nil || err != nil {
			return l, err
		}
		asked.Limit = q.Limit
		q, off = asked, n
	}
	first, last, err := rangeOf(q.Range)
	if err != nil {
		return nil, err
	}
	rev := p.src.PageRev()
	all, err := p.frames(ctx)
	if err != nil {
		return nil, err
	}
	fs, o, err := p.scoped(ctx, all, q)
	if err != nil {
		return nil, err
	}
	if q.Budget > 0 {
		o.First = firstLines(q.Budget)
	}
	var told map[string]bool
	if q.Fresh {
		told = p.toldFrames(fs)
	}
	states := eachAtOnce(ctx, fs, func(ctx context.Context, f *frameState) error {
		o := o
		o.Fresh = o.Fresh && told[f.frame.ID()]
		return f.frame.Call(ctx, "list", o, &f.list)
	})
	if err := states[0].err; err != nil {
		return nil, fmt.Errorf("list elements: %w", err)
	}
	kids := place(states)

	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.newSnapshot(rev)
	p.remember(s, q)
	l := p.gather(states, kids, s, q.Visible)
	l.narrow, l.hovers = q.narrow(), q.hovers()
	if q.Budget > 0 {
		if q.Fresh {
			s.elements, l.stood, l.Same = foldStanding(s.elements)
			markLeads(s.elements, q.Cut)
		}
		p.pruneTo(all)
		return pageOfFirst(l, s), nil
	}
	if q.Part != "" {
		under := underPart(s, q.Part)
		if s.elements = slices.DeleteFunc(s.elements, func(e Element) bool { return !under[e.Index] }); len(s.elements) == 0 {
			return nil, &PartError{Part: q.Part}
		}
	}
	if open := func(e Element) bool { return !e.Covered }; q.Text != "" && slices.ContainsFunc(s.elements, open) {
		n := len(s.elements)
		s.elements = slices.DeleteFunc(s.elements, func(e Element) bool { return e.Covered })
		l.behind = n - len(s.elements)
	}
	s.elements = slices.DeleteFunc(s.elements, func(e Element) bool { return e.Index < first || e.Index > last })
	if q.Fresh {
		s.elements, l.stood, l.Same = foldStanding(s.elements)
		markLeads(s.elements, q.Cut)
	}
	p.pruneTo(all)
	return pageOf(l, s, off, q.Limit), nil
}

// gather gives the elements of all frames their indices, in document order, and
// keeps them in the snapshot; p.mu is held.
func (p *Page) gather(states []frameState, kids map[string][]placed, s *snapshot, visible *bool) *Listing {
	l := &Listing{PageRev: s.pageRev, SnapshotID: s.id}
	var walk func(i int)
	walk = func(i int) {
		f := states[i]
		if f.err != nil {
			l.Unread++
			return
		}
		l.Truncated = l.Truncated || f.list.Truncated
		l.Modal = l.Modal || f.list.Modal
		l.Paging = cmp.Or(l.Paging, Flatten(f.list.Paging))
		l.Changed = l.Changed || f.list.Changed
		l.left.add(f.list.Left)
		owned := kids[f.frame.ID()]
		before := len(s.rows)
		for _, r := range f.list.Rows {
			s.rows = append(s.rows, rowFrom(r))
		}
		for k := range f.list.Elements {
			if r := &f.list.Elements[k]; r.Row > 0 && r.Row <= len(f.list.Rows) {
				r.row = s.rows[before+r.Row-1].Text
			}
		}
		p.inherit(f.frame, f.list.Elements, s.pageRev, f.list.Seen)
		for k, raw := range f.list.Elements {
			if !raw.FrameOf {
				inRow := raw.Row > 0 && raw.Row <= len(f.list.Rows)
				raw.Overlay, raw.Covered = raw.Overlay || f.overlay, raw.Covered || f.covered
				if e := element(0, raw, f); visible == nil || e.IsVisible == *visible {
					was := p.entries[p.byKey[nodeKey{f.frame.ID(), f.frame.Document(), raw.ID}]]
					e.Index = p.note(f.frame, raw, s.pageRev, f.list.Seen, s).Index
					e.Ref = FormatRef(e.Index)
					e.told = was.shown
					lost := p.entries[p.byKey[nodeKey{f.frame.ID(), f.frame.Document(), raw.Lost}]]
					e.stood = raw.Stood && (was.shown || !lost.shown) || was.inherited && isFraming(&e) && e.Value == "" || was.shown && f.frame.ParentID() != ""
					if e.Row = 0; inRow {
						e.Row = before + raw.Row
						if f.list.Rows[raw.Row-1].El == raw.ID {
							s.rows[e.Row-1].Index = e.Index
						}
					}
					s.elements = append(s.elements, e)
				}
				continue
			}
			for _, c := range owned {
				if c.at == k {
					walk(c.frame)
				}
			}
		}
	}
	walk(0)
	markBeside(s.elements)
	return l
}

// pruneTo is prune for the frames now there; p.mu is held.
func (p *Page) pruneTo(fs []Frame) {
	live := make(map[string]string, len(fs))
	for _, f := range fs {
		live[f.ID()] = f.Document()
	}
	p.prune(live)
}

// scoped returns the frames to ask and the options of a query; a ref as Query.Scope
// leaves one frame.
func (p *Page) scoped(ctx context.Context, fs []Frame, q Query) ([]Frame, listOptions, error) {
	o := listOptions{Query: q.Text, Signs: findSigns(q.Text), Fresh: q.Fresh, Lead: q.Fresh}
	if q.Type != "" && q.Type != "all" {
		o.Type = q.Type
	}
	if q.Visible != nil {
		o.Visible = *q.Visible
	}
	if q.Scope == "" {
		return fs, o, nil
	}
	if !isRef(q.Scope) {
		o.Scope = q.Scope
		return fs, o, nil
	}
	e, err := p.Lookup(ctx, q.Scope)
	if err != nil {
		return nil, o, err
	}
	o.ScopeID = e.LocalID
	f, err := p.FrameOf(ctx, e)
	if err != nil {
		return nil, o, err
	}
	return []Frame{f}, o, nil
}

// keptQueries is how many queries of listings a tab keeps; the listings
// themselves are forgotten earlier.
const keptQueries = 200

// question is the query of a listing, with which its cursor continues.
type question struct {
	snapshot string
	pageRev  int
	query    Query
}

// remember keeps the filters of a listing for its cursor; p.mu is held.
func (p *Page) remember(s *snapshot, q Query) {
	q.Cursor, q.Limit, q.Budget = "", 0, 0
	p.asked = append(p.asked, question{s.id, s.pageRev, q})
	if n := len(p.asked) - keptQueries; n > 0 {
		p.asked = slices.Delete(p.asked, 0, n)
	}
}

// continued returns the next page of a listing that is still kept. If it is not
// kept, it returns a nil listing, its query and the number of elements to skip:
// the page must be read again. An unknown cursor, or one of a page that the tab
// has left, is a *CursorError.
func (p *Page) continued(q Query) (*Listing, Query, int, error) {
	id, n, ok := strings.Cut(q.Cursor, ":")
	off, err := strconv.Atoi(n)
	if !ok || err != nil || off < 0 {
		return nil, q, 0, &CursorError{Cursor: q.Cursor}
	}
	rev := p.src.PageRev()
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.asked, func(a question) bool { return a.snapshot == id })
	if i < 0 {
		return nil, q, 0, &CursorError{Cursor: q.Cursor}
	}
	if p.asked[i].pageRev != rev {
		return nil, q, 0, &CursorError{Cursor: q.Cursor, Left: true}
	}
	if s := p.snapshot(id); s != nil && s.elements != nil {
		return pageOf(&Listing{PageRev: s.pageRev, SnapshotID: s.id, narrow: p.asked[i].query.narrow(), hovers: p.asked[i].query.hovers()}, s, off, q.Limit), q, off, nil
	}
	return nil, p.asked[i].query, off, nil
}

// rangeOf parses a range such as 31-80, with a hyphen or an en dash; "" is everything.
func rangeOf(s string) (first, last int, err error) {
	if s = strings.TrimSpace(s); s == "" {
		return 0, math.MaxInt, nil
	}
	from, to, ok := strings.Cut(strings.NewReplacer("–", "-", "[", "", "]", "").Replace(s), "-")
	first, errFirst := strconv.Atoi(strings.TrimSpace(from))
	last, errLast := strconv.Atoi(strings.TrimSpace(to))
	if !ok || errFirst != nil || errLast != nil || first > last {
		return 0, 0, &RangeError{Range: s}
	}
	return first, last, nil
}

// pageOfFirst is pageOf where only the first elements were listed.
func pageOfFirst(l *Listing, s *snapshot) *Listing {
	if l.left.above > 0 { // they come last: leave out all of them, so that a cursor finds them together
		s.elements = slices.DeleteFunc(s.elements, func(e Element) bool {
			above := layerOf(&e) == layerAbove
			if above {
				l.left.above++
			}
			return above
		})
	}
	l = pageOf(l, s, 0, 0)
	if n := l.left.total(); n > 0 {
		l.Total += n
		s.elements = nil // not the whole listing: a cursor has to read the page again
	}
	return l
}

func pageOf(l *Listing, s *snapshot, off, limit int) *Listing {
	l.Total = len(s.elements)
	off = min(off, l.Total)
	end := l.Total
	if limit > 0 && off+limit < end {
		end = off + limit
		l.NextCursor = listCursor(s.id, end)
	}
	es := s.elements
	if end-off < len(es) {
		es = inOrder(es)
	}
	l.from, l.Elements = off, append([]Element{}, es[off:end]...)
	l.Rows = rowsOf(l.Elements, s.rows)
	return l
}

// rowsOf returns the rows of the elements, in the elements' order, and sets each
// Element.Row to its number among them.
func rowsOf(es []Element, rows []Row) []Row {
	var out []Row
	anew := map[int]int{}
	for i := range es {
		row := es[i].Row
		if row == 0 {
			continue
		}
		if anew[row] == 0 {
			out = append(out, rows[row-1])
			anew[row] = len(out)
		}
		es[i].Row = anew[row]
	}
	return out
}

// listCursor returns the cursor that continues a listing after its first n elements.
func listCursor(snapshot string, n int) string { return snapshot + ":" + strconv.Itoa(n) }
