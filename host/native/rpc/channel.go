package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// Channel is a conversation within a connection: the root channel, which has no
// name, or that of a panel, named after its runtime port. Its Call, Notify and
// Handle are those of Peer for messages with this Message.Chan.
type Channel struct {
	name   string
	peer   *Peer
	ctx    context.Context // ends with the channel
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	handlers map[string]Handler
	// Events wait here for drain, which delivers them in order. It runs only
	// while there are any.
	events   []*wire.Message
	bytes    int
	draining bool
}

// call is a request of ours that waits for its answer.
type call struct {
	ch  *Channel
	res chan *wire.Message // has room for one: the read loop never waits
}

func (p *Peer) newChannel(name string) *Channel {
	c := &Channel{name: name, peer: p}
	c.ctx, c.cancel = context.WithCancelCause(p.ctx)
	return c
}

// Name returns the channel's name, empty for the root channel.
func (c *Channel) Name() string { return c.name }

// Peer returns the connection that the channel belongs to.
func (c *Channel) Peer() *Peer { return c.peer }

// Done is closed when the channel or its connection has ended.
func (c *Channel) Done() <-chan struct{} { return c.ctx.Done() }

// Err returns nil while the channel is open, and afterwards why it ended.
func (c *Channel) Err() error {
	if c.ctx.Err() == nil {
		return nil
	}
	return context.Cause(c.ctx)
}

// Handle sets the handler of a method or event for this channel only.
func (c *Channel) Handle(method string, h Handler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handlers == nil {
		c.handlers = map[string]Handler{}
	}
	c.handlers[method] = h
}

// Close ends the channel: its calls fail with CodeClosed, and the contexts of its
// handlers end. It sends nothing: the event channel.close tells the other side. A
// later message with the channel's name opens a new one. Closing the root channel
// closes the connection.
func (c *Channel) Close() error {
	if c.name == "" {
		return c.peer.Close()
	}
	p := c.peer
	p.mu.Lock()
	if p.chans[c.name] == c {
		delete(p.chans, c.name)
	}
	p.mu.Unlock()
	c.cancel(&wire.Error{Code: wire.CodeClosed, Message: "the channel was closed"})
	return nil
}

// Notify queues an event and does not wait. An error means that it can't arrive.
func (c *Channel) Notify(method string, params any) error {
	raw, err := native.RawJSON(params)
	if err != nil {
		return encodeError(method, err)
	}
	if err := c.Err(); err != nil {
		return err
	}
	return c.peer.send(&wire.Message{Kind: wire.KindEvt, Chan: c.name, Method: method, Params: raw})
}

// Call sends a request and decodes the answer into result. A nil result drops
// the answer, a *json.RawMessage takes it as it is. If ctx has no deadline, the
// Peer's time-out applies. When ctx ends, Call withdraws the request and
// returns at once an error of CodeTimeout or CodeCancelled that also wraps
// ctx.Err().
func (c *Channel) Call(ctx context.Context, method string, params, result any) error {
	raw, err := native.RawJSON(params)
	if err != nil {
		return encodeError(method, err)
	}
	p := c.peer
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.opts.Timeout)
		defer cancel()
	}
	if ctx.Err() != nil {
		return contextError(ctx, method)
	}
	id := p.ids.Add(1)
	cl := &call{ch: c, res: make(chan *wire.Message, 1)}
	if err := p.register(id, cl); err != nil {
		return err
	}
	if err := p.send(&wire.Message{Kind: wire.KindReq, Chan: c.name, ID: id, Method: method, Params: raw}); err != nil {
		p.forget(id, cl, false)
		return err
	}
	Sent(ctx)
	select {
	case m := <-cl.res:
		return decodeResult(m, method, result)
	case <-ctx.Done():
		if m := p.forget(id, cl, true); m != nil {
			return decodeResult(m, method, result)
		}
		// Nobody waits for the answer. If this can't be sent, the connection is
		// closed.
		_ = p.send(&wire.Message{Kind: wire.KindCancel, Chan: c.name, ID: id})
		return contextError(ctx, method)
	case <-c.ctx.Done():
		if m := p.forget(id, cl, false); m != nil {
			return decodeResult(m, method, result)
		}
		return c.Err()
	}
}

func (p *Peer) register(id uint64, cl *call) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || cl.ch.ctx.Err() != nil {
		return cl.ch.closedError()
	}
	if !p.started {
		return &wire.Error{Code: wire.CodeInternal, Message: "the peer was not started"}
	}
	p.calls[id] = cl
	return nil
}

func (c *Channel) closedError() error {
	if err := c.Err(); err != nil {
		return err
	}
	return c.peer.closedError()
}

// forget removes a call and returns its answer if that has just come. With
// expect the answer may still come, and resolve drops it without a warning.
func (p *Peer) forget(id uint64, cl *call, expect bool) *wire.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.calls, id)
	select {
	case m := <-cl.res:
		return m
	default:
	}
	if expect && len(p.abandoned) < maxWaiting {
		p.abandoned[id] = struct{}{}
	}
	return nil
}

// resolve hands an answer to the call that waits for it.
func (p *Peer) resolve(m *wire.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cl := p.calls[m.ID]
	if cl != nil && cl.ch.name == m.Chan {
		delete(p.calls, m.ID)
		cl.res <- m
		return
	}
	if _, ok := p.abandoned[m.ID]; ok && cl == nil {
		delete(p.abandoned, m.ID)
		return
	}
	p.opts.Log.Warn().Str("peer", p.opts.Name).Str("chan", m.Chan).Uint64("id", m.ID).
		Msg("an answer to no question was dropped")
}

func decodeResult(m *wire.Message, method string, result any) error {
	switch {
	case m.Error != nil:
		return m.Error
	case result == nil:
		return nil
	}
	if raw, ok := result.(*json.RawMessage); ok {
		*raw = m.Result
		return nil
	}
	if len(m.Result) == 0 { // a method without a result
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return wire.Malformed("the result of %s does not decode: %v", method, err)
	}
	return nil
}

// contextError returns the error of a call whose ctx ended.
func contextError(ctx context.Context, method string) error {
	e := &wire.Error{Code: wire.CodeCancelled, Message: method + " was cancelled"}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e = &wire.Error{Code: wire.CodeTimeout, Message: method + " was not answered in time"}
	}
	return fmt.Errorf("%w (%w)", e, ctx.Err())
}

func encodeError(method string, err error) error {
	return &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("the params of %s do not encode: %v", method, err)}
}

// closedBy returns an error of CodeClosed that wraps err, which broke the
// connection.
func closedBy(what string, err error) error {
	if errors.Is(err, io.ErrClosedPipe) {
		what = "the connection was closed"
	}
	return fmt.Errorf("%w: %w", &wire.Error{Code: wire.CodeClosed, Message: what}, err)
}
