package flow

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

func one(t *testing.T, f *fakeTasks, was wire.FlowState, ran string) *Runner {
	t.Helper()
	g := graph(t, "nodes: [{id: a, task: a}]\n")
	if ran != "" {
		g.Nodes[0].State, g.Nodes[0].Ran = wire.NodeRunning, ran
	}
	return NewRunner(State{ID: "w", Graph: g, State: was}, f, func(State) error { return nil })
}

// stopNow stops a workflow while one of its tasks is on its way, which goes on
// once Stop has looked for it.
func stopNow(t *testing.T, r *Runner, f *fakeTasks, on chan struct{}) {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- r.Stop(t.Context()) }()
	select {
	case <-f.looked:
	case <-time.After(10 * time.Second):
		t.Error("no task was stopped")
	}
	close(on)
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	f.wg.Wait()
}

// stops counts how often a task that was there was stopped.
func (f *fakeTasks) stops() *int {
	n := 0
	f.stopping = func(_ string, end chan wire.Event) {
		n++
		select {
		case end <- wire.Event{Type: wire.EvCancelled}:
		default:
		}
	}
	return &n
}

func TestAStopWhileATaskBeginsEndsIt(t *testing.T) {
	f, on, under := newFake(), make(chan struct{}), make(chan struct{})
	n := f.stops()
	f.starting = func() { close(under); <-on }
	r := one(t, f, wire.FlowPaused, "")
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-under
	stopNow(t, r, f, on)
	if s := r.State(); *n != 1 || s.State != wire.FlowCancelled || nodeStates(s) != "a:waiting" || s.Graph.Nodes[0].Ran != "" {
		t.Errorf("stopped %d times, %s %+v", *n, s.State, s.Graph.Nodes[0])
	}
}

func TestAStopWhileATaskIsTakenUpEndsIt(t *testing.T) {
	f, on, under := newFake(), make(chan struct{}), make(chan struct{})
	n := f.stops()
	f.waking = func(task string) {
		close(under)
		<-on
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ends[task] = make(chan wire.Event, 1)
	}
	r := one(t, f, wire.FlowRunning, "t-a")
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-under
	stopNow(t, r, f, on)
	if s := r.State(); *n != 1 || s.State != wire.FlowCancelled || nodeStates(s) != "a:waiting" {
		t.Errorf("stopped %d times, %s %+v", *n, s.State, s.Graph.Nodes[0])
	}
}

// A task that can't be stopped is taken up by a resume, which begins no other.
func TestATaskThatCannotBeStoppedIsTakenUp(t *testing.T) {
	f := newFake()
	f.stopping = func(_ string, end chan wire.Event) {
		select {
		case end <- wire.Event{Type: wire.EvInterrupted}:
		default:
		}
	}
	r := one(t, f, wire.FlowPaused, "")
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	// Stop's own call and the node's may each leave an end.
	if err := r.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowCancelled || s.Graph.Nodes[0].Ran != "t-a" || nodeStates(s) != "a:running" {
		t.Fatalf("%s %+v", s.State, s.Graph.Nodes[0])
	}
	f.mu.Lock()
	f.ends["t-a"] = make(chan wire.Event, 1)
	f.mu.Unlock()
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	f.end("t-a", wire.EvComplete, "a")
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowDone || len(f.started) != 1 || !slices.Equal(f.resumed, []string{"t-a"}) {
		t.Errorf("%s, started %v, resumed %v", s.State, f.started, f.resumed)
	}
}

// A node that is done as its workflow is stopped stays done.
func TestANodeThatIsDoneAsItIsStoppedIsNotRunAgain(t *testing.T) {
	f := newFake()
	f.stopping = func(_ string, end chan wire.Event) {
		select {
		case end <- wire.Event{Type: wire.EvComplete, Text: "bought"}:
		default:
		}
	}
	r := one(t, f, wire.FlowPaused, "")
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	if err := r.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := r.State(); s.State != wire.FlowCancelled || nodeStates(s) != "a:done" || s.Graph.Nodes[0].Result != "bought" {
		t.Fatalf("%s %+v", s.State, s.Graph.Nodes[0])
	}
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	f.wg.Wait()
	if s := r.State(); s.State != wire.FlowDone || len(f.started) != 1 {
		t.Errorf("%s, started %v", s.State, f.started)
	}
}

// One node of a paused workflow is cut short: the other one is woken as well.
func TestAPausedWorkflowThatWasCutIsWoken(t *testing.T) {
	f := newFake()
	r, k := begun(t, f)
	k.until(t, func(s State) bool { return s.Graph.node("a").Ran != "" && s.Graph.node("b").Ran != "" })
	if err := r.Pause(); err != nil {
		t.Fatal(err)
	}
	f.end("t-a", wire.EvInterrupted, "the browser went")
	k.until(t, func(s State) bool { return s.State == wire.FlowInterrupted })
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	f.end("t-a", wire.EvFailed, "")
	f.end("t-b", wire.EvFailed, "")
	f.wg.Wait()
	slices.Sort(f.resumed)
	if !slices.Equal(f.resumed, []string{"t-a", "t-b"}) {
		t.Errorf("woken: %v", f.resumed)
	}
}

// A workflow is shown while its tasks are being woken.
func TestAWorkflowIsShownWhileItIsResumed(t *testing.T) {
	f, on, under := newFake(), make(chan struct{}), make(chan struct{}, 1)
	r := one(t, f, wire.FlowPaused, "")
	if err := r.Resume(); err != nil {
		t.Fatal(err)
	}
	<-f.news
	if err := r.Pause(); err != nil {
		t.Fatal(err)
	}
	f.waking = func(string) { under <- struct{}{}; <-on }
	over, shown := make(chan error, 1), make(chan State, 1)
	go func() { over <- r.Resume() }()
	<-under
	go func() { shown <- r.State() }()
	select {
	case s := <-shown:
		if s.State != wire.FlowRunning {
			t.Error(s.State)
		}
	case <-time.After(5 * time.Second):
		t.Error("it is not shown")
	}
	close(on)
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	f.end("t-a", wire.EvComplete, "")
	f.wg.Wait()
}

// The broker ends as a node does, so that the next one can't begin.
func TestANodeEndsAsTheBrokerDoes(t *testing.T) {
	f := newFake()
	r, _ := begun(t, f)
	f.mu.Lock()
	f.full = errors.New("the broker ends")
	f.mu.Unlock()
	f.end("t-a", wire.EvFailed, "")
	f.end("t-b", wire.EvComplete, "")
	f.wg.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := r.Stop(ctx); err != nil {
		t.Error(err)
	}
}

const hooked = `nodes:
  - id: a
    task: a
    schema: {type: object, minProperties: 1}
    before: [{do: goForward}]
    after: [{do: savePDF}]
`

// A change that a model makes leaves what it does not say of a node; one to a
// file takes that from the file.
func TestAChangeKeepsWhatItLeavesOut(t *testing.T) {
	g := graph(t, hooked)
	g.Nodes[0].State = wire.NodeWaiting
	for _, p := range []Patch{
		{Change: []Node{{ID: "a", Task: "b"}}},
		{Remove: []string{"a"}, Add: []Node{{ID: "a", Task: "b"}}}, // another way to say the same
	} {
		now, err := g.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		if n, old := now.Nodes[0], g.Nodes[0]; n.Task != "b" || !reflect.DeepEqual(n.Schema, old.Schema) || !reflect.DeepEqual(n.Before, old.Before) || !reflect.DeepEqual(n.After, old.After) {
			t.Errorf("%+v: %+v", p, n)
		}
	}
	left := g.clone()
	left.Nodes[0].Schema = map[string]any{"type": "object", "minProperties": 1.0} // as it is read from disk
	if p := left.PatchTo(graph(t, hooked)); len(p.Change)+len(p.Add)+len(p.Remove) != 0 {
		t.Errorf("the same file changes %+v", p)
	}
	other := graph(t, "nodes:\n  - {id: a, task: a, before: [{do: goBack}]}\n")
	now, err := g.Apply(g.PatchTo(other))
	if err != nil {
		t.Fatal(err)
	}
	if n := now.Nodes[0]; len(n.Before) != 1 || n.Before[0].Do != "goBack" || n.After != nil || n.Schema != nil {
		t.Errorf("the file's change: %+v", n)
	}
}
