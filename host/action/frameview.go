package action

import (
	"context"

	"tabwright/host/action/page"
)

// frameTries is how often an element of a frame is looked for in the main
// viewport: the scroll of a frame with its own process goes through the browser
// process, and arrives later.
const frameTries = 20

// ready scrolls the element into view and waits until it is visible, still,
// enabled and hit; it returns the point in coordinates of the main frame. An
// element in view in its own frame may still be outside the main viewport, so the
// main frame is asked.
func (r *run) ready(ctx context.Context, a *element, kind string) (XY, *Error) {
	if a.at != nil { // the look found it so
		at := *a.at
		a.at = nil
		if a.frame.ParentID() == "" || a.point != nil {
			return at, nil
		}
		if at, err := r.frameStands(ctx, a, at); err == nil && r.inMainView(ctx, at) {
			return at, nil
		}
	}
	for try := 0; ; try++ {
		at, err := r.readyOnce(ctx, a, kind)
		if err != nil || a.frame.ParentID() == "" || a.point != nil || try == frameTries {
			return at, err
		}
		if at, err = r.frameStands(ctx, a, at); err != nil || r.inMainView(ctx, at) {
			return at, err
		}
		if try%5 == 0 {
			if _, err := page.IntoView(ctx, a.frame, a.id, true); err != nil {
				return at, wrap("scroll to "+a.String(), err)
			}
		}
		if !r.tick(ctx) {
			return at, &Error{Code: Timeout, Message: "stopped while scrolling to " + a.String(), Err: ctx.Err()}
		}
	}
}

// inMainView tells whether a point lies in the main viewport.
func (r *run) inMainView(ctx context.Context, at XY) bool {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return true // the input itself says what is wrong
	}
	v, err := page.Viewport(ctx, fs[0])
	if err != nil || v.Width == 0 {
		return true
	}
	return at.X >= 0 && at.Y >= 0 && at.X < v.Width && at.Y < v.Height
}

// toMain converts a point of a frame's viewport to the main frame's; corner is the
// frame's Offset, read just before.
func toMain(f frame, corner, in XY) XY {
	kx, ky := f.Scale()
	return XY{corner.X + in.X*kx, corner.Y + in.Y*ky}
}

// toFrame is the inverse of toMain.
func toFrame(f frame, corner, at XY) XY {
	kx, ky := f.Scale()
	return XY{(at.X - corner.X) / kx, (at.Y - corner.Y) / ky}
}

// frameStands waits until the frame of an element stands still after a scroll: the
// frames around it are scrolled as well, each by its own process, after the
// element's own frame has finished.
func (r *run) frameStands(ctx context.Context, a *element, at XY) (XY, *Error) {
	x, y, ok := a.frame.Offset(ctx)
	was := a.el.Rect
	in := toFrame(a.frame, XY{x, y}, at)
	if ok && in.X >= was.X && in.Y >= was.Y && in.X <= was.X+was.Width && in.Y <= was.Y+was.Height {
		return at, nil // nothing was scrolled
	}
	for range frameTries {
		if !r.tick(ctx) {
			return at, &Error{Code: Timeout, Message: "stopped while scrolling to " + a.String(), Err: ctx.Err()}
		}
		nx, ny, now := a.frame.Offset(ctx)
		if ok && now && nx == x && ny == y {
			return at, nil
		}
		if ok && now {
			at = XY{at.X + nx - x, at.Y + ny - y}
		}
		x, y, ok = nx, ny, now
	}
	if !ok {
		return at, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	return at, nil
}

func frameOf(fs []frame, id string) frame {
	for _, f := range fs {
		if f.ID() == id {
			return f
		}
	}
	return nil
}
