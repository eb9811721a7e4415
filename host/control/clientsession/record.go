package clientsession

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// confirmer asks the gate's question and waits up to answerTime.
type confirmer struct{ s *Session }

func (c confirmer) Confirm(ctx context.Context, card action.Card) (action.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return c.s.desk.Confirm(ctx, card)
}

// watcher records acts under the current step.
type watcher struct{ s *Session }

func (w watcher) OnActStart(_ context.Context, c action.Call, target, site string, _ safety.Level) error {
	w.s.mu.Lock()
	n := w.s.steps
	w.s.mu.Unlock()
	return w.s.rec.StartAct(journal.Act{
		Step: n, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params))),
		Target: target, Site: site, Started: time.Now().UnixMilli(),
	})
}

func (w watcher) Notify(ctx context.Context, text string, in map[string]string) {
	w.s.desk.Notify(ctx, text, in)
}

// record passes events to the next record and notes when a question opens.
type record struct {
	s    *Session
	next agent.Record

	mu       sync.Mutex
	newest   *pendingWrite // the newest event that is being written
	lastLook *pendingWrite // the end of the newest step that changed nothing
	acted    bool          // the current step has done something
}

// pendingWrite is an event that is written in the background.
type pendingWrite struct {
	done chan struct{}
	err  error // set before done is closed
}

func (e *pendingWrite) wait() error {
	if e == nil {
		return nil
	}
	<-e.done
	return e.err
}

// begin is Emit for the start of a step, but does not wait for the disk, so that the
// page is read meanwhile. Nothing that follows is recorded before it.
func (r *record) begin(ev wire.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acted = false
	r.queue(ev)
}

// emitLook is Emit for the end of a step that changed nothing, but does not wait for
// the disk: nothing depends on its record. It waits for the one before it, so that
// at most two are pending.
func (r *record) emitLook(ev wire.Event) {
	r.mu.Lock()
	before := r.lastLook
	r.mu.Unlock()
	_ = before.wait() // queue has logged the error
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastLook = r.queue(ev)
}

// queue writes an event after the ones being written. The caller holds r.mu.
func (r *record) queue(ev wire.Event) *pendingWrite {
	before, e := r.newest, &pendingWrite{done: make(chan struct{})}
	r.newest = e
	r.s.wg.Go(func() {
		defer close(e.done)
		_ = before.wait()
		if r.next == nil {
			return
		}
		if e.err = r.next.Emit(ev); e.err != nil {
			r.s.log.Error().Err(e.err).Msg("step not recorded")
		}
	})
	return e
}

// waitWritten waits until all queued events are written. It returns the error of the
// newest.
func (r *record) waitWritten() error {
	r.mu.Lock()
	e := r.newest
	r.mu.Unlock()
	return e.wait()
}

// hasActed reports whether the current step has done something.
func (r *record) hasActed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.acted
}

func (r *record) Emit(ev wire.Event) error {
	_ = r.waitWritten() // for the order only: do and StartAct report its error
	if r.next != nil {
		if err := r.next.Emit(ev); err != nil {
			return err
		}
	}
	if ev.Type == wire.EvConfirmRequest && r.s.desk.Ask == nil {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		p := r.s.now
		if p == nil {
			return nil
		}
		card := *ev.Confirm
		first := p.card == nil
		p.card = &card // asked anew after the page changed: the newest is valid
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

func (r *record) StartAct(a journal.Act) error {
	r.mu.Lock()
	r.acted = true
	r.mu.Unlock()
	if err := r.waitWritten(); err != nil || r.next == nil {
		return err
	}
	return r.next.StartAct(a)
}

func (r *record) FinishAct() error {
	if r.next == nil {
		return nil
	}
	return r.next.FinishAct()
}
