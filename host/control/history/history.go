// Package history is what is kept of tasks: conversations and how they are found, what a task
// leaves behind (its trace, its result, a recording, pictures of its steps), and what is
// removed where no history is wanted. It runs nothing; who does says by Live what goes on.
// It may import host/agent, host/flow, host/journal, host/native, pagecontext and safety.
// Start reading at History.
package history

import (
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// Live says which of the tasks and workflows that are kept go on.
type Live interface {
	// Busy reports whether a task runs, waits or is being resumed.
	Busy(task string) bool
	// Flow is a workflow as it stands.
	Flow(id string) (flow.State, error)
	// DropFlows forgets workflows that are removed.
	DropFlows(ids []string)
}

// History is what is kept of tasks. Its methods are safe for use by several goroutines.
type History struct {
	Journal *journal.Journal
	Log     zerolog.Logger
	// Dir is the folder of a task's files; empty where there is none.
	Dir func(task string) string
	// Forgets reports whether nothing is to be kept of what has ended.
	Forgets func() bool
	Live    Live

	mu         sync.Mutex
	viewers    map[string]int // how many follow a task; under "" those of all
	forgetting sync.Mutex     // one at a time removes what has ended
}

// Sites gives the sites that a task has been on.
func (h *History) Sites(t journal.Task) ([]string, error) {
	events, err := h.Journal.Events(t.Task, 0)
	return SitesIn(t, events), err
}

// SitesIn gives the sites that a task began on, looked at and acted on.
func SitesIn(t journal.Task, events []wire.Event) []string {
	var out []string
	see := func(address string) {
		if site := safety.Site(address); site != "" && !slices.Contains(out, site) {
			out = append(out, site)
		}
	}
	for _, u := range []string{t.Home, t.URL, t.Where.URL} {
		see(u)
	}
	for _, ev := range events {
		if ev.Step != nil {
			see(ev.Step.URL)
			see("https://" + ev.Step.Site)
		}
	}
	return out
}
