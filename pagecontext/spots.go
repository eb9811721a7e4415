package pagecontext

import (
	"context"
	"fmt"
	"math"
)

// Spot is where an element can be seen and clicked, in CSS pixels of the main
// frame's viewport; a click at the middle of its box reaches it.
type Spot struct {
	Index int
	Rect  Rect
}

// Spots are the boxes to mark and to cover in a picture of the viewport.
type Spots struct {
	Spots []Spot
	// Secrets are the boxes to cover: secret fields, also outside of the
	// viewport, and child frames that can't be read.
	Secrets []Rect
	// X and Y are how far the main frame is scrolled.
	X, Y float64
}

// point is Point of api.ts.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type rawSpots struct {
	Spots []struct {
		ID   int  `json:"id"`
		Rect Rect `json:"rect"`
	} `json:"spots"`
	Secrets []Rect `json:"secrets"`
	Scroll  point  `json:"scroll"`
}

// Spots finds where the elements with these indices can be clicked now, and
// where the secret fields of every frame are. Elements that are covered,
// scrolled away or gone have no spot. A child frame that can't be read has no
// spots, and its whole box is a secret.
func (p *Page) Spots(ctx context.Context, indices []int) (*Spots, error) {
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, err
	}
	ids, index := p.locals(fs, indices)
	raws := make([]rawSpots, len(fs))
	at := make(map[string]int, len(fs))
	for i, f := range fs {
		at[f.ID()] = i
	}
	states := each(ctx, fs, func(ctx context.Context, f *frameState) error {
		i := at[f.frame.ID()]
		return f.frame.Call(ctx, "spots", map[string]any{"ids": append([]int{}, ids[i]...)}, &raws[i])
	})
	if err := states[0].err; err != nil {
		return nil, fmt.Errorf("find where the elements are: %w", err)
	}
	out := &Spots{X: raws[0].Scroll.X, Y: raws[0].Scroll.Y}
	for i, f := range states {
		if !f.shown {
			continue
		}
		if f.err != nil {
			out.Secrets = append(out.Secrets, p.boxOf(ctx, states, at, f)...)
			continue
		}
		for _, r := range raws[i].Secrets {
			out.Secrets = append(out.Secrets, r.shift(f.x, f.y))
		}
		spots := make([]Spot, 0, len(raws[i].Spots))
		for _, s := range raws[i].Spots {
			spots = append(spots, Spot{index[i][s.ID], s.Rect.shift(f.x, f.y)})
		}
		if f.frame.ParentID() != "" {
			spots = p.through(ctx, states, at, i, spots)
		}
		out.Spots = append(out.Spots, spots...)
	}
	return out, nil
}

// boxOf returns the box of a child frame's <iframe>, nil if it is not found.
func (p *Page) boxOf(ctx context.Context, fs []frameState, at map[string]int, f frameState) []Rect {
	k, ok := at[f.frame.ParentID()]
	if !ok || !fs[k].shown {
		return nil
	}
	parent := fs[k]
	var got struct {
		Rects []*Rect `json:"rects"`
	}
	in := point{f.x - parent.x + 1, f.y - parent.y + 1}
	if err := parent.frame.Call(ctx, "iframesAt", map[string]any{"points": []point{in}}, &got); err != nil || len(got.Rects) != 1 || got.Rects[0] == nil {
		return nil // it is gone, or something covers it
	}
	return []Rect{got.Rects[0].shift(parent.x, parent.y)}
}

// locals returns, for each frame, the extractor's ids of the indices and the way back.
func (p *Page) locals(fs []Frame, indices []int) (ids [][]int, index []map[int]int) {
	ids, index = make([][]int, len(fs)), make([]map[int]int, len(fs))
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range fs {
		index[i] = map[int]int{}
		for _, n := range indices {
			e, ok := p.entries[n]
			if ok && e.FrameID == f.ID() && e.Document == f.Document() {
				ids[i] = append(ids[i], e.LocalID)
				index[i][e.LocalID] = n
			}
		}
	}
	return ids, index
}

// through keeps the spots of child frame i whose middle a click reaches: no
// frame around it may cover that point.
func (p *Page) through(ctx context.Context, fs []frameState, at map[string]int, i int, spots []Spot) []Spot {
	for child := fs[i]; child.frame.ParentID() != "" && len(spots) > 0; {
		k, ok := at[child.frame.ParentID()]
		if !ok || !fs[k].shown {
			return nil
		}
		parent := fs[k]
		points := make([]point, len(spots))
		for n, s := range spots {
			points[n] = point{s.Rect.X + s.Rect.Width/2 - parent.x, s.Rect.Y + s.Rect.Height/2 - parent.y}
		}
		var got struct {
			Rects []*Rect `json:"rects"`
		}
		if err := parent.frame.Call(ctx, "iframesAt", map[string]any{"points": points}, &got); err != nil || len(got.Rects) != len(spots) {
			return nil
		}
		kept := spots[:0]
		for n, r := range got.Rects {
			if r == nil {
				continue
			}
			if box := r.shift(parent.x, parent.y); math.Abs(box.X-child.x)+math.Abs(box.Y-child.y) < maxOff {
				kept = append(kept, spots[n])
			}
		}
		spots, child = kept, parent
	}
	return spots
}
