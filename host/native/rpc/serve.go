package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

type requestKey struct {
	channel string
	id      uint64
}

// request is a request of the other side that has not been answered.
type request struct {
	key    requestKey
	from   *Channel
	method string
	params json.RawMessage
	h      Handler
	ctx    context.Context
	cancel context.CancelCauseFunc
	begun  bool // guarded by Peer.mu; one that is withdrawn before is answered at once

	after []func() // from AfterAnswer; only the handler's goroutine uses it
}

type requestInContext struct{}

// AfterAnswer calls f after the request whose handler has ctx is answered, so
// that what f sends arrives after the answer. f runs on a goroutine of its own,
// which Peer.Wait waits for. Only the handler's own goroutine may call
// AfterAnswer. For an event, which has no answer, f is called at once.
func AfterAnswer(ctx context.Context, f func()) {
	if r, ok := ctx.Value(requestInContext{}).(*request); ok {
		r.after = append(r.after, f)
		return
	}
	f()
}

// errWithdrawn is the cause of a handler's ctx after a message of KindCancel.
var errWithdrawn = &wire.Error{Code: wire.CodeCancelled, Message: "the requester withdrew the request"}

// accept starts a request's handler, or queues the request, or answers it with
// why it can't be handled.
func (p *Peer) accept(m *wire.Message) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	key := requestKey{m.Chan, m.ID}
	if p.requests[key] != nil {
		p.mu.Unlock()
		// An answer would be taken for the first request's.
		p.opts.Log.Warn().Str("peer", p.opts.Name).Uint64("id", m.ID).Msg("a request with an id in use was dropped")
		return
	}
	from, h, err := p.routeLocked(m)
	if err == nil && p.running >= p.opts.Handlers && len(p.waiting) >= maxWaiting {
		err = &wire.Error{Code: wire.CodeBusy, Message: "too many requests wait already", Hint: "try again later"}
	}
	if err != nil {
		p.mu.Unlock()
		p.answer(m.Chan, m.ID, nil, err)
		return
	}
	r := &request{key: key, from: from, method: m.Method, params: m.Params, h: h}
	r.ctx, r.cancel = context.WithCancelCause(context.WithValue(from.ctx, requestInContext{}, r))
	p.requests[key] = r
	if start := p.ordered[m.Method]; start != nil && m.Chan == "" {
		p.mu.Unlock()
		finish := start(r.ctx, m.Params)
		r.h = func(context.Context, *Channel, json.RawMessage) (any, error) { return finish() }
		p.mu.Lock()
	}
	if p.running >= p.opts.Handlers {
		p.waiting = append(p.waiting, r)
		p.mu.Unlock()
		return
	}
	r.begun = true
	p.running++
	p.wg.Add(1)
	p.mu.Unlock()
	go p.serve(r)
}

// routeLocked finds the channel and the handler of a request or event.
func (p *Peer) routeLocked(m *wire.Message) (*Channel, Handler, error) {
	c := p.chans[m.Chan]
	var h Handler
	if c != nil {
		c.mu.Lock()
		h = c.handlers[m.Method]
		c.mu.Unlock()
	}
	if h == nil {
		h = p.handlers[m.Method]
	}
	if h == nil {
		return nil, nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: fmt.Sprintf("there is no method %.80q here", m.Method)}
	}
	if c == nil {
		if len(p.chans) > p.opts.Channels { // one of them is the root
			return nil, nil, &wire.Error{Code: wire.CodeBusy, Message: "too many channels are open", Hint: "close one"}
		}
		c = p.chanLocked(m.Chan)
	}
	return c, h, nil
}

// serve runs a request's handler, then those of requests that wait, until none
// does.
func (p *Peer) serve(r *request) {
	defer p.wg.Done()
	for r != nil {
		result, err := p.run(r.ctx, r.h, r.from, r.method, r.params)
		withdrawn := errors.Is(context.Cause(r.ctx), errWithdrawn)
		r.cancel(nil)
		p.mu.Lock()
		delete(p.requests, r.key)
		p.mu.Unlock()
		if err != nil && withdrawn {
			err = errWithdrawn
		}
		p.answer(r.key.channel, r.key.id, result, err)
		for _, f := range r.after {
			p.wg.Go(f)
		}
		r = p.nextWaiting()
	}
}

func (p *Peer) nextWaiting() *request {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		p.running--
		return nil
	}
	r := p.waiting[0]
	p.waiting[0] = nil
	p.waiting = p.waiting[1:]
	r.begun = true
	return r
}

// withdraw cancels a request of the other side. It does nothing if the request
// has been answered.
func (p *Peer) withdraw(m *wire.Message) {
	key := requestKey{m.Chan, m.ID}
	p.mu.Lock()
	r := p.requests[key]
	waited := r != nil && !r.begun
	if waited {
		delete(p.requests, key)
		for i, w := range p.waiting {
			if w == r {
				p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
				break
			}
		}
	}
	p.mu.Unlock()
	if r == nil {
		return
	}
	r.cancel(errWithdrawn)
	if waited {
		p.answer(key.channel, key.id, nil, errWithdrawn)
	}
}

// event queues an event on its channel.
func (p *Peer) event(m *wire.Message) {
	p.mu.Lock()
	c, _, err := p.routeLocked(m)
	p.mu.Unlock()
	if err != nil {
		p.opts.Log.Warn().Str("peer", p.opts.Name).Str("chan", m.Chan).Err(err).Msg("event dropped")
		return
	}
	if !c.queue(m) {
		overflow := &wire.Error{Code: wire.CodeOverflow, Message: "events arrive faster than they are handled"}
		p.opts.Log.Error().Str("peer", p.opts.Name).Str("method", m.Method).Err(overflow).Msg("connection ended")
		_ = p.close(overflow)
	}
}

// queue appends an event and returns true, or false if too many wait.
func (c *Channel) queue(m *wire.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(m.Params) + len(m.Method)
	if len(c.events) >= c.peer.opts.QueueMessages || len(c.events) > 0 && c.bytes+size > c.peer.opts.QueueBytes {
		return false
	}
	c.events = append(c.events, m)
	c.bytes += size
	if !c.draining {
		c.draining = true
		c.peer.wg.Add(1)
		go c.drain()
	}
	return true
}

// drain hands events to their handlers, in order, until none waits.
func (c *Channel) drain() {
	p := c.peer
	defer p.wg.Done()
	for {
		c.mu.Lock()
		if len(c.events) == 0 || c.ctx.Err() != nil {
			c.events, c.bytes, c.draining = nil, 0, false
			c.mu.Unlock()
			return
		}
		m := c.events[0]
		c.events[0] = nil
		c.events = c.events[1:]
		c.bytes -= len(m.Params) + len(m.Method)
		h := c.handlers[m.Method]
		c.mu.Unlock()
		if h == nil {
			p.mu.Lock()
			h = p.handlers[m.Method]
			p.mu.Unlock()
		}
		if h == nil {
			continue
		}
		if _, err := p.run(c.ctx, h, c, m.Method, m.Params); err != nil && c.ctx.Err() == nil {
			p.opts.Log.Warn().Str("peer", p.opts.Name).Str("chan", c.name).Str("method", m.Method).Err(err).
				Msg("event handler failed")
		}
	}
}

// run calls a handler. It turns a panic into an error of CodeInternal; the
// stack goes to the log and not to the other side.
func (p *Peer) run(ctx context.Context, h Handler, from *Channel, method string, params json.RawMessage) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.opts.Log.Error().Str("peer", p.opts.Name).Str("method", method).Interface("panic", r).
				Bytes("stack", debug.Stack()).Msg("handler panicked")
			result, err = nil, &wire.Error{Code: wire.CodeInternal, Message: "the handler of " + method + " failed", Hint: "see the host's log"}
		}
	}()
	return h(ctx, from, params)
}

// answer sends the answer of a request. If the result can't be sent, it sends an
// error instead.
func (p *Peer) answer(channel string, id uint64, result any, err error) {
	m := &wire.Message{Kind: wire.KindRes, Chan: channel, ID: id}
	if err == nil {
		m.Result, err = native.RawJSON(result)
	}
	if err == nil {
		if err = p.send(m); err == nil {
			return
		}
	}
	if p.ctx.Err() != nil {
		return
	}
	m.Result, m.Error = nil, wire.AsError(err)
	if err := p.send(m); err != nil && p.ctx.Err() == nil {
		p.opts.Log.Error().Str("peer", p.opts.Name).Uint64("id", id).Err(err).Msg("an answer could not be sent")
	}
}

// On sets a handler with typed params and result. Params that do not decode are
// answered with CodeInvalidParams. to is a *Peer or a *Channel.
func On[P, R any](to interface{ Handle(string, Handler) }, method string,
	f func(ctx context.Context, from *Channel, params P) (R, error),
) {
	to.Handle(method, func(ctx context.Context, from *Channel, raw json.RawMessage) (any, error) {
		var params P
		if err := decode(method, raw, &params); err != nil {
			return nil, err
		}
		return f(ctx, from, params)
	})
}

func decode(method string, raw json.RawMessage, params any) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, params); err != nil {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("the params of %s do not decode: %v", method, err)}
	}
	return nil
}

// Ask is Call with a typed result. via is a *Peer or a *Channel.
func Ask[R any](ctx context.Context, via interface {
	Call(context.Context, string, any, any) error
}, method string, params any,
) (R, error) {
	var result R
	err := via.Call(ctx, method, params, &result)
	return result, err
}
