// Package client is the connection of a command line, or of a program, to the broker. Start
// reading at Client.
package client

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/rs/zerolog"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// Client is a command line's connection to the broker.
type Client struct {
	peer   *rpc.Peer
	events chan wire.Event
	deltas chan wire.DeltaEvent
	Hello  wire.HelloResult
}

// New sends hello on a connection to the broker and returns a ready client.
func New(ctx context.Context, nc net.Conn, version string, log zerolog.Logger) (*Client, error) {
	c := &Client{events: make(chan wire.Event, 64), deltas: make(chan wire.DeltaEvent, 64)}
	c.peer = rpc.NewPeer(nc, rpc.PeerOptions{Name: "broker", Log: log})
	rpc.On(c.peer, wire.EventTask, func(ctx context.Context, _ *rpc.Channel, ev wire.Event) (wire.Empty, error) {
		select {
		case c.events <- ev:
		case <-ctx.Done():
		}
		return wire.Empty{}, nil
	})
	rpc.On(c.peer, wire.EventDelta, func(ctx context.Context, _ *rpc.Channel, d wire.DeltaEvent) (wire.Empty, error) {
		select {
		case c.deltas <- d:
		default: // dropped: an event brings the finished text
		}
		return wire.Empty{}, nil
	})
	c.peer.Start()
	hello := wire.HelloParams{
		Role: wire.RoleCLI, ProtocolMin: wire.ProtocolMin, ProtocolMax: wire.ProtocolMax, Version: version,
	}
	if err := c.peer.Call(ctx, wire.MethodHello, hello, &c.Hello); err != nil {
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

// Follow calls see with each of a task's events, from the first on, until one ends
// the task. It returns that event. Streamed text goes to delta, if that is not nil.
func (c *Client) Follow(ctx context.Context, task string, see func(wire.Event), delta func(wire.DeltaEvent)) (wire.Event, error) {
	return c.FollowFrom(ctx, wire.SubscribeParams{Task: task}, see, delta)
}

// FollowFrom is Follow for the events that from subscribes to.
func (c *Client) FollowFrom(ctx context.Context, from wire.SubscribeParams, see func(wire.Event), delta func(wire.DeltaEvent)) (wire.Event, error) {
	if err := c.Call(ctx, wire.MethodTaskSubscribe, from, nil); err != nil {
		return wire.Event{}, err
	}
	for {
		select {
		case ev := <-c.events:
			see(ev)
			if wire.Ends(ev.Type) {
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
			return wire.Event{}, fmt.Errorf("the broker went away: %w", c.peer.Err())
		case <-ctx.Done():
			return wire.Event{}, ctx.Err()
		}
	}
}

// rest calls see with the events that arrived before the connection ended. ok is
// true if one of them ended the task.
func (c *Client) rest(see func(wire.Event)) (end wire.Event, ok bool) {
	for {
		select {
		case ev := <-c.events:
			see(ev)
			if wire.Ends(ev.Type) {
				return ev, true
			}
		default:
			return wire.Event{}, false
		}
	}
}
