// Package control is what every door goes through: the broker that owns the
// tasks, the local socket it listens on, the panels' methods, and the client
// that the CLI uses. It may import everything in host, and nothing imports it
// but package main. Start reading at Manager for tasks and Broker for the
// process.
package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/history"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
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

// finish gives back what a task held. Its tabs stay attached for a while.
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

func (m *Manager) notifyRunning(n int) {
	if m.OnChange != nil {
		m.OnChange(n)
	}
}

// Stop ends a task and returns once nothing of it runs any more.
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

// Say gives a task the user's words, with what they attached.
func (m *Manager) Say(task, text string, attach ...wire.Attachment) error {
	l, err := m.runningTask(task)
	if err != nil {
		return err
	}
	_, given, err := m.attach(task, attach)
	if err == nil {
		l.desk.SayWith(text, given)
	}
	return err
}

// Tell gives a task the words of a program that did not begin it.
func (m *Manager) Tell(p wire.SayParams) error {
	l, err := m.runningTask(p.Task)
	if err != nil {
		return err
	}
	if len(p.Attach) > 0 {
		return &wire.Error{
			Code: wire.CodePanelOnly, Message: "Only the side panel, or who began the task, attaches something to it.", Hint: "Say it in words, or begin a task of your own.",
		}
	}
	l.desk.Tell(p.Text)
	return nil
}

// Pause makes a task wait before its next step.
func (m *Manager) Pause(task string) error {
	l, err := m.runningTask(task)
	if err == nil {
		l.desk.Pause()
	}
	return err
}

// Unpause lets a paused task go on; that is also the user's leave to attach a
// tab again whose debugging bar was closed.
func (m *Manager) Unpause(task string) error {
	l, err := m.runningTask(task)
	if err != nil {
		return err
	}
	if l.place.Allow != nil {
		for _, t := range l.session.Tabs() {
			l.place.Allow(t.ID)
		}
	}
	l.desk.Unpause()
	return nil
}

// Answer answers a card.
func (m *Manager) Answer(a wire.ConfirmAnswer) error {
	l, err := m.runningTask(a.Task)
	if err != nil {
		return err
	}
	if err := l.desk.Answer(a); errors.Is(err, agent.ErrNoCard) {
		return &wire.Error{Code: wire.CodeNoCard, Message: "This question is not open any more."}
	}
	return nil
}

// Running is how many tasks run.
func (m *Manager) Running() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.live)
}

// Close stops all tasks, waits for them and lets go of their tabs. No task
// starts any more.
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
