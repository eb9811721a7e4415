//go:build !unix

package realmodel

import "context"

// lock locks nothing where there is no flock.
func lock(context.Context, string) (unlock func(), err error) { return func() {}, nil }
