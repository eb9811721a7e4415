package flow

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

// fakeTasks are tasks that end when they are told to.
type fakeTasks struct {
	mu      sync.Mutex
	started []string
	resumed []string
	ends    map[string]chan wire.Event
	wg      sync.WaitGroup
	news    chan string
	resume  error // of Resume

	waking   func(task string)                      // at each Resume; may be nil
	starting func()                                 // when a task was named; may be nil
	stopping func(task string, end chan wire.Event) // at each Stop; nil: it is cancelled
	looked   chan struct{}                          // Stop has looked for its task
	full     error                                  // of Go
}

func newFake() *fakeTasks {
	return &fakeTasks{ends: map[string]chan wire.Event{}, news: make(chan string, 20), looked: make(chan struct{}, 20)}
}

func (f *fakeTasks) Start(_ context.Context, p wire.TaskStartParams, named func(string) error) error {
	id := "t-" + p.Text
	if err := named(id); err != nil {
		return err
	}
	if f.starting != nil {
		f.starting()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started = append(f.started, p.Text+" | "+p.Part.Brief+" | from "+strings.Join(p.Part.From, ","))
	f.ends[id] = make(chan wire.Event, 1)
	f.news <- p.Text
	return nil
}

func (f *fakeTasks) Wait(ctx context.Context, task string, _ func(bool)) (wire.Event, error) {
	f.mu.Lock()
	c := f.ends[task]
	if c == nil {
		c = make(chan wire.Event, 1)
		f.ends[task] = c
	}
	f.mu.Unlock()
	select {
	case ev := <-c:
		if ev.Type == wire.EvInterrupted {
			return ev, ErrCut
		}
		return ev, nil
	case <-ctx.Done():
		return wire.Event{}, ctx.Err()
	}
}

func (f *fakeTasks) Pause(string) error { return nil }
func (f *fakeTasks) Resume(task string) error {
	if f.waking != nil {
		f.waking(task)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resumed = append(f.resumed, task)
	return f.resume
}

// Stop ends a task that was begun, and does nothing to others.
func (f *fakeTasks) Stop(_ context.Context, task string) error {
	defer func() { f.looked <- struct{}{} }() // when it has looked: what begins then, it has not seen
	f.mu.Lock()
	defer f.mu.Unlock()
	end := f.ends[task]
	switch {
	case end == nil:
		return errors.New("it is not running")
	case f.stopping != nil:
		f.stopping(task, end)
		return nil
	}
	select {
	case end <- wire.Event{Type: wire.EvCancelled}:
	default:
	}
	return nil
}

func (f *fakeTasks) Go(g func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.full == nil {
		f.wg.Go(g)
	}
	return f.full
}

func (f *fakeTasks) end(task string, t wire.EventType, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ends[task] == nil {
		f.ends[task] = make(chan wire.Event, 1)
	}
	ev := wire.Event{Type: t, Text: text}
	if t == wire.EvFailed {
		ev.Error = &wire.Error{Code: "budget", Message: text}
	}
	f.ends[task] <- ev
}

func graph(t *testing.T, text string) *Graph {
	t.Helper()
	g, err := ParseGraph([]byte("tabwright: 1\nname: g\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const five = `nodes:
  - {id: a, task: a}
  - {id: b, task: b}
  - {id: c, task: c, needs: [a, b]}
  - {id: d, task: d, needs: [b]}
  - {id: e, task: e, needs: [c, d]}
`

func nodeStates(s State) string {
	var out []string
	for _, n := range s.Graph.Nodes {
		out = append(out, n.ID+":"+string(n.State))
	}
	return strings.Join(out, " ")
}

func TestANodeThatFailsTakesOnlyItsFollowersAlong(t *testing.T) {
	f := newFake()
	r := NewRunner(State{ID: "w", Graph: graph(t, five), State: wire.FlowPaused}, f, func(State) error { return nil })
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	first := []string{<-f.news, <-f.news}
	slices.Sort(first)
	f.end("t-a", wire.EvFailed, "no way")
	f.end("t-b", wire.EvComplete, "what b found")
	if next := <-f.news; next != "d" || !slices.Equal(first, []string{"a", "b"}) {
		t.Errorf("%v, then %s", first, next)
	}
	f.end("t-d", wire.EvComplete, "d")
	f.wg.Wait()
	s := r.State()
	if got := nodeStates(s); s.State != wire.FlowFailed || got != "a:failed b:done c:skipped d:done e:skipped" {
		t.Errorf("%s %s", s.State, got)
	}
	if last := f.started[len(f.started)-1]; !strings.Contains(last, "<<<result") || !strings.Contains(last, "what b found") {
		t.Errorf("d was not given what b found, fenced: %s", last)
	} else if !strings.HasSuffix(last, " | from t-b") {
		t.Errorf("it is not said which task found it: %s", last)
	}
	// Once more: what is done stays, the rest is run.
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	f.end("t-a", wire.EvComplete, "now")
	<-f.news
	f.end("t-c", wire.EvComplete, "c")
	<-f.news
	f.end("t-e", wire.EvComplete, "e")
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowDone || len(f.started) != 6 {
		t.Errorf("%s, started %d", s.State, len(f.started))
	}
}

// A broker that died left two tasks under way: they are taken up, not begun
// anew, and what was done is not run again.
func TestAWorkflowOutlivesItsBroker(t *testing.T) {
	var kept []byte
	keep := func(s State) (err error) { kept, err = json.Marshal(s); return err }
	f := newFake()
	r := NewRunner(State{ID: "w", Graph: graph(t, five), State: wire.FlowPaused}, f, keep)
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	<-f.news
	f.end("t-b", wire.EvComplete, "what b found")
	<-f.news // d
	// Until the start of d is on disk.
	for on := false; !on; {
		var s State
		r.mu.Lock()
		err := json.Unmarshal(kept, &s)
		r.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		on = s.Graph.node("d").Ran != "" && s.Graph.node("a").Ran != ""
	}
	var left State
	r.mu.Lock()
	err := json.Unmarshal(kept, &left)
	r.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	later := newFake()
	again := NewRunner(left, later, func(State) error { return nil })
	if err := again.Resume(); err != nil {
		t.Fatal(err)
	}
	later.end("t-a", wire.EvComplete, "a")
	later.end("t-d", wire.EvComplete, "d")
	<-later.news // c
	later.end("t-c", wire.EvComplete, "c")
	<-later.news
	later.end("t-e", wire.EvComplete, "e")
	later.wg.Wait()
	slices.Sort(later.resumed)
	if s := again.State(); s.State != wire.FlowDone || len(later.started) != 2 || !slices.Equal(later.resumed, []string{"t-a", "t-d"}) {
		t.Errorf("%s, started %v, resumed %v", s.State, later.started, later.resumed)
	}
	f.end("t-a", wire.EvComplete, "")
	f.end("t-d", wire.EvFailed, "")
	if err := r.Stop(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	f.wg.Wait()
}

// kept is the disk of a workflow.
type kept struct {
	mu   sync.Mutex
	raw  []byte
	news chan struct{} // something was written
}

func (k *kept) keep(s State) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	var err error
	k.raw, err = json.Marshal(s)
	select {
	case k.news <- struct{}{}:
	default:
	}
	return err
}

// until waits until what is on disk is as wanted.
func (k *kept) until(t *testing.T, ok func(State) bool) (s State) {
	t.Helper()
	for {
		k.mu.Lock()
		raw := k.raw
		k.mu.Unlock()
		s = State{}
		if raw != nil && json.Unmarshal(raw, &s) == nil && ok(s) {
			return s
		}
		select {
		case <-k.news:
		case <-t.Context().Done():
			t.Fatal("the test is over")
		case <-time.After(10 * time.Second):
			t.Fatalf("it is %s %s", s.State, nodeStates(s))
		}
	}
}

func begun(t *testing.T, f *fakeTasks) (*Runner, *kept) {
	t.Helper()
	k := &kept{news: make(chan struct{}, 1)}
	r := NewRunner(State{ID: "w", Graph: graph(t, five), State: wire.FlowPaused}, f, k.keep)
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	<-f.news
	return r, k
}

// The browser goes under one of two tasks while the broker stays: the workflow
// is interrupted and begins nothing, what goes on ends, and when it is resumed
// the task that was cut short is taken up.
func TestAWorkflowOutlivesItsBrowser(t *testing.T) {
	f := newFake()
	r, k := begun(t, f)
	f.end("t-a", wire.EvInterrupted, "the browser went")
	k.until(t, func(s State) bool { return s.State == wire.FlowInterrupted })
	f.end("t-b", wire.EvComplete, "b")
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowInterrupted || nodeStates(s) != "a:running b:done c:waiting d:waiting e:waiting" {
		t.Fatalf("%s %s", s.State, nodeStates(s))
	}
	// It can't be taken up yet: nothing is lost of it, and it says why.
	f.resume = &wire.Error{Code: "no_browser", Message: "The browser is not connected."}
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news // d needs no more than b
	s := k.until(t, func(s State) bool { return s.State == wire.FlowInterrupted && s.Error != nil })
	if s.Error.Code != "no_browser" || s.Graph.node("a").State != wire.NodeRunning || s.Graph.node("a").Ran != "t-a" {
		t.Fatalf("%+v %s", s.Error, nodeStates(s))
	}
	f.mu.Lock()
	f.resume = nil
	f.mu.Unlock()
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	f.end("t-a", wire.EvComplete, "a")
	f.end("t-d", wire.EvComplete, "d")
	<-f.news
	f.end("t-c", wire.EvComplete, "c")
	<-f.news
	f.end("t-e", wire.EvComplete, "e")
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowDone || s.Error != nil || len(f.started) != 5 || !slices.Equal(f.resumed, []string{"t-a", "t-a"}) {
		t.Errorf("%s %+v, started %v, resumed %v", s.State, s.Error, f.started, f.resumed)
	}
}

// A node's task has its id on disk before there is anything of it; one that came
// to nothing more is begun, and no second one of the others.
func TestANodeIsNamedBeforeItBegins(t *testing.T) {
	f := newFake()
	_, k := begun(t, f)
	left := k.until(t, func(s State) bool { return s.Graph.node("a").Ran != "" && s.Graph.node("b").Ran != "" })
	later := newFake()
	later.resume = ErrNeverBegun
	again := NewRunner(left, later, func(State) error { return nil })
	if err := again.Resume(); err != nil {
		t.Fatal(err)
	}
	both := []string{<-later.news, <-later.news}
	slices.Sort(both)
	slices.Sort(later.resumed)
	if !slices.Equal(both, []string{"a", "b"}) || !slices.Equal(later.resumed, []string{"t-a", "t-b"}) {
		t.Errorf("began %v, looked for %v", both, later.resumed)
	}
	later.end("t-a", wire.EvFailed, "")
	later.end("t-b", wire.EvFailed, "")
	later.wg.Wait()
	f.end("t-a", wire.EvFailed, "")
	f.end("t-b", wire.EvFailed, "")
	f.wg.Wait()
}

// What an earlier broker left under way is changed and stopped without beginning
// anything.
func TestALeftWorkflowIsChangedAndStopped(t *testing.T) {
	f := newFake()
	_, k := begun(t, f)
	left := k.until(t, func(s State) bool { return s.Graph.node("a").Ran != "" && s.Graph.node("b").Ran != "" })
	later := newFake()
	again := NewRunner(left, later, func(State) error { return nil })
	if err := again.Modify(Patch{Add: []Node{{ID: "f", Task: "f"}}}); err != nil {
		t.Fatal(err)
	}
	if s := again.State(); s.State != wire.FlowInterrupted || len(later.started)+len(later.resumed) != 0 {
		t.Errorf("%s, started %v, resumed %v", s.State, later.started, later.resumed)
	}
	if err := again.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := again.State(); s.State != wire.FlowCancelled || nodeStates(s) != "a:waiting b:waiting c:waiting d:waiting e:waiting f:waiting" {
		t.Errorf("%s %s", s.State, nodeStates(s))
	}
	f.end("t-a", wire.EvFailed, "")
	f.end("t-b", wire.EvFailed, "")
	f.wg.Wait()
}
