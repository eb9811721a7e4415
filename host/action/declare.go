package action

import (
	"context"
	"fmt"

	"tabwright/host/action/spec"
)

// runner runs an action with its parameters, a pointer to its params struct.
type runner func(ctx context.Context, r *run, params any) *Error

// declared is an action: its declaration, and the function that runs it.
type declared struct {
	Spec
	run runner
}

// declare returns the action with params struct P and the function that takes it.
func declare[P any](s Spec, f func(context.Context, *run, P) *Error, tunes ...spec.Tune) declared {
	return declared{spec.Declare[P](s, tunes...), func(ctx context.Context, r *run, p any) *Error {
		v, ok := p.(*P)
		if !ok {
			return &Error{Code: InvalidParams, Message: fmt.Sprintf("%s got parameters of type %T", s.Name, p)}
		}
		return f(ctx, r, *v)
	}}
}

// travelFamily are the actions that lead to another page.
const travelFamily = "navigation"
