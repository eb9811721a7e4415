package main

import "testing"

func TestBareParticiple(t *testing.T) {
	for name, want := range map[string]bool{
		"sighted": true, "carriedOut": true, "watching": true, "takenUp": true, "gone": true, "Handed": true,
		"string": false, "need": false, "closedTab": false, "pausedUntilResumed": false, "Embed": false, "open": false,
		"isClosed": false, "setTimeout": false, "startedAct": false, "run": false,
	} {
		if bareParticiple(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestCount(t *testing.T) {
	to := func(names ...string) map[string]bool {
		out := map[string]bool{}
		for _, n := range names {
			out[n] = true
		}
		return out
	}
	for name, c := range map[string]struct {
		uses           graph
		arrows, upward int
	}{
		"layers": {graph{"d": to("a", "b"), "a": to("c"), "b": to("c")}, 4, 0},
		"a pair": {graph{"a": to("b"), "b": to("a", "c")}, 3, 1},
		"a ring": {graph{"a": to("b"), "b": to("c"), "c": to("d"), "d": to("a")}, 4, 1},
		"none":   {graph{}, 0, 0},
	} {
		if arrows, upward := count(c.uses); arrows != c.arrows || upward != c.upward {
			t.Errorf("%s: %d of %d", name, upward, arrows)
		}
	}
}

func TestIsProduct(t *testing.T) {
	for name, want := range map[string]bool{
		"host/main.go": true, "host/main_test.go": false, "host/browser/relay/relaytest/fake.go": false,
		"extension/src/relay/main.ts": true, "extension/src/panel/panel.css": true, "pagecontext/testdata/a.html": false,
		"host/native/wire/PROTOCOL.md": false,
	} {
		if isProduct(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
