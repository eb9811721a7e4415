package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"tabwright/host/control"
)

// TestLinesThatAreNoMessages: what is no message is answered as such, and the
// messages around it as ever. A line break may be one of Windows.
func TestLinesThatAreNoMessages(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), Options{Open: func(context.Context, string) (control.SessionClient, error) {
			return aHand{ended: make(chan struct{})}, nil
		}}, in, out)
	}()
	answers := bufio.NewScanner(fromServer)
	answers.Buffer(nil, 4<<20)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	const long = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"browser_navigate","arguments":{"url":"https://a.test/?`
	for _, c := range []struct {
		line string
		code int // of the error in the answer
		id   string
	}{
		{hello, 0, "1"},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n\n  \r\n" + `hello?`, -32700, "null"},
		{`{"jsonrpc":"2.0","id":2,"method":"pi`, -32700, "null"},
		{`42`, -32600, "null"},
		{`{"id":7}`, -32600, "null"},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\r", 0, "2"},
		{long + strings.Repeat("x", 200<<10) + `"}}}`, 0, "3"},
	} {
		if _, err := io.WriteString(toServer, c.line+"\n"); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() {
			t.Fatalf("%.40s: no answer: %v", c.line, answers.Err())
		}
		var got struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(answers.Bytes(), &got); err != nil || got.JSONRPC != "2.0" || string(got.ID) != c.id || got.Error.Code != c.code {
			t.Errorf("%.40s: %.300s %v", c.line, answers.Bytes(), err)
		}
	}
	_ = toServer.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
