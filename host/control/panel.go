package control

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native"
)

// CodePanelOnly is the refusal of a client that may not answer a question: in
// the person's Chrome only the panel answers.
const CodePanelOnly native.Code = "panel_only"

const shownTasks = 50 // of a list, the newest

// handlePanel sets the methods of panels and command lines.
func (c *conn) handlePanel() {
	m := c.b.Manager
	on(c, native.MethodPanelState, func(ctx context.Context, _ *native.Channel, _ native.Empty) (native.PanelState, error) {
		tasks, err := c.b.tasks()
		return native.PanelState{
			Version: c.b.Version, Extension: c.b.ExtensionVersion, Tasks: tasks, Models: m.Models.Soon(ctx), Lang: c.b.Lang, Tour: c.b.Tour != nil,
		}, err
	})
	c.handleTasks()
	c.handleModels()
	on(c, native.MethodPolicyShow, func(context.Context, *native.Channel, native.Empty) (native.PolicyInfo, error) {
		return m.policyInfo(), nil
	})
	on(c, native.MethodPolicyRevoke, c.onPolicyRevoke)
	on(c, native.MethodTourStart, func(ctx context.Context, _ *native.Channel, _ native.Empty) (native.TourInfo, error) {
		if c.b.Tour == nil {
			return native.TourInfo{}, &native.Error{Code: native.CodeInternal, Message: "This build has no tour."}
		}
		return c.b.Tour(ctx)
	})
	on(c, native.MethodBrokerStatus, func(ctx context.Context, _ *native.Channel, _ native.Empty) (native.BrokerStatus, error) {
		return c.b.status(ctx), nil
	})
	on(c, native.MethodTryAttach, func(ctx context.Context, _ *native.Channel, p native.ProfileParams) (native.Empty, error) {
		return native.Empty{}, c.b.tryAttach(ctx, p.Profile)
	})
	on(c, native.MethodBrokerStop, func(ctx context.Context, _ *native.Channel, p native.StopParams) (native.Empty, error) {
		if m.Running() > 0 && !p.Force {
			return native.Empty{}, &native.Error{Code: CodeBusy, Message: "Tasks are running.", Hint: "Stop them first."}
		}
		native.AfterAnswer(ctx, func() {
			flush, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = c.peer.Flush(flush) // the answer first; a client that is gone needs none
			c.b.stop(ErrAsked)
		})
		return native.Empty{}, nil
	})
}

// handleTasks sets the methods of tasks.
func (c *conn) handleTasks() {
	m := c.b.Manager
	on(c, native.MethodTaskStart, c.onStart)
	on(c, native.MethodTaskStop, func(ctx context.Context, _ *native.Channel, p native.TaskParams) (native.Empty, error) {
		return native.Empty{}, m.Stop(ctx, p.Task)
	})
	on(c, native.MethodTaskList, func(context.Context, *native.Channel, native.Empty) (native.TaskList, error) {
		tasks, err := c.b.tasks()
		return native.TaskList{Tasks: tasks}, err
	})
	on(c, native.MethodTaskSay, func(_ context.Context, from *native.Channel, p native.SayParams) (native.Empty, error) {
		if err := c.personsOwn(from, p.Task); err != nil {
			return native.Empty{}, err
		}
		if !c.speaksFor(from, p.Task) {
			return native.Empty{}, m.Tell(p)
		}
		return native.Empty{}, m.Say(p.Task, p.Text, p.Attach...)
	})
	on(c, native.MethodTaskPause, func(_ context.Context, _ *native.Channel, p native.TaskParams) (native.Empty, error) {
		return native.Empty{}, m.Pause(p.Task)
	})
	on(c, native.MethodTaskResume, c.onResume)
	on(c, native.MethodPlanEdit, c.onPlanEdit)
	on(c, native.MethodConfirm, c.onConfirm)
	on(c, native.MethodTaskSubscribe, c.onSubscribe)
	on(c, native.MethodTaskUnsubscribe, func(_ context.Context, from *native.Channel, p native.TaskParams) (native.Empty, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.endView(from, p.Task)
		return native.Empty{}, nil
	})
}

// handleModels sets the methods of models.
func (c *conn) handleModels() {
	m := c.b.Manager
	on(c, native.MethodModelList, func(ctx context.Context, _ *native.Channel, _ native.Empty) (native.ModelList, error) {
		return m.Models.List(ctx), nil
	})
	on(c, native.MethodModelCheck, func(ctx context.Context, _ *native.Channel, p native.ModelRef) (native.ModelCheck, error) {
		return m.Models.Check(ctx, p.ID)
	})
	on(c, native.MethodModelForget, func(_ context.Context, _ *native.Channel, p native.ModelRef) (native.Empty, error) {
		return native.Empty{}, m.Models.Forget(p.ID)
	})
	on(c, native.MethodModelPull, func(_ context.Context, from *native.Channel, p native.ModelRef) (native.PullList, error) {
		if _, err := c.panel(from); err != nil {
			return native.PullList{}, err
		}
		return m.Models.Pull(p.ID)
	})
	on(c, native.MethodModelPulls, func(context.Context, *native.Channel, native.Empty) (native.PullList, error) {
		return m.Models.Pulls(), nil
	})
	on(c, native.MethodModelPullStop, func(_ context.Context, from *native.Channel, p native.ModelRef) (native.PullList, error) {
		if _, err := c.panel(from); err != nil {
			return native.PullList{}, err
		}
		return m.Models.StopPull(p.ID), nil
	})
	on(c, native.MethodModelWarm, func(_ context.Context, from *native.Channel, p native.WarmParams) (native.Empty, error) {
		if _, err := c.panel(from); err != nil {
			return native.Empty{}, err
		}
		if m.Running() == 0 { // another model would take the place of the one at work
			set := m.settings()
			m.Models.Warm(cmp.Or(set.Lang, p.Lang), set.Budget)
		}
		return native.Empty{}, nil
	})
	on(c, native.MethodModelUse, func(ctx context.Context, _ *native.Channel, p native.ModelRef) (native.Empty, error) {
		return native.Empty{}, m.Models.Use(ctx, p.ID)
	})
}

// startTime bounds the start of a task: asking the model server what it has,
// opening a tab.
const startTime = 30 * time.Second

// onStart begins a task. A panel that closes in this moment does not end it; a
// command line that was interrupted before it knew the task's id does, since it
// could not stop it any more.
func (c *conn) onStart(ctx context.Context, from *native.Channel, p native.TaskStartParams) (native.TaskInfo, error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	place, err := c.placeFor(bounded)
	if err != nil {
		return native.TaskInfo{}, err
	}
	info, err := c.b.Manager.Start(bounded, p, place)
	if err == nil {
		c.hasBegun(info.Task)
	}
	if err == nil && from.Name() == "" && ctx.Err() != nil {
		return info, errors.Join(ctx.Err(), c.b.Manager.Stop(bounded, info.Task))
	}
	return info, err
}

// onConfirm takes an answer from a panel, and from nobody else (DESIGN.md,
// "Doors"): a panel is a channel of a relay.
func (c *conn) onConfirm(_ context.Context, from *native.Channel, a native.ConfirmAnswer) (native.Empty, error) {
	c.mu.Lock()
	panel := c.link != nil && from.Name() != ""
	c.mu.Unlock()
	if !panel {
		return native.Empty{}, &native.Error{
			Code: CodePanelOnly, Message: "In your own browser only the side panel answers this.",
			Hint: "Open the Tabwright side panel.",
		}
	}
	return native.Empty{}, c.b.Manager.Answer(a)
}

// onSubscribe sends what stands, then each event as it comes, until the
// channel closes or asks anew.
func (c *conn) onSubscribe(subscribeCtx context.Context, from *native.Channel, p native.SubscribeParams) (native.Subscribed, error) {
	ctx, cancel := context.WithCancel(context.Background())
	old, live, err := c.b.Manager.Journal.Follow(ctx, p.Task, p.Seq)
	if err != nil {
		cancel()
		if errors.Is(err, journal.ErrNoTask) {
			err = errNoTask
		}
		return native.Subscribed{}, err
	}
	c.mu.Lock()
	if before, ok := c.views[from]; ok {
		before.cancel()
	}
	c.views[from] = view{p.Task, cancel}
	c.mu.Unlock()
	v := viewer{j: c.b.Manager.Journal, to: from, task: p.Task, seq: p.Seq}
	deltas, end := c.b.Manager.Deltas(p.Task)
	seen := c.b.Manager.view(p.Task)
	// Behind the answer, so that a viewer knows first that it is one; and owned
	// by the connection, whose Wait waits for it.
	native.AfterAnswer(subscribeCtx, func() {
		defer seen()
		defer end()
		defer cancel()
		v.feed(ctx, old, live, deltas)
	})
	return native.Subscribed{Replayed: len(old)}, nil
}

// viewer is one subscription of a channel.
type viewer struct {
	j    *journal.Journal
	to   *native.Channel
	task string
	seq  uint64 // the last number that was sent
}

// feed sends what stands and then what comes, until the viewer or ctx ends. A
// subscription that the journal cut off, since this side lagged behind, is
// taken up again where it was: no event is lost.
func (v *viewer) feed(ctx context.Context, old []native.Event, live <-chan native.Event, deltas <-chan native.DeltaEvent) {
	for {
		for _, ev := range old {
			if !v.send(ev) {
				return
			}
		}
		if !v.pass(ctx, live, deltas) {
			return
		}
		var err error
		if old, live, err = v.j.Follow(ctx, v.task, v.seq); err != nil {
			return // the journal was closed
		}
	}
}

// pass hands on events until one of the ends; true means that the journal cut
// the subscription off.
func (v *viewer) pass(ctx context.Context, live <-chan native.Event, deltas <-chan native.DeltaEvent) bool {
	for {
		select {
		case ev, ok := <-live:
			if !ok {
				return ctx.Err() == nil && v.to.Err() == nil
			}
			if !v.send(ev) {
				return false
			}
		case d := <-deltas:
			if v.to.Notify(native.EventDelta, d) != nil {
				return false
			}
		case <-v.to.Done():
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (v *viewer) send(ev native.Event) bool {
	v.seq = ev.Seq
	if v.task == "" {
		v.seq = ev.Global
	}
	return v.to.Notify(native.EventTask, ev) == nil
}

func (c *conn) onChannelClose(_ context.Context, _ *native.Channel, p native.ChannelParams) (native.Empty, error) {
	if p.Chan == "" {
		return native.Empty{}, nil
	}
	ch := c.peer.Chan(p.Chan)
	c.mu.Lock()
	c.endView(ch, "")
	delete(c.panels, p.Chan)
	c.mu.Unlock()
	return native.Empty{}, ch.Close()
}

// view is what a channel follows.
type view struct {
	task   string // empty: every task
	cancel context.CancelFunc
}

// endView ends what a channel follows; if a task is named, only where it is that
// one: the channel may follow the next already. c.mu is held.
func (c *conn) endView(ch *native.Channel, task string) {
	if v, ok := c.views[ch]; ok && (task == "" || v.task == task) {
		v.cancel()
		delete(c.views, ch)
	}
}

func (b *Broker) tasks() ([]native.TaskInfo, error) {
	ts, err := b.Manager.Journal.Tasks(shownTasks)
	out := make([]native.TaskInfo, 0, len(ts))
	for _, t := range ts {
		out = append(out, t.TaskInfo)
	}
	return out, err
}
