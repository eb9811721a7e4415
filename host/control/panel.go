package control

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tabwright/host/control/history"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handlePanel sets the methods of panels and command lines.
func (c *conn) handlePanel() {
	m := c.b.Manager
	on(c, wire.MethodPanelState, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.PanelState, error) {
		tasks, err := c.b.tasks()
		return wire.PanelState{
			Version: c.b.Version, Extension: c.b.ExtensionVersion, Tasks: tasks, Models: m.Models.Soon(ctx), Lang: c.b.Lang, Tour: c.b.Tour != nil,
		}, err
	})
	c.handleModels()
	on(c, wire.MethodPolicyShow, func(context.Context, *rpc.Channel, wire.Empty) (wire.PolicyInfo, error) {
		return m.policyInfo(), nil
	})
	on(c, wire.MethodPolicyRevoke, c.onPolicyRevoke)
	on(c, wire.MethodTourStart, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.TourInfo, error) {
		if c.b.Tour == nil {
			return wire.TourInfo{}, &wire.Error{Code: wire.CodeInternal, Message: "This build has no tour."}
		}
		return c.b.Tour(ctx)
	})
	on(c, wire.MethodBrokerStatus, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.BrokerStatus, error) {
		return c.b.status(ctx), nil
	})
	on(c, wire.MethodTryAttach, func(ctx context.Context, _ *rpc.Channel, p wire.ProfileParams) (wire.Empty, error) {
		return wire.Empty{}, c.b.tryAttach(ctx, p.Profile)
	})
	on(c, wire.MethodBrokerStop, func(ctx context.Context, _ *rpc.Channel, p wire.StopParams) (wire.Empty, error) {
		if m.Running() > 0 && !p.Force {
			return wire.Empty{}, &wire.Error{Code: wire.CodeBusy, Message: "Tasks are running.", Hint: "Stop them first."}
		}
		rpc.AfterAnswer(ctx, func() {
			flush, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = c.peer.Flush(flush) // the answer first; a client that is gone needs none
			c.b.stop(ErrAsked)
		})
		return wire.Empty{}, nil
	})
}

// handleModels sets the methods of models.
func (c *conn) handleModels() {
	m := c.b.Manager
	on(c, wire.MethodModelList, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.ModelList, error) {
		return m.Models.List(ctx), nil
	})
	on(c, wire.MethodModelCheck, func(ctx context.Context, _ *rpc.Channel, p wire.ModelRef) (wire.ModelCheck, error) {
		return m.Models.Check(ctx, p.ID)
	})
	on(c, wire.MethodModelForget, func(_ context.Context, _ *rpc.Channel, p wire.ModelRef) (wire.Empty, error) {
		return wire.Empty{}, m.Models.Forget(p.ID)
	})
	on(c, wire.MethodModelPull, func(_ context.Context, from *rpc.Channel, p wire.ModelRef) (wire.PullList, error) {
		if _, err := c.panel(from); err != nil {
			return wire.PullList{}, err
		}
		return m.Models.Pull(p.ID)
	})
	on(c, wire.MethodModelPulls, func(context.Context, *rpc.Channel, wire.Empty) (wire.PullList, error) {
		return m.Models.Pulls(), nil
	})
	on(c, wire.MethodModelPullStop, func(_ context.Context, from *rpc.Channel, p wire.ModelRef) (wire.PullList, error) {
		if _, err := c.panel(from); err != nil {
			return wire.PullList{}, err
		}
		return m.Models.StopPull(p.ID), nil
	})
	on(c, wire.MethodModelWarm, func(_ context.Context, from *rpc.Channel, p wire.WarmParams) (wire.Empty, error) {
		if _, err := c.panel(from); err != nil {
			return wire.Empty{}, err
		}
		if m.Running() == 0 { // another model would take the place of the one at work
			set := m.settings()
			m.Models.Warm(cmp.Or(set.Lang, p.Lang), set.Budget)
		}
		return wire.Empty{}, nil
	})
	on(c, wire.MethodModelUse, func(ctx context.Context, _ *rpc.Channel, p wire.ModelRef) (wire.Empty, error) {
		return wire.Empty{}, m.Models.Use(ctx, p.ID)
	})
}

// onSubscribe sends what stands, then each event as it comes, until the
// channel closes or asks anew.
func (c *conn) onSubscribe(subscribeCtx context.Context, from *rpc.Channel, p wire.SubscribeParams) (wire.Subscribed, error) {
	ctx, cancel := context.WithCancel(context.Background())
	old, live, err := c.b.Manager.Journal.Follow(ctx, p.Task, p.Seq)
	if err != nil {
		cancel()
		if errors.Is(err, journal.ErrNoTask) {
			err = history.ErrNoTask
		}
		return wire.Subscribed{}, err
	}
	c.mu.Lock()
	if before, ok := c.views[from]; ok {
		before.cancel()
	}
	c.views[from] = view{p.Task, cancel}
	c.mu.Unlock()
	v := viewer{j: c.b.Manager.Journal, to: from, task: p.Task, seq: p.Seq}
	deltas, end := c.b.Manager.Deltas(p.Task)
	seen := c.b.Manager.History().View(p.Task)
	// Behind the answer, so that a viewer knows first that it is one; and owned
	// by the connection, whose Wait waits for it.
	rpc.AfterAnswer(subscribeCtx, func() {
		defer seen()
		defer end()
		defer cancel()
		v.feed(ctx, old, live, deltas)
	})
	return wire.Subscribed{Replayed: len(old)}, nil
}

// viewer is one subscription of a channel.
type viewer struct {
	j    *journal.Journal
	to   *rpc.Channel
	task string
	seq  uint64 // the last number that was sent
}

// feed sends what stands and then what comes, until the viewer or ctx ends. A
// subscription that the journal cut off, since this side lagged behind, is
// taken up again where it was: no event is lost.
func (v *viewer) feed(ctx context.Context, old []wire.Event, live <-chan wire.Event, deltas <-chan wire.DeltaEvent) {
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
func (v *viewer) pass(ctx context.Context, live <-chan wire.Event, deltas <-chan wire.DeltaEvent) bool {
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
			if v.to.Notify(wire.EventDelta, d) != nil {
				return false
			}
		case <-v.to.Done():
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (v *viewer) send(ev wire.Event) bool {
	v.seq = ev.Seq
	if v.task == "" {
		v.seq = ev.Global
	}
	return v.to.Notify(wire.EventTask, ev) == nil
}

func (c *conn) onChannelClose(_ context.Context, _ *rpc.Channel, p wire.ChannelParams) (wire.Empty, error) {
	if p.Chan == "" {
		return wire.Empty{}, nil
	}
	ch := c.peer.Chan(p.Chan)
	c.mu.Lock()
	c.endView(ch, "")
	delete(c.panels, p.Chan)
	c.mu.Unlock()
	return wire.Empty{}, ch.Close()
}

// endView ends what a channel follows; if a task is named, only where it is that
// one: the channel may follow the next already. c.mu is held.
func (c *conn) endView(ch *rpc.Channel, task string) {
	if v, ok := c.views[ch]; ok && (task == "" || v.task == task) {
		v.cancel()
		delete(c.views, ch)
	}
}

func (b *Broker) tasks() ([]wire.TaskInfo, error) {
	ts, err := b.Manager.Journal.Tasks(shownTasks)
	out := make([]wire.TaskInfo, 0, len(ts))
	for _, t := range ts {
		out = append(out, t.TaskInfo)
	}
	return out, err
}
