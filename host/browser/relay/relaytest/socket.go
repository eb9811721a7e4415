package relaytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gorilla/websocket"
)

// socket is a small DevTools client, separate from that of the direct driver,
// so that a fault there is not hidden by the same fault here.
type socket struct {
	conn    *websocket.Conn
	onEvent func(session, method string, params json.RawMessage)
	done    chan struct{}

	mu      sync.Mutex
	next    int
	pending map[int]chan reply
}

type reply struct {
	result json.RawMessage
	err    error
}

func dial(url string, onEvent func(session, method string, params json.RawMessage)) (*socket, error) {
	conn, _, err := websocket.DefaultDialer.Dial(url, nil)
	if err != nil {
		return nil, err
	}
	s := &socket{conn: conn, onEvent: onEvent, done: make(chan struct{}), pending: map[int]chan reply{}}
	go s.read()
	return s, nil
}

func (s *socket) close() {
	_ = s.conn.Close()
	<-s.done
}

func (s *socket) read() {
	defer close(s.done)
	for {
		var m struct {
			ID        int             `json:"id"`
			SessionID string          `json:"sessionId"`
			Method    string          `json:"method"`
			Params    json.RawMessage `json:"params"`
			Result    json.RawMessage `json:"result"`
			Error     json.RawMessage `json:"error"`
		}
		if s.conn.ReadJSON(&m) != nil {
			return
		}
		if m.ID == 0 {
			s.onEvent(m.SessionID, m.Method, m.Params)
			continue
		}
		s.mu.Lock()
		ch := s.pending[m.ID]
		delete(s.pending, m.ID)
		s.mu.Unlock()
		r := reply{result: m.Result}
		if m.Error != nil {
			r.err = errors.New(string(m.Error)) // chrome.debugger gives the JSON as its message
		}
		ch <- r
	}
}

func (s *socket) call(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	return s.begin(ctx, session, method, params)()
}

// begin sends a command. The function that it returns waits for the answer.
func (s *socket) begin(ctx context.Context, session, method string, params any) func() (json.RawMessage, error) {
	ch := make(chan reply, 1)
	s.mu.Lock()
	s.next++
	id := s.next
	s.pending[id] = ch
	m := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		m["sessionId"] = session
	}
	err := s.conn.WriteJSON(m)
	s.mu.Unlock()
	return func() (json.RawMessage, error) {
		if err != nil {
			return nil, err
		}
		select {
		case r := <-ch:
			return r.result, r.err
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.done:
			return nil, fmt.Errorf("%s: the browser is gone", method)
		}
	}
}
