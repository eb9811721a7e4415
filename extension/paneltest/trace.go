package paneltest

import (
	"context"
	"encoding/json"
	"errors"

	"tabwright/e2e/trace"
)

// Tasks runs do and gives the processor time of each task that the page's main
// thread ran meanwhile, in milliseconds, the longest first: how long it was taken
// at a stretch (trace.Tasks).
func (p *Page) Tasks(ctx context.Context, do func()) ([]float64, error) {
	events, err := p.trace(ctx, do)
	if err != nil {
		return nil, err
	}
	return trace.Tasks(events)
}

// trace gives what Chromium's tracing says of all that it does while do runs.
func (p *Page) trace(ctx context.Context, do func()) ([]trace.Event, error) {
	var events []trace.Event
	var broken error
	p.c.hear(p.session, "Tracing.dataCollected", func(m json.RawMessage) {
		var got struct{ Value []trace.Event }
		broken = errors.Join(broken, json.Unmarshal(m, &got))
		events = append(events, got.Value...)
	})
	defer p.c.hear(p.session, "Tracing.dataCollected", nil)
	done := make(chan struct{}) // closed behind the last of these, by whom they were heard
	p.c.hear(p.session, "Tracing.tracingComplete", func(json.RawMessage) { close(done) })
	defer p.c.hear(p.session, "Tracing.tracingComplete", nil)
	if err := p.Call(ctx, "Tracing.start", trace.Start(), nil); err != nil {
		return nil, err
	}
	err := p.Eval(ctx, trace.Begin, nil)
	if err == nil {
		do()
		err = p.Eval(ctx, trace.End, nil)
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
