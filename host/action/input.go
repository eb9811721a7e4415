package action

import (
	"context"
	"errors"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	// readyTime is how long an element may take to become visible, still and
	// uncovered.
	readyTime = 5 * time.Second
	// followTries and followTime are how often and how long an element is
	// followed that moves away under the mouse.
	followTries = 3
	// movingTries is how often, if it never stands still: on a busy machine it
	// has moved on when the press arrives.
	movingTries = 12
	// frameMisses is how often the browser may route the input past an element in
	// a frame that is at the input's point.
	frameMisses = 6
	followTime  = 300 * time.Millisecond
	// frameTime bounds a small call into a frame, otherFrameTime one into a frame
	// that the act does not pass.
	frameTime      = 2 * time.Second
	otherFrameTime = 500 * time.Millisecond
)

// readyOnce scrolls the element into view and waits until it is visible, still,
// enabled and hit in its own frame; it gives the point in coordinates of the
// main frame.
func (r *run) readyOnce(ctx context.Context, a *element, kind string) (XY, *Error) {
	return r.readyWithin(ctx, a, kind, readyTime)
}

func (r *run) readyWithin(ctx context.Context, a *element, kind string, limit time.Duration) (XY, *Error) {
	x, y, ok := a.frame.Offset(ctx)
	if !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	if a.point != nil {
		return toMain(a.frame, XY{x, y}, *a.point), nil
	}
	got, err := page.Ready(ctx, a.frame, page.ReadyOptions{
		ID: a.id, Kind: kind, Timeout: limit.Milliseconds(), Moving: a.moving, Part: a.part, Over: a.over,
	})
	if err != nil {
		return XY{}, wrap("get "+a.String()+" ready", err)
	}
	if got.Error != nil {
		switch {
		case got.Error.Code == string(StaleRef):
			return XY{}, r.staleError(ctx, a, got.Error.Message)
		case got.Error.Over != 0 && a.over == 0:
			a.over = got.Error.Over
			if err := r.hoverOver(ctx, a); err != nil {
				return XY{}, err
			}
			return r.readyWithin(ctx, a, kind, limit)
		}
		return XY{}, r.extractorErr(a.frame, got.Error)
	}
	a.moving = got.Moving
	// Scrolling the element into view may have moved its frame.
	if x, y, ok = a.frame.Offset(ctx); !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	return toMain(a.frame, XY{x, y}, XY(got.Point)), nil
}

// hoverOver moves the mouse over the element (a.over) that makes a visible.
func (r *run) hoverOver(ctx context.Context, a *element) *Error {
	row := *a
	row.id, row.part, row.at = a.over, 0, nil
	at, err := r.ready(ctx, &row, "hover")
	if err != nil {
		return err
	}
	r.h.mouse = &at
	return r.ignoreNavigated(r.tab.Mouse(ctx, hittarget.Unguarded(), mouse{kind: browser.MouseMove, x: at.X, y: at.Y}), "move the mouse")
}

// staleError is the error for a target that became another at the last moment; an
// action is never sent to what came in its place.
func (r *run) staleError(ctx context.Context, a *element, why string) *Error {
	e := a.entry
	if e.Index == 0 {
		e = pagecontext.Entry{
			Index: a.index, FrameID: a.frame.ID(), Document: a.frame.Document(), LocalID: a.id, Tag: a.el.Tag, Role: a.el.Role,
			Name: a.el.Name, Group: a.el.Group, Rect: a.el.Rect, PageRev: r.tab.PageRev(), URL: a.frame.URL(),
		}
	}
	return r.stale(ctx, r.page.Stale(pagecontext.FormatRef(a.index), e, why), e)
}

// still returns an error if the node or its facts have changed since it was judged. It
// is for acts without an input event, which no guard can stop.
func (r *run) still(ctx context.Context, a *element) *Error {
	got, err := page.Resolve(ctx, a.frame, page.Locator{ID: a.id})
	if err != nil {
		return r.ignoreNavigated(err, "look at "+a.String())
	}
	if got.Error != nil {
		return r.staleError(ctx, a, got.Error.Message)
	}
	if got.Target.Fingerprint != a.facts.Fingerprint {
		return errMoved
	}
	return nil
}

// ignoreNavigated is wrap for calls into a page that the act itself may have replaced.
func (r *run) ignoreNavigated(err error, doing string) *Error {
	if errors.Is(err, browser.ErrDocumentGone) {
		return nil // it navigated; the effect says so
	}
	e := wrap(doing, err)
	if e != nil && r.res.Sent && (e.Code == TabClosed || e.Code == Detached) &&
		!errors.Is(e, ErrUserCancelled) && !errors.Is(e, ErrBrowserGone) {
		return nil // input that closes its own tab is not always acknowledged
	}
	return e
}

// guardedClick clicks behind the guard. If the element moves away when the mouse
// comes (a banner, a list that grew), it is followed, because nothing was pressed
// yet.
func (r *run) guardedClick(ctx context.Context, w *effectRecorder, a *element, at XY, b *press) *Error {
	before := r.res.Sent // an earlier part of the same act
	r.res.Sent = false
	defer func() { r.res.Sent = r.res.Sent || before }()
	for try := 1; ; try++ {
		g, err := r.install(ctx, w, guardRequest{a: a, kind: "pointer", whole: true})
		if err != nil {
			return err
		}
		if !g.Still && try == 1 || a.moving { // the look did not wait to see it move, or it never stands still
			if at, err = g.pointBehindGuard(ctx); err != nil {
				g.remove(ctx, frameTime, false)
				return err
			}
		}
		err = g.send(ctx, func(ctx context.Context) *Error { return r.dispatchClick(ctx, g, at, *b) })
		b.count(g, err, r.answered)
		switch {
		case err == errMissed:
			if bad := inTurned(a); bad != nil {
				return bad
			}
			if try == 1 && r.resetPinchZoom(ctx) {
				err = nil
			} else {
				err = r.hits(ctx, a, at)
			}
		case g.nowhere && try < frameMisses && !w.hasNavigated():
			// The browser silently drops presses in a frame that has just moved or has
			// drawn nothing yet. A press that it answered and no frame saw will not
			// arrive later.
			r.res.Sent, err = false, nil
		case err == nil || !gonePast(err) || r.res.Sent:
			return err
		}
		if err != nil && !gonePast(err) {
			return err
		}
		if err == nil && (a.frame.ParentID() != "" || g.nowhere) && try < frameMisses {
			if err := r.placedLater(ctx, a, try); err != nil {
				return err
			}
		} else if try >= followTries && !a.moving || try >= movingTries {
			switch {
			case err == nil && a.moving:
				err = restless(a)
			case err == nil:
				err = r.otherHitError(ctx, a)
			}
			return err
		}
		if at, err = r.retarget(ctx, a, "click", err); err != nil {
			return err
		}
	}
}

// retarget returns the point where a target takes a press after a miss. If it takes
// none and is only covered or moving, the error is missed.
func (r *run) retarget(ctx context.Context, a *element, kind string, missed *Error) (XY, *Error) {
	at, err := r.readyWithin(ctx, a, kind, followTime)
	if err != nil && err.Code == Timeout { // it has only begun to move, and does not stop
		at, err = r.readyWithin(ctx, a, kind, readyTime)
	}
	if err != nil && missed != nil && (err.Code == Covered || err.Code == Timeout) {
		err = missed
	}
	return at, err
}

// moveMouseTo moves the mouse to the target, and returns the point where it takes the
// next input; kind is what it must be ready for. As for a click, a target that moves
// away under the mouse is followed.
func (r *run) moveMouseTo(ctx context.Context, a *element, at XY, kind string, move func(XY) *Error) (XY, *Error) {
	for try := 1; ; try++ {
		if err := move(at); err != nil {
			return at, err
		}
		err := r.hits(ctx, a, at)
		if err == nil || !gonePast(err) || try >= followTries {
			return at, err
		}
		if at, err = r.retarget(ctx, a, kind, err); err != nil {
			return at, err
		}
	}
}

// pointBehindGuard returns the point where the target takes the press, with guards in place.
func (g *guards) pointBehindGuard(ctx context.Context) (XY, *Error) {
	at, err := g.r.readyWithin(ctx, g.a, "click", readyTime)
	if err == nil && g.a.moving && !g.Sure {
		err = restless(g.a) // nothing would stop the press where it arrives beside it
	}
	return at, err
}

// errBeside is wrapped by the error for a press at a place that its target had left.
var errBeside = errors.New("the target is elsewhere")

// gonePast tells whether a stopped press is worth another try at the target's new
// place.
func gonePast(err *Error) bool { return err.Code == Covered || errors.Is(err, errBeside) }

// MovingData is Error.Data of a timeout where the target moved on each time
// before the press could arrive: nothing was pressed.
type MovingData struct {
	Moving bool `json:"moving"`
}

// restless is the error for a target that moves on before the press arrives.
func restless(a *element) *Error {
	return &Error{
		Data: MovingData{true},
		Code: Timeout, Message: a.String() + " keeps moving, and the press would have come beside it: nothing was pressed", Err: errBeside,
		Hint: "Wait until it stands still, or use the keyboard: focus the element, then pressKey with Enter or Space.",
	}
}

// placedLater waits if the page says that the target is at the point, but the browser
// routed the input elsewhere. The browser learns a frame's place later, or the target is
// scrolled out of the visible part of its frame, which only the frames around it can
// tell.
func (r *run) placedLater(ctx context.Context, a *element, try int) *Error {
	if try == 2 && a.point == nil && a.frame.ParentID() != "" {
		if _, err := page.IntoView(ctx, a.frame, a.id, true); err != nil {
			return wrap("scroll to "+a.String(), err)
		}
	}
	for range try * 2 {
		if !r.tick(ctx) {
			break
		}
	}
	return nil
}

// dispatchClick moves the mouse there and presses. If the guards are not Sure, the
// element under the mouse is checked once more before the press.
func (r *run) dispatchClick(ctx context.Context, g *guards, at XY, b press) *Error {
	r.h.mouse = &at
	move := input{mouse: &mouse{kind: browser.MouseMove, x: at.X, y: at.Y, mods: b.mods}}
	var list []input
	for n := b.nth; n <= b.clicks; n++ {
		for _, kind := range []string{browser.MouseDown, browser.MouseUp} {
			list = append(list, input{mouse: &mouse{kind: kind, x: at.X, y: at.Y, button: b.button, clicks: n, mods: b.mods}})
		}
	}
	if g.Sure {
		list = append([]input{move}, list...)
	} else {
		if err := r.tab.Send(ctx, g.Lease(), []input{move}); err != nil {
			return r.ignoreNavigated(err, "move the mouse")
		}
		if err := r.hits(ctx, g.a, at); err != nil {
			return err
		}
	}
	r.res.Sent = true
	return r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), list), "click")
}

// hits checks that the point still hits the judged node: pages react to the mouse with
// menus and tooltips, and some with another button.
func (r *run) hits(ctx context.Context, a *element, at XY) *Error {
	x, y, ok := a.frame.Offset(ctx)
	if !ok {
		return &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown any more"}
	}
	got, err := page.Hits(ctx, a.frame, a.id, page.Point(toFrame(a.frame, XY{x, y}, at)))
	if err != nil {
		return wrap("look what is under the mouse", err)
	}
	if got.OK {
		return nil
	}
	if alive, err := page.Resolve(ctx, a.frame, page.Locator{ID: a.id}); err != nil || alive.Error != nil {
		return r.staleError(ctx, a, "it went away when the mouse came")
	}
	if got.Beside {
		return restless(a)
	}
	return r.extractorErr(a.frame, &page.Error{Code: string(Covered), Message: a.String() + " is covered", Cover: got.Cover})
}

// press sends a chord with its modifier keys held.
func (r *run) press(ctx context.Context, l hittarget.Lease, c keyboard.Chord) *Error {
	r.res.Sent = true
	return r.ignoreNavigated(r.tab.Send(ctx, l, keyInputs(c.Events())), "press a key")
}

// press is how a mouse button is pressed; nth is the number of the next click within
// one act.
type press struct {
	button      string
	clicks, nth int
	mods        int
}

// count sets nth to the next click, by what the guards saw of the clicks that were
// sent; answered says that the last click was stopped after its press.
func (b *press) count(g *guards, err *Error, answered bool) {
	switch {
	case err == nil && len(g.report.Stopped) == 0:
		b.nth = b.clicks + 1
	case err == nil:
		b.nth += max(g.report.Presses, 1)
	case answered:
		b.nth += max(g.report.Presses-1, 0)
	default:
		b.nth = min(b.nth+g.report.Presses, b.clicks)
	}
}
