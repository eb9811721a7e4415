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

// handlePanel registers the methods of panels and command lines.
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
		if m.CountRunning() > 0 && !p.Force {
			return wire.Empty{}, &wire.Error{Code: wire.CodeBusy, Message: "Tasks are running.", Hint: "Stop them first."}
		}
		rpc.AfterAnswer(ctx, func() {
			flush, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = c.peer.Flush(flush) // send the answer first; the client may be gone
			c.b.stop(ErrAsked)
		})
		return wire.Empty{}, nil
	})
}

// handleModels registers the methods of models.
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
		if m.CountRunning() == 0 { // loading another model could unload the one at work
			set := m.settings()
			m.Models.Warm(cmp.Or(set.Lang, p.Lang), set.Budget)
		}
		return wire.Empty{}, nil
	})
	on(c, wire.MethodModelUse, func(ctx context.Context, _ *rpc.Channel, p wire.ModelRef) (wire.Empty, error) {
		return wire.Empty{}, m.Models.Use(ctx, p.ID)
	})
}

// onSubscribe sends the old events, then each new one, until the channel closes
// or subscribes anew.
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
	// After the answer, so that the client first learns that it is subscribed. The
	// connection's Wait waits for this goroutine.
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
	seq  uint64 // number of the last event sent
}

// feed sends the old events and then the new ones, until the viewer or ctx ends.
// If the journal closes the subscription because this side lags behind, feed
// follows again from the last event sent, so that none is lost.
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

// pass forwards events until the viewer or ctx ends. It returns true if the
// journal closed the subscription instead.
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

// endView ends a channel's subscription. If task is set, it ends only a subscription
// to that task: the channel may follow the next already. The caller holds c.mu.
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
