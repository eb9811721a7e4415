package action

import (
	"context"

	"tabwright/safety"
)

// facts gathers what the gate must know of the page around an aim: the frame
// the target is in first, then the main frame.
func (r *run) facts(ctx context.Context, a *element) (safety.Page, *Error) {
	fs, err := r.frames(ctx)
	if err != nil {
		return safety.Page{}, err
	}
	type arg struct {
		ID int `json:"id,omitempty"`
	}
	var p safety.Page
	if a == nil || a.frame.ID() == fs[0].ID() {
		q := arg{}
		if a != nil {
			q.ID = a.id
		}
		if err := fs[0].Call(ctx, "pageFacts", q, &p); err != nil {
			return p, wrap("read the page for the gate", err)
		}
		return p, nil
	}
	var own safety.Page
	if err := a.frame.Call(ctx, "pageFacts", arg{a.id}, &own); err != nil {
		return p, wrap("read the frame for the gate", err)
	}
	if err := fs[0].Call(ctx, "pageFacts", arg{}, &p); err != nil {
		return p, wrap("read the page for the gate", err)
	}
	p.Text = own.Text + "\n" + p.Text
	p.Amounts = append(own.Amounts, p.Amounts...)
	p.Items = append(own.Items, p.Items...)
	return p, nil
}

// act starts the facts of an act on an aim that can take one: of the page only what is always
// known of it; judge reads the rest where it must.
func (r *run) act(ctx context.Context, a *element) (safety.Act, *Error) {
	r.brief = true
	out := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class}
	if a != nil {
		if err := r.notPDF(ctx, a); err != nil {
			return safety.Act{}, err
		}
		t := a.facts
		out.Target = &t
		out.Page = a.page
	}
	if out.Page.URL != "" {
		return out, nil
	}
	fs, err := r.frames(ctx)
	if err != nil {
		return safety.Act{}, err
	}
	if err := fs[0].Call(ctx, "pageFacts", map[string]bool{"brief": true}, &out.Page); err != nil {
		return out, wrap("read the page for the gate", err)
	}
	return out, nil
}
