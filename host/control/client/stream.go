package client

import (
	"context"
	"fmt"

	"tabwright/host/native/wire"
)

// Gone is closed when the connection to the broker has ended.
func (c *Client) Gone() <-chan struct{} { return c.peer.Done() }

// Viewer is what a stream of events is handed to; an error of its ends the
// stream.
type Viewer interface {
	Begin() error // the subscription stands
	Event(wire.Event) error
	Delta(wire.DeltaEvent) error
}

// Stream hands on the events after p.Seq, of one task or of all, and those that
// follow, until the viewer gives an error, ctx ends, or the event that ends the
// one task was seen, which is no error. The connection can have one stream only.
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
