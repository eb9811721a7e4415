// Package testwait waits in tests until a value is as expected.
package testwait

import (
	"testing"
	"time"
)

const (
	interval = 5 * time.Millisecond
	limit    = 20 * time.Second
)

// Value calls ask until it returns true, and returns its value. It fails the test after limit.
func Value[T any](tb testing.TB, ask func() (T, bool)) T {
	tb.Helper()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	late := time.After(limit)
	for {
		v, ok := ask()
		if ok {
			return v
		}
		select {
		case <-tick.C:
		case <-late:
			tb.Fatalf("it stayed at %+v", v)
		}
	}
}
