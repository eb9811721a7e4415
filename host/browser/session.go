package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// CallTimeout bounds every DevTools command. Some hang forever in background tabs
// (captureScreenshot, mouseWheel) or while a native dialog is open.
const CallTimeout = 10 * time.Second

type timeoutKey struct{}

// WithCallTimeout sets another bound than CallTimeout for the commands of ctx.
// It also bounds waits that would be longer, such as that of a navigation.
func WithCallTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, timeoutKey{}, d)
}

// most returns d, or the bound of WithCallTimeout if that is less.
func most(ctx context.Context, d time.Duration) time.Duration {
	if own, ok := ctx.Value(timeoutKey{}).(time.Duration); ok {
		return min(own, d)
	}
	return d
}

// Send sends a command and waits for its result. It is all that a Root needs of a
// transport. sessionID is empty for the tab itself.
type Send func(ctx context.Context, sessionID, method string, params jsonv2.Value) (jsonv2.Value, error)

// Command is a DevTools command that is ready to be sent.
type Command struct {
	Method string
	Params any
}

// SendAll sends commands to the tab itself, in order and without waiting between
// them. It returns the first error when all are answered. If the transport can't
// do that, it sends nothing and returns ErrOneByOne.
type SendAll func(ctx context.Context, commands []Command) error

// ErrOneByOne is the error of a transport that takes one command at a time.
var ErrOneByOne = errors.New("commands are sent one by one")

// Root is the RootSession of both transports. They give it a Send and hand it
// events with Deliver.
type Root struct {
	send Send
	all  SendAll // nil: one by one

	mu        sync.Mutex
	next      int
	listeners []listener
	subs      map[subKey]map[int]*subscription
	children  map[string]*child
	err       error
	done      chan struct{}
}

type listener struct {
	n  int
	fn func(Event)
}

type subKey struct{ session, method string }

var _ RootSession = (*Root)(nil)

// NewRoot returns a session over send.
func NewRoot(send Send) *Root {
	return &Root{
		send:     send,
		subs:     map[subKey]map[int]*subscription{},
		children: map[string]*child{},
		done:     make(chan struct{}),
	}
}

// Together sets the function that sends several commands at once. The transport
// calls it before the session is used.
func (r *Root) Together(all SendAll) { r.all = all }

// CallAll sends commands without results at once. It may return ErrOneByOne.
func (r *Root) CallAll(ctx context.Context, commands []Command) error {
	if r.all == nil {
		return ErrOneByOne
	}
	return r.bounded(ctx, nil, "several commands", func(ctx context.Context) (jsonv2.Value, error) { return nil, r.all(ctx, commands) }, nil)
}

// Call sends a command to the tab.
func (r *Root) Call(ctx context.Context, method string, params, result any) error {
	return r.call(ctx, "", nil, method, params, result)
}

// Subscribe returns a channel of the tab's own events of a method, which are
// queued without a bound, and a function that ends the subscription.
func (r *Root) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	return r.subscribe("", method)
}

// Child returns the session of an out-of-process frame.
func (r *Root) Child(sessionID string) cdp.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.child(sessionID)
}

func (r *Root) child(id string) *child {
	c := r.children[id]
	if c == nil {
		c = &child{root: r, id: id, gone: make(chan struct{})}
		r.children[id] = c
	}
	return c
}

// Listen calls fn for each event, in order.
func (r *Root) Listen(fn func(Event)) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	n := r.next
	r.listeners = append(r.listeners, listener{n, fn})
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		kept := make([]listener, 0, len(r.listeners))
		for _, l := range r.listeners {
			if l.n != n {
				kept = append(kept, l)
			}
		}
		r.listeners = kept
	}
}

// Done is closed when the tab is detached.
func (r *Root) Done() <-chan struct{} { return r.done }

// Err returns why the tab was detached, nil before that.
func (r *Root) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Deliver hands the session one event. Transports call it on the goroutine that
// reads the connection, before they handle later responses.
func (r *Root) Deliver(e Event) {
	r.mu.Lock()
	listeners := r.listeners
	for _, s := range r.subs[subKey{e.SessionID, e.Method}] {
		s.push(e.Params)
	}
	r.mu.Unlock()
	for _, l := range listeners {
		l.fn(e)
	}
	if e.Method == "Target.detachedFromTarget" {
		var d struct {
			SessionID string `json:"sessionId"`
		}
		if jsonv2.Unmarshal(e.Params, &d) == nil && d.SessionID != "" {
			r.dropChild(d.SessionID)
		}
	}
}

func (r *Root) dropChild(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.children[id]; c != nil {
		close(c.gone)
		delete(r.children, id)
	}
}

// DropChildren ends all child sessions; their calls fail. After a relay came
// back Chrome reports them again.
func (r *Root) DropChildren() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, c := range r.children {
		close(c.gone)
		delete(r.children, id)
	}
}

// Close ends the session. Pending and later calls return err; nil means
// ErrDetached.
func (r *Root) Close(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if err == nil {
		err = ErrDetached
	}
	r.err = err
	close(r.done)
	for _, byN := range r.subs {
		for _, s := range byN {
			s.stop()
		}
	}
	clear(r.subs)
}

func (r *Root) call(ctx context.Context, sessionID string, gone <-chan struct{}, method string, params, result any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: encode params: %w", method, err)
	}
	return r.bounded(ctx, gone, method, func(ctx context.Context) (jsonv2.Value, error) {
		return r.send(ctx, sessionID, method, raw)
	}, result)
}

// bounded calls send and decodes its result. It returns early when the time-out
// of a call is over, gone is closed or the session ends.
func (r *Root) bounded(ctx context.Context, gone <-chan struct{}, method string, send func(context.Context) (jsonv2.Value, error), result any) error {
	if err := r.Err(); err != nil {
		return err
	}
	limit := CallTimeout
	if d, ok := ctx.Value(timeoutKey{}).(time.Duration); ok {
		limit = d
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type reply struct {
		raw jsonv2.Value
		err error
	}
	ch := make(chan reply, 1)
	go func() {
		raw, err := send(inner)
		ch <- reply{raw, err}
	}()
	var rep reply
	select {
	case rep = <-ch:
	case <-gone:
		return fmt.Errorf("%s: %w", method, ErrDocumentGone)
	case <-r.done:
		return fmt.Errorf("%s: %w", method, r.Err())
	case <-inner.Done():
		rep.err = inner.Err()
	}
	if rep.err != nil {
		if ctx.Err() == nil && errors.Is(rep.err, context.DeadlineExceeded) {
			return fmt.Errorf("%s: %w", method, ErrTimeout)
		}
		return rep.err
	}
	if result == nil || len(rep.raw) == 0 {
		return nil
	}
	if err := jsonv2.Unmarshal(rep.raw, result, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("%s: decode result: %w", method, err)
	}
	return nil
}

func encode(params any) (jsonv2.Value, error) {
	if params == nil {
		return nil, nil
	}
	b, err := jsonv2.Marshal(params, jsonv2.AllowInvalidUTF8(true))
	return jsonv2.Value(b), err
}

func (r *Root) subscribe(session, method string) (<-chan jsonv2.Value, func()) {
	s := &subscription{out: make(chan jsonv2.Value), wake: make(chan struct{}, 1), quit: make(chan struct{})}
	go s.run()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		s.stop()
		return s.out, func() {}
	}
	r.next++
	n, k := r.next, subKey{session, method}
	if r.subs[k] == nil {
		r.subs[k] = map[int]*subscription{}
	}
	r.subs[k][n] = s
	return s.out, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		s.stop()
		if delete(r.subs[k], n); len(r.subs[k]) == 0 {
			delete(r.subs, k)
		}
	}
}

// child is one flat session under the root.
type child struct {
	root *Root
	id   string
	gone chan struct{}
}

func (c *child) Call(ctx context.Context, method string, params, result any) error {
	select {
	case <-c.gone:
		return fmt.Errorf("%s: %w", method, ErrDocumentGone)
	default:
		return c.root.call(ctx, c.id, c.gone, method, params, result)
	}
}

func (c *child) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	return c.root.subscribe(c.id, method)
}

// subscription queues without a bound, so that the reader of the connection
// never waits for a subscriber.
type subscription struct {
	mu    sync.Mutex
	queue []jsonv2.Value
	once  sync.Once
	out   chan jsonv2.Value
	wake  chan struct{}
	quit  chan struct{}
}

func (s *subscription) push(v jsonv2.Value) {
	s.mu.Lock()
	s.queue = append(s.queue, v)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription) stop() { s.once.Do(func() { close(s.quit) }) }

func (s *subscription) run() {
	defer close(s.out)
	for {
		s.mu.Lock()
		batch := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, v := range batch {
			select {
			case s.out <- v:
			case <-s.quit:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-s.wake:
		case <-s.quit:
			return
		}
	}
}
