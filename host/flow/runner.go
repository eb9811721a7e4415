package flow

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tabwright/host/native/wire"
)

// Tasks runs the tasks of nodes; the broker's manager is behind it.
type Tasks interface {
	// Start begins a task in a tab of its own. It calls named with the task's id
	// before the task exists; an error of named begins nothing. The error is
	// ErrCut if there is no browser just now, or the broker ends.
	Start(ctx context.Context, p wire.TaskStartParams, named func(task string) error) error
	// Wait returns the event that ends a task. It calls asks when the task begins
	// or ceases to wait for the user. The error is ErrCut if the task was
	// interrupted, ErrNeverBegun if there is no such task.
	Wait(ctx context.Context, task string, asks func(bool)) (wire.Event, error)
	Pause(task string) error
	// Resume continues a paused or interrupted task. The error is ErrNeverBegun if
	// there is no such task.
	Resume(task string) error
	Stop(ctx context.Context, task string) error
	// Go runs f in a goroutine that the broker waits for when it ends. It returns an
	// error if the broker has ended.
	Go(f func()) error
}

var (
	// ErrCut is the error for an interrupted task, which can be resumed: its browser
	// is gone, or the broker ends.
	ErrCut = errors.New("the task was interrupted")
	// ErrNeverBegun is the error for a task that has an id but was never begun.
	ErrNeverBegun = errors.New("the task was never begun")
)

// State is a workflow with its results, as stored on disk.
type State struct {
	ID      string         `json:"id"`
	Graph   *Graph         `json:"graph"`
	State   wire.FlowState `json:"state"`
	Rev     int            `json:"rev"`
	Started int64          `json:"started"` // Unix milliseconds
	Updated int64          `json:"updated"`
	Error   *wire.Error    `json:"error,omitempty"`
}

// CutShort returns the state of a workflow whose broker has ended: one with running
// nodes is interrupted.
func (s State) CutShort() State {
	under := slices.ContainsFunc(s.Graph.Nodes, func(n Node) bool { return n.State == wire.NodeRunning })
	if s.State == wire.FlowRunning || s.State == wire.FlowPaused && under {
		s.State = wire.FlowInterrupted
	}
	return s
}

// Runner runs one workflow. It is safe for concurrent use.
type Runner struct {
	Tasks Tasks
	// Keep stores each state on disk before it takes effect, and shows it.
	Keep func(State) error

	turn sync.Mutex // one at a time pauses or resumes; taken before mu

	mu     sync.Mutex
	s      State
	held   bool            // the running tasks were paused with the workflow
	live   map[string]bool // running nodes
	ctx    context.Context
	cancel context.CancelFunc
	idle   chan struct{} // closed while no node runs
}

// NewRunner returns a runner of a workflow that is new, restored or left by an earlier
// broker. Nothing runs before Resume.
func NewRunner(s State, tasks Tasks, keep func(State) error) *Runner {
	g := s.Graph.clone()
	for i := range g.Nodes {
		if g.Nodes[i].State == "" {
			g.Nodes[i].State = wire.NodeWaiting
		}
	}
	if g.Parallel == 0 {
		g.Parallel = parallelDef
	}
	s.Graph = g
	r := &Runner{Tasks: tasks, Keep: keep, s: s.CutShort(), live: map[string]bool{}, idle: make(chan struct{})}
	close(r.idle)
	return r
}

// Resume begins or continues the workflow. Nodes that are done are not run again;
// those that failed or were skipped are. Interrupted tasks are resumed.
func (r *Runner) Resume() error {
	r.turn.Lock()
	defer r.turn.Unlock()
	ctx, wake, err := r.resumed()
	for _, task := range wake { // without mu: it may have to find its browser again
		if ctx.Err() == nil {
			_ = r.Tasks.Resume(task) // it may just have ended
		}
	}
	return err
}

// resumed continues the workflow, and gives the tasks that were paused with it.
func (r *Runner) resumed() (ctx context.Context, wake []string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.s.State == wire.FlowRunning {
		return nil, nil, nil
	}
	if r.s.State == wire.FlowDone {
		return nil, nil, invalid("Restore its file, or change it, to run it again.", "This workflow is done.")
	}
	was := r.s.State
	r.s.State, r.s.Error = wire.FlowRunning, nil
	if r.ctx == nil || r.ctx.Err() != nil {
		r.ctx, r.cancel = context.WithCancel(context.Background())
	}
	if r.held {
		for _, n := range r.s.Graph.Nodes {
			if r.live[n.ID] && n.Ran != "" {
				wake = append(wake, n.Ran)
			}
		}
		r.held = false
	}
	if was == wire.FlowFailed || was == wire.FlowCancelled {
		for i := range r.s.Graph.Nodes {
			n := &r.s.Graph.Nodes[i]
			if n.State == wire.NodeFailed || n.State == wire.NodeSkipped {
				n.State, n.Error, n.Ran = wire.NodeWaiting, nil, ""
			}
		}
	}
	return r.ctx, wake, r.advance()
}

// Pause makes the tasks wait before their next step, and begins no node.
func (r *Runner) Pause() error {
	r.turn.Lock()
	defer r.turn.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.s.State != wire.FlowRunning {
		return nil
	}
	r.s.State, r.held = wire.FlowPaused, true
	for _, n := range r.s.Graph.Nodes {
		if n.State == wire.NodeRunning && n.Ran != "" {
			_ = r.Tasks.Pause(n.Ran) // it may just have ended
		}
	}
	return r.keep()
}

// Stop ends the running tasks and returns once nothing runs. Their nodes become
// waiting, unless they were just done.
func (r *Runner) Stop(ctx context.Context) error {
	r.mu.Lock()
	if r.s.State == wire.FlowRunning || r.s.State == wire.FlowPaused || r.s.State == wire.FlowInterrupted {
		r.s.State = wire.FlowCancelled
	}
	if r.cancel != nil {
		r.cancel()
	}
	r.held = false
	var tasks, left []string
	for _, n := range r.s.Graph.Nodes {
		if n.State == wire.NodeRunning && n.Ran != "" {
			tasks = append(tasks, n.Ran)
		}
		if n.State == wire.NodeRunning && !r.live[n.ID] { // its task was interrupted before
			left = append(left, n.ID)
		}
	}
	idle := r.idle
	r.mu.Unlock()
	for _, t := range tasks {
		_ = r.Tasks.Stop(ctx, t) // it may just have ended
	}
	select {
	case <-idle:
	case <-ctx.Done():
		return ctx.Err()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range left {
		if n := r.s.Graph.node(id); n != nil && n.State == wire.NodeRunning && !r.live[id] {
			n.State, n.Ran = wire.NodeWaiting, ""
		}
	}
	return r.keep()
}

// Modify changes the nodes that have not begun.
func (r *Runner) Modify(p Patch) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	g, err := r.s.Graph.Apply(p)
	if err != nil {
		return err
	}
	r.s.Graph = g
	if r.s.State == wire.FlowDone && len(g.ready()) > 0 {
		r.s.State = wire.FlowRunning
		if r.ctx == nil || r.ctx.Err() != nil {
			r.ctx, r.cancel = context.WithCancel(context.Background())
		}
	}
	return r.advance()
}

// State returns the current state of the workflow.
func (r *Runner) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state()
}

func (r *Runner) state() State {
	s := r.s
	s.Graph = r.s.Graph.clone()
	return s
}

// keep stores the state; r.mu is held.
func (r *Runner) keep() error {
	r.s.Rev++
	r.s.Updated = time.Now().UnixMilli()
	return r.Keep(r.state())
}

// advance continues nodes that were running before, begins those that are ready, and
// ends the workflow when none is left. r.mu is held.
func (r *Runner) advance() error {
	if r.s.State == wire.FlowRunning {
		for i := range r.s.Graph.Nodes {
			n := &r.s.Graph.Nodes[i]
			if n.State != wire.NodeRunning || r.live[n.ID] {
				continue
			}
			if err := r.begin(n, n.Ran); err != nil {
				return err
			}
		}
		for _, n := range r.s.Graph.ready() {
			if len(r.live) >= r.s.Graph.Parallel {
				break
			}
			if err := r.begin(n, ""); err != nil {
				return err
			}
		}
		if len(r.live) == 0 {
			r.finish()
		}
	}
	return r.keep()
}

// cut marks the workflow as interrupted with one of its tasks: no node begins, and
// running ones still end. r.mu is held.
func (r *Runner) cut(err error) {
	if r.s.State != wire.FlowRunning && r.s.State != wire.FlowPaused {
		return
	}
	r.s.State = wire.FlowInterrupted
	if e := wire.AsError(err); e.Code != wire.CodeInternal { // else there is nothing to tell
		r.s.Error = e
	}
	if err := r.keep(); err != nil && r.s.Error == nil {
		r.s.Error = wire.AsError(err)
	}
}

// skip marks the waiting nodes that need a failed one, directly or not.
func (r *Runner) skip() {
	for again := true; again; {
		again = false
		for i := range r.s.Graph.Nodes {
			n := &r.s.Graph.Nodes[i]
			if n.State != wire.NodeWaiting {
				continue
			}
			for _, id := range n.Needs {
				if s := r.s.Graph.node(id).State; s == wire.NodeFailed || s == wire.NodeSkipped {
					n.State, again = wire.NodeSkipped, true
				}
			}
		}
	}
}

// finish ends a workflow in which no more nodes can begin.
func (r *Runner) finish() {
	r.skip()
	failed, first := 0, (*wire.Error)(nil)
	for _, n := range r.s.Graph.Nodes {
		if n.State != wire.NodeDone {
			failed++
		}
		if first == nil && n.Error != nil {
			first = n.Error
		}
	}
	r.s.State = wire.FlowDone
	if failed > 0 {
		r.s.State = wire.FlowFailed
		r.s.Error = first
	}
}
