package browser

import "context"

// lock is a mutex whose take can be cancelled.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

// take waits for the lock. If ctx ends first, it returns the error of ctx.
func (l lock) take(ctx context.Context) (release func(), err error) {
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
