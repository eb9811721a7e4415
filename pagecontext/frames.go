package pagecontext

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// frameState is a frame for the time of one look.
type frameState struct {
	frame   Frame
	x, y    float64 // where its viewport starts in the main frame's
	kx, ky  float64 // the size of its pixels there
	shown   bool    // it is rendered
	overlay bool    // it stands in a dialog of its parent
	covered bool    // it stands behind one
	clip    *Rect   // what of the main viewport it is seen through; nil for all
	list    listResult
	sum     frameSummary
	err     error
}

// main puts a box of this frame's viewport into the main frame's.
func (f frameState) main(r Rect) Rect {
	if f.kx != 0 && f.ky != 0 {
		r.X, r.Y, r.Width, r.Height = r.X*f.kx, r.Y*f.ky, r.Width*f.kx, r.Height*f.ky
	}
	return r.shift(f.x, f.y)
}

// shows reports whether a box of this frame's viewport can be seen through the
// frames around it.
func (f frameState) shows(r Rect) bool {
	return f.clip == nil || f.main(r).overlaps(*f.clip)
}

type listOptions struct {
	Type    string `json:"type,omitempty"`
	Visible bool   `json:"visible,omitempty"`
	Query   string `json:"query,omitempty"`
	// Signs are, by each word of the query, those that are called so.
	Signs   map[string]string `json:"signs,omitempty"`
	Limit   int               `json:"limit,omitempty"`
	First   int               `json:"first,omitempty"`   // as of summaryOptions
	Scope   string            `json:"scope,omitempty"`   // CSS selector or xpath=…
	ScopeID int               `json:"scopeId,omitempty"` // or a local id
	Fresh   bool              `json:"fresh,omitempty"`
	Lead    bool              `json:"lead,omitempty"` // what is new begins above the view
}

type listResult struct {
	Elements  []RawElement `json:"elements"`
	Rows      []RawRow     `json:"rows,omitempty"`
	Truncated bool         `json:"truncated"`
	Nodes     int          `json:"nodes"`
	Viewport  Size         `json:"viewport"`
	Left      frameLeft    `json:"left"`
	Modal     bool         `json:"modal"`
	Paging    string       `json:"paging"`
	Changed   bool         `json:"changed"`
	Seen      int          `json:"seen"`
}

// UnmarshalJSON is as that of treeResult.
func (r *listResult) UnmarshalJSON(raw []byte) error {
	type plain listResult
	return jsonv2.Unmarshal(raw, (*plain)(r), jsonv2.AllowInvalidUTF8(true))
}

// UnmarshalJSONFrom is UnmarshalJSON within a summary or a tree: to find where a list ends
// before it is read would be one pass more.
func (r *listResult) UnmarshalJSONFrom(d *jsonv2.Decoder) error {
	type plain listResult
	return jsonv2.UnmarshalDecode(d, (*plain)(r))
}

// frameLeft is what a frame did not list, when only the first were asked for.
type frameLeft struct {
	InView  int `json:"inView"`
	Below   int `json:"below"`
	Above   int `json:"above"`
	Covered int `json:"covered"`
}

// each runs fn for all frames at once and waits; a frame's failure stays its
// own (frames come and go while a page loads).
func each(ctx context.Context, fs []Frame, fn func(ctx context.Context, f *frameState) error) []frameState {
	return eachBy(ctx, fs, func(ctx context.Context, s *frameState) {
		if s.locate(ctx); s.shown {
			s.err = fn(ctx, s)
		}
	})
}

// atHand is a Frame that can tell whether its extractor may be asked before it is
// known where the frame is, and if anywhere.
type atHand interface{ AtHand() bool }

// eachAtOnce is each for an fn that needs nothing of where the frame is: of one that is
// at hand both are asked at once. What fn wrote into the state of one that is not
// rendered after all is dropped.
func eachAtOnce(ctx context.Context, fs []Frame, fn func(ctx context.Context, f *frameState) error) []frameState {
	return eachBy(ctx, fs, func(ctx context.Context, s *frameState) {
		if f, ok := s.frame.(atHand); ok && f.AtHand() {
			s.atOnce(ctx, fn)
		} else if s.locate(ctx); s.shown {
			s.err = fn(ctx, s)
		}
	})
}

func eachBy(ctx context.Context, fs []Frame, ask func(ctx context.Context, s *frameState)) []frameState {
	out := make([]frameState, len(fs))
	var wg sync.WaitGroup
	for i, f := range fs {
		out[i].frame = f
		wg.Go(func() { ask(ctx, &out[i]) })
	}
	wg.Wait()
	return out
}

// locate asks where the frame is.
func (f *frameState) locate(ctx context.Context) {
	if f.frame.ParentID() == "" {
		f.shown = true
	} else if f.x, f.y, f.shown = f.frame.Offset(ctx); f.shown {
		f.kx, f.ky = f.frame.Scale()
	}
}

// atOnce runs fn while it is asked where the frame is.
func (f *frameState) atOnce(ctx context.Context, fn func(ctx context.Context, f *frameState) error) {
	told := frameState{frame: f.frame}
	inner, cancel := context.WithCancel(ctx)
	var asked sync.WaitGroup
	asked.Go(func() { told.err = fn(inner, &told) })
	if f.locate(ctx); !f.shown {
		cancel()
	}
	asked.Wait()
	cancel()
	if !f.shown {
		return
	}
	if f.err = told.err; f.err == nil {
		f.list, f.sum = told.list, told.sum
	}
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
	owners := pair(fs, byID)
	out := map[string][]placed{}
	for i := range fs { // parents come before children
		f := &fs[i]
		pi, ok := byID[f.frame.ParentID()]
		if f.frame.ParentID() == "" || !ok {
			continue
		}
		at, owned := owners[i]
		parent := &fs[pi]
		if !parent.shown || !owned {
			// No <iframe> that a user could see stands there: it is
			// transparent, one pixel wide, or outside of what was asked for.
			f.shown = false
			continue
		}
		owner := parent.list.Elements[at]
		box := parent.main(owner.Rect)
		if parent.clip != nil {
			box = box.intersect(*parent.clip)
		}
		f.clip, f.overlay, f.covered = &box, parent.overlay || owner.Overlay, parent.covered || owner.Covered
		out[parent.frame.ID()] = append(out[parent.frame.ID()], placed{i, at})
	}
	return out
}

// pair finds each child frame's <iframe> in its parent's list by where the
// two say they are, the best matches first: the frame tree says only who the
// parent is.
func pair(fs []frameState, byID map[string]int) map[int]int {
	type match struct {
		frame, parent, at int
		off               float64
	}
	var all []match
	for i, f := range fs {
		pi, ok := byID[f.frame.ParentID()]
		if f.frame.ParentID() == "" || !ok || !f.shown {
			continue
		}
		for at, e := range fs[pi].list.Elements {
			if !e.FrameOf {
				continue
			}
			r := fs[pi].main(e.Rect)
			if off := math.Abs(r.X-f.x) + math.Abs(r.Y-f.y); off < maxOff {
				all = append(all, match{i, pi, at, off})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return cmp.Compare(a.off, b.off) })
	owners, taken := map[int]int{}, map[[2]int]bool{}
	for _, m := range all {
		if _, has := owners[m.frame]; has || taken[[2]int{m.parent, m.at}] {
			continue
		}
		owners[m.frame], taken[[2]int{m.parent, m.at}] = m.at, true
	}
	return owners
}

// maxOff is how far the two may differ: a border or padding counted by one
// side and not the other, or a frame caught while the page moves.
const maxOff = 60

type placed struct{ frame, at int }
