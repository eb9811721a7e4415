package action

import (
	"context"
	"fmt"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// GetElementsParams are the parameters of getElements.
type GetElementsParams struct {
	Type    string `json:"type,omitempty" jsonschema:"only elements of this kind"`
	Visible *bool  `json:"visible,omitempty" jsonschema:"only those in the viewport (true) or outside of it (false)"`
	Query   string `json:"query,omitempty" jsonschema:"words that stand in the name, text or address"`
	Limit   *int   `json:"limit,omitempty" jsonschema:"at most so many"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"nextCursor of the list before, for the rest"`
}

// GetElementDetailsParams are the parameters of getElementDetails.
type GetElementDetailsParams struct {
	Indices []int `json:"indices" jsonschema:"numbers of the elements in the list"`
}

// ScreenshotLong is the longer side of the pictures a model gets: vision
// models scale larger ones down, and charge for them.
const ScreenshotLong = 1280

// listBudget is how many tokens a list that was asked for may take.
const listBudget = 6000

func readingActions() []Spec {
	read := func(name string) Spec {
		return Spec{Name: name, Family: "reading", Class: safety.Read, NeedsTab: true, ModelVisible: true}
	}
	list := read("getElements")
	list.Advanced = []string{"query", "limit", "cursor"}
	return []Spec{
		declare(read("screenshot"), screenshot),
		declare(list, getElements, enum("type", "button", "input", "link", "select", "image", "all")),
		declare(read("getElementDetails"), getElementDetails),
	}
}

// screenshot takes a picture of the viewport (Page.captureScreenshot).
func screenshot(ctx context.Context, r *run, _ NoParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	img, mime, err := r.tab.Screenshot(ctx, ScreenshotLong)
	if err != nil {
		return wrap("take a picture of the page", err)
	}
	r.res.Image, r.res.MIME = img, mime
	r.res.Text = "OK: the picture of the viewport is attached."
	return nil
}

// getElements lists the interactive elements of the page.
func getElements(ctx context.Context, r *run, p GetElementsParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	q := pagecontext.Query{Type: p.Type, Visible: p.Visible, Text: p.Query, Cursor: p.Cursor}
	if p.Limit != nil {
		q.Limit = max(*p.Limit, 0)
	}
	l, err := r.page.Elements(ctx, q)
	if err != nil {
		return wrap("list the elements", err)
	}
	r.res.Data = l
	*r.object = fmt.Sprint(len(l.Elements))
	r.res.Text = renderList(l, listBudget, r.s.o.Lang)
	return nil
}

// getElementDetails looks closer at chosen elements.
func getElementDetails(ctx context.Context, r *run, p GetElementDetailsParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	if len(p.Indices) == 0 {
		return &Error{Code: InvalidParams, Message: "indices is empty", Hint: "Give numbers from the list of elements, as in {\"indices\": [12, 14]}."}
	}
	ds, err := r.page.Details(ctx, p.Indices)
	if err != nil {
		return wrap("look at the elements", err)
	}
	r.res.Data = ds
	*r.object = fmt.Sprint(len(ds))
	r.res.Text = renderDetails(ds)
	return nil
}

// judgeRead passes the gate for actions that only read the current page.
func (r *run) judgeRead(ctx context.Context) *Error {
	act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}
	return r.gated(ctx, plan{
		look: func(context.Context) (*aim, safety.Act, *Error) { return nil, act, nil },
		do:   func(context.Context, *aim) *Error { return nil },
	})
}
