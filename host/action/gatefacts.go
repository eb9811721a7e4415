package action

import (
	"context"

	"tabwright/host/action/page"
	"tabwright/safety"
)

// facts gathers what the gate must know of the page around an aim: the frame
// the target is in first, then the main frame.
func (r *run) facts(ctx context.Context, a *element) (safety.Page, *Error) {
	fs, err := r.frames(ctx)
	if err != nil {
		return safety.Page{}, err
	}
	if a == nil || a.frame.ID() == fs[0].ID() {
		id := 0
		if a != nil {
			id = a.id
		}
		p, err := page.Facts(ctx, fs[0], id)
		return p, wrap("read the page for the gate", err)
	}
	own, bad := page.Facts(ctx, a.frame, a.id)
	if bad != nil {
		return safety.Page{}, wrap("read the frame for the gate", bad)
	}
	p, bad := page.Facts(ctx, fs[0], 0)
	if bad != nil {
		return p, wrap("read the page for the gate", bad)
	}
	p.Text = own.Text + "\n" + p.Text
	p.Amounts = append(own.Amounts, p.Amounts...)
	p.Items = append(own.Items, p.Items...)
	return p, nil
}

// act returns the first facts of an act: of the page only what is always known; judge reads
// the rest if it must.
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
	var bad error
	out.Page, bad = page.BriefFacts(ctx, fs[0])
	return out, wrap("read the page for the gate", bad)
}
