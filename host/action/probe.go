package action

import (
	"context"
	"fmt"

	"tabwright/pagecontext"
)

// probe is Probe of the extractor: the page after a step.
type probe struct {
	ReadyState string                  `json:"readyState"`
	URL        string                  `json:"url"`
	Y          float64                 `json:"y"`
	Height     float64                 `json:"height"`
	Nodes      int                     `json:"nodes"`
	Attached   bool                    `json:"attached"`
	Selector   *pagecontext.RawElement `json:"selector"`
	Text       *pagecontext.RawElement `json:"text"`
	Items      int                     `json:"items"`
	Error      *extractorError         `json:"error"`
}

// probed is one look at all frames.
type probed struct {
	selector, text *pagecontext.RawElement
	selFrame       frame
	textFrame      frame
	attached       bool
	items          int
	mark           string // changes when the page has
	main           probe
}

// probe asks every frame whether what is waited for is there. A child frame
// that can't answer just now has nothing to say.
func (r *run) probe(ctx context.Context, selector, text, items string) (probed, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return probed{}, bad
	}
	arg := map[string]string{}
	for k, v := range map[string]string{"selector": selector, "text": text, "items": items} {
		if v != "" {
			arg[k] = v
		}
	}
	var out probed
	for _, f := range fs {
		fctx, cancel := context.WithTimeout(ctx, frameTime)
		var p probe
		err := f.Call(fctx, "probe", arg, &p)
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
