package door

import (
	"context"
	"encoding/json"
	"sync"
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

func (w watcher) Notify(ctx context.Context, text string, in map[string]string) {
	w.s.desk.Notify(ctx, text, in)
}

// record passes everything on, and notices when a question is open.
type record struct {
	s    *Session
	next agent.Record

	mu    sync.Mutex
	early *early // the event that is on its way to the disk
}

// early is an event that is being written while the step goes on.
type early struct {
	done chan struct{}
	err  error // set before done is closed
}

// begin is Emit for the start of a step, and does not wait for the disk: the
// page is looked at meanwhile. Nothing that follows is recorded before it.
func (r *record) begin(ev native.Event) {
	e := &early{done: make(chan struct{})}
	r.mu.Lock()
	r.early = e
	r.mu.Unlock()
	r.s.wg.Go(func() {
		defer close(e.done)
		if r.next != nil {
			e.err = r.next.Emit(ev)
		}
	})
}

// begun waits for the event of begin, and gives its failure.
func (r *record) begun() error {
	r.mu.Lock()
	e := r.early
	r.mu.Unlock()
	if e == nil {
		return nil
	}
	<-e.done
	return e.err
}

func (r *record) Emit(ev native.Event) error {
	_ = r.begun() // for the order only: who began the step is told of its failure
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
	if err := r.begun(); err != nil || r.next == nil {
		return err
	}
	return r.next.ActStarted(a)
}

func (r *record) ActFinished() error {
	if r.next == nil {
		return nil
	}
	return r.next.ActFinished()
}
