package pagecontext_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"tabwright/pagecontext"
)

// spotFrame answers what a picture asks.
type spotFrame struct {
	fakeFrame
	spots, iframes any
}

func (f *spotFrame) Call(ctx context.Context, fn string, arg, result any) error {
	var v any
	switch {
	case f.err != nil:
		return f.err
	case fn == "spots":
		v = f.spots
	case fn == "iframesAt":
		v = f.iframes
	default:
		return f.fakeFrame.Call(ctx, fn, arg, result)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, result)
}

type spotTab []*spotFrame

func (s spotTab) PageRev() int { return 1 }
func (s spotTab) Frames(context.Context) ([]pagecontext.Frame, error) {
	var out []pagecontext.Frame
	for _, f := range s {
		out = append(out, f)
	}
	return out, nil
}

func rect(x, y, w, h float64) map[string]any {
	return map[string]any{"x": x, "y": y, "width": w, "height": h}
}

func TestSpots(t *testing.T) {
	main := &spotFrame{
		fakeFrame: fakeFrame{id: "m", document: "d1"},
		spots:     map[string]any{"spots": []any{map[string]any{"id": 1, "rect": rect(10, 10, 40, 20)}}, "secrets": []any{rect(5, 300, 80, 20)}, "scroll": map[string]any{"x": 0, "y": 70}},
		iframes:   map[string]any{"rects": []any{rect(100, 200, 300, 150)}},
	}
	child := &spotFrame{
		fakeFrame: fakeFrame{id: "c", parent: "m", document: "d2", x: 100, y: 200},
		spots:     map[string]any{"spots": []any{map[string]any{"id": 1, "rect": rect(7, 8, 30, 10)}}, "secrets": []any{rect(1, 2, 30, 10)}, "scroll": map[string]any{}},
	}
	p := pagecontext.New(spotTab{main, child}, 0)
	a := p.IndexOf(main, pagecontext.RawElement{ID: 1, Role: "button", Name: "A"})
	b := p.IndexOf(child, pagecontext.RawElement{ID: 1, Role: "button", Name: "B"})
	look := func() *pagecontext.Spots {
		t.Helper()
		s, err := p.Spots(context.Background(), []int{a, b, 99})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := look()
	want := []pagecontext.Spot{{Index: a, Rect: pagecontext.Rect{X: 10, Y: 10, Width: 40, Height: 20}}, {Index: b, Rect: pagecontext.Rect{X: 107, Y: 208, Width: 30, Height: 10}}}
	if !slices.Equal(s.Spots, want) || len(s.Secrets) != 2 || s.Secrets[1] != (pagecontext.Rect{X: 101, Y: 202, Width: 30, Height: 10}) || s.Y != 70 {
		t.Errorf("%+v", s)
	}

	// Something lies over the frame there: no click reaches what is in it.
	main.iframes = map[string]any{"rects": []any{nil}}
	if s = look(); len(s.Spots) != 1 || s.Spots[0].Index != a {
		t.Errorf("covered: %+v", s.Spots)
	}

	// What can't be read may hold anything.
	child.err = errors.New("busy")
	main.iframes = map[string]any{"rects": []any{rect(98, 198, 304, 154)}}
	if s = look(); len(s.Spots) != 1 || !slices.Contains(s.Secrets, pagecontext.Rect{X: 98, Y: 198, Width: 304, Height: 154}) {
		t.Errorf("unread: %+v", s)
	}

	main.err = errors.New("gone")
	if s, err := p.Spots(context.Background(), nil); err == nil {
		t.Errorf("no error, %+v", s)
	}
}
