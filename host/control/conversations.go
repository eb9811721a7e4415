package control

import (
	"context"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handleConversations registers the methods of conversations.
func (c *conn) handleConversations() {
	m, h := c.b.Manager, c.b.Manager.History()
	on(c, wire.MethodConvList, func(_ context.Context, _ *rpc.Channel, p wire.ConvListParams) (wire.ConvList, error) {
		return h.List(p)
	})
	on(c, wire.MethodConvShow, func(_ context.Context, _ *rpc.Channel, p wire.ConvRef) (wire.ConvInfo, error) {
		return h.Show(p.Conversation)
	})
	on(c, wire.MethodConvRename, func(_ context.Context, from *rpc.Channel, p wire.ConvRenameParams) (wire.ConvInfo, error) {
		if _, err := c.panel(from); err != nil {
			return wire.ConvInfo{}, err
		}
		return h.Rename(p)
	})
	on(c, wire.MethodConvDelete, func(_ context.Context, from *rpc.Channel, p wire.ConvRef) (wire.Empty, error) {
		if _, err := c.panel(from); err != nil {
			return wire.Empty{}, err
		}
		return wire.Empty{}, h.Delete(p.Conversation)
	})
	on(c, wire.MethodConvExport, func(_ context.Context, _ *rpc.Channel, p wire.ConvExportParams) (wire.Exported, error) {
		return h.Export(p)
	})
	on(c, wire.MethodTakeOver, func(ctx context.Context, from *rpc.Channel, p wire.TaskParams) (wire.Empty, error) {
		if _, err := c.panel(from); err != nil {
			return wire.Empty{}, err
		}
		return wire.Empty{}, m.TakeOver(ctx, p.Task)
	})
	on(c, wire.MethodStepThumb, func(ctx context.Context, _ *rpc.Channel, p wire.StepRef) (wire.Picture, error) {
		return m.Thumb(ctx, p)
	})
}

// handleArtifacts registers the methods for a task's trace and its structured
// result.
func (c *conn) handleArtifacts() {
	h := c.b.Manager.History()
	on(c, wire.MethodTaskTrace, func(_ context.Context, _ *rpc.Channel, p wire.TraceParams) (wire.Exported, error) {
		return h.Trace(p.Task, p.Format)
	})
	on(c, wire.MethodTaskResult, func(_ context.Context, _ *rpc.Channel, p wire.TaskParams) (wire.TaskResult, error) {
		return h.Result(p.Task)
	})
}
