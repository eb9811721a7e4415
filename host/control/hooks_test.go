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
	"tabwright/host/native/wire"
)

// pausing are hands whose first act has the user pause the task.
type pausing struct {
	desk *agent.UserChannel
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
	must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy", State: wire.TaskRunning}}))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, events, err := m.Journal.Follow(ctx, "t1", 0)
	must(t, err)
	rec := &record{m: m, task: "t1"}
	desk := agent.NewUserChannel(rec)
	h := &pausing{desk: desk}
	ended := make(chan error, 1)
	go func() {
		ended <- m.runHooks(ctx, agent.Options{Executor: h, User: desk, Record: rec, Lang: "en"}, []hook{
			{-1, wire.PartAct{Action: "click", Params: []byte(`{}`)}}, {-2, wire.PartAct{Action: "refresh", Params: []byte(`{}`)}},
		})
	}()
	var types []wire.EventType
	for ev := range events {
		if types = append(types, ev.Type); ev.Type == wire.EvPaused {
			h.mu.Lock()
			if !slices.Equal(h.did, []string{"click"}) {
				t.Errorf("done while it is paused: %v", h.did)
			}
			h.mu.Unlock()
			desk.Unpause()
		}
		if len(types) == 6 {
			break
		}
	}
	must(t, <-ended)
	want := []wire.EventType{wire.EvToolCall, wire.EvToolResult, wire.EvPaused, wire.EvResumed, wire.EvToolCall, wire.EvToolResult}
	if !slices.Equal(types, want) || !slices.Equal(h.did, []string{"click", "refresh"}) {
		t.Errorf("%v, done %v", types, h.did)
	}
}

// heldUp are hands whose first act goes on until it is cut short.
type heldUp struct {
	pausing
	sent    bool // its input was sent before that
	under   chan struct{}
	letGone int
}

func (h *heldUp) Do(ctx context.Context, c action.Call) action.Result {
	h.mu.Lock()
	h.did = append(h.did, c.Name)
	first := len(h.did) == 1
	h.mu.Unlock()
	if !first {
		return action.Result{Line: "Did it"}
	}
	close(h.under)
	<-ctx.Done()
	return action.Result{Sent: h.sent, Err: &action.Error{Code: action.Timeout, Message: "cut short", Err: ctx.Err()}}
}

func (h *heldUp) LetGo(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.letGone++
	return nil
}

// The user takes over while a hook is under way: it is cut short and the page
// is let go of. Once they are done, a hook that was not sent is done, one that was
// sent is not done again.
func TestATakeoverCutsAHookShort(t *testing.T) {
	for _, tc := range []struct {
		name string
		sent bool
		want []string
	}{
		{"unsent", false, []string{"click", "click", "refresh"}},
		{"sent", true, []string{"click", "refresh"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := manager(t)
			must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy", State: wire.TaskRunning}}))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			rec := &record{m: m, task: "t1"}
			h := &heldUp{pausing: pausing{desk: agent.NewUserChannel(rec)}, sent: tc.sent, under: make(chan struct{})}
			m.live = map[string]*live{"t1": {id: "t1", desk: h.desk, done: make(chan struct{})}}
			defer delete(m.live, "t1")
			part := &wire.FlowPart{Before: []wire.PartAct{{Action: "click", Params: []byte(`{}`)}, {Action: "refresh", Params: []byte(`{}`)}}}
			acts, _, err := m.remainingHooks("t1", part)
			must(t, err)
			ended := make(chan error, 1)
			go func() {
				ended <- m.runHooks(ctx, agent.Options{Executor: h, User: h.desk, Record: rec, Lang: "en"}, acts)
			}()
			<-h.under
			must(t, m.TakeOver(ctx, "t1"))
			h.mu.Lock()
			if len(h.did) != 1 || h.letGone != 1 {
				t.Errorf("done while the user has the page: %v; let go of %d times", h.did, h.letGone)
			}
			h.mu.Unlock()
			left, _, err := m.remainingHooks("t1", part)
			must(t, err)
			if want := map[bool]int{false: 2, true: 1}[tc.sent]; len(left) != want {
				t.Errorf("%d hooks are left, want %d", len(left), want)
			}
			must(t, m.Unpause("t1"))
			must(t, <-ended)
			if !slices.Equal(h.did, tc.want) {
				t.Errorf("done: %v, want %v", h.did, tc.want)
			}
			levels := 0
			events, err := m.Journal.Events("t1", 0)
			must(t, err)
			for _, ev := range events {
				if ev.Type == wire.EvPaused && ev.Level == agent.LevelTakeover {
					levels++
				}
			}
			if levels != 1 {
				t.Errorf("%d takeovers are in the journal", levels)
			}
		})
	}
}
