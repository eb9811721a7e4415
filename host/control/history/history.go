// Package history keeps the conversations and the files that a task leaves behind: its trace,
// its result, a recording and pictures of its steps. If the user wants no history, it removes
// them. The package runs no tasks. Live tells it which tasks are running. It may import
// host/agent, host/flow, host/journal, host/native, pagecontext and safety. Start reading at
// History.
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

// Live tells which stored tasks and workflows run.
type Live interface {
	// Busy reports whether a task runs, waits or is being resumed.
	Busy(task string) bool
	// Flow returns a workflow's current state.
	Flow(id string) (flow.State, error)
	// DropFlows drops removed workflows from memory.
	DropFlows(ids []string)
}

// History is the store of past tasks. Its methods are safe for concurrent use.
type History struct {
	Journal *journal.Journal
	Log     zerolog.Logger
	// Dir returns the folder of a task's files; empty if there is none.
	Dir func(task string) string
	// Forgets reports whether ended tasks are removed.
	Forgets func() bool
	Live    Live

	mu         sync.Mutex
	viewers    map[string]int // number of followers by task; "" counts those of all tasks
	forgetting sync.Mutex     // held while ended tasks are removed
}

// Sites returns the sites that a task has visited.
func (h *History) Sites(t journal.Task) ([]string, error) {
	events, err := h.Journal.Events(t.Task, 0)
	return SitesIn(t, events), err
}

// SitesIn returns the sites that a task began on, read and acted on.
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
