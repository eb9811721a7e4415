package action

import (
	"context"
	"fmt"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/safety"
)

// ScrollParams are the parameters of scroll.
type ScrollParams struct {
	Direction string   `json:"direction" jsonschema:"where to look next"`
	Amount    *float64 `json:"amount,omitempty" jsonschema:"pixels; most of a screen if left out"`
	Target             // the element to scroll within; the page if left out

	X *float64 `json:"x,omitempty" jsonschema:"with y: what is at this point"`
	Y *float64 `json:"y,omitempty"`
}

func scrollActions() []declared {
	return []declared{
		declare(Spec{Name: "scroll", Family: "scroll", Class: safety.Read, NeedsTab: true, MayChange: true, ModelVisible: true, Advanced: []string{"x", "y"}}, scroll,
			spec.Enum("direction", "up", "down", "left", "right"), spec.Between("amount", 1, 100000)),
	}
}

// wheelTime bounds a mouse wheel event: in a background tab it can hang.
const wheelTime = 700 * time.Millisecond

// scroll turns the mouse wheel over the middle of the viewport
// (Input.dispatchMouseEvent), or scrolls the element that was named. If the wheel
// does not answer, or moves nothing, the extractor scrolls.
func scroll(ctx context.Context, r *run, p ScrollParams) *Error {
	*r.object = p.Direction
	w := r.watcher()
	defer w.close()
	var g targetQuery
	hasTarget := p.isSet() || p.X != nil && p.Y != nil
	if hasTarget {
		var err *Error
		if g, err = goalOf(p.Target, p.X, p.Y); err != nil {
			return err
		}
	}
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}
		if !hasTarget {
			return nil, act, nil
		}
		a, err := r.resolve(ctx, g)
		if err != nil {
			return nil, act, err
		}
		t := a.facts
		act.Target = &t
		return a, act, nil
	}
	var did *element
	var end page.Scrolled
	err := r.withGate(ctx, gatedStep{look: look, what: "page", do: func(ctx context.Context, a *element) *Error {
		did = a
		fs, err := r.frames(ctx)
		if err != nil {
			return err
		}
		f := fs[0]
		if a != nil {
			f = a.frame
		}
		if err := w.start(ctx, f); err != nil {
			return err
		}
		dx, dy, err := r.scrollStep(ctx, p)
		if err != nil {
			return err
		}
		r.res.Sent = true
		if a == nil && r.wheel(ctx, f, dx, dy) {
			return scrollBy(ctx, f, page.Scroll{DX: dx, DY: dy, Look: true}, &end)
		}
		by := page.Scroll{DX: dx, DY: dy, Within: p.Amount == nil}
		if a != nil {
			by.ID = a.id
		}
		return scrollBy(ctx, f, by, &end)
	}})
	if err != nil {
		return err
	}
	what := p.Direction
	if did != nil {
		what += " in " + did.label()
	}
	r.res.Data = map[string]any{"x": end.X, "y": end.Y, "atEnd": end.AtEnd}
	if err := r.report(ctx, w, did, "scrolled", what); err != nil {
		return err
	}
	r.res.Text += fmt.Sprintf(" Now at x %g, y %g.", end.X, end.Y)
	return nil
}

// screen returns the size of the main frame's viewport.
func (r *run) screen(ctx context.Context) (width, height float64, bad *Error) {
	s, err := r.page.Summary(ctx)
	if err != nil {
		return 0, 0, wrap("read the size of the page", err)
	}
	return s.Viewport.Width, s.Viewport.Height, nil
}

// scrollStep returns how far to scroll: by default most of a screen, so that what was
// at the edge is seen again.
func (r *run) scrollStep(ctx context.Context, p ScrollParams) (dx, dy float64, bad *Error) {
	var x, y float64
	if p.Amount != nil {
		x, y = *p.Amount, *p.Amount
	} else {
		width, height, err := r.screen(ctx)
		if err != nil {
			return 0, 0, err
		}
		x, y = width*0.8, height*0.8
	}
	switch p.Direction {
	case "up":
		return 0, -y, nil
	case "left":
		return -x, 0, nil
	case "right":
		return x, 0, nil
	}
	return 0, y, nil
}

func scrollBy(ctx context.Context, f frame, by page.Scroll, end *page.Scrolled) *Error {
	got, err := page.ScrollBy(ctx, f, by)
	*end = got
	return wrap("scroll", err)
}

// wheel turns the mouse wheel and reports whether that moved the page. At the end of the
// page only the page's own handlers use the wheel, so nothing is
// awaited.
func (r *run) wheel(ctx context.Context, f frame, dx, dy float64) bool {
	still := page.Scroll{DX: dx, DY: dy, Look: true}
	before, bad := page.ScrollBy(ctx, f, still)
	if bad != nil {
		return false
	}
	width, height, err := r.screen(ctx)
	if err != nil {
		return false
	}
	wctx, cancel := context.WithTimeout(ctx, wheelTime)
	defer cancel()
	if r.tab.Wheel(wctx, width/2, height/2, dx, dy) != nil || before.AtEnd {
		return false
	}
	// The wheel's answer comes before the compositor has scrolled.
	for wctx.Err() == nil {
		after, err := page.ScrollBy(wctx, f, still)
		if err != nil {
			return false
		}
		if after.X != before.X || after.Y != before.Y {
			return r.awaitScrollEnd(wctx, f, after)
		}
		if !r.tick(wctx) {
			return false
		}
	}
	return false
}

// awaitScrollEnd waits until a scroll has ended.
func (r *run) awaitScrollEnd(ctx context.Context, f frame, last page.Scrolled) bool {
	for r.tick(ctx) {
		now, err := page.ScrollBy(ctx, f, page.Scroll{Look: true})
		if err != nil || now.X == last.X && now.Y == last.Y {
			return true
		}
		last = now
	}
	return true
}

// tick waits for about two frames; false if ctx ended.
func (r *run) tick(ctx context.Context) bool {
	t := time.NewTimer(32 * time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
