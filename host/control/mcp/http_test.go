package mcp

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/control/httpapi"
	"tabwright/host/native/wire"
)

const testToken = "0123456789abcdef0123456789abcdef"

type withToken struct{ token string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}

// counted is a session that knows its number, and waits where it is told to.
type counted struct {
	control.SessionClient
	name   string
	goOn   <-chan struct{}
	closed chan<- string
}

func (h counted) Do(ctx context.Context, c action.Call, _ string) wire.SessionResult {
	if c.Name == "wait" {
		select {
		case <-h.goOn:
		case <-ctx.Done():
		}
	}
	return wire.SessionResult{Action: c.Name, Text: "session of " + h.name}
}
func (h counted) Done() <-chan struct{} { return nil }
func (h counted) Close() error          { h.closed <- h.name; return nil }

// serveHTTP gives the address of a server, and who ended there.
func serveHTTP(t *testing.T, goOn <-chan struct{}) (address string, closed <-chan string) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done, ended := make(chan error, 1), make(chan string, 8)
	o := Options{Open: func(_ context.Context, client string) (control.SessionClient, error) {
		return counted{name: client, goOn: goOn, closed: ended}, nil
	}}
	go func() {
		done <- ServeHTTP(ctx, o, l, func(h http.Handler) (http.Handler, error) { return httpapi.Guard(l, testToken, h) })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String() + Path, ended
}

func connectHTTP(t *testing.T, address, name string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	c, err := sdk.NewClient(&sdk.Implementation{Name: name}, o).Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: address, HTTPClient: &http.Client{Transport: withToken{testToken}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHTTPClients: each client has a session of its own, which ends with it; a call that
// takes long is reported to who asked for that.
func TestHTTPClients(t *testing.T) {
	goOn := make(chan struct{})
	var mu sync.Mutex
	var told []string
	enough := sync.OnceFunc(func() { close(goOn) })
	address, closed := serveHTTP(t, goOn)
	ada := connectHTTP(t, address, "ada", &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		if told = append(told, r.Params.Message); r.Params.Progress > 0 {
			enough()
		}
	}})
	bob := connectHTTP(t, address, "bob", nil)
	for c, want := range map[*sdk.ClientSession]string{ada: "session of MCP: ada", bob: "session of MCP: bob"} {
		list, err := c.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) < 40 {
			t.Errorf("tools: %v, %v", list, err)
		}
		for range 2 {
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser_click", Arguments: map[string]any{"ref": "e1"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Content[0].(*sdk.TextContent).Text; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
	long := &sdk.CallToolParams{Name: "browser_wait", Arguments: map[string]any{"ms": 1}}
	long.SetProgressToken("p1")
	if _, err := ada.CallTool(t.Context(), long); err != nil {
		t.Error(err)
	}
	mu.Lock()
	if len(told) == 0 || !strings.HasPrefix(told[0], "browser_wait has run for 2 s") {
		t.Errorf("of a long call it was told %q", told)
	}
	mu.Unlock()
	if err := ada.Close(); err != nil {
		t.Error(err)
	}
	select {
	case got := <-closed:
		if got != "MCP: ada" {
			t.Errorf("%s ended", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the session did not end with its client")
	}
	if _, err := bob.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser_click"}); err != nil {
		t.Errorf("the other client: %v", err)
	}
}

// TestHTTPStrangers: a page of a browser and a program without the token are turned away.
func TestHTTPStrangers(t *testing.T) {
	address, _ := serveHTTP(t, nil)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for name, x := range map[string]struct {
		head   map[string]string
		host   string
		status int
	}{
		"the token":      {map[string]string{"Authorization": "Bearer " + testToken}, "", 200},
		"no token":       {nil, "", 401},
		"another token":  {map[string]string{"Authorization": "Bearer " + strings.Repeat("x", 32)}, "", 401},
		"a page":         {map[string]string{"Authorization": "Bearer " + testToken, "Origin": "https://evil.example"}, "", 403},
		"a rebound name": {map[string]string{"Authorization": "Bearer " + testToken}, "evil.example", 421},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for k, v := range x.head {
			r.Header.Set(k, v)
		}
		r.Host = x.host
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != x.status {
			t.Errorf("%s: %d, want %d", name, res.StatusCode, x.status)
		}
		_ = res.Body.Close()
	}
}
