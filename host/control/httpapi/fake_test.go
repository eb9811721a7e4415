package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/control/client"
	"tabwright/host/native"
	"tabwright/host/native/wire"
)

const testToken = "0123456789abcdef0123456789abcdef"

// fakeBroker answers by method and keeps what it was asked.
type fakeBroker struct {
	mu     sync.Mutex
	asked  []string
	answer func(ctx context.Context, method string, params json.RawMessage) (any, error)
	events []wire.Event
	live   chan wire.Event
	gone   chan struct{}
	// streams are those under way: one whose reader went may still take an event.
	streams sync.WaitGroup
}

func newFake() *fakeBroker {
	return &fakeBroker{live: make(chan wire.Event), gone: make(chan struct{}), answer: func(context.Context, string, json.RawMessage) (any, error) { return wire.Empty{}, nil }}
}

func (b *fakeBroker) Call(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.asked = append(b.asked, method+" "+string(raw))
	b.mu.Unlock()
	out, err := b.answer(ctx, method, raw)
	if err != nil || result == nil {
		return err
	}
	if raw, err = json.Marshal(out); err != nil {
		return err
	}
	return json.Unmarshal(raw, result)
}

func (b *fakeBroker) Stream(ctx context.Context, p wire.SubscribeParams, v client.Viewer) error {
	if p.Task == "none" {
		return &wire.Error{Code: wire.CodeNoTask, Message: "There is no such task."}
	}
	b.streams.Add(1)
	defer b.streams.Done()
	if err := v.Begin(); err != nil {
		return err
	}
	for _, ev := range b.events {
		if ev.Seq <= p.Seq {
			continue
		}
		if err := v.Event(ev); err != nil || wire.Ends(ev.Type) {
			return err
		}
	}
	for {
		select {
		case ev := <-b.live:
			if err := v.Event(ev); err != nil || wire.Ends(ev.Type) {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b *fakeBroker) Done() <-chan struct{} { return b.gone }
func (b *fakeBroker) Close() error          { return nil }

func (b *fakeBroker) calls() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.asked, "\n")
}

// serve starts a server on a listener and gives a client of it, and what ends
// the server.
func serve(t *testing.T, b *fakeBroker, l net.Listener, token string) (*Server, *http.Client, func()) {
	t.Helper()
	s := New(Options{Token: token, Version: "test", Log: zerolog.Nop(), Dial: func(context.Context) (Broker, error) { return b, nil }})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	end := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("serve: %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server does not end")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, l.Addr().Network(), l.Addr().String())
	}}
	t.Cleanup(tr.CloseIdleConnections)
	return s, &http.Client{Transport: tr, Timeout: 20 * time.Second}, end
}

func unixListener(t *testing.T) net.Listener {
	t.Helper()
	l, err := native.Listen(filepath.Join(t.TempDir(), "h.sock"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func unixServer(t *testing.T, b *fakeBroker) *http.Client {
	t.Helper()
	_, c, _ := serve(t, b, unixListener(t), "")
	return c
}

func tcpServer(t *testing.T, b *fakeBroker) (*http.Client, string) {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, c, _ := serve(t, b, l, testToken)
	return c, l.Addr().String()
}

type reply struct {
	status int
	head   http.Header
	body   string
}

func (r reply) code(t *testing.T) wire.Code {
	t.Helper()
	var e struct{ Error wire.Error }
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		t.Fatalf("%d %q is no JSON: %v", r.status, r.body, err)
	}
	return e.Error.Code
}

func ask(t *testing.T, c *http.Client, method, url, body string, head ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(head); i += 2 {
		req.Header.Set(head[i], head[i+1])
		if head[i] == "Host" {
			req.Host = head[i+1]
		}
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(raw)}
}
