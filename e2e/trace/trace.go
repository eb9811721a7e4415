// Package trace measures with Chromium's tracing how long a page's main thread was busy
// without a pause. The caller starts the tracing with Start, evaluates Begin in the page, does
// what it wants to measure, evaluates End, ends the tracing, and passes the events to Tasks.
package trace

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Event is what Chromium's tracing says of one piece of work.
type Event struct {
	Name string
	Ph   string
	PID  int
	TID  int
	TS   float64 // µs, as Dur
	Dur  float64
	Tdur float64 // µs of processor time
}

// begins is the mark by which a trace tells which thread is the page's own.
const begins = "tabwright-traced-here"

// Begin is an expression that tells the trace which thread is the page's.
const Begin = `performance.mark("` + begins + `"), undefined`

// End is an expression whose promise is kept in a task of its own: what answered
// last is in the trace once its task has ended, which is after its answer.
const End = `new Promise(r => setTimeout(r))`

// Start returns the parameters of Tracing.start; the events come by
// Tracing.dataCollected.
func Start() map[string]any {
	return map[string]any{"transferMode": "ReportEvents", "traceConfig": map[string]any{
		"includedCategories": []string{"toplevel", "v8", "blink.user_timing"}, "excludedCategories": []string{"*"},
	}}
}

// Tasks gives the processor time of each task that the page's main thread ran,
// in milliseconds, the longest first; a task within another one is a part of
// that. What other programs do on the computer is not in it, nor what V8's
// collector took: when that runs is not the page's to choose, and how long it
// takes goes by how many nodes any script of another world than the page's has
// touched (some 3 ms for a thousand on a busy machine). An error where the trace
// does not show that thread, or no task of it.
func Tasks(events []Event) ([]float64, error) {
	at := slices.IndexFunc(events, func(e Event) bool { return e.Name == begins })
	if at < 0 {
		return nil, errors.New("the trace does not show the page's main thread")
	}
	pid, tid := events[at].PID, events[at].TID
	var own []Event
	for _, e := range events {
		if e.Ph == "X" && e.PID == pid && e.TID == tid {
			own = append(own, e)
		}
	}
	slices.SortFunc(own, func(a, b Event) int { return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur)) })
	var out []float64
	end := 0.0 // of the task before; within it there are others of these names
	for _, e := range own {
		switch {
		case strings.HasSuffix(e.Name, "RunTask") && e.TS >= end:
			end = e.TS + e.Dur
			out = append(out, min(e.Tdur, e.Dur)/1000) // the thread's own clock may run ahead of the wall's
		case (e.Name == "MinorGC" || e.Name == "MajorGC") && e.TS+e.Dur <= end:
			out[len(out)-1] -= e.Tdur / 1000
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the trace has no task of the page")
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out, nil
}
