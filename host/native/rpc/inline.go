package rpc

import (
	"context"
	"encoding/json"
	"runtime/debug"

	"tabwright/host/native/wire"
)

// HandleInline has fn handle an event of the root channel on the read loop itself,
// before later messages are read: a DevTools event must change what is known of a
// tab before the answer that follows it is handled. fn must not block or call the
// other side. It takes precedence over a Handler of that name. Call HandleInline
// before Start.
func (p *Peer) HandleInline(method string, fn func(params json.RawMessage)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inline == nil {
		p.inline = map[string]func(json.RawMessage){}
	}
	p.inline[method] = fn
}

// HandleInOrder answers requests of the root channel in two parts. start runs on
// the read loop itself, so that requests begin in the order in which they came;
// it must not block. The function that it returns finishes the request as a
// Handler does.
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

// takeInline runs the inline function of an event and reports whether it has one.
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

// runInline calls fn. If fn panics, it logs that, and the read loop goes on.
func (p *Peer) runInline(fn func(json.RawMessage), m *wire.Message) {
	defer func() {
		if r := recover(); r != nil {
			p.opts.Log.Error().Str("peer", p.opts.Name).Str("method", m.Method).Interface("panic", r).
				Bytes("stack", debug.Stack()).Msg("event handler panicked")
		}
	}()
	fn(m.Params)
}
