package action

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tabwright/host/action/spec"
	"tabwright/pagecontext"
	"tabwright/pagecontext/picture"
	"tabwright/safety"
)

// GetElementsParams are the parameters of getElements.
type GetElementsParams struct {
	Type    string `json:"type,omitempty" jsonschema:"only this kind; new: came with the last act"`
	Visible *bool  `json:"visible,omitempty" jsonschema:"only those in the viewport (true) or outside of it (false)"`
	Query   string `json:"query,omitempty" jsonschema:"words of the name, text or address"`
	Scope   string `json:"scope,omitempty" jsonschema:"only within a ref, selector or heading"`
	Range   string `json:"range,omitempty" jsonschema:"only these indices, as 31-80"`
	Limit   *int   `json:"limit,omitempty" jsonschema:"at most so many"`
	Budget  *int   `json:"budget,omitempty" jsonschema:"at most so many tokens (2000)"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"nextCursor of the list before"`
}

// GetElementDetailsParams are the parameters of getElementDetails.
type GetElementDetailsParams struct {
	Indices []int `json:"indices" jsonschema:"numbers of the elements in the list"`
}

// ScreenshotLong is the longer side of the pictures for a model, in pixels.
const ScreenshotLong = picture.Long

// The limits of maxBytes: a smaller picture shows nothing, a larger one no model takes.
const (
	leastPicture = 8 << 10
	mostPicture  = 5 << 20
)

// DefaultBudget is how many tokens a first look at a page takes by default, and so does a
// list.
const DefaultBudget = 2000

// A list takes listBudget tokens if the caller gives a number or a range of elements;
// leastBudget and mostBudget are the limits of the parameter budget.
const (
	leastBudget = 200
	listBudget  = 6000
	mostBudget  = 50000
)

// freshType asks for the elements that came with the last act.
const freshType = "new"

// listedTimes is how many times more is listed than fits: elements that don't fit may still
// be summarized, and those in view are told first.
const listedTimes = 2

// budget is how many tokens the list may take.
func (p GetElementsParams) budget() int {
	switch {
	case p.Budget != nil:
		return *p.Budget
	case p.Limit != nil && *p.Limit > 0 || p.Range != "":
		return listBudget
	}
	return DefaultBudget
}

func readingActions() []declared {
	read := func(name string) Spec {
		return Spec{Name: name, Family: "reading", Class: safety.Read, NeedsTab: true, ModelVisible: true}
	}
	list := read("getElements")
	list.Advanced = []string{"query", "scope", "range", "limit", "budget", "cursor"}
	pic := read("screenshot")
	pic.Advanced = []string{"index", "ref", "selector", "fullPage", "tile", "marks", "quality", "format", "maxBytes", "fileName"}
	return []declared{
		declare(pic, screenshot, spec.Between("quality", 1, 100), spec.Between("tile", 1, 10000), spec.Enum("format", "jpeg", "webp"), spec.Between("maxBytes", leastPicture, mostPicture)),
		declare(list, getElements, spec.Enum("type", "button", "input", "link", "select", "image", "all", freshType), spec.Between("budget", leastBudget, mostBudget)),
		declare(read("getElementDetails"), getElementDetails),
	}
}

// getElements lists the interactive elements of the page.
func getElements(ctx context.Context, r *run, p GetElementsParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	q := pagecontext.Query{Type: p.Type, Fresh: p.Type == freshType, Visible: p.Visible, Text: p.Query, Range: p.Range, Cursor: p.Cursor}
	if q.Fresh {
		q.Type = ""
	}
	var scoped *Error
	isHeading := !pagecontext.IsPart(p.Scope) && pagecontext.IsWords(p.Scope) // a heading's words come before the larger part that has the heading
	if isHeading || pagecontext.IsPart(p.Scope) {
		q.Part = p.Scope
	} else if q.Scope, scoped = r.scopeRef(ctx, p.Scope); scoped != nil {
		if scoped.Code != NotFound || !pagecontext.IsHeading(p.Scope) {
			return scoped
		}
		q.Part = p.Scope
	}
	if p.Limit != nil {
		q.Limit = max(*p.Limit, 0)
	}
	switch q {
	case pagecontext.Query{}:
		q.Budget = listedTimes * p.budget()
	case pagecontext.Query{Fresh: true}: // the frame of the site, which it had before, is among the first
		q.Budget = 2 * listedTimes * p.budget()
	}
	if q.Fresh {
		if q.Cut = p.budget(); q.Cut == DefaultBudget {
			q.Cut *= 2 // see renderList
		}
	}
	l, err := r.page.Elements(ctx, q)
	if bad := (*pagecontext.PartError)(nil); isHeading && errors.As(err, &bad) {
		ref, other := r.scopeRef(ctx, p.Scope)
		if other != nil && other.Code != NotFound {
			return other
		}
		if other == nil {
			q.Scope, q.Part = ref, ""
			l, err = r.page.Elements(ctx, q)
		}
	}
	if bad := (*pagecontext.RangeError)(nil); errors.As(err, &bad) {
		return &Error{Code: InvalidParams, Message: bad.Error(), Hint: "Give the first and the last index, as range=31-80."}
	}
	if bad := (*pagecontext.PartError)(nil); errors.As(err, &bad) {
		if scoped != nil {
			return scoped
		}
		return &Error{Code: NotFound, Message: bad.Error(), Hint: scopeHint}
	}
	if bad := (*pagecontext.CursorError)(nil); errors.As(err, &bad) {
		return &Error{Code: InvalidParams, Message: bad.Error(), Hint: "Call getElements without cursor to begin at the top of this page."}
	}
	if err != nil {
		return wrap("list the elements", err)
	}
	r.res.Text = r.renderList(l, p.budget())
	if len(l.Elements) == 0 && p.Query != "" && p.Scope == "" && p.Cursor == "" {
		r.res.Text += r.textWith(ctx, p.Query)
	}
	r.notePDF(ctx)
	r.res.Data = l
	*r.object = fmt.Sprint(len(l.Elements))
	return nil
}

// textWith returns the page's texts that contain words which no control is named by, each
// with what is beside it.
func (r *run) textWith(ctx context.Context, query string) string {
	all, err := r.page.Saying(ctx, query)
	if err != nil || len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" As text the page has:")
	for _, s := range all {
		fmt.Fprintf(&b, "\n- %q", safety.Redact(s.Text))
		if s.Near != "" {
			b.WriteString(", with " + s.Near)
		}
	}
	return b.String()
}

// getElementDetails looks closer at chosen elements.
func getElementDetails(ctx context.Context, r *run, p GetElementDetailsParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	if len(p.Indices) == 0 {
		return &Error{Code: InvalidParams, Message: "indices is empty", Hint: "Give numbers from the list of elements, as in {\"indices\": [12, 14]}."}
	}
	for _, i := range p.Indices { // an index of a changed element is an error
		if _, err := r.byRef(ctx, pagecontext.FormatRef(i), ""); err != nil {
			return err
		}
	}
	ds, err := r.page.Details(ctx, p.Indices)
	if err != nil {
		return wrap("look at the elements", err)
	}
	r.res.Data = ds
	*r.object = fmt.Sprint(len(ds))
	r.res.Text = renderDetails(ds)
	r.notePDF(ctx)
	return nil
}

// judgeRead passes the gate for actions that only read the current page.
func (r *run) judgeRead(ctx context.Context) *Error {
	act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}
	return r.withGate(ctx, gatedStep{
		look: func(context.Context) (*element, safety.Act, *Error) { return nil, act, nil },
		do:   func(context.Context, *element) *Error { return nil },
	})
}
