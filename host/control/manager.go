// Package control is the broker: it owns the tasks, listens on the local socket, and serves
// the panels, the command line and other programs. It may import everything in host. Start
// reading at Manager for tasks, and at Broker for the process.
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

// errClosing refuses a task while the broker is ending.
var errClosing = &wire.Error{Code: wire.CodeClosed, Message: "Tabwright is just restarting.", Hint: "Try again in a moment."}

// Place is a browser that tasks can run in.
type Place struct {
	Driver  browser.Driver
	Profile string // the relay's profile; empty for a launched browser
	// Wait returns once the browser is connected again.
	Wait func(ctx context.Context) error
	// Leaving reports whether the browser has ended or ends within a moment.
	Leaving func(ctx context.Context) bool
	// Allow lets a tab be attached again after the user closed its debugging bar.
	Allow func(tab browser.TabID)
	// Ask answers cards in place of a panel. If nil, panels answer.
	Ask func(ctx context.Context, c wire.ConfirmInfo) action.Answer
	// NoUser is set if nobody can answer a question.
	NoUser bool
}

// Manager runs tasks. Its methods are safe for concurrent use.
type Manager struct {
	Journal    *journal.Journal
	Models     *models.Catalog
	Log        zerolog.Logger
	Budget     agent.Budget
	UploadDirs []string
	// FilesDir holds a folder for each task, with the files it writes.
	FilesDir string
	// Secrets is the user's vault; may be nil.
	Secrets action.Secrets
	// Policies holds the user's own rules; nil means the standard preset.
	Policies Policies
	// Audit logs decisions and actions; nil logs nothing.
	Audit *journal.Audit
	// Critic says which models review their own acts: CriticAuto, CriticOn or
	// CriticOff. Empty means off.
	Critic string
	// Now returns the current settings, which a task takes when it begins. If nil,
	// Budget, UploadDirs and Critic are used.
	Now func() TaskSettings
	// OnChange is called whenever the number of running tasks changes.
	OnChange func(running int)

	mu      sync.Mutex
	openers map[string]*action.Openers // by profile
	live    map[string]*live
	leases  map[string]string // profile and tab → task
	deltas  map[chan wire.DeltaEvent]string
	closed  bool
	wg      sync.WaitGroup
	ended   detachDelay

	claimed map[string]bool    // tasks that are being resumed or removed
	waiting map[string]*waiter // tasks that wait for a tab that another task holds
	queued  int                // how many have waited so far; gives each its order
	free    chan struct{}      // closed when a tab may have become free; may be nil

	finding sync.Mutex // held while a resumed task finds its tab

	kept    sync.Once
	history *history.History

	flows flowRuns // workflows
}

// live is a running task.
type live struct {
	id      string
	place   Place
	tab     browser.TabID
	desk    *agent.UserChannel
	session *action.Session
	cancel  context.CancelCauseFunc
	done    chan struct{}
}

// highWater returns the highest element index ever used in a tab. If it can't be
// read, it returns a number that no tab reaches, so that no index is used twice.
func (m *Manager) highWater(profile string, tab browser.TabID) int {
	n, err := m.Journal.HighWater(tabKey(profile, tab))
	if err != nil {
		m.Log.Error().Err(err).Str("tab", string(tab)).Msg("high-water mark unread")
		return 1_000_000
	}
	return n
}

// join adds a task to the running ones. remove takes it out again, and leave marks
// its end.
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
	m.wg.Add(1) // under mu, so that Close waits for every task that has joined
	m.mu.Unlock()
	m.notifyRunning(n)
	return nil
}

// leave signals that all of a task has ended.
func (m *Manager) leave(l *live) {
	close(l.done)
	m.wg.Done()
}

// remove takes a task out of the running ones and returns how many are left.
func (m *Manager) remove(l *live) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, l.id)
	m.signalFree()
	return len(m.live)
}

// liveTasks returns the running tasks.
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

// CountRunning returns the number of running tasks.
func (m *Manager) CountRunning() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.live)
}

// TaskDone returns a channel that is closed once the task no longer runs.
func (m *Manager) TaskDone(task string) <-chan struct{} {
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

const shownTasks = 50 // a list has the newest

// TaskSettings are the settings that a task takes when it begins.
type TaskSettings struct {
	Budget     agent.Budget
	UploadDirs []string
	SearchURL  string // with {query} in it; empty: action.DefaultSearchURL
	Critic     string // CriticAuto, CriticOn, CriticOff; empty is off
	Validator  string // auto, on or off, as Critic
	Lang       string // en or zh; if empty, the language of the task's text
	// Forget removes a task from disk once it has ended and the user has seen it.
	Forget bool
}

// settings returns the current settings: from Now, else from the fields.
func (m *Manager) settings() TaskSettings {
	if m.Now != nil {
		return m.Now()
	}
	return TaskSettings{Budget: m.Budget, UploadDirs: m.UploadDirs, Critic: m.Critic}
}

// KindSession is the TaskInfo.Kind of a session.
const KindSession = "session"

func (m *Manager) isClosing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// tabFree returns a channel that is closed when a tab may have become free.
func (m *Manager) tabFree() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.free == nil {
		m.free = make(chan struct{})
	}
	return m.free
}

// signalFree wakes the tasks that wait for a tab. The caller holds m.mu.
func (m *Manager) signalFree() {
	if m.free != nil {
		close(m.free)
		m.free = nil
	}
}

// flowRuns holds the workflows that this broker has run or changed.
type flowRuns struct {
	mu   sync.Mutex
	runs map[string]*flow.Runner
	tell func(wire.FlowInfo) // sends a change to the panels; may be nil
}

// interruptedTask returns a task and whether it can be resumed.
func (m *Manager) interruptedTask(id string) (journal.Task, bool) {
	t, err := m.Journal.Task(id)
	return t, err == nil && t.Resumable
}

// claim reserves a task for resuming or ending it. It returns false if the task
// runs or is claimed already.
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

// busy reports whether a task runs, waits for its tab, or is being resumed.
func (m *Manager) busy(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.claimed[id] || m.live[id] != nil || m.waiting[id] != nil
}

// taskDir returns the folder of a task's files, which may not exist yet; empty
// without FilesDir.
func (m *Manager) taskDir(id string) string {
	if m.FilesDir == "" {
		return ""
	}
	return filepath.Join(m.FilesDir, id)
}

func nowMillis() int64 { return time.Now().UnixMilli() }

func tabKey(profile string, tab browser.TabID) string { return profile + ":" + string(tab) }

// openersOf returns what is known of the sites that a profile's tasks use.
func (m *Manager) openersOf(profile string) *action.Openers {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.openers[profile]
	if o == nil {
		o = new(action.Openers)
		if m.openers == nil {
			m.openers = map[string]*action.Openers{}
		}
		m.openers[profile] = o
	}
	return o
}
