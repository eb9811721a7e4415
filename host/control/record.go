package control

import (
	"sync"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// record is a task's agent.Record: the journal first, then everyone who looks.
type record struct {
	m    *Manager
	task string
	// session is where the task works; nil for one that keeps no place.
	session *action.Session
	driver  browser.Driver // of the session
	forget  bool           // nothing is kept of what has ended

	mu  sync.Mutex
	url string // of the page that the session's tab showed last
}

// where is the page that the task is at now: after an act, the one that the act
// led to. A tab that is gone, blank, or shows an error of the browser's, was at the
// page before.
func (r *record) where() journal.Where {
	if r.session == nil {
		return journal.Where{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if u := r.session.Address(); u != "about:blank" && workable(u) {
		r.url = u
	}
	if r.url == "" {
		return journal.Where{}
	}
	return journal.Where{Tab: string(r.session.Tab()), Run: browser.RunOf(r.driver), URL: r.url}
}

func (r *record) Emit(ev wire.Event) error {
	ev.Task = r.task
	_, err := r.m.Journal.AppendAt(ev, r.where())
	return err
}

func (r *record) Delta(kind, text string) {
	r.m.delta(wire.DeltaEvent{Task: r.task, Kind: kind, Text: text})
}

func (r *record) ActStarted(a journal.Act) error { return r.m.Journal.ActStarted(r.task, a) }
func (r *record) ActFinished() error             { return r.m.Journal.ActFinished(r.task) }

// Settled ends the doubt about a step.
func (r *record) Settled(step int) error { return r.m.Journal.Settle(r.task, step) }

// Thumbs reports whether pictures of steps are kept.
func (r *record) Thumbs() bool { return !r.forget && r.m.FilesDir != "" }

// KeepThumb keeps the picture of a step.
func (r *record) KeepThumb(step int, jpeg []byte) error {
	return keepThumb(r.m.taskDir(r.task), step, jpeg)
}

// deltaBacklog is how many pieces of streamed text wait for a slow viewer;
// past that they are dropped for it: the finished text comes in an event.
const deltaBacklog = 256

// Deltas gives the streamed text of a task (of all tasks when empty) until
// cancel is called.
func (m *Manager) Deltas(task string) (deltas <-chan wire.DeltaEvent, cancel func()) {
	ch := make(chan wire.DeltaEvent, deltaBacklog)
	m.mu.Lock()
	if m.deltas == nil {
		m.deltas = map[chan wire.DeltaEvent]string{}
	}
	m.deltas[ch] = task
	m.mu.Unlock()
	return ch, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.deltas, ch)
	}
}

func (m *Manager) delta(d wire.DeltaEvent) {
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
