package control

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/rs/zerolog"

	"tabwright/host/native"
)

// Client is a command line's connection to the broker.
type Client struct {
	peer   *native.Peer
	events chan native.Event
	deltas chan native.DeltaEvent
	Hello  native.HelloResult
}

// NewClient says hello on a connection to the broker and is ready to call.
func NewClient(ctx context.Context, nc net.Conn, version string, log zerolog.Logger) (*Client, error) {
	c := &Client{events: make(chan native.Event, 64), deltas: make(chan native.DeltaEvent, 64)}
	c.peer = native.NewPeer(nc, native.PeerOptions{Name: "broker", Log: log})
	native.On(c.peer, native.EventTask, func(ctx context.Context, _ *native.Channel, ev native.Event) (native.Empty, error) {
		select {
		case c.events <- ev:
		case <-ctx.Done():
		}
		return native.Empty{}, nil
	})
	native.On(c.peer, native.EventDelta, func(ctx context.Context, _ *native.Channel, d native.DeltaEvent) (native.Empty, error) {
		select {
		case c.deltas <- d:
		default: // passing text; its end comes in an event
		}
		return native.Empty{}, nil
	})
	c.peer.Start()
	hello := native.HelloParams{
		Role: RoleCLI, ProtocolMin: native.ProtocolMin, ProtocolMax: native.ProtocolMax, Version: version,
	}
	if err := c.peer.Call(ctx, native.MethodHello, hello, &c.Hello); err != nil {
		return nil, errors.Join(fmt.Errorf("hello to the broker: %w", err), c.peer.Close())
	}
	return c, nil
}

// Call calls a method of the broker.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return c.peer.Call(ctx, method, params, result)
}

// Close ends the connection.
func (c *Client) Close() error {
	err := c.peer.Close()
	c.peer.Wait()
	return err
}

// Follow hands a task's events to see, from the first on, until one ends the
// task; that one is returned. Streamed text goes to delta, when it is not nil.
func (c *Client) Follow(ctx context.Context, task string, see func(native.Event), delta func(native.DeltaEvent)) (native.Event, error) {
	return c.FollowFrom(ctx, native.SubscribeParams{Task: task}, see, delta)
}

// FollowFrom is Follow for the events after a number.
func (c *Client) FollowFrom(ctx context.Context, from native.SubscribeParams, see func(native.Event), delta func(native.DeltaEvent)) (native.Event, error) {
	if err := c.Call(ctx, native.MethodTaskSubscribe, from, nil); err != nil {
		return native.Event{}, err
	}
	for {
		select {
		case ev := <-c.events:
			see(ev)
			if Ends(ev.Type) {
				return ev, nil
			}
		case d := <-c.deltas:
			if delta != nil {
				delta(d)
			}
		case <-c.peer.Done():
			if ev, ok := c.rest(see); ok {
				return ev, nil
			}
			return native.Event{}, fmt.Errorf("the broker went away: %w", c.peer.Err())
		case <-ctx.Done():
			return native.Event{}, ctx.Err()
		}
	}
}

// rest hands on what arrived before the connection ended; ok when the task's
// end is among it.
func (c *Client) rest(see func(native.Event)) (end native.Event, ok bool) {
	for {
		select {
		case ev := <-c.events:
			see(ev)
			if Ends(ev.Type) {
				return ev, true
			}
		default:
			return native.Event{}, false
		}
	}
}

// Ends reports whether a task runs no more after an event of this type; one
// that was interrupted can be taken up again.
func Ends(t native.EventType) bool {
	switch t {
	case native.EvComplete, native.EvFailed, native.EvCancelled, native.EvInterrupted:
		return true
	default:
		return false
	}
}
