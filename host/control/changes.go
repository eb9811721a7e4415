package control

import (
	"context"

	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// changeBacklog is how many changes of tasks wait for slow panels. Further ones are
// dropped: a panel asks for the whole state when it connects again.
const changeBacklog = 256

// onChannelOpen notes a panel's port.
func (c *conn) onChannelOpen(_ context.Context, _ *rpc.Channel, p wire.ChannelParams) (wire.Empty, error) {
	if p.Chan == "" {
		return wire.Empty{}, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.panels == nil {
		c.panels = map[string]bool{}
	}
	c.panels[p.Chan] = true
	return wire.Empty{}, nil
}

// openPanels returns the ports of a relay's panels.
func (c *conn) openPanels() []*rpc.Channel {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return nil
	}
	out := make([]*rpc.Channel, 0, len(c.panels))
	for name := range c.panels {
		out = append(out, c.peer.Chan(name))
	}
	return out
}

// tellPanels sends every open panel an event.
func (b *Broker) tellPanels(event string, params any) {
	b.mu.Lock()
	var to []*rpc.Channel
	for c := range b.conns {
		to = append(to, c.openPanels()...)
	}
	b.mu.Unlock()
	for _, ch := range to {
		_ = ch.Notify(event, params) // a closed panel needs no event
	}
}

// tellChanges sends every panel each task whose state changes, until ctx ends.
func (b *Broker) tellChanges(ctx context.Context) {
	changes := make(chan wire.TaskInfo, changeBacklog)
	b.Manager.Journal.OnState(func(t journal.Task) {
		select {
		case changes <- t.TaskInfo:
		default:
		}
	})
	defer b.Manager.Journal.OnState(nil)
	for {
		select {
		case t := <-changes:
			b.tellPanels(wire.EventTaskChanged, t)
		case <-ctx.Done():
			return
		}
	}
}
