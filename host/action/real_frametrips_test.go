package action

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/host/browser/relay"
	"tabwright/pagecontext"
)

// inSeries keeps when each message to the service worker began and was answered.
type inSeries struct {
	*tolled

	mu  sync.Mutex
	all []spoken
}

type spoken struct {
	what       string
	begun, end time.Time
}

// Call notes one message.
func (c *inSeries) Call(ctx context.Context, method string, params, result any) error {
	text, _ := json.Marshal(params)
	s := spoken{what: method + " " + short(string(text), 160), begun: time.Now()}
	err := c.tolled.Call(ctx, method, params, result)
	s.end = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, s)
	return err
}

// take gives what was said since the last time, in the order of its answers, and how
// many of it came one after another.
func (c *inSeries) take() (said []string, series int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.SortFunc(c.all, func(a, b spoken) int { return a.end.Compare(b.end) })
	var last time.Time
	for _, s := range c.all {
		said = append(said, s.what)
		if !s.begun.Before(last) {
			series, last = series+1, s.end
		}
	}
	c.all = nil
	return said, series
}

// TestRealFrameTrips holds what looks at a page with frames cost through the
// extension, one of another site in one of a second: messages, and how many of them
// come one after another. Each frame is asked where it is, once for itself and once for
// each frame in it, and for what it shows.
func TestRealFrameTrips(t *testing.T) {
	toll := &inSeries{tolled: &tolled{}}
	d := tolledDriver(t, func(c relay.Caller) relay.Caller {
		toll.Caller = c
		return toll
	})
	var page *pagecontext.Page
	for _, tt := range []struct {
		name             string
		anew             bool
		messages, series int
	}{
		// The extractor is put there, and asked for where it was not seen to come; each
		// <iframe> is found, once, and held in the world of its page. What the elements of
		// each hear is asked meanwhile.
		{"first", true, 21, 8}, // 7, where none is late
		{"next", false, 8, 1},
	} {
		var said []string
		series := 100
		for try := 0; try < 8 && series > tt.series; try++ { // a busy machine may have the last of those that go out together leave late
			if tt.anew {
				page = pagecontext.New(realTab{openLive(t, d, "frames.html").tab}, 0)
			}
			toll.rest(t)
			toll.take()
			_, list, err := page.Look(t.Context(), 1500)
			if err != nil || len(list.Elements) != 5 {
				t.Fatal(list, err)
			}
			all, n := toll.take()
			if said, series = all, min(series, n); len(said) > tt.messages {
				break
			}
		}
		t.Logf("%s: %d messages, %d of them one after another", tt.name, len(said), series)
		if len(said) > tt.messages || series > tt.series {
			t.Errorf("%s took %d messages and %d one after another, not %d and %d:\n%s", tt.name, len(said), series, tt.messages, tt.series, strings.Join(said, "\n"))
		}
	}
}
