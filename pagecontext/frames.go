package pagecontext

import (
	"context"
	"math"
	"sort"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// frameState is a frame during one look.
type frameState struct {
	frame   Frame
	x, y    float64 // where its viewport starts in the main frame's
	kx, ky  float64 // Frame.Scale
	shown   bool    // it is rendered
	overlay bool    // its <iframe> is in an overlay
	covered bool    // its <iframe> is behind an overlay
	clip    *Rect   // the part of the main viewport that can show it; nil for all
	list    listResult
	sum     frameSummary
	hidden  *rawHidden // what Find met
	err     error
}

// main converts a box from this frame's viewport to the main frame's.
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
	// Signs maps words of the query to the signs with that word in their name (see findSigns).
	Signs   map[string]string `json:"signs,omitempty"`
	Limit   int               `json:"limit,omitempty"`
	First   int               `json:"first,omitempty"`   // as in summaryOptions
	Scope   string            `json:"scope,omitempty"`   // CSS selector or xpath=…
	ScopeID int               `json:"scopeId,omitempty"` // or a local id
	Fresh   bool              `json:"fresh,omitempty"`
	Lead    bool              `json:"lead,omitempty"` // see ListOptions of api.ts
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

// UnmarshalJSON uses version 2 of the package, as treeResult does.
func (r *listResult) UnmarshalJSON(raw []byte) error {
	type plain listResult
	return jsonv2.Unmarshal(raw, (*plain)(r), jsonv2.AllowInvalidUTF8(true))
}

// UnmarshalJSONFrom is UnmarshalJSON within a summary or a tree. It saves a pass that only
// finds the end of the list.
func (r *listResult) UnmarshalJSONFrom(d *jsonv2.Decoder) error {
	type plain listResult
	return jsonv2.UnmarshalDecode(d, (*plain)(r))
}

// frameLeft counts what a frame did not list when only its first elements were asked for.
type frameLeft struct {
	InView  int `json:"inView"`
	Below   int `json:"below"`
	Above   int `json:"above"`
	Covered int `json:"covered"`
}

// each runs fn for all rendered frames in parallel and waits. An error is kept
// in its frame's state: frames come and go while a page loads.
func each(ctx context.Context, fs []Frame, fn func(ctx context.Context, f *frameState) error) []frameState {
	return eachBy(ctx, fs, func(ctx context.Context, s *frameState) {
		if s.locate(ctx); s.shown {
			s.err = fn(ctx, s)
		}
	})
}

// atHand is a Frame that can tell whether its extractor may be asked before the
// frame is located.
type atHand interface{ AtHand() bool }

// eachAtOnce is each for an fn that does not need the frame's position: if the frame is
// at hand, fn runs while the frame is located. If it turns out not to be rendered, fn's
// result is dropped.
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

// locate sets the frame's position and scale, and whether it is rendered.
func (f *frameState) locate(ctx context.Context) {
	if f.frame.ParentID() == "" {
		f.shown = true
	} else if f.x, f.y, f.shown = f.frame.Offset(ctx); f.shown {
		f.kx, f.ky = f.frame.Scale()
	}
}

// atOnce runs fn while the frame is located.
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

// place finds the <iframe> of each child frame. It returns, by the parent's id,
// the children and the positions of their <iframe>s in the parent's elements,
// and sets which part of the viewport can show each. A frame without a visible
// <iframe> is not shown.
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
			// A user can see no <iframe> there (it is transparent or one pixel
			// wide), or it is outside of the scope.
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

// pair finds each child frame's <iframe> in its parent's elements by position,
// the closest matches first: the frame tree names only the parent. The keys
// are positions in fs, the values positions in the parent's elements.
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
	sort.SliceStable(all, func(i, j int) bool { return all[i].off < all[j].off })
	owners, taken := map[int]int{}, map[[2]int]bool{}
	for _, m := range all {
		if _, has := owners[m.frame]; has || taken[[2]int{m.parent, m.at}] {
			continue
		}
		owners[m.frame], taken[[2]int{m.parent, m.at}] = m.at, true
	}
	return owners
}

// maxOff is how many CSS pixels, x and y together, the two positions may differ:
// one side may count a border or padding, or the page may be moving.
const maxOff = 60

type placed struct{ frame, at int }
