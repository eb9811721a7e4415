package flow

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"tabwright/host/native"
	"tabwright/prompts"
)

// begin runs a node, by the task it has already or by a new one.
func (r *Runner) begin(n *Node, task string) error {
	node, ctx := *n, r.ctx
	data := r.s.Graph.data(node)
	p := native.TaskStartParams{Text: node.Task, URL: node.URL, Model: r.s.Graph.Model, Lang: r.s.Graph.Lang}
	if p.URL == "" {
		p.URL = r.s.Graph.URL
	}
	n.State, n.Began, n.Ended, n.Error = native.NodeRunning, time.Now().UnixMilli(), 0, nil
	r.live++
	select {
	case <-r.idle:
		r.idle = make(chan struct{})
	default: // another node is under way, or just ending
	}
	err := r.Tasks.Go(func() { r.run(ctx, node, p, data, task) })
	if err != nil {
		n.State = native.NodeWaiting
		r.left()
	}
	return err
}

func (r *Runner) left() {
	if r.live--; r.live == 0 {
		close(r.idle)
	}
}

// run does a node to its end.
func (r *Runner) run(ctx context.Context, n Node, p native.TaskStartParams, data, task string) {
	result, err := r.do(ctx, n, p, data, task)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.left()
	now := r.s.Graph.node(n.ID)
	if now == nil || errors.Is(err, ErrCut) {
		return // what is on disk is true: it was under way
	}
	now.Asks = false
	now.Ended = time.Now().UnixMilli()
	switch {
	case ctx.Err() != nil: // the workflow was stopped
		now.State, now.Ran = native.NodeWaiting, ""
		return
	case err != nil:
		now.State, now.Error = native.NodeFailed, native.AsError(err)
		r.skip()
	default:
		now.State, now.Result = native.NodeDone, result
	}
	r.live--
	err = r.advance()
	r.live++
	if err != nil && r.s.Error == nil {
		r.s.Error = native.AsError(err)
	}
}

// do starts a node's task, or takes it up, and waits for its end.
func (r *Runner) do(ctx context.Context, n Node, p native.TaskStartParams, data, task string) (string, error) {
	if task != "" {
		if err := r.Tasks.Resume(task); err != nil {
			return "", err
		}
	} else {
		var err error
		if task, err = r.start(ctx, n, p, data); err != nil {
			return "", err
		}
	}
	r.change(n.ID, func(now *Node) { now.Ran = task })
	end, err := r.Tasks.Wait(ctx, task, func(asks bool) { r.change(n.ID, func(now *Node) { now.Asks = asks }) })
	switch {
	case err != nil:
		return "", err
	case end.Type != native.EvComplete && end.Error != nil:
		return "", end.Error
	case end.Type != native.EvComplete:
		return "", &native.Error{Code: native.CodeCancelled, Message: end.Text}
	}
	return end.Text, nil
}

// start begins a node's task with what it is told besides its words.
func (r *Runner) start(ctx context.Context, n Node, p native.TaskStartParams, data string) (string, error) {
	brief, err := prompts.NodeBrief(p.Lang, data)
	if err != nil {
		return "", err
	}
	p.Part = &native.FlowPart{Brief: brief, From: r.givers(n), Before: parts(n.Before), After: parts(n.After)}
	if n.Schema != nil {
		if p.Schema, err = json.Marshal(n.Schema); err != nil {
			return "", err
		}
	}
	return r.Tasks.Start(ctx, p)
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

func parts(hooks []Hook) []native.PartAct {
	var out []native.PartAct
	for _, h := range hooks {
		c := call(h.Do, h.With)
		if h.With == nil {
			c.Params = json.RawMessage("{}")
		}
		out = append(out, native.PartAct{Action: c.Name, Params: c.Params})
	}
	return out
}

// change changes a node under way and shows it. A task that began while the
// workflow was being paused is paused as well.
func (r *Runner) change(id string, f func(*Node)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.s.Graph.node(id)
	if n == nil {
		return
	}
	before := n.Ran
	f(n)
	if before == "" && n.Ran != "" && r.s.State == native.FlowPaused {
		_ = r.Tasks.Pause(n.Ran) // it may just have ended
	}
	if err := r.keep(); err != nil && r.s.Error == nil {
		r.s.Error = native.AsError(err)
	}
}
