package control

import (
	"context"
	"errors"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// flowTasks runs the tasks of a workflow's nodes in the browser of the client that
// began or resumed it.
type flowTasks struct {
	m  *Manager
	at flowPlaces
}

// Start begins a node's task in a tab of its own.
func (t flowTasks) Start(ctx context.Context, p wire.TaskStartParams, named func(task string) error) error {
	bounded, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	place, err := t.at.begin(bounded)
	if err == nil {
		id := newID()
		if err = named(id); err != nil {
			return err
		}
		_, err = t.m.startAs(bounded, id, p, place)
	}
	if err != nil && (isGoingAway(err) || t.m.isClosing()) {
		err = errors.Join(flow.ErrCut, err) // so that it can go on once the browser is back
	}
	return err
}

// Wait returns the event that ends a task. A task that no longer runs and has no
// end was interrupted with the broker.
func (t flowTasks) Wait(ctx context.Context, task string, asks func(bool)) (wire.Event, error) {
	w := waitEnd{m: t.m, task: task, asks: asks}
	done := t.m.TaskDone(task)
	for {
		follow, stop := context.WithCancel(ctx)
		old, live, err := t.m.Journal.Follow(follow, task, w.seq)
		if err != nil {
			stop()
			if errors.Is(err, journal.ErrNoTask) {
				err = flow.ErrNeverBegun
			}
			return wire.Event{}, errors.Join(flow.ErrCut, err)
		}
		over, err := w.until(ctx, old, live, done)
		stop()
		if err != nil {
			return wire.Event{}, err
		}
		if !over {
			continue // the journal closed the subscription: follow again
		}
		<-done // wait until all of it has ended
		if w.end.Type == "" || w.end.Type == wire.EvInterrupted || w.end.Type == wire.EvCancelled && t.m.isClosing() {
			return w.end, flow.ErrCut
		}
		return w.end, nil
	}
}

// waitEnd reads a task's events up to its end.
type waitEnd struct {
	m    *Manager
	task string
	asks func(bool)
	seq  uint64
	end  wire.Event

	past, waiting bool // reading old events; the task waits for the user
}

// addEvent handles one event. It reports whether the event ends the task; a later
// EvResumed undoes that.
func (w *waitEnd) addEvent(ev wire.Event) bool {
	w.seq = ev.Seq
	switch ev.Type {
	case wire.EvConfirmRequest, wire.EvAsk:
		w.setWaiting(true)
	case wire.EvConfirmResult, wire.EvSaid:
		w.setWaiting(false)
	case wire.EvResumed:
		w.end = wire.Event{}
		w.setWaiting(false)
	default:
	}
	if wire.Ends(ev.Type) {
		w.end = ev
	}
	return wire.Ends(ev.Type)
}

// setWaiting notes whether the task waits for the user and calls asks, except for
// old events.
func (w *waitEnd) setWaiting(now bool) {
	if w.waiting = now; !w.past {
		w.asks(now)
	}
}

// until reads the old events, then the new ones. over is true when the task has
// ended or no longer runs, false when the subscription was closed.
func (w *waitEnd) until(ctx context.Context, old []wire.Event, live <-chan wire.Event, done <-chan struct{}) (over bool, err error) {
	w.past = true
	for _, ev := range old {
		w.addEvent(ev)
	}
	if w.past = false; w.waiting {
		w.asks(true)
	}
	if w.end.Type != "" {
		return true, nil
	}
	for {
		select {
		case ev, ok := <-live:
			if !ok {
				return false, ctx.Err()
			}
			if w.addEvent(ev) {
				return true, nil
			}
		case <-done:
			rest, err := w.m.Journal.Events(w.task, w.seq)
			for _, ev := range rest {
				w.addEvent(ev)
			}
			return true, err
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// Pause makes a node's task wait before its next step.
func (t flowTasks) Pause(task string) error { return t.m.Pause(task) }

// Resume lets a paused task go on, or resumes one that was interrupted.
func (t flowTasks) Resume(task string) error {
	if t.m.inTakeover(task) {
		return nil // the user resumes it in the panel
	}
	rec, err := t.m.Journal.Task(task)
	switch {
	case errors.Is(err, journal.ErrNoTask):
		return flow.ErrNeverBegun
	case err != nil:
		return err
	case !rec.Resumable && journal.Ended(rec.State):
		return nil // its end is on disk
	case !rec.Resumable:
		return t.m.Unpause(task)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	place, err := t.at.resume(ctx, rec.Profile)
	if err != nil {
		return err
	}
	return t.m.Resume(ctx, rec.Task, place)
}

// Stop ends a node's task.
func (t flowTasks) Stop(ctx context.Context, task string) error { return t.m.Stop(ctx, task) }

// Go runs f in a goroutine that Manager.Close waits for.
func (t flowTasks) Go(f func()) error {
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	if t.m.closed {
		return errClosing
	}
	t.m.wg.Go(f)
	return nil
}
