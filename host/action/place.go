package action

import "context"

// resetPinchZoom resets a pinch zoom after input missed its target: with a zoom, points
// are not where the page reports them. The page stays zoomed out.
func (r *run) resetPinchZoom(ctx context.Context) bool {
	t, ok := r.tab.(interface {
		Unpinch(context.Context) (bool, error)
	})
	if !ok {
		return false
	}
	was, err := t.Unpinch(ctx)
	if err != nil {
		r.s.o.Log.Debug().Err(err).Msg("whether the page is pinched is not known")
	}
	return was
}

// inTurned returns the error for a target in a frame that is rotated or mirrored in its
// page, where points can't be computed; nil for any other.
func inTurned(a *element) *Error {
	f, ok := a.frame.(interface{ Turned() bool })
	if !ok || !f.Turned() {
		return nil
	}
	return &Error{
		Code: Unsupported, Message: "the frame of " + a.String() + " stands turned or mirrored in the page, where the mouse can't be aimed",
		Hint: "Use the keyboard: focus the element, then pressKey with Enter or Space.",
	}
}
