package flow

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// stopTime bounds how long a node's task may take to end when its workflow is
// stopped.
const stopTime = 30 * time.Second

// errStays is the error for a task that did not end although its workflow was
// stopped. Resuming the workflow continues the task and begins no second one.
var errStays = errors.New("the task could not be stopped")

// begin runs a node, with its present task or a new one.
func (r *Runner) begin(n *Node, task string) error {
	node, was, ctx := *n, *n, r.ctx
	data := r.s.Graph.data(node)
	p := wire.TaskStartParams{Text: node.Task, URL: node.URL, Model: r.s.Graph.Model, Lang: r.s.Graph.Lang}
	if p.URL == "" {
		p.URL = r.s.Graph.URL
	}
	n.State, n.Began, n.Ended, n.Error = wire.NodeRunning, time.Now().UnixMilli(), 0, nil
	r.live[n.ID] = true
	select {
	case <-r.idle:
		r.idle = make(chan struct{})
	default: // another node is under way, or just ending
	}
	err := r.Tasks.Go(func() { r.run(ctx, node, p, data, task) })
	if err != nil {
		*n = was
		delete(r.live, n.ID)
		r.rest()
	}
	return err
}

// run does a node to its end.
func (r *Runner) run(ctx context.Context, n Node, p wire.TaskStartParams, data, task string) {
	result, err := r.do(ctx, n, p, data, task)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, n.ID)
	r.ended(ctx, n.ID, result, err)
	r.rest()
}

// rest closes r.idle if no node runs. r.mu is held.
func (r *Runner) rest() {
	if len(r.live) > 0 {
		return
	}
	select {
	case <-r.idle: // a node that could not begin told it
	default:
		close(r.idle)
	}
}

// ended records the end of a running node, and continues the workflow. r.mu is held.
func (r *Runner) ended(ctx context.Context, id, result string, err error) {
	n := r.s.Graph.node(id)
	if n == nil {
		return
	}
	n.Asks = false
	switch {
	case ctx.Err() != nil && errors.Is(err, errStays):
	case ctx.Err() != nil && err != nil: // the workflow was stopped
		n.State, n.Ran = wire.NodeWaiting, ""
	case errors.Is(err, ErrCut):
		r.cut(err)
		return
	case err != nil:
		n.State, n.Error, n.Ended = wire.NodeFailed, wire.AsError(err), time.Now().UnixMilli()
		r.skip()
	default:
		n.State, n.Result, n.Ended = wire.NodeDone, result, time.Now().UnixMilli()
	}
	if err := r.advance(); err != nil && r.s.Error == nil {
		r.s.Error = wire.AsError(err)
	}
}

// do starts or resumes a node's task and waits for its end. A task that can't be
// resumed just now stays as it is.
func (r *Runner) do(ctx context.Context, n Node, p wire.TaskStartParams, data, task string) (string, error) {
	err := ErrNeverBegun
	if task != "" {
		if err = r.Tasks.Resume(task); err != nil && !errors.Is(err, ErrNeverBegun) {
			err = errors.Join(ErrCut, err)
		}
	}
	if errors.Is(err, ErrNeverBegun) {
		task, err = r.start(ctx, n, p, data)
	}
	var end wire.Event
	if err == nil && ctx.Err() == nil {
		r.pauseLate(task)
		end, err = r.Tasks.Wait(ctx, task, func(asks bool) { _ = r.change(n.ID, func(now *Node) { now.Asks = asks }) })
	}
	if ctx.Err() != nil && task != "" && end.Type != wire.EvComplete {
		end, err = r.stopped(ctx, task)
	}
	switch {
	case err != nil:
		return "", err
	case end.Type != wire.EvComplete && end.Error != nil:
		return "", end.Error
	case end.Type != wire.EvComplete:
		return "", &wire.Error{Code: wire.CodeCancelled, Message: end.Text}
	}
	return end.Text, nil
}

// stopped ends a task of a workflow that is being stopped, and returns its last
// event. The task may have begun or been resumed after Stop looked for it, or may
// be done already. The error is errStays if the task did not end.
func (r *Runner) stopped(ctx context.Context, task string) (wire.Event, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	_ = r.Tasks.Stop(ctx, task) // its end tells what came of that
	end, err := r.Tasks.Wait(ctx, task, func(bool) {})
	if err != nil && end.Type != wire.EvCancelled && !errors.Is(err, ErrNeverBegun) {
		err = errors.Join(errStays, err)
	}
	return end, err
}

// start begins a node's task with the results that it needs. Its id is on disk
// first, so that resuming the workflow finds the task and begins no second one.
func (r *Runner) start(ctx context.Context, n Node, p wire.TaskStartParams, data string) (string, error) {
	brief, err := prompts.NodeBrief(p.Lang, data)
	if err != nil {
		return "", err
	}
	p.Part = &wire.FlowPart{Brief: brief, From: r.givers(n), Before: parts(n.Before), After: parts(n.After)}
	if n.Schema != nil {
		if p.Schema, err = json.Marshal(n.Schema); err != nil {
			return "", err
		}
	}
	task := ""
	err = r.Tasks.Start(ctx, p, func(id string) error {
		task = id
		return r.change(n.ID, func(now *Node) { now.Ran = id })
	})
	return task, err
}

// pauseLate pauses a task that began while the workflow was being paused.
func (r *Runner) pauseLate(task string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held {
		_ = r.Tasks.Pause(task) // it may just have ended
	}
}

// givers are the tasks of the nodes whose results a node takes.
func (r *Runner) givers(n Node) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, id := range n.Needs {
		if from := r.s.Graph.node(id); from != nil {
			out = append(out, from.Ran)
		}
	}
	return out
}

func parts(hooks []Hook) []wire.PartAct {
	var out []wire.PartAct
	for _, h := range hooks {
		c := call(h.Do, h.With)
		if h.With == nil {
			c.Params = json.RawMessage("{}")
		}
		out = append(out, wire.PartAct{Action: c.Name, Params: c.Params})
	}
	return out
}

// change changes a running node, stores the state and shows it.
func (r *Runner) change(id string, f func(*Node)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.s.Graph.node(id)
	if n == nil {
		return nil
	}
	f(n)
	err := r.keep()
	if err != nil && r.s.Error == nil {
		r.s.Error = wire.AsError(err)
	}
	return err
}
