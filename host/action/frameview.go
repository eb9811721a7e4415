package action

import "context"

// frameTries is how often an element of a frame is looked for in the main
// viewport: the scroll goes through the browser process where the frame has a
// process of its own, and arrives later.
const frameTries = 20

// ready scrolls the element into view and waits until it is visible, still,
// enabled and hit; it gives the point in coordinates of the main frame. What
// is in view in its own frame may still be out of the main frame's: no frame
// but the outermost knows, so it is asked.
func (r *run) ready(ctx context.Context, a *aim, kind string) (XY, *Error) {
	for try := 0; ; try++ {
		at, err := r.readyOnce(ctx, a, kind)
		if err != nil || a.frame.ParentID() == "" || a.point != nil || try == frameTries || r.inMainView(ctx, at) {
			return at, err
		}
		if try%5 == 0 {
			if err := a.frame.Call(ctx, "intoView", map[string]any{"id": a.id, "always": true}, nil); err != nil {
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
	var v struct {
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	if err := fs[0].Call(ctx, "viewport", nil, &v); err != nil || v.Width == 0 {
		return true
	}
	return at.X >= 0 && at.Y >= 0 && at.X < v.Width && at.Y < v.Height
}
