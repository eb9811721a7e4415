package control

import (
	"context"

	"tabwright/host/flow"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handleFlows registers the methods of workflows.
func (c *conn) handleFlows() {
	m, at := c.b.Manager, flowPlaces{begin: c.placeFor, resume: c.b.placeForResume}
	m.tellFlows(c.b.tellFlow)
	on(c, wire.MethodFlowRun, func(ctx context.Context, _ *rpc.Channel, p wire.FlowRunParams) (wire.FlowInfo, error) {
		return m.runFlow(ctx, p, at)
	})
	on(c, wire.MethodFlowRestore, func(_ context.Context, _ *rpc.Channel, p wire.FlowRestoreParams) (wire.FlowInfo, error) {
		return m.restoreFlow(p, at)
	})
	on(c, wire.MethodFlowModify, func(ctx context.Context, _ *rpc.Channel, p wire.FlowModifyParams) (wire.FlowInfo, error) {
		return m.modifyFlow(ctx, p, at)
	})
	on(c, wire.MethodFlowList, func(context.Context, *rpc.Channel, wire.Empty) (wire.FlowList, error) {
		return m.flowList()
	})
	on(c, wire.MethodFlowShow, func(_ context.Context, _ *rpc.Channel, p wire.FlowRef) (wire.FlowInfo, error) {
		s, err := m.flowState(p.Flow)
		return flowInfo(s), err
	})
	on(c, wire.MethodFlowPause, func(_ context.Context, _ *rpc.Channel, p wire.FlowRef) (wire.FlowInfo, error) {
		return m.withFlow(p.Flow, at, (*flow.Runner).Pause)
	})
	on(c, wire.MethodFlowResume, func(_ context.Context, _ *rpc.Channel, p wire.FlowRef) (wire.FlowInfo, error) {
		return m.withFlow(p.Flow, at, (*flow.Runner).Resume)
	})
	on(c, wire.MethodFlowStop, func(ctx context.Context, _ *rpc.Channel, p wire.FlowRef) (wire.FlowInfo, error) {
		return m.withFlow(p.Flow, at, func(r *flow.Runner) error { return r.Stop(ctx) })
	})
	c.handleSavedFlows()
	on(c, wire.MethodFlowSave, func(_ context.Context, _ *rpc.Channel, p wire.FlowSaveParams) (wire.Exported, error) {
		switch {
		case p.Task != "":
			return m.History().RecordingOf(p.Task)
		case p.Saved != "":
			text, err := m.savedFile(p.Saved)
			return wire.Exported{Name: p.Saved + ".yaml", MIME: "application/yaml", Text: text}, err
		}
		return m.flowFile(p.Flow)
	})
}

// tellFlow sends a workflow to every panel.
func (b *Broker) tellFlow(f wire.FlowInfo) { b.tellPanels(wire.EventFlowChanged, f) }

// handleSavedFlows registers the methods of the user's saved workflows.
func (c *conn) handleSavedFlows() {
	m := c.b.Manager
	on(c, wire.MethodSavedList, func(context.Context, *rpc.Channel, wire.Empty) (wire.SavedList, error) {
		return m.ListSavedFlows()
	})
	on(c, wire.MethodSavedKeep, func(_ context.Context, from *rpc.Channel, p wire.SavedKeepParams) (wire.SavedFlow, error) {
		if _, err := c.panel(from); err != nil {
			return wire.SavedFlow{}, err
		}
		return m.SaveFlow(p)
	})
	on(c, wire.MethodSavedRename, func(_ context.Context, from *rpc.Channel, p wire.SavedRenameParams) (wire.SavedFlow, error) {
		if _, err := c.panel(from); err != nil {
			return wire.SavedFlow{}, err
		}
		return m.RenameSavedFlow(p.ID, p.Name)
	})
	on(c, wire.MethodSavedRemove, func(_ context.Context, from *rpc.Channel, p wire.SavedRef) (wire.SavedList, error) {
		if _, err := c.panel(from); err != nil {
			return wire.SavedList{}, err
		}
		return m.RemoveSavedFlow(p.ID)
	})
	on(c, wire.MethodReplay, c.onReplay)
}
