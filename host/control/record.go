package control

import (
	"tabwright/host/journal"
	"tabwright/host/native"
)

// record is a task's agent.Record: the journal first, then everyone who looks.
type record struct {
	m    *Manager
	task string
}

func (r *record) Emit(ev native.Event) error {
	ev.Task = r.task
	_, err := r.m.Journal.Append(ev)
	return err
}

func (r *record) Delta(kind, text string) {
	r.m.delta(native.DeltaEvent{Task: r.task, Kind: kind, Text: text})
}

func (r *record) ActStarted(a journal.Act) error { return r.m.Journal.ActStarted(r.task, a) }
func (r *record) ActFinished() error             { return r.m.Journal.ActFinished(r.task) }

// deltaBacklog is how many pieces of streamed text wait for a slow viewer;
// past that they are dropped for it: the finished text comes in an event.
const deltaBacklog = 256

// Deltas gives the streamed text of a task (of all tasks when empty) until
// cancel is called.
func (m *Manager) Deltas(task string) (deltas <-chan native.DeltaEvent, cancel func()) {
	ch := make(chan native.DeltaEvent, deltaBacklog)
	m.mu.Lock()
	if m.deltas == nil {
		m.deltas = map[chan native.DeltaEvent]string{}
	}
	m.deltas[ch] = task
	m.mu.Unlock()
	return ch, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.deltas, ch)
	}
}

func (m *Manager) delta(d native.DeltaEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ch, task := range m.deltas {
		if task != "" && task != d.Task {
			continue
		}
		select {
		case ch <- d:
		default:
		}
	}
}
