package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// fakeModel answers from a script and keeps what it was asked.
type fakeModel struct {
	caps   llm.Capabilities
	script []func(llm.Request) (*llm.Reply, error)
	wants  string // what it says that the user wants

	mu   sync.Mutex
	reqs []llm.Request
}

func (m *fakeModel) Capabilities(context.Context) (llm.Capabilities, error) { return m.caps, nil }

func (m *fakeModel) Chat(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Reply, error) {
	if r.Form != nil && slices.Contains(r.Form.Keys, wantsTool.Name) {
		if m.wants == "" {
			return nil, errors.New("nothing is known of the user")
		}
		call, err := r.Form.Read(fmt.Appendf(nil, `{"wants":%q}`, m.wants))
		return &llm.Reply{Calls: []llm.Call{call}, Way: llm.WaySchema, Usage: llm.Usage{Input: 100, Output: 5}}, err
	}
	m.mu.Lock()
	n := len(m.reqs)
	m.reqs = append(m.reqs, r)
	m.mu.Unlock()
	if n >= len(m.script) {
		return nil, errors.New("the script has no more replies")
	}
	sink(llm.Delta{Kind: llm.DeltaText, Text: "…"})
	return m.script[n](r)
}

func calls(cs ...llm.Call) func(llm.Request) (*llm.Reply, error) {
	return func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Calls: cs, Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}
}

func act(name, params string) llm.Call {
	return llm.Call{
		ID: "call_" + name, Name: action.FunctionName,
		Args: json.RawMessage(fmt.Sprintf(`{"action":%q,"params":%s}`, name, params)),
	}
}

func done(answer string) func(llm.Request) (*llm.Reply, error) {
	return calls(act("done", fmt.Sprintf(`{"success":true,"answer":%q}`, answer)))
}

func words(text string) func(llm.Request) (*llm.Reply, error) {
	return func(llm.Request) (*llm.Reply, error) { return &llm.Reply{Text: text}, nil }
}

func fails(code string) func(llm.Request) (*llm.Reply, error) {
	return func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Text: "{broken"}, &llm.Error{Code: code, Message: "what came was " + code}
	}
}

// fakeHands does what it is told to do with each call.
type fakeHands struct {
	do      func(ctx context.Context, c action.Call) action.Result
	observe func() (action.Observation, error)

	mu    sync.Mutex
	calls []action.Call
}

func (h *fakeHands) Do(ctx context.Context, c action.Call) action.Result {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
	if c.Name == "done" {
		var d action.Done
		if err := json.Unmarshal(c.Params, &d); err != nil {
			return action.Result{Err: &action.Error{Code: action.InvalidParams, Message: err.Error()}}
		}
		return action.Result{Action: c.Name, Done: &d, Line: "Finished"}
	}
	if h.do != nil {
		return h.do(ctx, c)
	}
	return action.Result{Action: c.Name, Text: "OK", Line: "Did " + c.Name, Effect: "something changed", PageRev: 1, Sent: true}
}

func (h *fakeHands) Observe(context.Context, action.ObserveOptions) (action.Observation, error) {
	if h.observe != nil {
		return h.observe()
	}
	return action.Observation{Text: `button "Pay" [1]`, URL: "https://shop.test/", Title: "Shop", PageRev: 1}, nil
}

func (h *fakeHands) names() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, c := range h.calls {
		out = append(out, c.Name)
	}
	return out
}

// fakeRecord keeps the events in memory.
type fakeRecord struct {
	mu     sync.Mutex
	events []wire.Event
	acts   []journal.Act
	fail   wire.EventType // an event of this type can't be recorded
	seen   chan wire.Event
}

func newRecord() *fakeRecord { return &fakeRecord{seen: make(chan wire.Event, 1000)} }

func (r *fakeRecord) Emit(ev wire.Event) error {
	if ev.Type == r.fail {
		return errors.New("disk full")
	}
	r.mu.Lock()
	r.events = append(r.events, ev)
	r.mu.Unlock()
	r.seen <- ev
	return nil
}
func (r *fakeRecord) Delta(string, string) {}
func (r *fakeRecord) StartAct(a journal.Act) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acts = append(r.acts, a)
	return nil
}
func (r *fakeRecord) FinishAct() error { return nil }

func (r *fakeRecord) await(t *testing.T, ty wire.EventType) wire.Event {
	t.Helper()
	limit := time.After(10 * time.Second)
	for {
		select {
		case ev := <-r.seen:
			if ev.Type == ty {
				return ev
			}
		case <-limit:
			t.Fatalf("no %s event came", ty)
		}
	}
}

func (r *fakeRecord) types() []wire.EventType {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []wire.EventType
	for _, e := range r.events {
		out = append(out, e.Type)
	}
	return out
}

func (r *fakeRecord) last() wire.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.events[len(r.events)-1]
}
