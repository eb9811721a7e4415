package action

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tabwright/host/browser"
)

// A guard ends by itself where nobody renews it: a process that was killed can't
// take its guards out of the page, and while they stand there they keep the
// user's own clicks from it. No input is sent on a lease that may be over.

const (
	// guardLease is the life of an armed guard since it was last renewed.
	guardLease = 4 * time.Second
	// leaseTries is how often a page that answers slowly is asked anew.
	leaseTries = 3
)

type leaseKey struct{}

// withLease has what is sent with the context keep these guards alive.
func withLease(ctx context.Context, g *guards) context.Context {
	return context.WithValue(ctx, leaseKey{}, g)
}

// renewLease renews the guards that input is sent behind, where half of their time
// is over.
func renewLease(ctx context.Context) error {
	g, ok := ctx.Value(leaseKey{}).(*guards)
	if !ok {
		return nil
	}
	for try := 0; time.Since(g.renewed) > guardLease/2; try++ {
		if try == leaseTries {
			return &Error{
				Code: Timeout, Message: "the page answers too slowly to be acted in safely; the rest was not sent",
				Hint: "Look at what was done, then wait with waitFor until the page is idle.",
			}
		}
		if err := g.renew(ctx); err != nil {
			return err
		}
	}
	return nil
}

// renew begins the time of all guards anew.
func (g *guards) renew(ctx context.Context) error {
	began := time.Now()
	over := make([]bool, len(g.all))
	errs := make([]error, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			rctx, cancel := ctx, func() {}
			if i >= g.way {
				rctx, cancel = context.WithTimeout(ctx, otherFrameTime)
			}
			defer cancel()
			var got struct {
				OK bool `json:"ok"`
			}
			errs[i] = x.f.Call(rctx, "renew", map[string]string{"token": x.g.Token}, &got)
			over[i] = errs[i] == nil && !got.OK
		})
	}
	wg.Wait()
	for i := range g.all[:g.way] {
		switch {
		case errors.Is(errs[i], browser.ErrDocumentGone): // the act went elsewhere with its frame
		case errs[i] != nil:
			return errs[i]
		case over[i]:
			return &Error{
				Code: Timeout, Message: "the page stood still for too long in the middle of the act; the rest was not sent",
				Hint: "Look at what was done before trying again.",
			}
		}
	}
	g.renewed = began
	return nil
}

// keptRelease tells whether a guard kept a release from the page.
func (g *guards) keptRelease(ctx context.Context) bool {
	hctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	held := make([]bool, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			var got struct {
				Held bool `json:"held"`
			}
			held[i] = x.f.Call(hctx, "renew", map[string]string{"token": x.g.Token}, &got) == nil && got.Held
		})
	}
	wg.Wait()
	return slices.Contains(held, true)
}
