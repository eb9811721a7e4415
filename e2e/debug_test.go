package e2e

import (
	"testing"

	"tabwright/host/action"
)

func TestDebugObserve(t *testing.T) {
	for name, d := range drivers(t) {
		s := session(t, d, served(t, d, `<title>X</title><h1>Hello</h1><button>Go</button><a href=/x>Link</a>`))
		o, err := s.Observe(t.Context(), action.ObserveOptions{Budget: 1500, Full: true})
		t.Logf("%s: %v\n%s", name, err, o.Text)
	}
}
