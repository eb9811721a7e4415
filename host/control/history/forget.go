package history

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// interruptedKept is how long an interrupted task or a paused workflow can be resumed
// if no history is kept.
const interruptedKept = 24 * time.Hour

// flowShown is how long an ended workflow stays for clients that follow it.
const flowShown = 10 * time.Second

// View notes that a client follows a task, or all tasks if task is empty, until end
// is called.
func (h *History) View(task string) (end func()) {
	h.mu.Lock()
	if h.viewers == nil {
		h.viewers = map[string]int{}
	}
	h.viewers[task]++
	h.mu.Unlock()
	return func() {
		h.mu.Lock()
		if h.viewers[task]--; h.viewers[task] <= 0 {
			delete(h.viewers, task)
		}
		h.mu.Unlock()
		h.Forget()
	}
}

// Forget removes ended tasks that no client follows, if the user wants no history. It
// removes only whole conversations, since the next task may continue one, and a
// workflow's tasks only once the workflow has ended, since it may not have read
// their ends yet.
func (h *History) Forget() {
	if !h.Forgets() {
		return
	}
	h.forgetting.Lock()
	defer h.forgetting.Unlock()
	if err := h.forgetEnded(); err != nil {
		h.Log.Error().Err(err).Msg("what has ended was not removed")
	}
}

func (h *History) forgetEnded() error {
	all, err := h.conversations()
	if err != nil {
		return err
	}
	programs, err := h.programs()
	if err != nil {
		return err
	}
	// Read after the tasks, so that every task above is either named by its workflow or
	// no longer needed by it.
	flows, err := h.flowStates()
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for _, s := range flows {
		if flowWanted(s) {
			for _, n := range s.Graph.Nodes {
				named[n.Ran] = true
			}
		}
	}
	var errs []error
	for _, c := range append(all, programs...) {
		if h.isWanted(c, named) {
			continue
		}
		if err := h.remove(c); err != nil && !errors.Is(err, &wire.Error{Code: wire.CodeBusy}) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, h.forgetFlows(flows))...)
}

// isWanted reports whether a conversation runs, can be resumed, or is followed. named
// are the tasks of workflows that are still wanted.
func (h *History) isWanted(c *conversation, named map[string]bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.viewers[""] > 0 {
		return true
	}
	for _, t := range c.tasks {
		young := time.Since(time.UnixMilli(lastChange(t))) < interruptedKept
		if h.viewers[t.Task] > 0 || named[t.Task] || !journal.Ended(t.State) || t.Resumable && young {
			return true
		}
	}
	return false
}

// flowWanted reports whether a workflow runs, can be resumed, or has just ended. One
// that is being stopped is wanted while a node still runs.
func flowWanted(s flow.State) bool {
	since := time.Since(time.UnixMilli(s.Updated))
	under := slices.ContainsFunc(s.Graph.Nodes, func(n flow.Node) bool { return n.State == wire.NodeRunning })
	switch {
	case s.State == wire.FlowRunning, s.State == wire.FlowPaused && under: // without limit: a task has its own time limit
		return true
	case s.State == wire.FlowInterrupted, s.State == wire.FlowPaused, under:
		return since < interruptedKept
	}
	return since < flowShown
}

// forgetFlows removes the ended workflows whose tasks are all removed.
func (h *History) forgetFlows(all []flow.State) error {
	h.mu.Lock()
	watched := h.viewers[""] > 0
	h.mu.Unlock()
	if watched {
		return nil
	}
	var gone []string
	for _, s := range all {
		if flowWanted(s) {
			continue
		}
		left := 0
		for _, n := range s.Graph.Nodes {
			if n.Ran == "" {
				continue
			}
			if _, err := h.Journal.Task(n.Ran); err == nil {
				left++
			} else if !errors.Is(err, journal.ErrNoTask) {
				return err
			}
		}
		if left == 0 {
			gone = append(gone, s.ID)
		}
	}
	return h.dropFlows(gone)
}

// flowStates returns the current states of all workflows.
func (h *History) flowStates() ([]flow.State, error) {
	all, err := h.Journal.Flows(journal.KeptFlows)
	if err != nil {
		return nil, err
	}
	out := make([]flow.State, 0, len(all))
	for _, raw := range all {
		var s flow.State
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		s, err := h.Live.Flow(s.ID)
		if errors.Is(err, &wire.Error{Code: wire.CodeNoFlow}) {
			continue // removed meanwhile
		} else if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// dropFlows removes workflows from disk and from this broker's memory.
func (h *History) dropFlows(ids []string) error {
	h.Live.DropFlows(ids)
	return h.Journal.RemoveFlows(ids...)
}
