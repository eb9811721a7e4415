package door

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/safety"
)

// confirmer puts the gate's question on the desk, for a while.
type confirmer struct{ s *Session }

func (c confirmer) Confirm(ctx context.Context, card action.Card) (action.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return c.s.desk.Confirm(ctx, card)
}

// watcher records acts under the step that is under way.
type watcher struct{ s *Session }

func (w watcher) ActStarted(_ context.Context, c action.Call, target, site string, _ safety.Level) error {
	w.s.mu.Lock()
	n := w.s.steps
	w.s.mu.Unlock()
	return w.s.rec.ActStarted(journal.Act{
		Step: n, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params))),
		Target: target, Site: site, Started: time.Now().UnixMilli(),
	})
}

func (w watcher) Notify(ctx context.Context, text string) { w.s.desk.Notify(ctx, text) }

// record passes everything on, and notices when a question is open.
type record struct {
	s    *Session
	next agent.Record
}

func (r *record) Emit(ev native.Event) error {
	if r.next != nil {
		if err := r.next.Emit(ev); err != nil {
			return err
		}
	}
	if ev.Type == native.EvConfirmRequest && r.s.desk.Ask == nil {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		p := r.s.now
		if p == nil {
			return nil
		}
		card := *ev.Confirm
		first := p.card == nil
		p.card = &card // asked again after the page changed: the newest counts
		if first {
			close(p.asked)
			return nil
		}
		select {
		case p.again <- struct{}{}:
		default:
		}
	}
	return nil
}

func (r *record) Delta(kind, text string) {
	if r.next != nil {
		r.next.Delta(kind, text)
	}
}

func (r *record) ActStarted(a journal.Act) error {
	if r.next == nil {
		return nil
	}
	return r.next.ActStarted(a)
}

func (r *record) ActFinished() error {
	if r.next == nil {
		return nil
	}
	return r.next.ActFinished()
}
