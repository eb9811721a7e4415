package rpc

import (
	"context"
	"encoding/json"
	"runtime/debug"

	"tabwright/host/native/wire"
)

// HandleInline takes an event of the root channel on the read loop itself,
// before any message that came after it is seen: a DevTools event must change
// what is known of a tab before the answer that followed it is read. fn must
// not block, nor call the other side. It goes before a Handler of that name,
// and must be set before Start.
func (p *Peer) HandleInline(method string, fn func(params json.RawMessage)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inline == nil {
		p.inline = map[string]func(json.RawMessage){}
	}
	p.inline[method] = fn
}

// HandleInOrder answers a request of the root channel in two parts: start runs on
// the read loop itself, so that requests are begun in the order in which they
// came, and what it gives finishes the request. start must not block.
func (p *Peer) HandleInOrder(method string, start func(ctx context.Context, params json.RawMessage) (finish func() (any, error))) {
	p.Handle(method, func(ctx context.Context, _ *Channel, params json.RawMessage) (any, error) {
		return start(ctx, params)()
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ordered == nil {
		p.ordered = map[string]func(context.Context, json.RawMessage) func() (any, error){}
	}
	p.ordered[method] = start
}

// takeInline reports whether the event was taken.
func (p *Peer) takeInline(m *wire.Message) bool {
	if m.Chan != "" {
		return false
	}
	p.mu.Lock()
	fn := p.inline[m.Method]
	p.mu.Unlock()
	if fn != nil {
		p.runInline(fn, m)
	}
	return fn != nil
}

// runInline keeps the read loop alive if fn panics.
func (p *Peer) runInline(fn func(json.RawMessage), m *wire.Message) {
	defer func() {
		if r := recover(); r != nil {
			p.opts.Log.Error().Str("peer", p.opts.Name).Str("method", m.Method).Interface("panic", r).
				Bytes("stack", debug.Stack()).Msg("event handler panicked")
		}
	}()
	fn(m.Params)
}
