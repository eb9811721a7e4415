package pagecontext_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"tabwright/pagecontext"
)

// slowFrame says where it is when its extractor was asked and not before, or the
// other way round.
type slowFrame struct {
	*fakeFrame
	near           bool
	asked, located chan struct{}
	once           sync.Once
}

func newSlow(f *fakeFrame, near bool) *slowFrame {
	return &slowFrame{fakeFrame: f, near: near, asked: make(chan struct{}), located: make(chan struct{})}
}

func (f *slowFrame) AtHand() bool { return f.near }

func (f *slowFrame) Offset(ctx context.Context) (float64, float64, bool) {
	soon := time.Minute
	if !f.near {
		soon = 100 * time.Millisecond // nothing is to come
	}
	select {
	case <-f.asked:
	case <-time.After(soon):
	case <-ctx.Done():
		return 0, 0, false
	}
	f.once.Do(func() { close(f.located) })
	return f.fakeFrame.Offset(ctx)
}

func (f *slowFrame) Call(ctx context.Context, fn string, arg, result any) error {
	close(f.asked)
	if !f.near {
		select {
		case <-f.located:
		default:
			return errors.New("asked before it was known where it is")
		}
	}
	if f.hidden { // what was answered is of no use, and nobody waits for the rest
		if err := f.fakeFrame.Call(ctx, fn, arg, result); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	return f.fakeFrame.Call(ctx, fn, arg, result)
}

type slowTab struct{ frames []pagecontext.Frame }

func (s slowTab) PageRev() int                                        { return 1 }
func (s slowTab) Frames(context.Context) ([]pagecontext.Frame, error) { return s.frames, nil }

// A frame whose extractor is at hand is asked where it is and what it shows at once;
// any other shows where it is first. What one says that is not rendered counts for
// nothing, and is not waited for.
func TestFramesAreAskedAtOnce(t *testing.T) {
	owner := func(id int, y float64) pagecontext.RawElement {
		return pagecontext.RawElement{ID: id, Tag: "iframe", FrameOf: true, Visible: true, Rect: pagecontext.Rect{Y: y, Width: 300, Height: 50}}
	}
	child := func(id string, y float64, hidden bool) *fakeFrame {
		return &fakeFrame{id: id, parent: "F", document: "D" + id, url: "https://shop.test/" + id, y: y, hidden: hidden, elements: []pagecontext.RawElement{raw(1, "button", "In "+id)}}
	}
	main := &fakeFrame{id: "F", document: "D", url: "https://shop.test/", elements: []pagecontext.RawElement{owner(1, 100), owner(2, 200), owner(3, 300)}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p := pagecontext.New(slowTab{[]pagecontext.Frame{
		main, newSlow(child("A", 100, false), true), newSlow(child("B", 200, true), true), newSlow(child("C", 300, false), false),
	}}, 0)
	l, err := p.Elements(ctx, pagecontext.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range l.Elements {
		names = append(names, e.Name)
	}
	if want := []string{"In A", "In C"}; !slices.Equal(names, want) || l.Unread != 0 {
		t.Errorf("%q, %d unread; want %q", names, l.Unread, want)
	}
}
