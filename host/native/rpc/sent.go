package rpc

import "context"

type sentKey struct{}

// WithSent has fn called once the call made with ctx is in the queue of its
// connection. A call made after that arrives later, so that several calls can be
// under way, in order. If the call fails before it is queued, fn is not called.
func WithSent(ctx context.Context, fn func()) context.Context {
	return context.WithValue(ctx, sentKey{}, fn)
}

// Sent calls the function that WithSent put into ctx. Connections call it when
// the call of ctx is queued.
func Sent(ctx context.Context) {
	if fn, ok := ctx.Value(sentKey{}).(func()); ok {
		fn()
	}
}
