package client

import (
	"context"
	"fmt"

	"tabwright/host/native/wire"
)

// Done is closed when the connection to the broker has ended.
func (c *Client) Done() <-chan struct{} { return c.peer.Done() }

// Viewer receives a stream of events. An error of one of its methods ends the
// stream.
type Viewer interface {
	Begin() error // called once subscribed
	Event(wire.Event) error
	Delta(wire.DeltaEvent) error
}

// Stream passes v the events after p.Seq, of one task or of all, and each new one.
// It returns nil after the event that ends the one task, or the error of v or ctx.
// A connection can have only one stream.
func (c *Client) Stream(ctx context.Context, p wire.SubscribeParams, v Viewer) error {
	err := c.Call(ctx, wire.MethodTaskSubscribe, p, nil)
	if err == nil {
		err = v.Begin()
	}
	if err != nil {
		return err
	}
	for {
		select {
		case ev := <-c.events:
			if err := v.Event(ev); err != nil || p.Task != "" && wire.Ends(ev.Type) {
				return err
			}
		case d := <-c.deltas:
			if err := v.Delta(d); err != nil {
				return err
			}
		case <-c.peer.Done():
			return fmt.Errorf("the broker went away: %w", c.peer.Err())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
