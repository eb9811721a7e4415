package action

import (
	"fmt"
	_ "image/jpeg"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser/relay"
)

// TestRealTrips holds what an act costs through the extension: trips one after
// another, and messages.
func TestRealTrips(t *testing.T) {
	toll := &tolled{}
	d := tolledDriver(t, func(c relay.Caller) relay.Caller {
		toll.Caller = c
		return toll
	})
	l := openLive(t, d, "trips.html")
	list := l.observe().Elements.Elements
	index := func(name string) int {
		for _, e := range list {
			if e.Name == name {
				return e.Index
			}
		}
		t.Fatalf("no %s among %v", name, list)
		return 0
	}
	button, field := index("Count"), index("Name")
	// The first of each kind makes the code of the page ready.
	l.ok("click", p{"index": button})
	l.ok("type", p{"index": field, "text": "first", "clear": true})
	l.ok("snapshot", nil) // and the worker is told that the next look is probably another snapshot
	for _, tt := range []struct {
		name            string
		params          p
		trips, messages int
	}{
		// The look; the guard, no window for files, and requests and messages that wait (of the latter the
		// script, its begin and what it tells); the mouse; the effect.
		{"click", p{"index": button}, 4, 9},
		// The same, with the keys in the place of the mouse. What stands in the field comes with the effect.
		{"type", p{"index": field, "text": "second one", "clear": true}, 4, 9},
		// Beside it the page is asked what its elements hear.
		{"snapshot", nil, 1, 2},
	} {
		toll.rest(t)
		toll.begin()
		l.ok(tt.name, tt.params)
		trips, said := toll.count()
		t.Logf("%s: %d trips, %d messages", tt.name, trips, len(said))
		if trips > tt.trips || len(said) > tt.messages {
			t.Errorf("%s took %d trips and %d messages, not %d and %d:\n%s", tt.name, trips, len(said), tt.trips, tt.messages, strings.Join(said, "\n"))
		}
	}
	// Right after another act what that one switched on still is.
	var said []string
	clicks := 2
	for range 6 { // a machine may take a while between them
		clicks += 2
		l.ok("click", p{"index": button})
		toll.begin()
		l.ok("click", p{"index": button})
		if _, said = toll.count(); len(said) <= 4 {
			break
		}
	}
	if len(said) > 4 {
		t.Errorf("a click right after another took %d messages, not 4:\n%s", len(said), strings.Join(said, "\n"))
	}
	if got := l.eval("[n, name_.value]"); got != fmt.Sprintf(`[%d,"second one"]`, clicks) {
		t.Errorf("the page holds %s", got)
	}
}
