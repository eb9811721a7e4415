package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// queueMost is how many tasks may wait for a tab.
const queueMost = 8

// waiter is a task that waits for a tab that another task works in.
type waiter struct {
	order  int
	job    job
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it no longer waits
}

// enqueue saves a task that begins once its tab is free. busy is the error that it
// can't begin now, returned if the queue is full.
func (m *Manager) enqueue(j job, rec journal.Task, busy error) (wire.TaskInfo, error) {
	by, _ := m.holder(j.place.Profile, j.tab.ID)
	ctx, cancel := context.WithCancelCause(context.Background())
	w := &waiter{job: j, cancel: cancel, done: make(chan struct{})}
	m.mu.Lock()
	if m.closed || len(m.waiting) >= queueMost {
		m.mu.Unlock()
		cancel(errClosing)
		return rec.TaskInfo, busy
	}
	if m.waiting == nil {
		m.waiting = map[string]*waiter{}
	}
	m.queued++
	w.order = m.queued
	m.waiting[j.id] = w
	m.wg.Add(1)
	m.mu.Unlock()
	rec.State = wire.TaskQueued
	err := m.Journal.Create(rec)
	if err == nil {
		if _, err = m.Journal.Append(wire.Event{Task: j.id, Type: wire.EvStarted, Text: j.p.Text}); err == nil {
			_, err = m.Journal.Append(agent.Says(wire.Event{Task: j.id, Type: wire.EvQueued}, j.p.Lang, prompts.Waits, m.nameOf(by)))
		}
	}
	if err != nil {
		m.unqueue(w)
		m.wg.Done()
		cancel(err)
		return rec.TaskInfo, err
	}
	go func() {
		defer m.wg.Done()
		m.await(ctx, w)
	}()
	return rec.TaskInfo, nil
}

// unqueue removes a task from the queue and wakes the next one, whose tab may be
// free already.
func (m *Manager) unqueue(w *waiter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.waiting, w.job.id)
	m.signalFree()
}

// await begins a waiting task when its turn has come and its tab is free. It gives
// up when the task's time is over or the task is stopped.
func (m *Manager) await(ctx context.Context, w *waiter) {
	defer w.cancel(nil)
	defer close(w.done)
	j := w.job
	ctx, cancel := context.WithTimeout(ctx, max(j.set.Budget.Time, time.Hour))
	defer cancel()
	for {
		free := m.tabFree()
		if m.isFirst(w) {
			err := m.leaseTab(j.place.Profile, j.tab.ID, j.id)
			if err == nil {
				m.launchOr(ctx, j)
				m.unqueue(w) // not before: until then Stop finds it in the queue
				return
			}
		}
		select {
		case <-free:
		case <-ctx.Done():
			m.endWaiting(ctx, j)
			m.unqueue(w)
			return
		}
	}
}

// launchOr runs a task, or records that it could not begin. If its tab is gone, as
// after a restart of the browser, the task can be resumed in another tab.
func (m *Manager) launchOr(ctx context.Context, j job) {
	var err error
	gone := tabLost(ctx, j.place.Driver, j.tab.ID)
	if ctx.Err() != nil { // stopped meanwhile
		m.release(j.place.Profile, j.id)
		m.endWaiting(ctx, j)
		return
	}
	if gone {
		err = agent.TabLost(j.p.Lang)
	} else if _, err = m.Journal.Append(wire.Event{Task: j.id, Type: wire.EvResumed}); err == nil {
		err = m.launch(j)
	}
	if err == nil {
		return
	}
	m.release(j.place.Profile, j.id)
	if err := m.recordStartFailure(j.id, err); err != nil {
		m.Log.Error().Err(err).Str("task", j.id).Msg("the task's end could not be recorded")
	}
}

func (m *Manager) endWaiting(ctx context.Context, j job) {
	ev := agent.Says(wire.Event{Task: j.id, Type: wire.EvCancelled}, j.p.Lang, prompts.Stopped)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, agent.ErrEnded):
		ev = agent.Says(wire.Event{Task: j.id, Type: wire.EvInterrupted}, j.p.Lang, prompts.BrokerEnded)
	case errors.Is(cause, context.DeadlineExceeded):
		e := &wire.Error{Code: wire.CodeTabBusy, Message: fmt.Sprintf("The tab was not free within %s.", max(j.set.Budget.Time, time.Hour)), Hint: "Stop the task that works in it, or begin in another tab."}
		ev = wire.Event{Task: j.id, Type: wire.EvFailed, Text: e.Message, Error: e}
	}
	if _, err := m.Journal.Append(ev); err != nil {
		m.Log.Error().Err(err).Str("task", j.id).Msg("the task's end could not be recorded")
	}
}

// isFirst reports whether w has waited longest for its tab.
func (m *Manager) isFirst(w *waiter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.waiting {
		if o.order < w.order && o.job.place.Profile == w.job.place.Profile && o.job.tab.ID == w.job.tab.ID {
			return false
		}
	}
	return true
}
