// Package control is what every door goes through: the broker that owns the
// tasks, the local socket it listens on, the panels' methods, and the client
// that the CLI uses. It may import everything in host, and nothing imports it
// but package main. Start reading at Manager for tasks and Broker for the
// process.
package control

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/safety"
)

// Codes of the broker's own refusals.
const (
	CodeNoTask    native.Code = "no_task"    // no task of that id, or it does not run
	CodeNoCard    native.Code = "no_card"    // the confirmation is not open any more
	CodeNoBrowser native.Code = "no_browser" // no browser with the extension is connected
	CodeTabBusy   native.Code = "tab_busy"   // another task works in that tab
	CodeBusy      native.Code = "busy"       // tasks are running
	CodeNoModel   native.Code = "no_model"   // no model can be used
)

// errClosing is the refusal of a broker that is about to end.
var errClosing = &native.Error{Code: native.CodeClosed, Message: "Tabwright is just restarting.", Hint: "Try again in a moment."}

// Place is a browser that tasks can run in.
type Place struct {
	Driver  browser.Driver
	Profile string // of the relay; empty for a launched browser
	// Wait returns when the driver works again after it was lost.
	Wait func(ctx context.Context) error
	// Allow lifts a tab's refusal after the person closed the debugging bar.
	Allow func(tab browser.TabID)
	// Ask answers cards in the place of a panel; nil where panels answer.
	Ask func(ctx context.Context, c native.ConfirmInfo) (allow bool, by string)
	// NoPerson is true where nobody can answer a question.
	NoPerson bool
}

// Manager runs tasks. Its methods are safe for use by several goroutines.
type Manager struct {
	Journal    *journal.Journal
	Models     *Models
	Log        zerolog.Logger
	Budget     agent.Budget
	UploadDirs []string
	// FilesDir is where each task has a folder for the files it writes.
	FilesDir string
	// OnChange is called whenever the number of running tasks changes.
	OnChange func(running int)

	mu     sync.Mutex
	live   map[string]*live
	leases map[string]string // profile and tab → task
	deltas map[chan native.DeltaEvent]string
	closed bool
	wg     sync.WaitGroup
	ended  lingering
}

// live is a task that runs.
type live struct {
	id      string
	place   Place
	tab     browser.TabID
	desk    *agent.Desk
	session *action.Session
	cancel  context.CancelCauseFunc
	done    chan struct{}
}

// Start begins a task in a place and returns as soon as it is on disk.
func (m *Manager) Start(ctx context.Context, p native.TaskStartParams, place Place) (native.TaskInfo, error) {
	if strings.TrimSpace(p.Text) == "" {
		return native.TaskInfo{}, &native.Error{Code: native.CodeInvalidParams, Message: "The task has no words.", Hint: "Say what is to be done."}
	}
	if p.Lang == "" {
		p.Lang = agent.Language(p.Text) // one language for prompts, steps and cards
	}
	model, err := m.Models.Open(ctx, p.Model)
	if err != nil {
		return native.TaskInfo{}, err
	}
	tab, err := startTab(ctx, place.Driver, p)
	if err != nil {
		return native.TaskInfo{}, err
	}
	info, err := m.begin(p, place, tab, model)
	if err != nil && p.TabID == 0 { // a tab that was opened for nothing
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), letGoTime)
		defer cancel()
		err = errors.Join(err, place.Driver.CloseTab(closing, tab.ID))
	}
	return info, err
}

// begin takes the tab, puts the task on disk and runs it.
func (m *Manager) begin(p native.TaskStartParams, place Place, tab browser.TabInfo, model OpenModel) (info native.TaskInfo, err error) {
	id := newID()
	if err := m.ended.between(func() error { return m.lease(place.Profile, tab.ID, id) }); err != nil {
		return info, err
	}
	info = native.TaskInfo{
		Task: id, Text: p.Text, State: native.TaskRunning, Model: model.ID, Started: time.Now().UnixMilli(),
	}
	info.TabID, _ = strconv.Atoi(string(tab.ID)) // a target id of a launched browser is no number, and needs none
	rec := journal.Task{TaskInfo: info, URL: p.URL, Lang: p.Lang, Profile: place.Profile}
	if err := m.Journal.Create(rec); err != nil {
		m.release(place.Profile, id)
		return info, err
	}
	if _, err := m.Journal.Append(native.Event{Task: id, Type: native.EvStarted, Text: p.Text}); err != nil {
		m.release(place.Profile, id)
		return info, err
	}
	if err := m.launch(id, p, place, tab, model); err != nil {
		m.release(place.Profile, id)
		e := native.AsError(err)
		_, saved := m.Journal.Append(native.Event{Task: id, Type: native.EvFailed, Text: e.Message, Error: e})
		return info, errors.Join(err, saved)
	}
	return info, nil
}

// launch runs the task in a goroutine that Wait and Stop wait for.
func (m *Manager) launch(id string, p native.TaskStartParams, place Place, tab browser.TabInfo, model OpenModel) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	rec := &record{m: m, task: id}
	desk := agent.NewDesk(rec)
	desk.Ask, desk.NoPerson = place.Ask, place.NoPerson
	l := &live{id: id, place: place, tab: tab.ID, desk: desk, cancel: cancel, done: make(chan struct{})}
	var err error
	l.session, err = action.NewSession(action.Options{
		Driver: place.Driver, Tab: tab.ID, Confirmer: desk, Watcher: desk,
		Policy: policyFor(p, tab, m.UploadDirs), UploadDirs: m.UploadDirs,
		Log: m.Log.With().Str("task", id).Logger(), Lang: p.Lang,
		HighWater: func(tab browser.TabID) int { return m.highWater(place.Profile, tab) },
		OwnTab:    p.TabID == 0, TaskDir: m.taskDir(id),
	})
	if err != nil {
		cancel(err)
		return err
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		cancel(errClosing)
		return errors.Join(errClosing, l.session.Close(context.WithoutCancel(ctx))) // nothing is attached yet
	}
	if m.live == nil {
		m.live = map[string]*live{}
	}
	m.live[id] = l
	n := len(m.live)
	m.wg.Add(1) // under mu: Close waits only for what began before it
	m.mu.Unlock()
	m.changed(n)
	go func() {
		defer m.wg.Done()
		defer close(l.done)
		defer cancel(nil)
		m.work(ctx, id, agent.Options{
			Text: p.Text, Lang: p.Lang, Model: model.Model, Strong: model.Strong,
			Hands: l.session, Desk: desk, Record: rec, Budget: m.Budget, WaitBrowser: place.Wait,
		})
		m.finish(l)
	}()
	return nil
}

// work runs the loop. A fault of ours in one task must not take the broker,
// and with it every other task, down: it becomes that task's failure.
func (m *Manager) work(ctx context.Context, id string, o agent.Options) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		m.Log.Error().Str("task", id).Interface("panic", r).Bytes("stack", debug.Stack()).Msg("task panicked")
		e := &native.Error{Code: native.CodeInternal, Message: "Tabwright itself failed in this task.", Hint: "See the log of the broker."}
		if err := o.Record.Emit(native.Event{Type: native.EvFailed, Text: e.Message, Error: e}); err != nil {
			m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
		}
	}()
	if err := agent.Run(ctx, o); err != nil {
		m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
	}
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

// finish gives back what a task held. Its tabs stay attached for a while.
func (m *Manager) finish(l *live) {
	tab := l.session.Tab()
	if err := m.Journal.SetHighWater(tabKey(l.place.Profile, tab), l.session.HighWater()); err != nil {
		m.Log.Error().Err(err).Str("tab", string(tab)).Msg("high-water mark not saved")
	}
	m.release(l.place.Profile, l.id)
	m.mu.Lock()
	delete(m.live, l.id)
	n := len(m.live)
	m.mu.Unlock()
	m.changed(n)
	m.ended.add(l, func() bool { return m.inUse(l) }, m.Log)
}

// inUse reports whether a running task works in one of an ended task's tabs.
func (m *Manager) inUse(l *live) bool {
	return slices.ContainsFunc(l.session.Tabs(), func(t browser.TabInfo) bool {
		_, busy := m.holder(l.place.Profile, t.ID)
		return busy
	})
}

func (m *Manager) changed(n int) {
	if m.OnChange != nil {
		m.OnChange(n)
	}
}

// Stop ends a task and returns once nothing of it runs any more.
func (m *Manager) Stop(ctx context.Context, task string) error {
	l, err := m.running(task)
	if err != nil {
		return err
	}
	l.cancel(agent.ErrStopped)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Say gives a task the person's words.
func (m *Manager) Say(task, text string) error {
	l, err := m.running(task)
	if err == nil {
		l.desk.Say(text)
	}
	return err
}

// Pause makes a task wait before its next step.
func (m *Manager) Pause(task string) error {
	l, err := m.running(task)
	if err == nil {
		l.desk.Pause()
	}
	return err
}

// Resume lets a paused task go on; that is also the person's leave to attach a
// tab again whose debugging bar was closed.
func (m *Manager) Resume(task string) error {
	l, err := m.running(task)
	if err != nil {
		if t, e := m.Journal.Task(task); e == nil && t.State == native.TaskInterrupted {
			return &native.Error{
				Code: CodeNoTask, Message: "This task ended with the program that ran it, and is not repeated by itself.",
				Hint: "Look at what it has done, then send what is left as a new task.",
			}
		}
		return err
	}
	if l.place.Allow != nil {
		for _, t := range l.session.Tabs() {
			l.place.Allow(t.ID)
		}
	}
	l.desk.Resume()
	return nil
}

// Answer answers a card.
func (m *Manager) Answer(a native.ConfirmAnswer) error {
	l, err := m.running(a.Task)
	if err != nil {
		return err
	}
	if err := l.desk.Answer(a); errors.Is(err, agent.ErrNoCard) {
		return &native.Error{Code: CodeNoCard, Message: "This question is not open any more."}
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
	m.mu.Unlock()
	m.wg.Wait()
	m.ended.close(m.Log)
}

// Done gives a channel that is closed when the task no longer runs.
func (m *Manager) Done(task string) <-chan struct{} {
	if l, err := m.running(task); err == nil {
		return l.done
	}
	c := make(chan struct{})
	close(c)
	return c
}

func (m *Manager) running(task string) (*live, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.live[task]; ok {
		return l, nil
	}
	return nil, &native.Error{Code: CodeNoTask, Message: fmt.Sprintf("No task %q is running.", task)}
}

// lease gives a tab to a task, if no other has it.
func (m *Manager) lease(profile string, tab browser.TabID, task string) error {
	by, busy := m.holder(profile, tab)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.leases == nil {
		m.leases = map[string]string{}
	}
	key := tabKey(profile, tab)
	if first, taken := m.leases[key]; taken {
		by, busy = first, true
	}
	if busy {
		return &native.Error{
			Code: CodeTabBusy, Message: "Another task is at work in this tab.",
			Hint: "Stop task " + by + " first, or start this one in another tab.",
		}
	}
	m.leases[key] = task
	return nil
}

func (m *Manager) release(profile, task string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, by := range m.leases {
		if by == task && strings.HasPrefix(key, profile+":") {
			delete(m.leases, key)
		}
	}
}

// holder is the running task that began in a tab, opened it, or had it opened
// by one of its own.
func (m *Manager) holder(profile string, tab browser.TabID) (task string, ok bool) {
	m.mu.Lock()
	task, ok = m.leases[tabKey(profile, tab)]
	others := slices.Collect(maps.Values(m.live))
	m.mu.Unlock()
	for _, l := range others {
		if !ok && l.place.Profile == profile &&
			slices.ContainsFunc(l.session.Tabs(), func(t browser.TabInfo) bool { return t.ID == tab }) {
			return l.id, true
		}
	}
	return task, ok
}

func tabKey(profile string, tab browser.TabID) string { return profile + ":" + string(tab) }

// startTab is the tab the person was in, or a new one.
func startTab(ctx context.Context, d browser.Driver, p native.TaskStartParams) (browser.TabInfo, error) {
	if p.TabID == 0 {
		url := p.URL
		if url == "" {
			url = "about:blank"
		}
		return d.Open(ctx, url, true, "")
	}
	tabs, err := d.Tabs(ctx)
	if err != nil {
		return browser.TabInfo{}, err
	}
	id := browser.TabID(strconv.Itoa(p.TabID))
	i := slices.IndexFunc(tabs, func(t browser.TabInfo) bool { return t.ID == id })
	if i < 0 {
		return browser.TabInfo{}, &native.Error{Code: native.Code(action.TabClosed), Message: "The tab the task was to begin in is gone."}
	}
	return tabs[i], nil
}

// taskDir is where a task's files go; it is made with the first of them.
func (m *Manager) taskDir(id string) string {
	if m.FilesDir == "" {
		return ""
	}
	return filepath.Join(m.FilesDir, id)
}

// policyFor is what the gate knows of a task: it began on a site, and the
// person's own words name others. A local address is allowed only when the
// person was there already or named it.
func policyFor(p native.TaskStartParams, tab browser.TabInfo, uploads []string) safety.Context {
	c := safety.Context{UploadDirs: uploads}
	named := []string{tab.URL, p.URL}
	for _, w := range strings.FieldsFunc(p.Text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'“”<>()，。、", r) }) {
		w = strings.TrimRight(w, ".,;:!?")
		if strings.ContainsAny(w, ".:") || w == "localhost" {
			named = append(named, w)
		}
	}
	for _, n := range named {
		if !strings.Contains(n, "://") {
			n = "https://" + n
		}
		u, err := url.Parse(n)
		if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
			continue
		}
		c.Sites = append(c.Sites, u.Hostname())
		c.LocalHosts = append(c.LocalHosts, u.Hostname())
	}
	return c
}

// newID gives ids that sort by time.
func newID() string {
	return "t" + strconv.FormatInt(time.Now().UnixMilli(), 36) + strings.ToLower(rand.Text()[:4])
}
