package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"tabwright/host/native/wire"
)

func TestRequestsThatCannotBe(t *testing.T) {
	b := newFake()
	c := unixServer(t, b)
	const at = "http://tabwright" + browserAPI
	for name, x := range map[string]struct {
		method, url, body string
		head              []string
		status            int
		code              wire.Code
	}{
		"no JSON":         {"POST", at, "{", nil, 400, wire.CodeInvalidParams},
		"two values":      {"POST", at, "{}{}", nil, 400, wire.CodeInvalidParams},
		"a program":       {"POST", at, `{"launch":{"browser":"/bin/sh"}}`, nil, 400, wire.CodeInvalidParams},
		"arguments":       {"POST", at, `{"launch":{"args":["--x"]}}`, nil, 400, wire.CodeInvalidParams},
		"a form's type":   {"POST", at, "{}", []string{"Content-Type", "text/plain"}, 400, wire.CodeInvalidParams},
		"too long":        {"POST", at, `{"name":"` + strings.Repeat("x", maxBody) + `"}`, nil, 413, wire.CodeTooLarge},
		"no action":       {"POST", at + "/s/action", `{}`, nil, 400, wire.CodeInvalidParams},
		"half an answer":  {"POST", at + "/s/answer", `{"confirmation_id":"c"}`, nil, 400, wire.CodeInvalidParams},
		"no text":         {"POST", "http://tabwright" + agentAPI, `{"text":" "}`, nil, 400, wire.CodeInvalidParams},
		"an odd number":   {"GET", "http://tabwright" + agentAPI + "/t/events", "", []string{"Last-Event-ID", "x"}, 400, wire.CodeInvalidParams},
		"an odd flag":     {"DELETE", at + "/s?tabs=maybe", "", nil, 400, wire.CodeInvalidParams},
		"another method":  {"PUT", at, "", nil, 404, CodeNoRoute},
		"another address": {"GET", "http://tabwright/", "", nil, 404, CodeNoRoute},
		"no such session": {"GET", at + "/none", "", nil, 404, wire.CodeNoSession},
		"no such task":    {"GET", "http://tabwright" + agentAPI + "/none", "", nil, 404, wire.CodeNoTask},
		"nor its events":  {"GET", "http://tabwright" + agentAPI + "/none/events", "", nil, 404, wire.CodeNoTask},
	} {
		r := ask(t, c, x.method, x.url, x.body, x.head...)
		if r.status != x.status || r.code(t) != x.code {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if got := b.calls(); strings.Contains(got, "session.open") || strings.Contains(got, "session.do") || strings.Contains(got, "session.close") {
		t.Errorf("the broker was asked %s", got)
	}
}

// TestActions: an action is the broker's session.do, a question is 202 with its
// id, and the same call with the id waits for the answer.
func TestActions(t *testing.T) {
	b := newFake()
	b.answer = func(_ context.Context, method string, raw json.RawMessage) (any, error) {
		var p wire.SessionDoParams
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, err
		}
		switch {
		case method == wire.MethodSessionAnswer:
			return nil, &wire.Error{Code: wire.CodePanelOnly, Message: "Only the side panel answers this."}
		case p.Session == "gone":
			return nil, &wire.Error{Code: wire.CodeNoSession, Message: "It is not open."}
		case p.ConfirmationID == "c1":
			return wire.SessionResult{Action: "click", Text: "OK: clicked", Line: "Clicked"}, nil
		case p.Action == "click":
			return wire.SessionResult{Action: "click", Error: &wire.Error{Code: "needs_confirmation", Message: "asks"}, Confirm: &wire.ConfirmInfo{ID: "c1", Class: "purchase", Amount: "$3"}}, nil
		case p.Action == "getText":
			return wire.SessionResult{Action: "getText", Text: "OK: text:\nHello", Data: json.RawMessage(`{"text":"Hello","more":false}`)}, nil
		case p.Action == "screenshot":
			return wire.SessionResult{Action: "screenshot", Image: []byte("png"), MIME: "image/png"}, nil
		}
		return wire.SessionResult{Action: p.Action, Error: &wire.Error{Code: "stale_ref", Message: "moved", Hint: "look"}}, nil
	}
	c := unixServer(t, b)
	const at = "http://tabwright" + browserAPI + "/s"
	r := ask(t, c, "POST", at+"/action", `{"action":"click","params":{"ref":"e1"}}`)
	if r.status != 202 || r.code(t) != "needs_confirmation" || !strings.Contains(r.body, `"confirmation_id":"c1"`) || !strings.Contains(r.body, `"amount":"$3"`) {
		t.Errorf("a question: %d %s", r.status, r.body)
	}
	r = ask(t, c, "POST", at+"/action", `{"action":"click","params":{"ref":"e1"},"confirmation_id":"c1"}`)
	if r := ask(t, c, "POST", at+"/action", `{"action":"getText"}`); r.status != 200 || !strings.Contains(r.body, `"text":"Hello"`) {
		t.Errorf("the text of a page: %d %s", r.status, r.body)
	}
	if r.status != 200 || !strings.Contains(r.body, `"text":"OK: clicked"`) {
		t.Errorf("the answer: %d %s", r.status, r.body)
	}
	if r = ask(t, c, "POST", at+"/action", `{"action":"screenshot"}`); r.status != 200 || !strings.Contains(r.body, `"image":{"data":"cG5n","mime":"image/png"}`) {
		t.Errorf("a picture: %d %s", r.status, r.body)
	}
	if r = ask(t, c, "POST", at+"/action", `{"action":"type","params":{}}`); r.status != 409 || r.code(t) != "stale_ref" || !strings.Contains(r.body, "look") {
		t.Errorf("a failed action: %d %s", r.status, r.body)
	}
	if r = ask(t, c, "POST", "http://tabwright"+browserAPI+"/gone/action", `{"action":"click"}`); r.status != 404 {
		t.Errorf("no session: %d %s", r.status, r.body)
	}
	if r = ask(t, c, "POST", at+"/answer", `{"confirmation_id":"c1","allow":true}`); r.status != 403 || r.code(t) != wire.CodePanelOnly {
		t.Errorf("an answer in the user's browser: %d %s", r.status, r.body)
	}
	if got := b.calls(); !strings.Contains(got, `session.do {"session":"s","action":"click","params":{"ref":"e1"},"confirmationId":"c1"}`) {
		t.Errorf("the broker was asked %s", got)
	}
}

// reader reads server-sent events: each as its fields, nil at the end.
func reader(t *testing.T, c *http.Client, url, last string) (next func() map[string]string, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := c.Do(req) //nolint:bodyclose // end does
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", res.StatusCode, res.Header)
	}
	lines := bufio.NewReader(res.Body)
	next = func() map[string]string {
		out := map[string]string{}
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return nil
			}
			k, v, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch {
			case line == "\n" && len(out) > 0:
				return out
			case k != "":
				out[k] = v
			}
		}
	}
	return next, func() { cancel(); _ = res.Body.Close() }
}

// TestEventsResume: a reader that comes back with the last number it has gets
// the rest, and the stream ends with the task.
func TestEventsResume(t *testing.T) {
	b := newFake()
	for i, kind := range []wire.EventType{wire.EvStarted, wire.EvThinking, wire.EvProgress} {
		b.events = append(b.events, wire.Event{Task: "t1", Seq: uint64(i + 1), Type: kind, Text: "line\nbreak"})
	}
	state := wire.TaskRunning
	b.answer = func(context.Context, string, json.RawMessage) (any, error) {
		return wire.TaskList{Tasks: []wire.TaskInfo{{Task: "t1", State: state, Seq: 4}}}, nil
	}
	c := unixServer(t, b)
	const url = "http://tabwright" + agentAPI + "/t1/events"
	next, end := reader(t, c, url, "")
	for _, want := range []string{"1 started", "2 thinking"} {
		ev := next()
		if got := ev["id"] + " " + ev["event"]; got != want || !json.Valid([]byte(ev["data"])) {
			t.Fatalf("%v, want %q", ev, want)
		}
	}
	end()
	b.streams.Wait()
	next, end = reader(t, c, url, "2")
	defer end()
	if ev := next(); ev["id"] != "3" {
		t.Fatalf("after 2 comes %v", ev)
	}
	b.live <- wire.Event{Task: "t1", Seq: 4, Type: wire.EvComplete, Text: "done"}
	if ev := next(); ev["id"] != "4" || ev["event"] != "complete" {
		t.Errorf("the end: %v", ev)
	}
	if ev := next(); ev != nil {
		t.Errorf("after the end: %v", ev)
	}
	state = wire.TaskDone
	if r := ask(t, c, "GET", url+"?after=4", ""); r.status != 204 {
		t.Errorf("nothing is left to read: %d %s", r.status, r.body)
	}
}

// TestBounds: what waits is bounded in number, and ends with the server.
func TestBounds(t *testing.T) {
	b := newFake()
	s, c, end := serve(t, b, unixListener(t), "")
	for range maxStreams {
		s.streams <- struct{}{}
	}
	if r := ask(t, c, "GET", "http://x"+agentAPI+"/t/events", ""); r.status != 429 || r.code(t) != CodeTooMany {
		t.Errorf("one stream more: %d %s", r.status, r.body)
	}
	waits, ended := make(chan struct{}), make(chan struct{})
	b.answer = func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(waits)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	go func() {
		defer close(ended)
		if res, err := c.Post("http://x"+browserAPI+"/s/action", "application/json", strings.NewReader(`{"action":"click"}`)); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-waits
	end() // fails where it takes longer than ten seconds
	<-ended
}
