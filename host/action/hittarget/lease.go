package hittarget

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
)

// A guard ends by itself unless it is renewed: a process that was killed can't
// remove its guards from the page, and while they are there they stop the user's
// own clicks. No input is sent on a lease that may have expired.

const (
	// LeaseTime is the life of a guard after it was renewed.
	LeaseTime = 4 * time.Second
	// leaseTries is how often a renewal is repeated on a page that answers slowly.
	leaseTries = 3
)

// Renew renews the guards if half of their time is over. It is called before each input
// that is sent behind them; an error says that they may be gone.
func (g *Guards) Renew(ctx context.Context) error {
	for try := 0; g.now().Sub(g.renewed) > LeaseTime/2; try++ {
		if try == leaseTries {
			return &spec.Error{
				Code: spec.Timeout, Message: "the page answers too slowly to be acted in safely; the rest was not sent",
				Hint: "Look at what was done, then wait with waitFor until the page is idle.",
			}
		}
		if err := g.renew(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guards) renew(ctx context.Context) error {
	began := g.now()
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
			var got page.Renewal
			got, errs[i] = page.Renew(rctx, x.f, x.g.Token)
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
			return &spec.Error{
				Code: spec.Timeout, Message: "the page stood still for too long in the middle of the act; the rest was not sent",
				Hint: "Look at what was done before trying again.",
			}
		}
	}
	g.renewed = began
	return nil
}

// KeptRelease tells whether a guard kept a release from the page.
func (g *Guards) KeptRelease(ctx context.Context) bool {
	hctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	held := make([]bool, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			got, err := page.Renew(hctx, x.f, x.g.Token)
			held[i] = err == nil && got.Held
		})
	}
	wg.Wait()
	return slices.Contains(held, true)
}

// Lease is the right to send input. A lease of guards keeps them alive; the zero value
// permits no input.
type Lease struct {
	guards    *Guards
	unguarded bool
}

// Lease returns the lease for input that is sent behind the guards.
func (g *Guards) Lease() Lease { return Lease{guards: g} }

// Unguarded returns a lease for input that presses nothing: mouse moves and releases.
func Unguarded() Lease { return Lease{unguarded: true} }

// Renew is called before each input; after an error the input must not be sent.
func (l Lease) Renew(ctx context.Context) error {
	switch {
	case l.guards != nil:
		return l.guards.Renew(ctx)
	case l.unguarded:
		return nil
	}
	return errors.New("input without a lease")
}

// KeptRelease tells whether a guard kept a release from the page.
func (l Lease) KeptRelease(ctx context.Context) bool {
	return l.guards != nil && l.guards.KeptRelease(ctx)
}
