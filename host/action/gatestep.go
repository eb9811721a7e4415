package action

import (
	"context"

	"tabwright/safety"
)

// errMoved says that the guard stopped input because the judged facts have
// changed: the act must be judged again.
var errMoved = &Error{Code: StaleRef, Message: "the page changed what this would do"}

// gatedStep is one act, as the gate needs it.
type gatedStep struct {
	// look resolves the target anew and gathers the facts; the aim is nil for
	// acts without a target.
	look func(ctx context.Context) (*element, safety.Act, *Error)
	// do sends the input to what look found.
	do func(ctx context.Context, a *element) *Error
	// what names the act when it has no target: a URL, a file, code.
	what string
	// guarded says that do sends only by guards.send, which waits until the act is
	// on disk: the act is recorded while the guards are put up.
	guarded bool
}
