package action

import "context"

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
	return g.Renew(ctx)
}
