package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// Handler answers a request, or takes an event, whose result is dropped. ctx
// ends when the requester cancels, when the channel is closed and when the
// connection ends. from is the channel that the message came on; Call and
// Notify on it reach the sender. Errors travel as wire.AsError makes them: a
// *wire.Error as it is, any other with its text, mostly as CodeInternal.
type Handler func(ctx context.Context, from *Channel, params json.RawMessage) (any, error)

// PeerOptions are the bounds of a Peer. The zero value is right for a socket.
type PeerOptions struct {
	Name     string        // in the log: relay, cli
	MaxRead  uint32        // largest frame read; 64 MiB
	MaxWrite uint32        // largest frame written; 64 MiB, MaxToChrome for a relay
	Handlers int           // requests answered at once; 64. Up to 1,024 more wait, then CodeBusy
	Timeout  time.Duration // of a Call whose ctx has no deadline; 30 s
	// QueueBytes and QueueMessages bound the messages that wait to be written,
	// and, for each channel, the events that wait for their handlers: 64 MiB
	// and 8,192. If a queue is full, the connection ends with CodeOverflow:
	// after single messages were dropped the two sides would disagree, while a
	// new connection starts afresh.
	QueueBytes    int
	QueueMessages int
	Channels      int // channels open at once; 256, then CodeBusy
	Log           zerolog.Logger
}

const maxWaiting = 1024

func (o *PeerOptions) defaults() {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	if o.MaxRead == 0 {
		o.MaxRead = native.MaxFromChrome
	}
	if o.MaxWrite == 0 {
		o.MaxWrite = native.MaxFromChrome
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	def(&o.Handlers, 64)
	def(&o.QueueBytes, 64<<20)
	def(&o.QueueMessages, 8192)
	def(&o.Channels, 256)
}

// Peer is one end of a connection. Both ends are alike: each may call the
// other, send it events and open channels. Make one with NewPeer, set its
// handlers with Handle, then call Start.
type Peer struct {
	opts PeerOptions
	rwc  io.ReadWriteCloser
	out  *writeQueue
	ids  atomic.Uint64
	root *Channel

	ctx    context.Context // ends with the connection; its cause is Err
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup // the loops, the handlers and the event drains

	mu       sync.Mutex
	started  bool
	closed   bool
	handlers map[string]Handler
	inline   map[string]func(json.RawMessage) // inline.go
	ordered  map[string]func(context.Context, json.RawMessage) func() (any, error)
	chans    map[string]*Channel
	calls    map[uint64]*call
	// abandoned are calls that ended before their answer, which may still come.
	// It is bounded, since the other side may never answer.
	abandoned map[uint64]struct{}
	requests  map[requestKey]*request
	waiting   []*request
	running   int
}

// NewPeer returns a Peer over rwc. It reads nothing until Start, so that no
// request arrives before its handler is set.
func NewPeer(rwc io.ReadWriteCloser, opts PeerOptions) *Peer {
	opts.defaults()
	p := &Peer{
		opts:      opts,
		rwc:       rwc,
		handlers:  map[string]Handler{},
		chans:     map[string]*Channel{},
		calls:     map[uint64]*call{},
		abandoned: map[uint64]struct{}{},
		requests:  map[requestKey]*request{},
	}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.out = newWriteQueue(opts.QueueMessages, opts.QueueBytes)
	p.root = p.newChannel("")
	p.chans[""] = p.root
	return p
}

// Start begins reading and writing. Calling it twice does nothing.
func (p *Peer) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started || p.closed {
		return
	}
	p.started = true
	p.wg.Add(2)
	go p.readLoop()
	go p.writeLoop()
}

// Handle sets the handler of a method or event for all channels, the root channel
// included, that have none of their own.
func (p *Peer) Handle(method string, h Handler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handlers[method] = h
}

// Call calls the other side on the root channel; see Channel.Call.
func (p *Peer) Call(ctx context.Context, method string, params, result any) error {
	return p.root.Call(ctx, method, params, result)
}

// Notify sends an event on the root channel; see Channel.Notify.
func (p *Peer) Notify(method string, params any) error { return p.root.Notify(method, params) }

// Root returns the root channel, which has no name.
func (p *Peer) Root() *Channel { return p.root }

// Chan returns the channel of that name, and opens it if there is none. The empty
// name is the root channel. On a closed Peer the channel is closed too.
func (p *Peer) Chan(name string) *Channel {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chanLocked(name)
}

func (p *Peer) chanLocked(name string) *Channel {
	c := p.chans[name]
	if c == nil {
		c = p.newChannel(name)
		p.chans[name] = c
	}
	return c
}

// Done is closed when the connection has ended; Err then says why.
func (p *Peer) Done() <-chan struct{} { return p.ctx.Done() }

// Err returns nil while the connection is open, and afterwards an error that
// wraps a *wire.Error: of CodeClosed if either side closed it.
func (p *Peer) Err() error {
	if p.ctx.Err() == nil {
		return nil
	}
	return context.Cause(p.ctx)
}

// Close ends the connection at once: open calls fail with CodeClosed, and the
// contexts of handlers end. Messages that are not written yet are lost, unless
// Flush is called first. Close does not wait for handlers, so a handler may
// call it; Wait does.
func (p *Peer) Close() error {
	return p.close(&wire.Error{Code: wire.CodeClosed, Message: "the connection was closed on this side"})
}

// Flush waits until everything sent so far has been written.
func (p *Peer) Flush(ctx context.Context) error {
	if err := p.Err(); err != nil {
		return err
	}
	select {
	case <-p.out.flushed():
		return nil
	case <-p.ctx.Done():
		return p.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wait returns when the connection has ended and all its goroutines have,
// handlers included. Don't call it from a handler.
func (p *Peer) Wait() {
	<-p.ctx.Done()
	p.wg.Wait()
}

func (p *Peer) close(cause error) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.waiting = nil
	p.mu.Unlock()
	p.cancel(cause)
	p.out.close()
	err := p.rwc.Close()
	p.opts.Log.Debug().Str("peer", p.opts.Name).AnErr("cause", cause).Msg("connection ended")
	return err
}

// writeLoop is the only writer of the connection.
func (p *Peer) writeLoop() {
	defer p.wg.Done()
	w := native.NewWriter(p.rwc, p.opts.MaxWrite)
	for {
		item, ok := p.out.pop()
		if !ok {
			return
		}
		if err := w.WriteEncoded(item.channel, item.buf); err != nil {
			_ = p.close(closedBy("the connection broke while writing", err))
			return
		}
		p.out.wrote()
	}
}

// readLoop is the only reader of the connection. It never waits for a handler,
// which may itself wait for an answer that is still to be read.
func (p *Peer) readLoop() {
	defer p.wg.Done()
	r := native.NewReader(p.rwc, p.opts.MaxRead)
	var chunks native.Assembler
	for {
		m, err := r.ReadMessage()
		if err == nil && m.Kind == wire.KindChunk {
			whole, chunkErr := chunks.Add(&m)
			if whole == nil && chunkErr == nil {
				continue
			}
			if err = chunkErr; whole != nil {
				m = *whole
			}
			if err != nil {
				p.refuse(&m, err)
				continue
			}
		}
		switch {
		case err == nil:
			p.dispatch(&m)
		case errors.Is(err, &wire.Error{Code: wire.CodeMalformed}):
			p.refuse(&m, err)
		case errors.Is(err, &wire.Error{Code: wire.CodeTooLarge}):
			p.opts.Log.Error().Str("peer", p.opts.Name).Err(err).Msg("connection ended")
			_ = p.close(err)
			return
		case errors.Is(err, io.EOF):
			_ = p.close(&wire.Error{Code: wire.CodeClosed, Message: "the other side closed the connection"})
			return
		default:
			_ = p.close(closedBy("the connection broke while reading", err))
			return
		}
	}
}

// refuse logs a message that can't be handled. If it is a request, it answers
// it with the error, so that the requester need not wait for its time-out.
func (p *Peer) refuse(m *wire.Message, err error) {
	p.opts.Log.Warn().Str("peer", p.opts.Name).Str("kind", string(m.Kind)).Err(err).Msg("message refused")
	if m.Kind == wire.KindReq && m.ID != 0 {
		p.answer(m.Chan, m.ID, nil, err)
	}
}

// dispatch routes one message. It runs on the read loop and must not block.
func (p *Peer) dispatch(m *wire.Message) {
	switch m.Kind {
	case wire.KindReq:
		p.accept(m)
	case wire.KindEvt:
		if !p.takeInline(m) {
			p.event(m)
		}
	case wire.KindRes:
		p.resolve(m)
	case wire.KindCancel:
		p.withdraw(m)
	}
}

// send encodes and queues a message. A full queue ends the connection.
func (p *Peer) send(m *wire.Message) error {
	buf, err := native.Encode(m)
	if err != nil {
		return &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
	}
	if size := len(buf) - native.HeaderSize; size > native.MaxMessage {
		return wire.TooLarge(size, native.MaxMessage)
	}
	switch p.out.push(outItem{m.Chan, buf}) {
	case pushClosed:
		return p.closedError()
	case pushFull:
		overflow := &wire.Error{Code: wire.CodeOverflow, Message: "the other side does not read what it is sent"}
		p.opts.Log.Error().Str("peer", p.opts.Name).Err(overflow).Msg("connection ended")
		_ = p.close(overflow)
		return overflow
	}
	return nil
}

// closedError returns why nothing can be sent any more.
func (p *Peer) closedError() error {
	if err := p.Err(); err != nil {
		return err
	}
	return &wire.Error{Code: wire.CodeClosed, Message: "the connection has ended"}
}
