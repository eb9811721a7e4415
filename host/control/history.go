package control

import (
	"tabwright/host/control/history"
	"tabwright/host/flow"
)

// History returns the store of past tasks.
func (m *Manager) History() *history.History {
	m.kept.Do(func() {
		m.history = &history.History{Journal: m.Journal, Log: m.Log, Dir: m.taskDir, Forgets: func() bool { return m.settings().Forget }, Live: liveState{m}}
	})
	return m.history
}

// liveState tells the history which stored tasks and workflows still run.
type liveState struct{ m *Manager }

// Busy reports whether a task runs, waits or is being resumed.
func (l liveState) Busy(task string) bool { return l.m.busy(task) }

// Flow returns a workflow's current state.
func (l liveState) Flow(id string) (flow.State, error) { return l.m.flowState(id) }

// DropFlows drops the runners of removed workflows.
func (l liveState) DropFlows(ids []string) {
	l.m.flows.mu.Lock()
	defer l.m.flows.mu.Unlock()
	for _, id := range ids {
		delete(l.m.flows.runs, id)
	}
}
