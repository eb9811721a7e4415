package control

import (
	"context"
	"errors"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handleTasks registers the methods of tasks.
func (c *conn) handleTasks() {
	m := c.b.Manager
	on(c, wire.MethodTaskStart, c.onStart)
	on(c, wire.MethodTaskStop, func(ctx context.Context, _ *rpc.Channel, p wire.TaskParams) (wire.Empty, error) {
		return wire.Empty{}, m.Stop(ctx, p.Task)
	})
	on(c, wire.MethodTaskList, func(context.Context, *rpc.Channel, wire.Empty) (wire.TaskList, error) {
		tasks, err := c.b.tasks()
		return wire.TaskList{Tasks: tasks}, err
	})
	on(c, wire.MethodTaskSay, func(_ context.Context, from *rpc.Channel, p wire.SayParams) (wire.Empty, error) {
		if err := c.requireUser(from, p.Task); err != nil {
			return wire.Empty{}, err
		}
		if !c.speaksFor(from, p.Task) {
			return wire.Empty{}, m.Tell(p)
		}
		return wire.Empty{}, m.Say(p.Task, p.Text, p.Attach...)
	})
	on(c, wire.MethodTaskPause, func(_ context.Context, _ *rpc.Channel, p wire.TaskParams) (wire.Empty, error) {
		return wire.Empty{}, m.Pause(p.Task)
	})
	on(c, wire.MethodTaskResume, c.onResume)
	on(c, wire.MethodPlanEdit, c.onPlanEdit)
	on(c, wire.MethodConfirm, c.onConfirm)
	on(c, wire.MethodTaskSubscribe, c.onSubscribe)
	on(c, wire.MethodTaskUnsubscribe, func(_ context.Context, from *rpc.Channel, p wire.TaskParams) (wire.Empty, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.endView(from, p.Task)
		return wire.Empty{}, nil
	})
}

// onStart begins a task. The task goes on if the panel closes meanwhile. If a command
// line is interrupted before it knows the task's id, the task is stopped, since the
// command line could not do so.
func (c *conn) onStart(ctx context.Context, from *rpc.Channel, p wire.TaskStartParams) (wire.TaskInfo, error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	place, err := c.placeFor(bounded)
	if p.Profile != "" && from.Name() == "" { // a panel works in its own browser
		place, err = c.b.placeOf(bounded, p.Profile)
	}
	if err != nil {
		return wire.TaskInfo{}, err
	}
	info, err := c.b.Manager.Start(bounded, p, place)
	if err == nil {
		c.addBegun(info.Task)
	}
	if err == nil && from.Name() == "" && ctx.Err() != nil {
		return info, errors.Join(ctx.Err(), c.b.Manager.Stop(bounded, info.Task))
	}
	return info, err
}

// onResume lets a paused task go on, or resumes one that was interrupted.
func (c *conn) onResume(ctx context.Context, from *rpc.Channel, p wire.TaskParams) (wire.Empty, error) {
	if err := c.requireUser(from, p.Task); err != nil {
		return wire.Empty{}, err
	}
	m := c.b.Manager
	if m.inTakeover(p.Task) { // only the user knows that they are done
		if _, err := c.panel(from); err != nil {
			return wire.Empty{}, err
		}
	}
	t, ok := m.interruptedTask(p.Task)
	if !ok {
		err := m.Unpause(p.Task)
		if errors.Is(err, &wire.Error{Code: wire.CodeNoTask}) {
			if _, err = m.History().Task(p.Task); err == nil {
				err = &wire.Error{Code: wire.CodeNoTask, Message: "This task has ended.", Hint: "Send it as a new one."}
			}
		}
		return wire.Empty{}, err
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	place, err := c.b.placeForResume(bounded, t.Profile)
	if err != nil {
		return wire.Empty{}, err
	}
	return wire.Empty{}, m.Resume(bounded, p.Task, place)
}

// onPlanEdit sets the user's plan. Only a panel may call it, because the user's plan
// takes precedence over the model's.
func (c *conn) onPlanEdit(_ context.Context, from *rpc.Channel, p wire.PlanEditParams) (wire.Empty, error) {
	if _, err := c.panel(from); err != nil {
		return wire.Empty{}, err
	}
	return wire.Empty{}, c.b.Manager.EditPlan(p.Task, p.Plan)
}

// onReplay replays a saved recording as a task of the calling panel.
func (c *conn) onReplay(ctx context.Context, from *rpc.Channel, p wire.ReplayParams) (wire.TaskInfo, error) {
	if _, err := c.panel(from); err != nil {
		return wire.TaskInfo{}, err
	}
	m := c.b.Manager
	start, err := m.replayOf(p)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	place, err := c.placeFor(bounded)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	return m.Start(bounded, start, place)
}

// onConfirm answers a card. Only a panel, that is a channel of a relay, may call it.
func (c *conn) onConfirm(_ context.Context, from *rpc.Channel, a wire.ConfirmAnswer) (wire.Empty, error) {
	c.mu.Lock()
	panel := c.link != nil && from.Name() != ""
	c.mu.Unlock()
	if !panel {
		return wire.Empty{}, &wire.Error{
			Code: wire.CodePanelOnly, Message: "In your own browser only the side panel answers this.",
			Hint: "Open the Tabwright side panel.",
		}
	}
	return wire.Empty{}, c.b.Manager.Answer(a)
}
