package paneltest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/gorilla/websocket"
)

// conn is a bare DevTools client: commands and their answers, and the events
// that somebody asked for. It is not the product's client on purpose, so that a
// fault in that one cannot hide here.
type conn struct {
	ws    *websocket.Conn
	write sync.Mutex

	mu   sync.Mutex
	next int
	wait map[int]chan reply
	on   map[event]func(json.RawMessage)
}

// event is a kind of event of a session.
type event struct{ session, method string }

type reply struct {
	ID        int             `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"` // of an event
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func dial(ctx context.Context, url string) (*conn, error) {
	ws, res, err := websocket.DefaultDialer.DialContext(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("dial browser: %w", err)
	}
	_ = res.Body.Close()
	c := &conn{ws: ws, wait: map[int]chan reply{}, on: map[event]func(json.RawMessage){}}
	go c.read()
	return c, nil
}

func (c *conn) read() {
	for {
		var r reply
		if err := c.ws.ReadJSON(&r); err != nil {
			return
		}
		c.mu.Lock()
		w, on := c.wait[r.ID], c.on[event{r.SessionID, r.Method}]
		delete(c.wait, r.ID)
		c.mu.Unlock()
		if w != nil {
			w <- r
		}
		if on != nil {
			on(r.Params)
		}
	}
}

// hear has f called with each event of that kind, in order, until it is called
// with nil.
func (c *conn) hear(session, method string, f func(json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		delete(c.on, event{session, method})
		return
	}
	c.on[event{session, method}] = f
}

func (c *conn) call(ctx context.Context, session, method string, params, out any) error {
	w := make(chan reply, 1)
	c.mu.Lock()
	c.next++
	id := c.next
	c.wait[id] = w
	c.mu.Unlock()
	m := map[string]any{"id": id, "method": method}
	if session != "" {
		m["sessionId"] = session
	}
	if params != nil {
		m["params"] = params
	}
	c.write.Lock()
	err := c.ws.WriteJSON(m)
	c.write.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r := <-w:
		if r.Error != nil {
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		}
		if out == nil {
			return nil
		}
		return json.Unmarshal(r.Result, out)
	}
}
