package control

import (
	"errors"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native"
)

// interruptedKept is how long an interrupted task can be taken up where nothing
// is kept of what has ended.
const interruptedKept = 24 * time.Hour

// view notes that somebody follows a task (every task when empty), until end is
// called.
func (m *Manager) view(task string) (end func()) {
	m.mu.Lock()
	if m.viewers == nil {
		m.viewers = map[string]int{}
	}
	m.viewers[task]++
	m.mu.Unlock()
	return func() {
		m.mu.Lock()
		if m.viewers[task]--; m.viewers[task] <= 0 {
			delete(m.viewers, task)
		}
		m.mu.Unlock()
		m.forget()
	}
}

// forget removes what has ended and nobody looks at, where the person wants no
// history kept: whole conversations only, since the next task may go on with one.
func (m *Manager) forget() {
	if !m.settings().Forget {
		return
	}
	m.forgetting.Lock()
	defer m.forgetting.Unlock()
	all, err := m.conversations()
	if err != nil {
		m.Log.Error().Err(err).Msg("what has ended was not removed")
		return
	}
	for _, c := range all {
		if m.wanted(c) {
			continue
		}
		if err := m.remove(c); err != nil && !errors.Is(err, &native.Error{Code: CodeBusy}) {
			m.Log.Error().Err(err).Str("conversation", c.id).Msg("what has ended was not removed")
		}
	}
}

// wanted reports whether a conversation goes on, can be gone on with, or is
// being looked at.
func (m *Manager) wanted(c *conversation) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.viewers[""] > 0 {
		return true
	}
	for _, t := range c.tasks {
		young := time.Since(time.UnixMilli(changed(t))) < interruptedKept
		if m.viewers[t.Task] > 0 || !journal.Ended(t.State) || t.Resumable && young {
			return true
		}
	}
	return false
}
