package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
)

// What a developer looks up in a page: its console and its requests. The newest
// entries of each are kept, also those of earlier documents.

const (
	maxMessages = 200  // messages that are kept for a tab
	maxMessage  = 1000 // bytes of a message
	maxRequests = 300  // requests that are kept for a tab
)

// ConsoleMessage is a line of a page's log, or an exception that nothing caught.
type ConsoleMessage struct {
	Level string `json:"level"` // error, warning, info, debug
	Text  string `json:"text"`
	URL   string `json:"url,omitempty"` // of the script
	Line  int    `json:"line,omitempty"`
	// Before is true if an earlier document wrote it.
	Before bool `json:"before,omitempty"`
	navs   int
}

// PageRequest is a request that a page made.
type PageRequest struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Type   string `json:"type"`             // Document, XHR, Fetch, Script, Image, …
	Status int    `json:"status,omitempty"` // 0 as long as nothing was answered
	Failed string `json:"failed,omitempty"`
	Ms     int    `json:"ms,omitempty"`
	Before bool   `json:"before,omitempty"`

	id    string
	began time.Time
	navs  int
}

// devLog is the log and the requests of a tab.
type devLog struct {
	messages []ConsoleMessage
	requests []PageRequest
	navs     int // documents that the main frame has shown
}

// keep appends to a list and drops the oldest entry if there are most already.
func keep[T any](list []T, most int, one T) []T {
	if len(list) >= most {
		list = slices.Delete(list, 0, len(list)-most+1)
	}
	return append(list, one)
}

// remote has the fields of Runtime.RemoteObject that are used here.
type remote struct {
	Type        string          `json:"type"`
	Value       json.RawMessage `json:"value"`
	Unwritable  string          `json:"unserializableValue"`
	Description string          `json:"description"`
}

func (r remote) text() string {
	var s string
	switch {
	case json.Unmarshal(r.Value, &s) == nil && r.Type == "string":
		return s
	case len(r.Value) > 0:
		return string(r.Value)
	case r.Unwritable != "":
		return r.Unwritable
	case r.Description != "":
		return r.Description
	}
	return r.Type
}

type frameOfCall struct {
	URL  string `json:"url"`
	Line int    `json:"lineNumber"` // from 0
}

type stack struct {
	Frames []frameOfCall `json:"callFrames"`
}

// consoleCalled is Runtime.consoleAPICalled.
type consoleCalled struct {
	Type  string   `json:"type"`
	Args  []remote `json:"args"`
	Stack stack    `json:"stackTrace"`
}

// thrown is Runtime.exceptionThrown.
type thrown struct {
	Details struct {
		Text      string  `json:"text"`
		URL       string  `json:"url"`
		Line      int     `json:"lineNumber"`
		Exception *remote `json:"exception"`
		Stack     stack   `json:"stackTrace"`
	} `json:"exceptionDetails"`
}

// levels are the levels of messages by the function of console that wrote them.
var levels = map[string]string{"error": "error", "assert": "error", "warning": "warning", "debug": "debug"}

func (t *Tab) consoleCalled(_ string, p consoleCalled) bool {
	var words []string
	for _, a := range p.Args {
		words = append(words, a.text())
	}
	m := ConsoleMessage{Level: levels[p.Type], Text: strings.Join(words, " ")}
	if m.Level == "" {
		m.Level = "info"
	}
	if len(p.Stack.Frames) > 0 {
		m.URL, m.Line = p.Stack.Frames[0].URL, p.Stack.Frames[0].Line+1
	}
	return t.says(m)
}

func (t *Tab) exceptionThrown(_ string, p thrown) bool {
	d := p.Details
	m := ConsoleMessage{Level: "error", Text: d.Text, URL: d.URL, Line: d.Line + 1}
	if d.Exception != nil {
		m.Text += " " + d.Exception.text()
	}
	if len(d.Stack.Frames) > 0 {
		m.URL, m.Line = d.Stack.Frames[0].URL, d.Stack.Frames[0].Line+1
	}
	return t.says(m)
}

// says keeps a message. It returns false, since nobody waits for messages.
func (t *Tab) says(m ConsoleMessage) bool {
	if len(m.Text) > maxMessage {
		m.Text = strings.ToValidUTF8(m.Text[:maxMessage], "") + "…"
	}
	m.navs = t.dev.navs
	t.dev.messages = keep(t.dev.messages, maxMessages, m)
	return false
}

// noteRequest keeps a request.
func (t *Tab) noteRequest(p request) {
	if i := t.dev.request(p.ID); i >= 0 { // it was redirected
		t.dev.requests[i].Status, t.dev.requests[i].id = p.Redirect.Status, ""
	}
	r := PageRequest{Method: p.Request.Method, URL: p.Request.URL, Type: p.Type, id: p.ID, began: time.Now(), navs: t.dev.navs}
	if p.Type == "Document" && p.ID == p.Loader {
		r.navs++ // what it leads to counts it as its own
	}
	t.dev.requests = keep(t.dev.requests, maxRequests, r)
}

// request returns the index of the newest request of that id, -1 if there is none.
func (d *devLog) request(id string) int {
	for i := len(d.requests) - 1; i >= 0; i-- {
		if d.requests[i].id == id {
			return i
		}
	}
	return -1
}

func (t *Tab) requestAnswered(_ string, p answered) bool {
	if i := t.dev.request(p.ID); i >= 0 {
		r := &t.dev.requests[i]
		r.Status, r.Ms = p.Response.Status, int(time.Since(r.began).Milliseconds())
	}
	return false
}

// requestOver notes how a request ended.
func (t *Tab) requestOver(p request) {
	if i := t.dev.request(p.ID); i >= 0 && p.Error != "" {
		t.dev.requests[i].Failed = p.Error
	}
}

// ConsoleMessages returns the newest messages of the page's console, oldest first.
func (t *Tab) ConsoleMessages() []ConsoleMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := slices.Clone(t.dev.messages)
	for i := range out {
		out[i].Before = out[i].navs < t.dev.navs
	}
	return out
}

// PageRequests returns the newest requests that the page made, oldest first.
func (t *Tab) PageRequests() []PageRequest {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := slices.Clone(t.dev.requests)
	for i := range out {
		out[i].Before = out[i].navs < t.dev.navs
	}
	return out
}

// Resize gives the page a viewport of that many CSS pixels, independent of its window
// (Emulation.setDeviceMetricsOverride). A width of 0 restores the window's.
func (t *Tab) Resize(ctx context.Context, width, height int) error {
	err := t.race(ctx, func(ctx context.Context) error {
		if width == 0 {
			_, err := cdp.Call(ctx, t.root, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
			return err
		}
		_, err := cdp.Call(ctx, t.root, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height)})
		return err
	})
	if err != nil {
		return fmt.Errorf("resize: %w", err)
	}
	return nil
}
