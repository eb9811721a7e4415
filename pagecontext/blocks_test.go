package pagecontext_test

import (
	"encoding/json"
	"errors"
	"sync"

	"tabwright/e2e/trace"
)

// tasks runs fn and gives the processor time of each task that the page's main
// thread ran meanwhile, in ms, the longest first (trace.Tasks).
func (tb *tab) tasks(fn func()) []float64 {
	tb.t.Helper()
	var mu sync.Mutex
	var events []trace.Event
	var broken error
	tb.b.expect(tb.session, "Tracing.dataCollected", func(m json.RawMessage) bool {
		var got struct{ Value []trace.Event }
		err := json.Unmarshal(m, &got)
		mu.Lock()
		defer mu.Unlock()
		broken = errors.Join(broken, err)
		events = append(events, got.Value...)
		return false
	})
	tb.must(tb.cdp("Tracing.start", trace.Start(), nil))
	tb.js(trace.Begin)
	fn()
	tb.js(trace.End)
	done := tb.b.expect(tb.session, "Tracing.tracingComplete", nil)
	tb.must(tb.cdp("Tracing.end", nil, nil))
	tb.wait(done, "the trace")
	mu.Lock()
	defer mu.Unlock()
	tb.must(broken)
	took, err := trace.Tasks(events)
	tb.must(err)
	return took
}

// measured is a piece of work of the page's own that is always the same; it
// takes some 10 ms.
const measured = `(() => { let x = 0; for (let i = 0; i < 3e6; i++) x += Math.sqrt(i); window.kept = x; })()`

// mostSlowdown bounds what a busy machine excuses.
const mostSlowdown = 2

// slowdown is how much longer work of the page takes now than it may: where
// others share the processor's caches, also in processor time.
func (tb *tab) slowdown() float64 {
	tb.t.Helper()
	const turns = 9
	took := tb.tasks(func() {
		for range turns {
			tb.js(measured)
		}
	})
	if len(took) < turns {
		tb.t.Fatalf("%d tasks of the page in the trace, it ran %d", len(took), turns)
	}
	return min(mostSlowdown, max(1, took[0]/took[turns/2]))
}
