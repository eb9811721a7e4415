package control

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native"
)

// pausing are hands whose first act has the person pause the task.
type pausing struct {
	desk *agent.Desk
	mu   sync.Mutex
	did  []string
}

func (h *pausing) Do(_ context.Context, c action.Call) action.Result {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.did = append(h.did, c.Name); len(h.did) == 1 {
		h.desk.Pause()
	}
	return action.Result{Line: "Did it"}
}

func (h *pausing) Observe(context.Context, action.ObserveOptions) (action.Observation, error) {
	return action.Observation{}, nil
}

// A workflow that is paused between two hooks of a node does the second one when
// it goes on, and not before.
func TestAPauseHoldsHooks(t *testing.T) {
	m := manager(t)
	must(t, m.Journal.Create(journal.Task{TaskInfo: native.TaskInfo{Task: "t1", Text: "buy", State: native.TaskRunning}}))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, events, err := m.Journal.Follow(ctx, "t1", 0)
	must(t, err)
	rec := &record{m: m, task: "t1"}
	desk := agent.NewDesk(rec)
	h := &pausing{desk: desk}
	ended := make(chan error, 1)
	go func() {
		ended <- m.hooks(ctx, agent.Options{Hands: h, Desk: desk, Record: rec, Lang: "en"}, []native.PartAct{
			{Action: "click", Params: []byte(`{}`)}, {Action: "refresh", Params: []byte(`{}`)},
		})
	}()
	var types []native.EventType
	for ev := range events {
		if types = append(types, ev.Type); ev.Type == native.EvPaused {
			h.mu.Lock()
			if !slices.Equal(h.did, []string{"click"}) {
				t.Errorf("done while it is paused: %v", h.did)
			}
			h.mu.Unlock()
			desk.Resume()
		}
		if len(types) == 6 {
			break
		}
	}
	must(t, <-ended)
	want := []native.EventType{native.EvToolCall, native.EvToolResult, native.EvPaused, native.EvResumed, native.EvToolCall, native.EvToolResult}
	if !slices.Equal(types, want) || !slices.Equal(h.did, []string{"click", "refresh"}) {
		t.Errorf("%v, done %v", types, h.did)
	}
}
