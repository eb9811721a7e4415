package control

import (
	"sync"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// record is a task's agent.Record. It writes to the journal, which serves the
// viewers.
type record struct {
	m    *Manager
	task string
	// session is the task's session; nil if its place is not recorded.
	session *action.Session
	driver  browser.Driver // of the session
	forget  bool           // ended tasks are removed, so no pictures are kept

	mu  sync.Mutex
	url string // address of the last page that can be driven
}

// where returns the tab and page that the task is at: after an act, the page that it
// led to. If the tab is gone, blank, or shows an error page of the browser, it is
// the page before.
func (r *record) where() journal.Where {
	if r.session == nil {
		return journal.Where{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if u := r.session.Address(); u != "about:blank" && isDrivable(u) {
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

func (r *record) StartAct(a journal.Act) error { return r.m.Journal.StartAct(r.task, a) }
func (r *record) FinishAct() error             { return r.m.Journal.FinishAct(r.task) }

// SettleAct records that the outcome of a step is no longer in doubt.
func (r *record) SettleAct(step int) error { return r.m.Journal.Settle(r.task, step) }

// Thumbs reports whether pictures of the steps are kept.
func (r *record) Thumbs() bool { return !r.forget && r.m.FilesDir != "" }

// KeepThumb keeps the picture of a step.
func (r *record) KeepThumb(step int, jpeg []byte) error {
	return keepThumb(r.m.taskDir(r.task), step, jpeg)
}

// deltaBacklog is how many pieces of streamed text wait for a slow viewer. Further
// ones are dropped: an event brings the finished text.
const deltaBacklog = 256

// Deltas returns the streamed text of a task, or of all tasks if task is empty,
// until cancel is called.
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
