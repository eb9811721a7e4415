package action

import (
	"context"
	"slices"
)

func errPDF() *Error {
	return &Error{
		Code: Unsupported, Message: "this is a PDF document in the browser's viewer: nothing in it can be clicked or typed into",
		Hint: "Use screenshot to see it, scroll to move in it, and goBack or navigate to go on.",
	}
}

// notPDF refuses a target that is a PDF document or stands in one: what is sent
// there comes to nothing, and nobody is asked about it. In a page that shows one
// beside its own elements, these are as ever.
func (r *run) notPDF(ctx context.Context, a *aim) *Error {
	if a.frame.PDF() {
		return errPDF()
	}
	if a.el.Tag != "embed" && a.el.Tag != "object" {
		return nil
	}
	fs, err := r.frames(ctx)
	if err != nil {
		return err
	}
	fs = slices.DeleteFunc(fs, func(f frame) bool { return !f.PDF() })
	if childOf(ctx, fs, a.frame, a.id) != nil {
		return errPDF()
	}
	return nil
}
