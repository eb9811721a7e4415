package pagecontext

import (
	"context"
	"math"
	"sync"
)

// frameState is a frame for the time of one look.
type frameState struct {
	frame   Frame
	x, y    float64 // where its viewport starts in the main frame's
	shown   bool    // it is rendered
	overlay bool    // it stands in a dialog of its parent
	clip    *Rect   // what of the main viewport it is seen through; nil for all
	list    listResult
	sum     frameSummary
	err     error
}

// shows reports whether a box of this frame's viewport can be seen through the
// frames around it.
func (f frameState) shows(r Rect) bool {
	return f.clip == nil || r.shift(f.x, f.y).overlaps(*f.clip)
}

type listOptions struct {
	Type    string `json:"type,omitempty"`
	Visible bool   `json:"visible,omitempty"`
	Query   string `json:"query,omitempty"`
	Limit   int    `json:"limit,omitempty"`
	Scope   string `json:"scope,omitempty"`   // CSS selector or xpath=…
	ScopeID int    `json:"scopeId,omitempty"` // or a local id
}

type listResult struct {
	Elements  []RawElement `json:"elements"`
	Truncated bool         `json:"truncated"`
	Nodes     int          `json:"nodes"`
	Viewport  Size         `json:"viewport"`
}

// each runs fn for all frames at once and waits; a frame's failure stays its
// own (frames come and go while a page loads).
func each(ctx context.Context, fs []Frame, fn func(ctx context.Context, f *frameState) error) []frameState {
	out := make([]frameState, len(fs))
	var wg sync.WaitGroup
	for i, f := range fs {
		out[i].frame = f
		wg.Go(func() {
			s := &out[i]
			if f.ParentID() == "" {
				s.shown = true
			} else if s.x, s.y, s.shown = f.Offset(ctx); !s.shown {
				return
			}
			s.err = fn(ctx, s)
		})
	}
	wg.Wait()
	return out
}

// place puts child frames where their <iframe> stands: it gives, for each
// frame, at which elements its children belong, and works out through which
// part of the viewport each is seen. A frame without a visible owner is not
// shown.
func place(fs []frameState) map[string][]placed {
	byID := make(map[string]int, len(fs))
	for i, f := range fs {
		byID[f.frame.ID()] = i
	}
	if len(fs) > 0 && fs[0].frame.ParentID() == "" {
		v := fs[0].list.Viewport
		if v.Width > 0 {
			fs[0].clip = &Rect{Width: v.Width, Height: v.Height}
		}
	}
	taken := map[[2]int]bool{}
	out := map[string][]placed{}
	for i := range fs { // parents come before children
		f := &fs[i]
		pi, ok := byID[f.frame.ParentID()]
		if f.frame.ParentID() == "" || !ok || !f.shown {
			continue
		}
		parent := &fs[pi]
		if !parent.shown {
			f.shown = false
			continue
		}
		at, best := -1, 60.0 // border and padding of an <iframe> are rarely more
		for k, e := range parent.list.Elements {
			if !e.FrameOf || taken[[2]int{pi, k}] {
				continue
			}
			r := e.Rect.shift(parent.x, parent.y)
			if d := math.Abs(r.X-f.x) + math.Abs(r.Y-f.y); d < best {
				at, best = k, d
			}
		}
		if at < 0 {
			// No <iframe> that a person could see stands there: it is
			// transparent, one pixel wide, or outside of what was asked for.
			f.shown = false
			continue
		}
		taken[[2]int{pi, at}] = true
		owner := parent.list.Elements[at]
		box := owner.Rect.shift(parent.x, parent.y)
		if parent.clip != nil {
			box = box.intersect(*parent.clip)
		}
		f.clip, f.overlay = &box, parent.overlay || owner.Overlay
		out[parent.frame.ID()] = append(out[parent.frame.ID()], placed{i, at})
	}
	return out
}

type placed struct{ frame, at int }
