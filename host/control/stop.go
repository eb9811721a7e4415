package control

import (
	"context"
	"slices"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// Stop ends a task and returns when all of it has ended.
func (m *Manager) Stop(ctx context.Context, task string) error {
	l, err := m.runningTask(task)
	if err != nil {
		return m.stopIdle(ctx, task, err)
	}
	l.cancel(agent.ErrStopped)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stopIdle ends a task that waits for its tab, or that was interrupted.
func (m *Manager) stopIdle(ctx context.Context, task string, none error) error {
	m.mu.Lock()
	w := m.waiting[task]
	m.mu.Unlock()
	if w != nil {
		w.cancel(agent.ErrStopped)
		select {
		case <-w.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if _, err := m.runningTask(task); err == nil { // it began in that moment
			return m.Stop(ctx, task)
		}
		return nil
	}
	t, ok := m.interruptedTask(task)
	if !ok || !m.claim(task) {
		return none
	}
	defer m.unclaim(task)
	_, err := m.Journal.Append(agent.Says(wire.Event{Task: task, Type: wire.EvCancelled}, t.Lang, prompts.Stopped))
	return err
}

// Close stops all tasks, waits for them and detaches their tabs. No task can start
// afterwards.
func (m *Manager) Close(why error) {
	m.mu.Lock()
	m.closed = true
	for _, l := range m.live {
		l.cancel(why)
	}
	for _, w := range m.waiting {
		w.cancel(why)
	}
	m.mu.Unlock()
	m.Models.Close()
	m.wg.Wait()
	m.ended.close(m.Log)
}

// finish releases an ended task's tabs. They stay attached for a while.
func (m *Manager) finish(l *live) {
	tab := l.session.Tab()
	if err := m.Journal.SetHighWater(tabKey(l.place.Profile, tab), l.session.HighWater()); err != nil {
		m.Log.Error().Err(err).Str("tab", string(tab)).Msg("high-water mark not saved")
	}
	m.release(l.place.Profile, l.id)
	n := m.remove(l)
	m.notifyRunning(n)
	m.History().Forget()
	m.ended.add(l, func() bool { return m.inUse(l) }, m.Log)
}

// inUse reports whether a running task works in one of an ended task's tabs.
func (m *Manager) inUse(l *live) bool {
	return slices.ContainsFunc(l.session.Tabs(), func(t browser.TabInfo) bool {
		_, busy := m.holder(l.place.Profile, t.ID)
		return busy
	})
}
