package control

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/history"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// indexGap keeps the element indices of a resumed task apart from earlier ones: the
// highest was not written when the task was interrupted.
const indexGap = 500

// Resume continues an interrupted task. It reads the task's steps from the journal
// and finds its tab again. The task checks the result of its last act before it
// does anything else.
func (m *Manager) Resume(ctx context.Context, id string, place Place) error {
	if _, ok := m.interruptedTask(id); !ok {
		return &wire.Error{Code: wire.CodeNoTask, Message: "This task can't be resumed.", Hint: "Send it as a new one."}
	}
	if !m.claim(id) {
		return &wire.Error{Code: wire.CodeBusy, Message: "This task is being resumed already."}
	}
	defer m.unclaim(id)
	t, ok := m.interruptedTask(id)
	if !ok {
		return nil // another call was faster
	}
	j, err := m.pastJob(ctx, t, place)
	if err != nil {
		return err
	}
	opened, err := m.takeTab(ctx, t, &j)
	if err == nil {
		if err = m.runResumed(t, j); err != nil {
			m.release(place.Profile, id)
		}
	}
	if err != nil && opened {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachTime)
		defer cancel()
		err = errors.Join(err, place.Driver.CloseTab(closing, j.tab.ID))
	}
	return err
}

// runResumed runs a task whose tab is leased. If that fails, the task can be
// resumed again.
func (m *Manager) runResumed(t journal.Task, j job) error {
	if err := m.raiseHighWater(j.place.Profile, j.tab.ID); err != nil {
		return err
	}
	if t.Seq == 0 { // it was interrupted before its first event
		if _, err := m.Journal.Append(wire.Event{Task: t.Task, Type: wire.EvStarted, Text: t.Text}); err != nil {
			return err
		}
	}
	if _, err := m.Journal.Append(wire.Event{Task: t.Task, Type: wire.EvResumed, Text: prompts.Notice(prompts.TakenUp, t.Lang)}); err != nil {
		return err
	}
	err := m.launch(j)
	if err == nil {
		return nil
	}
	e := wire.AsError(err)
	_, saved := m.Journal.Append(wire.Event{Task: t.Task, Type: wire.EvInterrupted, Text: e.Message, Error: e})
	return errors.Join(err, saved)
}

// pastJob returns a task as it was started, with its steps so far.
func (m *Manager) pastJob(ctx context.Context, t journal.Task, place Place) (job, error) {
	j := job{id: t.Task, place: place, set: m.settings(), home: t.Home}
	j.p = wire.TaskStartParams{Text: t.Text, URL: t.URL, Model: t.Model, Lang: t.Lang, Conversation: t.Conversation}
	events, err := m.Journal.Events(t.Task, 0)
	if err != nil {
		return j, err
	}
	past := agent.PastOf(events, t.Lang)
	if a, ok, err := m.Journal.Unfinished(t.Task); err != nil {
		return j, err
	} else if ok {
		past.Unfinished = &a
	}
	if past.Doubts, err = m.Journal.Doubts(t.Task); err != nil {
		return j, err
	}
	j.past, j.pastSites = &past, history.SitesIn(t, events)
	if j.attach, err = toAgentAttached(t.Attach); err != nil {
		return j, err
	}
	if j.before, err = m.History().Before(t.Conversation); err != nil {
		return j, err
	}
	for i, e := range j.before { // leave out the task itself and what came after it
		if e.Asked == t.Text && e.Answered == "" {
			j.before = j.before[:i]
			break
		}
	}
	x, err := m.extrasOf(t.Task, wire.TaskStartParams{})
	if err != nil {
		return j, err
	}
	j.p.Schema, j.p.URLs, j.p.Part, j.p.Replay = x.Schema, x.URLs, x.Part, x.Replay
	if j.model, err = m.modelFor(ctx, j.p); err != nil {
		j.model, err = m.Models.Open(ctx, "") // its model is no longer available
	}
	return j, err
}

// takeTab finds the tab of a task again and leases it. It runs for one task at a
// time, so that no two find the same tab.
func (m *Manager) takeTab(ctx context.Context, t journal.Task, j *job) (opened bool, err error) {
	m.finding.Lock()
	defer m.finding.Unlock()
	if j.tab, opened, err = m.tabBack(ctx, j.place, t, j.p.Part == nil); err != nil {
		return false, err
	}
	j.own = t.Own || opened
	return opened, m.leaseTab(j.place.Profile, j.tab.ID, t.Task)
}

// tabBack finds the tab of a task: the same one if it still shows that site, else
// one at the same address, else a new one. If the task was interrupted while it
// opened its tab, that is a tab with a higher number than all before. Tab numbers
// are valid only within one run of the browser. A new tab is noted in the journal
// before it is opened; front brings it to the front of its window. The tab of
// another task is never taken, even of an interrupted one.
func (m *Manager) tabBack(ctx context.Context, place Place, t journal.Task, front bool) (tab browser.TabInfo, opened bool, err error) {
	id, at := tabOf(t), t.Where.URL
	for _, u := range []string{t.Home, t.URL} {
		if at == "" {
			at = u
		}
	}
	tabs, err := place.Driver.Tabs(ctx)
	if err != nil {
		return tab, false, err
	}
	others, err := m.othersTabs(t)
	if err != nil {
		return tab, false, err
	}
	free := func(x browser.TabInfo) bool {
		_, busy := m.holder(place.Profile, x.ID)
		return !busy && !others[string(x.ID)]
	}
	run := browser.RunOf(place.Driver)
	take := func(x browser.TabInfo) (browser.TabInfo, bool, error) {
		browser.Take(place.Driver, x.ID)
		return x, false, nil
	}
	for _, x := range tabs {
		if o := t.Opening; o != nil && o.Run == run && numberOf(x.ID) > o.Above && samePage(x.URL, at) && free(x) {
			return take(x)
		}
	}
	for _, x := range tabs {
		if runOf(t) == run && string(x.ID) == id && free(x) && (sameHost(x.URL, at) || at == "") {
			return x, false, nil
		}
	}
	for _, x := range tabs {
		if at != "" && (id != "" || t.Opening == nil) && samePage(x.URL, at) && free(x) {
			return take(x)
		}
	}
	// Opening an address that acts would repeat the act unasked. An address that the
	// gate now blocks is not opened either.
	x, err := m.extrasOf(t.Task, wire.TaskStartParams{})
	if err != nil {
		return tab, false, err
	}
	p := wire.TaskStartParams{Text: t.Text, URL: t.URL, URLs: x.URLs, Lang: t.Lang}
	if to, asks, err := m.mayOpen(t.Task, p, browser.TabInfo{URL: t.Home}, at); err != nil || asks || !isDrivable(at) {
		at = "about:blank"
	} else {
		at = to
	}
	if err := m.Journal.Opening(t.Task, *openingAmong(tabs, run)); err != nil {
		return tab, false, err
	}
	tab, err = place.Driver.Open(ctx, at, front, "")
	return tab, err == nil, err
}

// tabOf returns the last tab of a task; empty if it had none yet.
func tabOf(t journal.Task) string {
	if t.Where.Tab == "" && t.TabID != 0 {
		return strconv.Itoa(t.TabID)
	}
	return t.Where.Tab
}

// runOf returns the run of the browser in which tabOf's number is valid.
func runOf(t journal.Task) string {
	if t.Where.Tab == "" {
		return t.Run
	}
	return t.Where.Run
}

// othersTabs returns the tabs of the other tasks that can be resumed.
func (m *Manager) othersTabs(t journal.Task) (map[string]bool, error) {
	tasks, err := m.Journal.Tasks(shownTasks)
	out := map[string]bool{}
	for _, o := range tasks {
		if id := tabOf(o); o.Resumable && o.Task != t.Task && o.Profile == t.Profile && id != tabOf(t) {
			out[id] = true
		}
	}
	return out, err
}

func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	v, err2 := url.Parse(b)
	return err == nil && err2 == nil && u.Scheme == v.Scheme && u.Host == v.Host
}

func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// raiseHighWater raises a tab's high-water mark before a task is resumed in it.
func (m *Manager) raiseHighWater(profile string, tab browser.TabID) error {
	key := tabKey(profile, tab)
	n, err := m.Journal.HighWater(key)
	if err != nil {
		return err
	}
	return m.Journal.SetHighWater(key, n+indexGap)
}
