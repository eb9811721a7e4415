package pagecontext_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// traced is what Chromium's tracing says of one task.
type traced struct {
	Name string
	Ph   string
	PID  int
	TID  int
	TS   float64 // µs, as Dur
	Dur  float64
	Tdur float64 // µs of processor time
	Args struct{ Name string }
}

// tasks runs fn and gives the processor time of each task that the main threads
// of pages ran meanwhile, in ms, the longest first. What else the machine does
// is not in it, nor what V8's collector took: when that runs is not ours to
// choose, and how long it takes goes by how many nodes any script of another
// world than the page's has touched (some 3 ms for a thousand on a busy
// machine, with no extractor there).
func (tb *tab) tasks(fn func()) []float64 {
	tb.t.Helper()
	var mu sync.Mutex
	var events []traced
	tb.b.expect(tb.session, "Tracing.dataCollected", func(m json.RawMessage) bool {
		var got struct{ Value []traced }
		if json.Unmarshal(m, &got) == nil {
			mu.Lock()
			events = append(events, got.Value...)
			mu.Unlock()
		}
		return false
	})
	tb.must(tb.cdp("Tracing.start", map[string]any{"transferMode": "ReportEvents", "traceConfig": map[string]any{
		"includedCategories": []string{"toplevel", "v8"}, "excludedCategories": []string{"*"},
	}}, nil))
	fn()
	done := tb.b.expect(tb.session, "Tracing.tracingComplete", nil)
	tb.must(tb.cdp("Tracing.end", nil, nil))
	tb.wait(done, "the trace")
	mu.Lock()
	defer mu.Unlock()
	main := map[string]bool{}
	thread := func(e traced) string { return fmt.Sprint(e.PID, e.TID) }
	for _, e := range events {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[thread(e)] = true
		}
	}
	var out []float64
	collected := map[string][]traced{}
	for _, e := range events {
		if e.Ph == "X" && (e.Name == "MinorGC" || e.Name == "MajorGC") {
			collected[thread(e)] = append(collected[thread(e)], e)
		}
	}
	for _, e := range events {
		if e.Ph != "X" || !strings.HasSuffix(e.Name, "RunTask") || !main[thread(e)] {
			continue
		}
		took := min(e.Tdur, e.Dur) // the thread's own clock may run ahead of the wall's
		for _, c := range collected[thread(e)] {
			if c.TS >= e.TS && c.TS+c.Dur <= e.TS+e.Dur {
				took -= c.Tdur
			}
		}
		out = append(out, took/1000)
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
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
