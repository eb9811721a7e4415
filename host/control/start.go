package control

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// Start begins a task in a place. It returns once the task is on disk and launched,
// or queued.
func (m *Manager) Start(ctx context.Context, p wire.TaskStartParams, place Place) (wire.TaskInfo, error) {
	return m.startAs(ctx, newID(), p, place)
}

// startAs is Start with a given id.
func (m *Manager) startAs(ctx context.Context, id string, p wire.TaskStartParams, place Place) (wire.TaskInfo, error) {
	if strings.TrimSpace(p.Text) == "" {
		return wire.TaskInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "The task has no words.", Hint: "Say what is to be done."}
	}
	set := m.settings()
	if p.Lang == "" {
		p.Lang = set.Lang
	}
	if p.Lang == "" {
		p.Lang = agent.Language(p.Text) // one language for prompts, steps and cards
	}
	model, err := m.modelFor(ctx, p)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	before, err := m.History().Before(p.Conversation)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	if p.Part != nil {
		if err := m.announce(ctx, id, p, model, place); err != nil {
			return wire.TaskInfo{}, err
		}
	}
	tab, begin, err := m.startTab(ctx, id, place.Driver, p)
	if err != nil {
		return wire.TaskInfo{}, errors.Join(err, m.unannounce(id, p, err))
	}
	info, err := m.begin(job{
		id: id, p: p, place: place, tab: tab, own: p.TabID == 0, home: tab.URL, begin: begin, model: model, set: set, before: before,
	})
	if err != nil && p.TabID == 0 { // close the tab that was opened for it
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachTime)
		defer cancel()
		err = errors.Join(err, place.Driver.CloseTab(closing, tab.ID))
	}
	if err != nil {
		err = errors.Join(err, m.unannounce(id, p, err))
	}
	return info, err
}

// begin leases the tab, saves the task and runs it. If another task has the tab and
// p.Queue is set, the task waits for it.
func (m *Manager) begin(j job) (info wire.TaskInfo, err error) {
	id, p := j.id, j.p
	busy := m.leaseTab(j.place.Profile, j.tab.ID, id)
	if busy != nil && !p.Queue {
		return info, busy
	}
	info = wire.TaskInfo{
		Task: id, Text: p.Text, State: wire.TaskRunning, Model: j.model.ID, Started: nowMillis(), Conversation: p.Conversation,
	}
	if info.Conversation == "" {
		info.Conversation = id
	}
	info.TabID, _ = strconv.Atoi(string(j.tab.ID)) // a launched browser's tab id is not a number; TabID stays 0
	rec := journal.Task{TaskInfo: info, URL: p.URL, Lang: p.Lang, Profile: j.place.Profile, Run: browser.RunOf(j.place.Driver), Home: j.home, Own: j.own}
	if rec.Attach, j.attach, err = m.attach(id, p.Attach); err == nil && p.Part == nil {
		err = m.keepExtras(id, p) // Resume reads them
	}
	if err == nil && busy != nil {
		return m.enqueue(j, rec, busy)
	}
	if err == nil {
		err = m.Journal.Create(rec)
	}
	if err == nil {
		_, err = m.Journal.Append(wire.Event{Task: id, Type: wire.EvStarted, Text: p.Text})
	}
	if err != nil {
		m.release(j.place.Profile, id)
		return info, err
	}
	if err := m.launch(j); err != nil {
		m.release(j.place.Profile, id)
		if p.Part == nil { // an announced one is ended by unannounce
			err = errors.Join(err, m.recordStartFailure(id, err))
		}
		return info, err
	}
	return info, nil
}

// announce saves a node's task before its tab is opened, so that the tab is found
// again if the broker ends at that moment.
func (m *Manager) announce(ctx context.Context, id string, p wire.TaskStartParams, model models.Model, place Place) error {
	tabs, err := place.Driver.Tabs(ctx)
	if err != nil {
		return err
	}
	rec := journal.Task{
		TaskInfo: wire.TaskInfo{Task: id, Text: p.Text, State: wire.TaskRunning, Model: model.ID, Started: nowMillis(), Conversation: id},
		URL:      p.URL, Lang: p.Lang, Profile: place.Profile, Run: browser.RunOf(place.Driver), Own: true,
	}
	rec.Opening = openingAmong(tabs, rec.Run)
	if err := m.keepExtras(id, p); err != nil {
		return err
	}
	return m.Journal.Create(rec)
}

// openingAmong returns what tells a tab opened from now on from the existing ones.
func openingAmong(tabs []browser.TabInfo, run string) *journal.Opening {
	o := &journal.Opening{Run: run}
	for _, t := range tabs {
		o.Above = max(o.Above, numberOf(t.ID))
	}
	return o
}

// numberOf returns a tab's number; 0 for a launched browser, whose ids are not
// numbers.
func numberOf(id browser.TabID) int {
	n, err := strconv.Atoi(string(id))
	if err != nil {
		return 0
	}
	return n
}

// unannounce ends a node's task that was announced and could not begin. Nothing else
// would end it.
func (m *Manager) unannounce(id string, p wire.TaskStartParams, why error) error {
	if p.Part == nil {
		return nil
	}
	rec, err := m.Journal.Task(id)
	if err == nil && rec.Seq == 0 {
		_, err = m.Journal.Append(wire.Event{Task: id, Type: wire.EvStarted, Text: p.Text})
	}
	return errors.Join(err, m.recordStartFailure(id, why))
}

// startTab returns the tab that the user named, or a new one. The tab of a
// workflow's node opens behind the user's. If the gate asks about the address first,
// the tab is empty and begin is the address.
func (m *Manager) startTab(ctx context.Context, id string, d browser.Driver, p wire.TaskStartParams) (tab browser.TabInfo, begin string, err error) {
	if p.TabID == 0 {
		at := p.URL
		if p.Replay != nil { // a replay goes there by itself
			at = ""
		}
		to, asks, err := m.mayOpen(id, p, browser.TabInfo{}, at)
		if err != nil {
			return tab, "", err
		}
		if asks {
			to, begin = "about:blank", to
		}
		tab, err = d.Open(ctx, to, p.Part == nil, "")
		return tab, begin, err
	}
	tab, err = userTab(ctx, d, p)
	return tab, "", err
}

// mayOpen asks the gate about the address that a task's tab is to be opened at.
func (m *Manager) mayOpen(id string, p wire.TaskStartParams, home browser.TabInfo, address string) (to string, asks bool, err error) {
	to, asks, bad := action.MayOpen(action.Options{
		Policy: policyFor(p, home, nil), Rules: m.rules(), Audit: m.auditor(id, DoorTask), Log: m.Log, Lang: p.Lang,
	}, address)
	if bad != nil {
		return "", false, &wire.Error{Code: wire.Code(bad.Code), Message: bad.Message, Hint: bad.Hint}
	}
	return to, asks, nil
}

// userTab is the tab that the user began a task in.
func userTab(ctx context.Context, d browser.Driver, p wire.TaskStartParams) (browser.TabInfo, error) {
	tabs, err := d.Tabs(ctx)
	if err != nil {
		return browser.TabInfo{}, err
	}
	id := browser.TabID(strconv.Itoa(p.TabID))
	i := slices.IndexFunc(tabs, func(t browser.TabInfo) bool { return t.ID == id })
	if i < 0 {
		return browser.TabInfo{}, &wire.Error{Code: wire.Code(action.TabClosed), Message: "The tab the task was to begin in is gone."}
	}
	browser.Take(d, id) // the user is in it
	return tabs[i], nil
}

// startTime bounds the start of a task: asking the model server for its models,
// opening a tab.
const startTime = 30 * time.Second
