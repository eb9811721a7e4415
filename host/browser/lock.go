package browser

import "context"

// lock is held by one at a time; who waits for it gives up with its context.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

// take waits for the lock, and fails with the error of a context that ends first.
func (l lock) take(ctx context.Context) (release func(), err error) {
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
