package action

import (
	"context"
	"fmt"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// probed is one look at all frames.
type probed struct {
	selector, text *pagecontext.RawElement
	selFrame       frame
	textFrame      frame
	attached       bool
	items          int
	mark           string // changes when the page has
	main           page.Probe
}

// probe asks every frame whether the wanted elements are there. A child frame that
// can't answer now is left out.
func (r *run) probe(ctx context.Context, selector, text, items string) (probed, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return probed{}, bad
	}
	var out probed
	for _, f := range fs {
		fctx, cancel := context.WithTimeout(ctx, frameTime)
		p, err := page.Look(fctx, f, page.Wanted{Selector: selector, Text: text, Items: items})
		cancel()
		switch {
		case err != nil && f.ParentID() == "":
			return out, wrap("look at the page", err)
		case err != nil:
			continue
		case p.Error != nil:
			return out, r.extractorErr(f, p.Error)
		}
		if f.ParentID() == "" {
			out.main = p
		} else if _, _, shown := f.Offset(ctx); !shown {
			continue
		}
		if p.Selector != nil && out.selector == nil {
			out.selector, out.selFrame = p.Selector, f
		}
		if p.Text != nil && out.text == nil {
			out.text, out.textFrame = p.Text, f
		}
		out.attached = out.attached || p.Attached
		out.items += p.Items
		out.mark += fmt.Sprintf("%d/%g/%g/%d;", p.Nodes, p.Y, p.Height, p.Items)
	}
	return out, nil
}

// stateOf returns the state of an element.
func (r *run) stateOf(ctx context.Context, a *element) (page.State, *Error) {
	st, err := page.StateOf(ctx, a.frame, a.id)
	if err != nil {
		return st, wrap("look at "+a.String(), err)
	}
	if st.Error != nil {
		return st, r.extractorErr(a.frame, st.Error)
	}
	return st, nil
}
