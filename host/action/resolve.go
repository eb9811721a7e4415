package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// Target names the element of an action. Of the given ones the first counts, in the order
// ref, index, selector.
type Target struct {
	Index    *int   `json:"index,omitempty" jsonschema:"number of the element in the list, as in [12]"`
	Ref      string `json:"ref,omitempty" jsonschema:"ref of the element: e12, or snap_ab12cd:e12"`
	Selector string `json:"selector,omitempty" jsonschema:"CSS selector, or xpath=…"`
}

// XY is a point in CSS pixels of the main frame's viewport.
type XY struct {
	X float64 `json:"x" jsonschema:"CSS pixels from the left of the viewport"`
	Y float64 `json:"y" jsonschema:"CSS pixels from the top of the viewport"`
}

// element is the element that an action will reach, with the facts from the extractor
// call that resolved it.
type element struct {
	frame frame
	id    int
	// serial identifies the node; a redrawn node may take over its id.
	serial int
	part   int // the match of a selector, if it is a part of the element
	el     pagecontext.RawElement
	facts  safety.Target
	index  int
	entry  pagecontext.Entry // as it was last shown
	alone  bool              // no other was shown with its role and name
	// seen and called are the look and the name by which it was shown, for the guard: from
	// the entry, or from the look that found it.
	seen   int
	called string
	point  *XY         // of the frame's viewport, when the target is a point
	page   safety.Page // address and title of the page, if it is in the main frame
	at     *XY         // where it took the action at the look, if nothing needed a wait
	// moving says that it never stands still: it is aimed at while it moves.
	moving bool
	over   int // the element that the mouse was moved over to show it
	// focused says that it was found by the keyboard focus.
	focused bool
}

// String returns role and name, or the text that stands for a name: button "Pay".
func (a *element) String() string {
	if a == nil {
		return ""
	}
	tag := a.el.Tag
	if a.el.Role == "generic" && a.entry.Role == "generic" {
		tag = "" // it is named as in the list
	}
	return pagecontext.Describe(a.el.Role, tag, cmp.Or(a.el.Name, a.text()))
}

// text returns what an element without a name says, of an item all its words.
func (a *element) text() string {
	if a.el.Text == "" && itemRoles[a.el.Role] {
		return a.facts.Item
	}
	return a.el.Text
}

var itemRoles = map[string]bool{"row": true, "listitem": true, "article": true, "option": true, "treeitem": true}

// label returns the element with its row and index: button "Pay" in "Blue mug" [12].
func (a *element) label() string {
	if (a.el.Tag == "body" || a.el.Tag == "html") && !slices.Contains(textRoles, a.el.Role) {
		return "the page" // its words are those of all that it holds
	}
	return pagecontext.Mention(a.String(), a.row(), a.index)
}

// row returns the text of its row as the list told it, or as it reads now, or the text beside it. A part that
// the list has under a heading is called by that.
func (a *element) row() string {
	row := pagecontext.RowNow(a.entry.Place(), a.facts.Item)
	if _, head, ok := strings.Cut(a.entry.Group, ": "); ok && head != "" && strings.HasPrefix(pagecontext.Flatten(a.facts.Item), head+" ") {
		row = cmp.Or(a.entry.Place(), head)
	}
	row = cmp.Or(row, a.entry.Near)
	return pagecontext.RowApart(pagecontext.RowBeside(a.el.Role, cmp.Or(a.el.Name, a.text()), row), a.alone)
}

// serialText returns serial as text; empty for nil.
func (a *element) serialText() string {
	if a == nil {
		return ""
	}
	return strconv.Itoa(a.serial)
}

// node identifies the DOM node: no two nodes in the life of a tab share it, except a redrawn
// node that is taken for the same.
func (a *element) node() string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s/%s/%d", a.frame.ID(), a.frame.Document(), a.id)
}

// targetQuery says how to find an action's target; each look resolves it anew.
type targetQuery struct {
	Target
	at      *XY
	focused bool // the element with the keyboard focus
	// saw is an element that the program itself found just now.
	saw   *pagecontext.Entry
	exact bool // the match of a selector itself: for reading, not for acting
	part  bool // the selector may be a line of the list that names a part of the page
	// kind is the kind of act, if the look should tell whether the element takes it now.
	kind string
}

func (t Target) isSet() bool { return t.Ref != "" || t.Index != nil || t.Selector != "" }

// describer are parameters that name a target.
type describer interface{ description() string }

var _ describer = (*Target)(nil)

// description returns the target as it was named, for an error before it was found.
func (t *Target) description() string {
	switch {
	case t.Ref != "":
		return t.Ref
	case t.Index != nil:
		return fmt.Sprintf("[%d]", *t.Index)
	}
	return t.Selector
}

// ByIndex is the phrase of hints for naming an element in a call.
const ByIndex = `by its index, as in {"index": 12}`

// goalOf returns the query for the params that most actions share.
func goalOf(t Target, x, y *float64) (targetQuery, *Error) {
	if t.isSet() {
		return targetQuery{Target: t}, nil
	}
	if x != nil && y != nil {
		return targetQuery{at: &XY{*x, *y}}, nil
	}
	return targetQuery{}, &Error{
		Code: InvalidParams, Message: "no target: none of ref, index, selector or a point was given",
		Hint: "Name the element " + ByIndex + "; getElements gives it.",
	}
}

// resolve finds the element of a query, in the order ref, index, selector, point.
func (r *run) resolve(ctx context.Context, g targetQuery) (*element, *Error) {
	switch {
	case g.saw != nil:
		return r.byEntry(ctx, pagecontext.FormatRef(g.saw.Index), *g.saw, g.kind)
	case g.Ref != "":
		return r.byRef(ctx, g.Ref, g.kind)
	case g.Index != nil && *g.Index < 1:
		return nil, &Error{Code: InvalidParams, Message: fmt.Sprintf("index is the number of an element in the list, from 1; %d is none", *g.Index), Hint: "getElements gives the numbers."}
	case g.Index != nil:
		return r.byRef(ctx, pagecontext.FormatRef(*g.Index), g.kind)
	case g.Selector != "":
		return r.bySelector(ctx, g)
	case g.at != nil:
		return r.byPoint(ctx, *g.at)
	case g.focused:
		return r.byFocus(ctx)
	}
	return nil, &Error{Code: InvalidParams, Message: "no target: none of ref, index, selector or a point was given"}
}

// byRef finds the node of an index or ref, if it is still the same element.
func (r *run) byRef(ctx context.Context, ref, kind string) (*element, *Error) {
	e, err := r.page.Lookup(ctx, ref)
	if err != nil {
		var stale *pagecontext.StaleError
		if errors.As(err, &stale) {
			return nil, r.stale(ctx, stale, e)
		}
		if _, _, bad := pagecontext.ParseRef(ref); bad != nil {
			return nil, &Error{Code: InvalidParams, Message: bad.Error(), Err: bad}
		}
		return nil, wrap("find "+ref, err)
	}
	return r.byEntry(ctx, ref, e, kind)
}

// at returns the query for an element that the program itself has just found, whether
// its client was shown it or not.
func (r *run) at(f frame, raw pagecontext.RawElement) targetQuery {
	e := r.page.Seen(f, raw, pagecontext.SeenLast)
	return targetQuery{saw: &e}
}

// byEntry finds the node of an entry.
func (r *run) byEntry(ctx context.Context, ref string, e pagecontext.Entry, kind string) (*element, *Error) {
	pf, err := r.page.FrameOf(ctx, e)
	if err != nil {
		return nil, wrap("find "+ref, err)
	}
	f, err := asFrame(pf)
	if err != nil {
		return nil, wrap("find "+ref, err)
	}
	got, bad := page.Check(ctx, f, e, kind)
	if bad != nil {
		return nil, wrap("look at "+e.String(), bad)
	}
	if got.Error != nil {
		if got.Error.Code == string(StaleRef) || got.Error.Code == string(NotFound) {
			return nil, r.stale(ctx, r.page.Stale(ref, e, got.Error.Message), e)
		}
		return nil, r.extractorErr(f, got.Error)
	}
	a := elementOf(f, got)
	a.index, a.entry, a.seen, a.called = e.Index, e, e.Seen, e.Name
	a.alone = r.page.Alone(f, a.id, a.el.Role, a.el.Name)
	if !got.Hovered && !pagecontext.SameName(e.Name, got.Element.Name) {
		return nil, r.stale(ctx, r.page.Stale(ref, e, "it is now "+a.String()), e)
	}
	return a, nil
}

// stale returns the error for a stale element, with candidates for it.
func (r *run) stale(ctx context.Context, s *pagecontext.StaleError, e pagecontext.Entry) *Error {
	if e.Index == 0 {
		// Lookup gives no entry with its error; a bare role and name do.
		e = entryOf(s)
	}
	if cs, err := r.page.Candidates(ctx, e); err == nil {
		s.Candidates = cs
	}
	out := &Error{Code: StaleRef, Message: strings.TrimPrefix(s.Error(), "stale_ref: "), Data: s, Err: s}
	if len(s.Candidates) > 0 {
		out.Hint = candidatesHint
	}
	for _, c := range s.Candidates {
		if c.Exact {
			by := "index"
			if strings.Contains(c.Ref, ":") {
				by = "ref"
			}
			out.Hint = fmt.Sprintf("It is now %s. Use that %s if it is what you want.", c.Mention(), by)
		}
	}
	return out
}

// entryOf reads role and name from the text of a stale error.
func entryOf(s *pagecontext.StaleError) pagecontext.Entry {
	role, quoted, _ := strings.Cut(s.Was, " ")
	if role == "clickable" {
		role = "generic"
	}
	return pagecontext.Entry{Role: role, Name: strings.Trim(quoted, `"`), PageRev: s.SnapshotPageRev, URL: s.URL}
}

// byPoint finds the element at a point, through nested iframes.
func (r *run) byPoint(ctx context.Context, at XY) (*element, *Error) {
	fs, err := r.frames(ctx)
	if err != nil {
		return nil, err
	}
	f := fs[0]
	for range len(fs) {
		x, y, ok := f.Offset(ctx)
		if !ok {
			return nil, &Error{Code: NotVisible, Message: "the frame at that point is not shown"}
		}
		in := toFrame(f, XY{x, y}, at)
		got, err := page.Resolve(ctx, f, page.Locator{X: &in.X, Y: &in.Y})
		if err != nil {
			return nil, wrap(fmt.Sprintf("find what is at %g,%g", at.X, at.Y), err)
		}
		if got.Error != nil {
			return nil, r.extractorErr(f, got.Error)
		}
		child := frame(nil)
		if got.Iframe {
			child = childOf(ctx, fs, f, got.ID)
		}
		if child == nil {
			a := r.elementFrom(f, got)
			a.point = &in
			return a, nil
		}
		f = child
	}
	return nil, &Error{Code: NotFound, Message: "the frames at that point keep changing"}
}

// byFocus finds the element with the keyboard focus, through iframes.
func (r *run) byFocus(ctx context.Context) (*element, *Error) {
	fs, err := r.frames(ctx)
	if err != nil {
		return nil, err
	}
	f := fs[0]
	for {
		got, err := page.Resolve(ctx, f, page.Locator{Focused: true})
		if err != nil {
			return nil, wrap("find what has the focus", err)
		}
		if got.Error != nil {
			return nil, r.extractorErr(f, got.Error)
		}
		child := frame(nil)
		if got.Iframe {
			child = childOf(ctx, fs, f, got.ID)
		}
		if child == nil {
			a := r.elementFrom(f, got)
			a.focused = true
			return a, nil
		}
		f = child
	}
}

func (r *run) elementFrom(f frame, got page.Resolved) *element {
	a := elementOf(f, got)
	r.number(a)
	return a
}

// number gives an element its index, shown or not.
func (r *run) number(a *element) {
	a.index = r.page.Seen(a.frame, a.el, a.seen).Index
	a.alone = r.page.Alone(a.frame, a.id, a.el.Role, a.el.Name)
}

// elementOf returns the element that the look found. Page and place are usable only in
// the main frame.
func elementOf(f frame, got page.Resolved) *element {
	a := &element{frame: f, id: got.ID, serial: got.Node, part: got.Part, el: got.Element, facts: got.Target, seen: got.Seen, called: got.Element.Name}
	if f.ParentID() == "" {
		a.page = got.Page
		if got.At != nil {
			a.at = (*XY)(&got.At.Point)
		}
	}
	return a
}

// childOf returns the frame of an <iframe> element in its parent.
func childOf(ctx context.Context, fs []frame, parent frame, iframe int) frame {
	for _, c := range fs {
		if c.ParentID() != parent.ID() {
			continue
		}
		if id, err := c.Owner(ctx); err == nil && id == iframe {
			return c
		}
	}
	return nil
}

func (r *run) frames(ctx context.Context) ([]frame, *Error) {
	pfs, err := r.tab.Frames(ctx)
	if err != nil {
		return nil, wrap("list frames", err)
	}
	if len(pfs) == 0 {
		return nil, &Error{Code: Detached, Message: "the tab shows no page"}
	}
	out := make([]frame, 0, len(pfs))
	for _, pf := range pfs {
		f, err := asFrame(pf)
		if err != nil {
			return nil, wrap("list frames", err)
		}
		out = append(out, f)
	}
	return out, nil
}

func asFrame(pf pagecontext.Frame) (frame, error) {
	f, ok := pf.(frame)
	if !ok {
		return nil, fmt.Errorf("frame of type %T has no owner", pf)
	}
	return f, nil
}

// CoverData is Error.Data of covered: the element that covers the target.
type CoverData struct {
	Index int    `json:"index"`
	Ref   string `json:"ref"`
	What  string `json:"what"`
}

// extractorErr converts an error of the extractor to an *Error.
func (r *run) extractorErr(f frame, e *page.Error) *Error {
	out := &Error{Code: Code(e.Code), Message: e.Message}
	if out.Code.Hint() == "" {
		out.Code = Unsupported
		if e.Code == "invalid_selector" {
			out.Code = InvalidParams
			out.Hint = "Name the element by its index instead, or give a CSS selector such as #id, or xpath=…."
		}
	}
	if e.Cover != nil {
		d := CoverData{Index: r.page.IndexOf(f, *e.Cover), What: pagecontext.Describe(e.Cover.Role, e.Cover.Tag, e.Cover.Name)}
		d.Ref = pagecontext.FormatRef(d.Index)
		out.Data = d
		out.Hint = fmt.Sprintf("%s [%d] lies over it. Close or answer that first, or scroll.", d.What, d.Index)
		by := make([]string, len(e.Candidates))
		for i, c := range e.Candidates {
			by[i] = pagecontext.Mention(pagecontext.Describe(c.Role, c.Tag, c.Name), "", r.page.IndexOf(f, c))
		}
		if len(by) > 0 {
			out.Hint = "Answer that first, or close it: " + strings.Join(by, ", ") + "."
		}
	}
	return out
}
