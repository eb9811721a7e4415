package rig

import (
	"runtime"
	"testing"
)

// TestScreen gives a test a screen, which goes when the test has ended. Where
// there can be none the test is skipped.
func TestScreen(t testing.TB) *Screen {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("needs a browser")
	case runtime.GOOS != "linux":
		t.Skip("the screen is one of X")
	}
	s, err := NewScreen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
