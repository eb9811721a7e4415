package direct

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/gorilla/websocket"

	host "tabwright/host/browser"
	"tabwright/host/native/rpc"
)

// socket is what conn needs of a connection; outside tests it is a
// *websocket.Conn.
type socket interface {
	ReadMessage() (messageType int, p []byte, err error)
	WriteMessage(messageType int, data []byte) error
	Close() error
}

// request is a command. What comes back is a message: a response if it has an
// id, else an event.
type request struct {
	ID        uint64       `json:"id"`
	SessionID string       `json:"sessionId,omitempty"`
	Method    string       `json:"method"`
	Params    jsonv2.Value `json:"params,omitempty"`
}

type message struct {
	ID        uint64       `json:"id"`
	SessionID string       `json:"sessionId"`
	Method    string       `json:"method"`
	Params    jsonv2.Value `json:"params"`
	Result    jsonv2.Value `json:"result"`
	Error     *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error"`
}

// conn is the protocol client: one socket, many flat sessions.
type conn struct {
	sock    socket
	browser *host.Root
	done    chan struct{} // the reader ended

	write sync.Mutex

	mu      sync.Mutex
	next    uint64
	pending map[uint64]chan message
	owners  map[string]owner // by CDP session id
	err     error
}

// owner says which tab a session belongs to. It is the tab's own session if
// child is empty, else that of a frame.
type owner struct {
	root  *host.Root
	child string
}

func dial(ctx context.Context, url string) (*conn, error) {
	dialer := websocket.Dialer{
		HandshakeTimeout: 10 * time.Second,
		ReadBufferSize:   64 << 10,
		WriteBufferSize:  64 << 10,
	}
	ws, res, err := dialer.DialContext(ctx, url, nil)
	if err != nil {
		if res != nil {
			return nil, fmt.Errorf("connect to %s: %w (status %s)", url, err, res.Status)
		}
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return newConn(ws), nil
}

func newConn(s socket) *conn {
	c := &conn{sock: s, done: make(chan struct{}), pending: map[uint64]chan message{}, owners: map[string]owner{}}
	c.browser = host.NewRoot(c.sendTo(""))
	go c.read()
	return c
}

// sendTo returns the Send of a Root whose own session has the id root.
func (c *conn) sendTo(root string) host.Send {
	return func(ctx context.Context, sessionID, method string, params jsonv2.Value) (jsonv2.Value, error) {
		if sessionID == "" {
			sessionID = root
		}
		return c.send(ctx, sessionID, method, params)
	}
}

func (c *conn) send(ctx context.Context, sessionID, method string, params jsonv2.Value) (jsonv2.Value, error) {
	ch := make(chan message, 1)
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return nil, c.err
	}
	c.next++
	id := c.next
	c.pending[id] = ch
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
	}()
	data, err := json.Marshal(request{ID: id, SessionID: sessionID, Method: method, Params: params})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	c.write.Lock()
	err = c.sock.WriteMessage(websocket.TextMessage, data)
	c.write.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", method, host.ErrGone, err)
	}
	rpc.Sent(ctx)
	select {
	case m := <-ch:
		if m.Error != nil {
			text := m.Error.Message
			if m.Error.Data != "" {
				text += " (" + m.Error.Data + ")"
			}
			return nil, &host.CDPError{Method: method, Code: m.Error.Code, Message: text}
		}
		return m.Result, nil
	case <-c.done:
		return nil, fmt.Errorf("%s: %w", method, c.lost())
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *conn) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// read handles messages in the order in which they come: an event has changed
// the state of its tab before a later response is handed out.
func (c *conn) read() {
	var err error
	for {
		var data []byte
		if _, data, err = c.sock.ReadMessage(); err != nil {
			break
		}
		var m message
		if err = jsonv2.Unmarshal(data, &m, jsonv2.AllowInvalidUTF8(true)); err != nil {
			err = fmt.Errorf("read a DevTools message: %w", err)
			break
		}
		if m.ID != 0 {
			c.mu.Lock()
			ch := c.pending[m.ID]
			c.mu.Unlock()
			if ch != nil {
				ch <- m // has room for the one response it gets
			}
			continue
		}
		c.event(m)
	}
	_ = c.sock.Close()
	c.mu.Lock()
	c.err = fmt.Errorf("%w: %w", host.ErrGone, err)
	roots := []*host.Root{c.browser}
	for _, o := range c.owners {
		if o.child == "" {
			roots = append(roots, o.root)
		}
	}
	clear(c.owners)
	err = c.err
	c.mu.Unlock()
	for _, r := range roots {
		r.Close(err)
	}
	close(c.done)
}

// event updates owners and delivers the event to its tab.
func (c *conn) event(m message) {
	o := owner{root: c.browser}
	if m.SessionID != "" {
		c.mu.Lock()
		var ok bool
		o, ok = c.owners[m.SessionID]
		c.mu.Unlock()
		if !ok {
			return
		}
	}
	var ended *host.Root
	switch m.Method {
	case "Target.attachedToTarget":
		c.attached(o, m)
	case "Target.detachedFromTarget":
		ended = c.detached(m)
	}
	o.root.Deliver(host.Event{SessionID: o.child, Method: m.Method, Params: m.Params})
	if ended != nil {
		ended.Close(host.ErrNoTab)
	}
}

// attached adds a new session to owners: that of a tab if the browser reports
// it, else that of a frame of the tab that reports it. It does so on the
// reader's goroutine, since the session's first events follow at once.
func (c *conn) attached(by owner, m message) {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(m.Params, &p) != nil || p.SessionID == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.SessionID == "" {
		c.owners[p.SessionID] = owner{root: host.NewRoot(c.sendTo(p.SessionID))}
	} else {
		c.owners[p.SessionID] = owner{root: by.root, child: p.SessionID}
	}
}

// detached removes a session from owners. If it was a tab's own, detached
// returns its root.
func (c *conn) detached(m message) *host.Root {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.owners[p.SessionID]
	delete(c.owners, p.SessionID)
	if !ok || o.child != "" {
		return nil
	}
	for id, other := range c.owners {
		if other.root == o.root {
			delete(c.owners, id)
		}
	}
	return o.root
}

// root returns the root of a tab's session, or nil.
func (c *conn) root(sessionID string) *host.Root {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owners[sessionID].root
}

func (c *conn) close() error {
	err := c.sock.Close()
	<-c.done
	if errors.Is(err, net.ErrClosed) {
		return nil // it ended with its browser
	}
	return err
}
