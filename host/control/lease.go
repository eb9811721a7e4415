package control

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/pagecontext"
)

// leaseTab leases a tab to a task, unless another task has it. No ended task
// detaches the tab meanwhile.
func (m *Manager) leaseTab(profile string, tab browser.TabID, task string) error {
	return m.ended.withoutDetach(func() error { return m.lease(profile, tab, task) })
}

// lease is leaseTab without the wait for tabs that are being detached.
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
		return &wire.Error{
			Code: wire.CodeTabBusy, Message: fmt.Sprintf("%s is at work in this tab.", m.nameOf(by)),
			Hint: "Stop that first (" + by + "), or work in another tab.",
		}
	}
	m.leases[key] = task
	return nil
}

// nameOf names a task for the user: by its text, or by its program's name.
func (m *Manager) nameOf(task string) string {
	t, err := m.Journal.Task(task)
	switch {
	case err != nil:
		return "Another task"
	case t.Kind == KindSession:
		return t.Text
	}
	return fmt.Sprintf("The task %q", pagecontext.Cut(t.Text, 60))
}

// releaseTab ends a task's lease of one tab.
func (m *Manager) releaseTab(profile string, tab browser.TabID, task string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if key := tabKey(profile, tab); m.leases[key] == task {
		delete(m.leases, key)
		m.signalFree()
	}
}

// release ends all leases of a task and wakes the tasks that wait for a tab.
func (m *Manager) release(profile, task string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, by := range m.leases {
		if by == task && strings.HasPrefix(key, profile+":") {
			delete(m.leases, key)
		}
	}
	m.signalFree()
}

// holder returns the task that works in a tab: the one with its lease, or a running
// task with the tab among its session's tabs.
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
