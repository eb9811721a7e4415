package action

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/host/browser/relay"
	"tabwright/host/browser/relay/relaytest"
)

// tolled counts what a driver asks the service worker: messages, and trips, each
// of which begins when nothing is under way.
type tolled struct {
	relay.Caller

	mu    sync.Mutex
	open  int
	trips int
	said  []string
	last  time.Time
}

// overlap is how much longer each message takes: on a busy machine the first of
// those that go out together could be answered before the last has left.
const overlap = 40 * time.Millisecond

// Call counts one message.
func (c *tolled) Call(ctx context.Context, method string, params, result any) error {
	text, _ := json.Marshal(params)
	said := string(text)
	ends := strings.Contains(said, `"Page.startScreencast"`) || strings.Contains(said, `"Page.stopScreencast"`) || // by how a busy machine draws
		strings.Contains(said, `"Page.setInterceptFileChooserDialog","params":{"enabled":false}`) ||
		strings.Contains(said, `"Fetch.enable"`) && !strings.Contains(said, `"XHR"`)
	if ends { // nobody waits for it
		return c.Caller.Call(ctx, method, params, result)
	}
	c.mu.Lock()
	if c.open == 0 {
		c.trips++
	}
	c.open++
	c.said = append(c.said, method+" "+short(said, 160))
	c.mu.Unlock()
	defer func() {
		<-time.After(overlap)
		c.mu.Lock()
		c.open--
		c.last = time.Now()
		c.mu.Unlock()
	}()
	return c.Caller.Call(ctx, method, params, result)
}

// rest waits until what followed behind the last act is over.
func (c *tolled) rest(t *testing.T) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); ; <-look.C {
		c.mu.Lock()
		still := c.open == 0 && time.Since(c.last) > 300*time.Millisecond
		c.mu.Unlock()
		if still {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it never rests")
		}
	}
}

// begin forgets what was counted.
func (c *tolled) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trips, c.said = 0, nil
}

func (c *tolled) count() (trips int, said []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trips, c.said
}

// tolledDriver is a driver over the played relay, each call of which goes through
// what counts.
func tolledDriver(t *testing.T, counting func(relay.Caller) relay.Caller) *relay.Driver {
	t.Helper()
	startChromium(t)
	w := relaytest.Start(t, chromium.b.URL(), chromium.script)
	var d *relay.Driver
	made := make(chan struct{})
	peer := w.Connect(t, func(method string, params json.RawMessage) {
		<-made
		d.Event(method, params)
	})
	d = relay.New(counting(peer), relay.Options{ExtensionID: relaytest.ExtensionID, Extractor: chromium.script})
	close(made)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

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
		// The look; the guard, no window for files, and requests that wait; the mouse; the effect.
		{"click", p{"index": button}, 4, 6},
		// The same, with the keys in the place of the mouse. What stands in the field comes with the effect.
		{"type", p{"index": field, "text": "second one", "clear": true}, 4, 6},
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
