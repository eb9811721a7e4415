package control

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/flow"
	"tabwright/host/native/wire"
)

// prepareRun adds the trail, the schema of the result and the place in a workflow to
// a task's options. It returns the function that runs the task.
func (m *Manager) prepareRun(id string, p wire.TaskStartParams, s *action.Session, set TaskSettings, o agent.Options) (run func(ctx context.Context), err error) {
	x, err := m.extrasOf(id, p)
	if err != nil {
		return nil, fmt.Errorf("keep what the task was asked: %w", err)
	}
	dir := m.taskDir(id)
	hands := &flow.Executor{Session: s}
	if !set.Forget {
		hands.Trail = flow.OpenTrail(dir)
	}
	var briefs []string
	if len(x.Schema) > 0 {
		if hands.Result, err = flow.NewStructured(x.Schema, dir); err != nil {
			return nil, err
		}
		briefs = append(briefs, hands.Result.Brief(o.Lang, x.URLs))
	}
	if x.Part != nil {
		briefs = append(briefs, x.Part.Brief)
		for _, task := range x.Part.From {
			s.Recalls(m.visitedSites(task), x.Part.Brief)
		}
	}
	if len(briefs) > 0 {
		o.Text += "\n\n" + strings.Join(briefs, "\n\n")
	}
	o.Executor, o.Model = hands, flow.WatchModel(o.Model, hands.Trail)
	before, after, err := m.remainingHooks(id, x.Part)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		defer func() {
			if err := hands.Trail.Close(); err != nil {
				m.Log.Warn().Err(err).Str("task", id).Msg("the trail of the task is not complete")
			}
		}()
		do := agent.Run
		if x.Replay != nil {
			do = m.replay(id, *x.Replay, s)
		}
		work := func(o agent.Options) { m.work(ctx, id, o, do) }
		if x.Part == nil {
			work(o)
			return
		}
		m.runWithHooks(ctx, id, o, before, after, work)
	}, nil
}

// work calls do, which runs the agent's loop or a replay. A panic becomes a failure
// of this task, so that it ends neither the broker nor the other tasks.
func (m *Manager) work(ctx context.Context, id string, o agent.Options, do func(context.Context, agent.Options) error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		m.Log.Error().Str("task", id).Interface("panic", r).Bytes("stack", debug.Stack()).Msg("task panicked")
		e := &wire.Error{Code: wire.CodeInternal, Message: "Tabwright itself failed in this task.", Hint: "See the log of the broker."}
		if err := o.Record.Emit(wire.Event{Type: wire.EvFailed, Text: e.Message, Error: e}); err != nil {
			m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
		}
	}()
	if err := do(ctx, o); err != nil {
		m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
	}
}
