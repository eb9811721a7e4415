package pagecontext

import (
	"context"
	"fmt"
)

type detailsResult struct {
	Details []rawDetails `json:"details"`
	Missing []int        `json:"missing"`
}

// Details returns the details of the given indices, in their order. A stale or
// unknown index fails the whole call, so that no result is taken for another
// element's.
func (p *Page) Details(ctx context.Context, indices []int) ([]Details, error) {
	rev := p.src.PageRev()
	byFrame := map[string][]int{}
	entries := make([]Entry, 0, len(indices))
	for _, i := range indices {
		e, err := p.LookupIndex(ctx, i)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		byFrame[e.FrameID] = append(byFrame[e.FrameID], e.LocalID)
	}
	found := make(map[int]Details, len(indices))
	for _, e := range entries {
		ids := byFrame[e.FrameID]
		if ids == nil {
			continue // asked with an earlier one of the same frame
		}
		delete(byFrame, e.FrameID)
		f, err := p.FrameOf(ctx, e)
		if err != nil {
			return nil, err
		}
		st := frameState{frame: f, shown: true}
		if f.ParentID() != "" {
			st.x, st.y, st.shown = f.Offset(ctx)
			st.kx, st.ky = f.Scale()
		}
		var r detailsResult
		if err := f.Call(ctx, "details", map[string]any{"ids": ids}, &r); err != nil {
			return nil, fmt.Errorf("details of %s: %w", FormatRef(e.Index), err)
		}
		p.mu.Lock()
		for _, d := range r.Details {
			i := p.note(f, d.RawElement, rev, 0, nil).Index
			if d.Near == "" {
				d.Near = p.entries[i].Near
			}
			found[i] = details(i, d, st)
		}
		p.mu.Unlock()
	}
	out := make([]Details, 0, len(indices))
	for _, e := range entries {
		d, ok := found[e.Index]
		if !ok {
			return nil, p.Stale(FormatRef(e.Index), e, "it is no longer in the page")
		}
		out = append(out, d)
	}
	return out, nil
}

func details(i int, d rawDetails, f frameState) Details {
	out := Details{
		Element: element(i, d.RawElement, f), Attributes: make(map[string]string, len(d.Attributes)),
		Selector: d.Selector, XPath: d.XPath, ParentText: Flatten(d.ParentText), ChildCount: d.ChildCount,
		Ancestors: d.Ancestors, AllOptions: d.AllOptions,
	}
	for k, v := range d.Attributes {
		out.Attributes[Flatten(k)] = Flatten(v)
	}
	for k := range out.AllOptions {
		o := &out.AllOptions[k]
		o.Value, o.Label = Flatten(o.Value), Flatten(o.Label)
	}
	return out
}
