package action

import (
	"context"

	"tabwright/safety"
)

// errMoved is what sending input gives when the guard stopped it because the
// facts that were judged are no longer so: it is to be judged again.
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
	// guarded says that do sends nothing but by guards.send, which waits until the
	// act is on disk: it is written while the guards are put up.
	guarded bool
}
