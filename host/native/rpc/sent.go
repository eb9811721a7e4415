package rpc

import "context"

type sentKey struct{}

// WithSent has fn called once the call made with ctx stands in the queue of its
// connection: a call that is made after that arrives after it. So several can
// be under way, in order. A call that fails before that does not call fn.
func WithSent(ctx context.Context, fn func()) context.Context {
	return context.WithValue(ctx, sentKey{}, fn)
}

// Sent is called by connections when a call of ctx has been sent.
func Sent(ctx context.Context) {
	if fn, ok := ctx.Value(sentKey{}).(func()); ok {
		fn()
	}
}
