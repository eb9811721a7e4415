package paneltest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// traced is what Chromium's tracing says of one piece of work.
type traced struct {
	Name string
	Ph   string
	PID  int
	TID  int
	TS   float64 // µs, as Dur
	Dur  float64
	Tdur float64 // µs of processor time
}

// mine is the mark by which a trace tells which thread is the page's own.
const mine = "tabwright-traced-here"

// Tasks runs do and gives the processor time of each task that the page's main
// thread ran meanwhile, in milliseconds, the longest first: how long it was taken
// at a stretch. What other programs do on the computer is not in it, nor what V8's
// collector took: when that runs is not the page's to choose.
func (p *Page) Tasks(ctx context.Context, do func()) ([]float64, error) {
	events, err := p.trace(ctx, do)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(events, func(e traced) bool { return e.Name == mine })
	if at < 0 {
		return nil, errors.New("the trace does not show the page's main thread")
	}
	pid, tid := events[at].PID, events[at].TID
	events = slices.DeleteFunc(events, func(e traced) bool { return e.Ph != "X" || e.PID != pid || e.TID != tid })
	slices.SortFunc(events, func(a, b traced) int { return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur)) })
	var out []float64
	end := 0.0 // of the task before; within it there are others of these names
	for _, e := range events {
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

// trace gives what Chromium's tracing says of all that it does while do runs.
func (p *Page) trace(ctx context.Context, do func()) ([]traced, error) {
	var events []traced
	var broken error
	p.c.hear(p.session, "Tracing.dataCollected", func(m json.RawMessage) {
		var got struct{ Value []traced }
		broken = errors.Join(broken, json.Unmarshal(m, &got))
		events = append(events, got.Value...)
	})
	defer p.c.hear(p.session, "Tracing.dataCollected", nil)
	done := make(chan struct{}) // closed behind the last of these, by whom they were heard
	p.c.hear(p.session, "Tracing.tracingComplete", func(json.RawMessage) { close(done) })
	defer p.c.hear(p.session, "Tracing.tracingComplete", nil)
	err := p.Call(ctx, "Tracing.start", obj{"transferMode": "ReportEvents", "traceConfig": obj{
		"includedCategories": []string{"toplevel", "v8", "blink.user_timing"}, "excludedCategories": []string{"*"},
	}}, nil)
	if err != nil {
		return nil, err
	}
	if err = p.Eval(ctx, `performance.mark("`+mine+`"), undefined`, nil); err == nil {
		do()
		// What answered last is in the trace once its task has ended, which is after its answer.
		err = p.Eval(ctx, `new Promise(r => setTimeout(r))`, nil)
	}
	if err := errors.Join(err, p.Call(ctx, "Tracing.end", nil, nil)); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-done:
		return events, broken
	}
}
