package action

import (
	"context"
	"fmt"
	"math"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/safety"
)

// DragDropParams are the parameters of dragDrop.
type DragDropParams struct {
	From DragEnd `json:"from" jsonschema:"an element or a point"`
	To   DragEnd `json:"to" jsonschema:"an element or a point"`
}

// DragEnd is one end of a drag: an element, or a point in CSS pixels of the
// main frame's viewport.
type DragEnd struct {
	Index    *int     `json:"index,omitempty"`
	Ref      string   `json:"ref,omitempty"`
	Selector string   `json:"selector,omitempty"`
	X        *float64 `json:"x,omitempty"`
	Y        *float64 `json:"y,omitempty"`
}

func (e DragEnd) goal(which string) (targetQuery, *Error) {
	g, err := goalOf(Target{Ref: e.Ref, Index: e.Index, Selector: e.Selector}, e.X, e.Y)
	if err != nil {
		err.Message = which + ": " + err.Message
	}
	return g, err
}

// dragSteps is how many moves lie between press and release: libraries start a
// drag only after the mouse has moved some pixels, and look at each step.
const dragSteps = 8

// dragWay returns the positions of a drag's moves as fractions of its length in pixels.
// The first moves are short, as those of a hand: a library that follows the mouse from the
// move that started the drag would lag behind by a long first move.
func dragWay(length float64) []float64 {
	way := make([]float64, 0, dragSteps+1)
	if length > 10*dragSteps {
		way = append(way, 4/length, 10/length)
	} else {
		way = append(way, 1.0/dragSteps)
	}
	for i := 2; i <= dragSteps; i++ {
		way = append(way, float64(i)/dragSteps)
	}
	return way
}

// dragDrop presses on one element or point, moves in steps, and releases on
// another. Both ends are judged, and guarded where the input arrives. Chrome
// itself turns the moves into HTML5 drag events where the page asks for them.
func dragDrop(ctx context.Context, r *run, p DragDropParams) *Error {
	from, err := p.From.goal("from")
	if err != nil {
		return err
	}
	to, err := p.To.goal("to")
	if err != nil {
		return err
	}
	var did, end *element
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		a, err := r.resolve(ctx, from)
		if err != nil {
			return nil, safety.Act{}, err
		}
		b, err := r.resolve(ctx, to)
		if err != nil {
			return nil, safety.Act{}, err
		}
		if err := r.notPDF(ctx, b); err != nil {
			return nil, safety.Act{}, err
		}
		act, err := r.act(ctx, a)
		if err != nil {
			return nil, safety.Act{}, err
		}
		drop := b.facts
		act.Drop = &drop
		end = b
		*r.object = forPeople(r.s.o.Lang, b.String())
		return a, act, err
	}
	w := r.watcher()
	defer w.close()
	err = r.withGate(ctx, gatedStep{look: look, do: func(ctx context.Context, a *element) *Error {
		did = a
		d, err := r.dragOf(ctx, a, end)
		if err != nil {
			return err
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		return r.guardedDrop(ctx, w, a, end, "drag", func(ctx context.Context, l hittarget.Lease) *Error {
			return r.drag(ctx, l, d)
		})
	}})
	if err != nil {
		return err
	}
	if err := r.report(ctx, w, did, "dragged", fmt.Sprintf("%s to %s", did.label(), end.label())); err != nil {
		return err
	}
	if r.res.Effect == effect.None && did.frame.ID() == end.frame.ID() {
		r.res.Text += dragWords[r.dragged]
	}
	return nil
}

// dragWords say why a drag changed nothing, by how it ended.
var dragWords = map[string]string{
	"":          " No drag began: the page does not let it be dragged, nor does it show anything for the mouse held and moved.",
	"prevented": " The page stopped the drag as it began.",
	"refused":   " Nothing accepts a drop there.",
	"dropped":   " The page took the drop and shows no change.",
}

// dragging is a drag whose ends are ready.
type dragging struct {
	a, end   *element
	from, to XY
	apart    bool // the ends are never in view together: the page is scrolled in the middle
}

// dragOf gets both ends ready. Scrolling to the second may take the first out
// of view; where they don't fit into one view, the second is scrolled to while
// the first is held.
func (r *run) dragOf(ctx context.Context, a, end *element) (dragging, *Error) {
	d := dragging{a: a, end: end}
	var err *Error
	if d.to, err = r.gripPoint(ctx, end, "drag"); err != nil && err.Code != Covered {
		return d, err // what covers the drop's place may be what is dragged
	} else if err != nil {
		if d.to, err = r.gripPoint(ctx, end, "scroll"); err != nil {
			return d, err
		}
	}
	if d.from, err = r.gripPoint(ctx, a, "drag"); err != nil {
		return d, err
	}
	if end.point != nil || a.point != nil && end.point != nil {
		return d, nil
	}
	now, err := r.middleOf(ctx, end.gripOf())
	if err != nil {
		return d, err
	}
	if d.apart = !r.inMainView(ctx, now); !d.apart {
		d.to = now
	}
	return d, nil
}

// gripPoint returns the point where one end of a drag is held: the part that a selector
// names, such as the handle of a card or the edge of an event, not the middle of the
// control around it, which would be moved instead. Some handles show only under the mouse.
func (r *run) gripPoint(ctx context.Context, a *element, kind string) (XY, *Error) {
	if a.part == 0 {
		return r.ready(ctx, a, kind)
	}
	part := a.gripOf()
	at, err := r.ready(ctx, part, kind)
	if err == nil || err.Code != NotVisible {
		return at, err
	}
	over, bad := r.ready(ctx, a, "hover")
	if bad != nil {
		return at, err
	}
	r.h.mouse = &over
	if bad := r.ignoreNavigated(r.tab.Mouse(ctx, hittarget.Unguarded(), mouse{kind: browser.MouseMove, x: over.X, y: over.Y}), "move the mouse"); bad != nil {
		return at, bad
	}
	return r.ready(ctx, part, kind)
}

// gripOf returns the part of an element that is held in a drag.
func (a *element) gripOf() *element {
	if a.part == 0 {
		return a
	}
	part := *a
	part.id, part.part, part.at = a.part, 0, nil
	return &part
}

// middleOf returns the middle of an element now, in view or not.
func (r *run) middleOf(ctx context.Context, a *element) (XY, *Error) {
	st, err := r.stateOf(ctx, a)
	if err != nil {
		return XY{}, err
	}
	x, y, ok := a.frame.Offset(ctx)
	if !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	return toMain(a.frame, XY{x, y}, XY{st.Rect.X + st.Rect.Width/2, st.Rect.Y + st.Rect.Height/2}), nil
}

// drag presses at one end and releases at the other, with moves between.
func (r *run) drag(ctx context.Context, l hittarget.Lease, d dragging) *Error {
	step := func(kind string, at XY, button string) *Error {
		clicks := 0
		if kind != browser.MouseMove {
			clicks = 1
		}
		r.h.mouse = &at
		began := time.Now()
		err := r.tab.Mouse(ctx, l, mouse{kind: kind, x: at.X, y: at.Y, button: button, clicks: clicks})
		if time.Since(began) > undrawnTime {
			r.tab.Undrawn()
		}
		return r.ignoreNavigated(err, "drag")
	}
	comes := func(at XY) *Error { return step(browser.MouseMove, at, "") }
	if d.a.point != nil {
		if err := comes(d.from); err != nil {
			return err
		}
	} else if at, err := r.moveMouseTo(ctx, d.a, d.from, "drag", comes); err != nil {
		return err
	} else if at != d.from { // the mouse may have moved the other end, too
		d.from = at
		if d.end.point == nil && !d.apart {
			if d.to, err = r.middleOf(ctx, d.end.gripOf()); err != nil {
				return err
			}
		}
	}
	r.res.Sent = true
	if err := step(browser.MouseDown, d.from, "left"); err != nil {
		return err
	}
	if err := r.awaitLift(ctx, d.a); err != nil {
		r.cancelDrag(ctx, l, d)
		return err
	}
	if err := r.dragHeld(ctx, d, step); err != nil {
		r.cancelDrag(ctx, l, d)
		return err
	}
	if r.tab.Dialog() == nil && l.KeptRelease(ctx) {
		r.cancelDrag(ctx, l, d) // the page saw no release, and would stay in the drag
	}
	return nil
}

// dragHeld is the part of a drag in which the button is held.
func (r *run) dragHeld(ctx context.Context, d dragging, step func(kind string, at XY, button string) *Error) *Error {
	from, to := d.from, d.to
	if d.apart {
		// The drag begins where it was pressed; then the other end comes into view.
		for i := 1; i <= dragSteps/2; i++ {
			from = XY{d.from.X + float64(2*i), d.from.Y + float64(2*i)}
			if err := step(browser.MouseMove, from, "left"); err != nil {
				return err
			}
		}
		at, err := r.broughtInto(ctx, d.end)
		if err != nil {
			return err
		}
		to = at
	}
	for _, k := range dragWay(math.Hypot(to.X-from.X, to.Y-from.Y)) {
		if err := step(browser.MouseMove, XY{from.X + (to.X-from.X)*k, from.Y + (to.Y-from.Y)*k}, "left"); err != nil {
			return err
		}
	}
	// The move that enters a small target only announces the drag; the target is asked
	// whether it accepts the drop with the next move, which in an icon may enter another
	// part of it. A list that sorts itself may lag behind the moves, and shifts its items
	// once it has drawn them.
	if err := r.awaitReorder(ctx, d.end); err != nil {
		return err
	}
	for _, at := range []XY{{to.X + math.Copysign(1, from.X-to.X), to.Y + math.Copysign(1, from.Y-to.Y)}, to, to} {
		if err := step(browser.MouseMove, at, "left"); err != nil {
			return err
		}
	}
	if err := r.awaitReorder(ctx, d.end); err != nil {
		return err
	}
	return step(browser.MouseUp, to, "left")
}

// takenTime is how long a page may require the button held before a drag starts.
const takenTime = 400 * time.Millisecond

// awaitLift waits for a page that may want the button held for a while first.
func (r *run) awaitLift(ctx context.Context, a *element) *Error {
	tctx, cancel := context.WithTimeout(ctx, takenTime+frameTime)
	defer cancel()
	if err := page.TakenUp(tctx, a.frame, takenTime); err != nil {
		r.s.o.Log.Debug().Err(err).Msg("not known whether the page has taken it up")
	}
	if ctx.Err() != nil {
		return &Error{Code: Timeout, Message: "stopped in the middle of a drag", Err: ctx.Err()}
	}
	return nil
}

// undrawnTime is how long a move may take, which the page handles with its next frame,
// before its tab counts as covered.
const undrawnTime = 100 * time.Millisecond

// roomTime is how long a page may take to draw the moves of a drag, and then to make
// room for what is dragged.
const roomTime = 400 * time.Millisecond

// awaitReorder waits until the page has drawn the effect of the moves. In a covered tab,
// which is drawn from now on, it waits once more.
func (r *run) awaitReorder(ctx context.Context, end *element) *Error {
	for range 2 {
		rctx, cancel := context.WithTimeout(ctx, 2*roomTime+frameTime)
		undrawn, err := page.MadeRoom(rctx, end.frame, roomTime)
		cancel()
		if err != nil {
			r.s.o.Log.Debug().Err(err).Msg("not known whether the page has made room")
		}
		if ctx.Err() != nil {
			return &Error{Code: Timeout, Message: "stopped in the middle of a drag", Err: ctx.Err()}
		}
		if !undrawn || !r.tab.Undrawn() {
			break
		}
	}
	return nil
}

// cancelDrag releases the mouse where the drag began: a drag that was stopped must not
// leave the button held. The guard passes the release, but no click or drop from it. A
// list that has made room gets time to put its items back first: otherwise the release
// would reach another item, and be stopped.
func (r *run) cancelDrag(ctx context.Context, l hittarget.Lease, d dragging) {
	if r.tab.Dialog() != nil {
		return
	}
	uctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*roomTime+3*frameTime)
	defer cancel()
	from := d.from
	r.h.mouse = &from
	_ = r.tab.Send(uctx, l, []input{{mouse: &mouse{kind: browser.MouseMove, x: from.X, y: from.Y, button: "left"}}}) // the caller reports the first error
	if ctx.Err() == nil {
		_ = r.awaitReorder(uctx, d.a)
	}
	_ = r.tab.Send(uctx, l, []input{{mouse: &mouse{kind: browser.MouseUp, x: from.X, y: from.Y, button: "left", clicks: 1}}})
}

// broughtInto scrolls the drop's target into view during a drag, and returns its
// middle.
func (r *run) broughtInto(ctx context.Context, end *element) (XY, *Error) {
	if err := r.bringIntoView(ctx, end.frame, end.id); err != nil {
		return XY{}, err
	}
	if !r.tick(ctx) {
		return XY{}, &Error{Code: Timeout, Message: "stopped in the middle of a drag", Err: ctx.Err()}
	}
	return r.middleOf(ctx, end)
}
