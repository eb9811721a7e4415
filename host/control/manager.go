// Package control is what every door goes through: the broker that owns the
// tasks, the local socket it listens on, the panels' methods, and the client
// that the CLI uses. It may import everything in host, and nothing imports it
// but package main. Start reading at Manager for tasks and Broker for the
// process.
package control

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/history"
	"tabwright/host/control/models"
	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// errClosing is the refusal of a broker that is about to end.
var errClosing = &wire.Error{Code: wire.CodeClosed, Message: "Tabwright is just restarting.", Hint: "Try again in a moment."}

// Place is a browser that tasks can run in.
type Place struct {
	Driver  browser.Driver
	Profile string // of the relay; empty for a launched browser
	// Wait returns when the driver works again after it was lost.
	Wait func(ctx context.Context) error
	// Leaving reports whether the browser is gone, or goes within a moment.
	Leaving func(ctx context.Context) bool
	// Allow lifts a tab's refusal after the user closed the debugging bar.
	Allow func(tab browser.TabID)
	// Ask answers cards in the place of a panel; nil where panels answer.
	Ask func(ctx context.Context, c wire.ConfirmInfo) action.Answer
	// NoUser is true where nobody can answer a question.
	NoUser bool
}

// Manager runs tasks. Its methods are safe for use by several goroutines.
type Manager struct {
	Journal    *journal.Journal
	Models     *models.Catalog
	Log        zerolog.Logger
	Budget     agent.Budget
	UploadDirs []string
	// FilesDir is where each task has a folder for the files it writes.
	FilesDir string
	// Secrets is the user's vault; may be nil.
	Secrets action.Secrets
	// Policies are the user's own rules; nil is the standard preset.
	Policies Policies
	// Audit keeps what is decided and done; nil keeps nothing.
	Audit *journal.Audit
	// Critic says which models look at their acts a second time: CriticAuto,
	// CriticOn or CriticOff. Empty is off.
	Critic string
	// Now gives the settings of the moment, which a task takes when it begins.
	// Nil: Budget, UploadDirs and Critic as they stand.
	Now func() TaskSettings
	// OnChange is called whenever the number of running tasks changes.
	OnChange func(running int)

	mu     sync.Mutex
	live   map[string]*live
	leases map[string]string // profile and tab → task
	deltas map[chan wire.DeltaEvent]string
	closed bool
	wg     sync.WaitGroup
	ended  detachDelay

	claimed map[string]bool    // tasks that are being taken up
	waiting map[string]*waiter // tasks whose tab is another's
	queued  int                // so many have waited
	free    chan struct{}      // closed when a tab may have become free; may be nil

	finding sync.Mutex // one at a time finds its tab again

	kept    sync.Once
	history *history.History

	flows flowRuns // workflows
}

// live is a task that runs.
type live struct {
	id      string
	place   Place
	tab     browser.TabID
	desk    *agent.UserChannel
	session *action.Session
	cancel  context.CancelCauseFunc
	done    chan struct{}
}

// highWater is the highest index ever given in a tab. When it can't be read, a
// number is taken that no tab reaches, so that no index is ever given twice.
func (m *Manager) highWater(profile string, tab browser.TabID) int {
	n, err := m.Journal.HighWater(tabKey(profile, tab))
	if err != nil {
		m.Log.Error().Err(err).Str("tab", string(tab)).Msg("high-water mark unread")
		return 1_000_000
	}
	return n
}

// join puts a task among those that run; leave ends that.
func (m *Manager) join(l *live) error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return errClosing
	}
	if m.live == nil {
		m.live = map[string]*live{}
	}
	m.live[l.id] = l
	n := len(m.live)
	m.wg.Add(1) // under mu: Close waits only for what began before it
	m.mu.Unlock()
	m.notifyRunning(n)
	return nil
}

// leave says that nothing of a task runs any more.
func (m *Manager) leave(l *live) {
	close(l.done)
	m.wg.Done()
}

// remove takes a task from those that run, and gives how many are left.
func (m *Manager) remove(l *live) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, l.id)
	m.signalFree()
	return len(m.live)
}

// liveTasks are the tasks that run.
func (m *Manager) liveTasks() []*live {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.live))
}

func (m *Manager) notifyRunning(n int) {
	if m.OnChange != nil {
		m.OnChange(n)
	}
}

// Running is how many tasks run.
func (m *Manager) Running() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.live)
}

// Done gives a channel that is closed when the task no longer runs.
func (m *Manager) Done(task string) <-chan struct{} {
	if l, err := m.runningTask(task); err == nil {
		return l.done
	}
	c := make(chan struct{})
	close(c)
	return c
}

func (m *Manager) runningTask(task string) (*live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.live[task]; ok {
		return l, nil
	}
	return nil, &wire.Error{Code: wire.CodeNoTask, Message: fmt.Sprintf("No task %q is running.", task)}
}

const shownTasks = 50 // of a list, the newest

// TaskSettings is what a task takes from the user's settings when it begins.
type TaskSettings struct {
	Budget     agent.Budget
	UploadDirs []string
	SearchURL  string // with {query} in it; empty: action.DefaultSearchURL
	Critic     string // CriticAuto, CriticOn, CriticOff; empty is off
	Validator  string // auto, on or off, as Critic
	Lang       string // en, zh; empty: by the task's words
	// Forget removes a task from disk once it has ended and was seen.
	Forget bool
}

// settings are those of the moment: from Now, else the fields.
func (m *Manager) settings() TaskSettings {
	if m.Now != nil {
		return m.Now()
	}
	return TaskSettings{Budget: m.Budget, UploadDirs: m.UploadDirs, Critic: m.Critic}
}

// KindSession is TaskInfo.Kind of a session.
const KindSession = "session"

func (m *Manager) isClosing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// tabFree is closed when a tab may have become free.
func (m *Manager) tabFree() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.free == nil {
		m.free = make(chan struct{})
	}
	return m.free
}

// signalFree wakes what waits for a tab; m.mu is held.
func (m *Manager) signalFree() {
	if m.free != nil {
		close(m.free)
		m.free = nil
	}
}

// flowRuns are the workflows that this broker has touched.
type flowRuns struct {
	mu   sync.Mutex
	runs map[string]*flow.Runner
	tell func(wire.FlowInfo) // shows panels a change; nil: nobody looks
}

// interruptedTask gives a task that can be taken up again.
func (m *Manager) interruptedTask(id string) (journal.Task, bool) {
	t, err := m.Journal.Task(id)
	return t, err == nil && t.Resumable
}

// claim keeps two from taking up, or removing, a task at once.
func (m *Manager) claim(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.claimed[id] || m.live[id] != nil || m.closed {
		return false
	}
	if m.claimed == nil {
		m.claimed = map[string]bool{}
	}
	m.claimed[id] = true
	return true
}

func (m *Manager) unclaim(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.claimed, id)
}

// busy reports whether a task runs, waits for its tab, or is being taken up.
func (m *Manager) busy(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.claimed[id] || m.live[id] != nil || m.waiting[id] != nil
}

// taskDir is where a task's files go; it is made with the first of them.
func (m *Manager) taskDir(id string) string {
	if m.FilesDir == "" {
		return ""
	}
	return filepath.Join(m.FilesDir, id)
}

func nowMillis() int64 { return time.Now().UnixMilli() }

func tabKey(profile string, tab browser.TabID) string { return profile + ":" + string(tab) }
