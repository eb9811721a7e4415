package action

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// bySelector looks in the main frame first, then in all frames below it. If a selector
// matches several elements, the error lists them.
func (r *run) bySelector(ctx context.Context, g targetQuery) (*element, *Error) {
	fs, err := r.frames(ctx)
	if err != nil {
		return nil, err
	}
	var none *Error
	var found []*element
	var several []match
	for _, f := range fs {
		fctx, cancel := ctx, context.CancelFunc(func() {})
		if len(found)+len(several) > 0 { // another frame is asked, but not waited for
			fctx, cancel = context.WithTimeout(ctx, otherFrameTime)
		}
		got, err := page.Resolve(fctx, f, page.Locator{Selector: g.Selector, Exact: g.exact, Part: g.part, Ready: g.kind})
		cancel()
		switch main := f.ParentID() == ""; {
		case err != nil && main:
			return nil, wrap("find "+g.Selector, err)
		case err != nil:
			continue // a frame that went away in between
		case got.Error == nil && main:
			return r.keepMeant(g, r.elementFrom(f, got)), nil
		case got.Error == nil:
			found = append(found, elementOf(f, got))
			several = append(several, match{f, got.Seen, 1, []pagecontext.RawElement{got.Element}})
		case got.Error.Code == "ambiguous":
			several = append(several, match{f, got.Error.Seen, got.Error.Matches, got.Error.Candidates})
			if main {
				return r.oneOf(ctx, g, several)
			}
		default:
			e := r.extractorErr(f, got.Error)
			if none == nil {
				none = e
			}
			if e.Code != NotFound {
				return nil, e
			}
		}
	}
	switch {
	case len(several) == 0:
		return nil, noMatch(none)
	case len(several) == 1 && len(found) == 1:
		a := found[0]
		r.number(a)
		return r.keepMeant(g, a), nil
	}
	return r.oneOf(ctx, g, several)
}

// countMatches tells how many elements of all frames match a selector, and lists the
// first ones.
func (r *run) countMatches(ctx context.Context, selector string) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	fs, bad := r.frames(ctx)
	if bad != nil {
		return bad
	}
	l := &pagecontext.Listing{Elements: []pagecontext.Element{}}
	var lines []string
	for _, f := range fs {
		got, err := page.Resolve(ctx, f, page.Locator{Selector: selector, Exact: true})
		switch {
		case err != nil && f.ParentID() == "":
			return wrap("find "+selector, err)
		case err != nil:
			continue // a frame that went away in between
		}
		m := match{f, got.Seen, 1, []pagecontext.RawElement{got.Element}}
		if e := got.Error; e != nil && e.Code == "ambiguous" {
			m = match{f, e.Seen, e.Matches, e.Candidates}
		} else if e != nil {
			if bad := r.extractorErr(f, e); bad.Code != NotFound {
				return bad
			}
			continue
		}
		l.Total += m.total
		look := r.page.KeepOffered(m.f, m.seen, m.els)
		for i, raw := range m.els {
			e := pagecontext.Element{Index: look.Indices[i], Tag: raw.Tag, Role: raw.Role, Name: pagecontext.Flatten(cmp.Or(raw.Name, raw.Text))}
			l.Elements = append(l.Elements, e)
			lines = append(lines, fmt.Sprintf("[%d] %s", e.Index, pagecontext.Describe(e.Role, e.Tag, e.Name)))
		}
	}
	*r.object = fmt.Sprint(l.Total)
	r.res.Data = l
	r.res.Text = fmt.Sprintf("OK: %d found:", l.Total)
	if l.Total == 0 {
		r.res.Text = "OK: nothing on the page matches " + short(selector, 120) + "."
		return nil
	}
	r.res.Text, _ = fitLines(r.res.Text, lines, listBudget, "narrow the selector")
	if left := l.Total - len(lines); left > 0 {
		r.res.Text += fmt.Sprintf("\n… and %d more", left)
	}
	return nil
}

// match are the matches of a selector in a frame: their number, and the first of them.
type match struct {
	f     frame
	seen  int
	total int
	els   []pagecontext.RawElement
}

// keepMeant remembers the element that a selector matched at the beginning of an act.
func (r *run) keepMeant(g targetQuery, a *element) *element {
	if r.meant == nil {
		r.meant = map[string]*element{}
	}
	r.meant[g.Selector] = a
	return a
}

// roleOfMatch returns the role of a match, or its tag: a form without a name has no role.
func roleOfMatch(raw pagecontext.RawElement) string {
	if raw.Role == "" || raw.Role == "generic" && raw.Tag == "form" {
		return raw.Tag
	}
	return raw.Role
}

// oneOf resolves a selector with several matches: to its match at the beginning of the
// act, if that is still there (suggestions came while the field was written in), or to an
// error that lists them.
func (r *run) oneOf(ctx context.Context, g targetQuery, several []match) (*element, *Error) {
	if a := r.meant[g.Selector]; a != nil {
		if got, err := page.Resolve(ctx, a.frame, page.Locator{ID: a.id, Ready: g.kind}); err == nil && got.Error == nil {
			got.Seen = a.seen
			return r.elementFrom(a.frame, got), nil
		}
	}
	fs, err := r.frames(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(several, func(m match) bool { return !inPDF(fs, m.f) }) {
		return nil, errPDF()
	}
	e := &Error{Code: InvalidParams}
	total := 0
	var all []nearBy
	for _, m := range several {
		total += m.total
		look := r.page.KeepOffered(m.f, m.seen, m.els)
		for i, raw := range m.els {
			all = append(all, nearBy{Role: roleOfMatch(raw), Name: pagecontext.Flatten(cmp.Or(raw.Name, raw.Text)), Near: pagecontext.Flatten(raw.Near), Index: look.Indices[i], look: look.SnapshotID})
		}
	}
	e.Message = fmt.Sprintf("%s matches %d elements, and does not say which is meant", short(g.Selector, 120), total)
	r.tell(e, "candidates", "They are: ", all)
	e.Hint += " Name one by its number, or narrow the selector."
	if data, ok := e.Data.(map[string]any); ok {
		data["matches"] = total
	}
	return nil, e
}
