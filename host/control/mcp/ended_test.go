package mcp

import (
	"context"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// aHand is a session that does everything and can end.
type aHand struct {
	control.SessionClient
	ended chan struct{}
}

func (h aHand) Do(_ context.Context, c action.Call, _ string) wire.SessionResult {
	if strings.Contains(string(c.Params), "#stopped") {
		return control.ResultOf(c.Name, &wire.Error{Code: wire.CodeNoSession, Message: "No session is open.", Hint: "tabwright open"})
	}
	if strings.Contains(string(c.Params), "#closes") {
		close(h.ended)
		return control.ResultOf(c.Name, &wire.Error{Code: wire.Code(action.Detached), Message: "the browser was closed"})
	}
	return wire.SessionResult{Action: c.Name, Text: "OK: done."}
}

func (h aHand) Observe(context.Context, action.ObserveOptions) wire.SessionResult {
	return wire.SessionResult{Action: "observe", Text: "the page"}
}

func (h aHand) Done() <-chan struct{} { return h.ended }
func (h aHand) Close() error          { return nil }

// TestEndedBetweenCalls: a session that ended when nobody was calling is not
// exchanged for an empty one behind the client's back.
func TestEndedBetweenCalls(t *testing.T) {
	var hands []aHand
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), Options{Open: func(context.Context, string) (control.SessionClient, error) {
			hands = append(hands, aHand{ended: make(chan struct{})})
			return hands[len(hands)-1], nil
		}}, in, out)
	}()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(tool string, args map[string]any) string {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*sdk.TextContent).Text
	}
	click := map[string]any{"selector": "#a"}
	if got := call("browser_click", click); got != "OK: done." {
		t.Errorf("the first click: %s", got)
	}
	for _, tool := range []string{"browser_click", summaryTool} {
		close(hands[len(hands)-1].ended)
		n := len(hands)
		if got, want := call(tool, click), control.ResultOf("", errEnded()).Text; got != want || len(hands) != n {
			t.Errorf("%s after the end: %s, %d sessions", tool, got, len(hands))
		}
		if got := call("browser_navigate", map[string]any{"url": "https://a.test"}); got != "OK: done." || len(hands) != n+1 {
			t.Errorf("navigate: %s, %d sessions", got, len(hands))
		}
	}
	close(hands[len(hands)-1].ended)
	n := len(hands)
	if got := call("browser_navigate", map[string]any{"url": "https://a.test"}); got != "OK: done." || len(hands) != n+1 {
		t.Errorf("navigate after the end: %s, %d sessions", got, len(hands))
	}
	// One that ends in a call is said to have ended by that, and not once more.
	if got := call("browser_click", map[string]any{"selector": "#closes"}); !strings.Contains(got, "The browser has ended") {
		t.Errorf("a click that closes the browser: %s", got)
	}
	n = len(hands)
	if got := call("browser_click", click); got != "OK: done." || len(hands) != n+1 {
		t.Errorf("the click after that: %s, %d sessions", got, len(hands))
	}
	// The broker ended it (its user did, or an hour without a call): a client knows
	// nothing of sessions, nor of commands.
	if got, want := call("browser_click", map[string]any{"selector": "#stopped"}), control.ResultOf("", errEnded()).Text; got != want {
		t.Errorf("a click in a session that was stopped: %s", got)
	}
	n = len(hands)
	if got := call("browser_navigate", map[string]any{"url": "https://a.test"}); got != "OK: done." || len(hands) != n+1 {
		t.Errorf("navigate after that: %s, %d sessions", got, len(hands))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
