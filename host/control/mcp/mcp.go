// Package mcp is the MCP server: the action registry as tools over stdio, with
// the official Go SDK. It acts through a control.Hand and knows nothing of who
// owns the browser. It may import host/control, host/action and host/native.
// Start reading at Serve.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

const (
	summaryTool       = "browser_page_summary"
	tabsTool          = "browser_tabs"
	confirmationParam = "confirmation_id"
	doneParam         = "done"
	summaryBudget     = action.DefaultBudget
)

// Options is a server.
type Options struct {
	Version  string
	Registry *action.Registry // nil: the program's
	Tools    string           // ToolsAll or ToolsCore
	// Open opens the session at the first call; client is who asks, for the
	// user to read. It is called again when the session's browser has ended.
	Open func(ctx context.Context, client string) (control.SessionClient, error)
	// Elicit asks the client's user what needs a confirmation: for a launched
	// browser only.
	Elicit bool
	Log    zerolog.Logger
}

// server is one client's.
type server struct {
	o   Options
	ctx context.Context // ends with the client

	mu   sync.Mutex
	hand control.SessionClient
}

// Serve serves one client until in ends or ctx does. It returns when the
// session, and a browser of its own, have ended.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	if o.Registry == nil {
		o.Registry = action.Default()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{o: o, ctx: ctx}
	srv := sdk.NewServer(&sdk.Implementation{Name: "tabwright", Title: "Tabwright", Version: o.Version}, &sdk.ServerOptions{
		Instructions: Instructions, Logger: slog.New(zerolog.NewSlogHandler(o.Log)),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		PageSize:     1000, // one page: some clients read only the first
	})
	for _, t := range tools(o.Registry, o.Tools) {
		srv.AddTool(t.def, s.handler(t))
	}
	answers := newAnswers(out)
	srv.AddReceivingMiddleware(answers.middleware)
	// The end of in ends what runs: the SDK waits for handlers first.
	err := srv.Run(ctx, &sdk.IOTransport{Reader: newMessages(in, answers, cancel), Writer: answers, MaxLineLength: maxLine})
	cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hand != nil {
		if e := s.hand.Close(); e != nil {
			o.Log.Warn().Err(e).Msg("end of the session")
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// beginnings are the actions that need nothing of a session before.
var beginnings = []string{"navigate", "webSearch", "openTab"}

// errEnded is the answer to a call that counts on what a session had which is no
// more: in a new one it would be done to an empty page.
func errEnded() error {
	return &wire.Error{
		Code: wire.Code(action.Detached), Message: "the session has ended since the last call, and its tabs with it: its browser was closed, or it was stopped, or an hour passed without a call; nothing was done",
		Hint: "Go on with browser_navigate, in a new one.",
	}
}

// session gives the session, opened at its first use, and anew where it has
// ended; only a call of its own that begins something is then done there at once.
func (s *server) session(ctx context.Context, req *sdk.CallToolRequest, name string) (control.SessionClient, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hand != nil {
		select {
		case <-s.hand.Ended():
			if err := s.hand.Close(); err != nil {
				s.o.Log.Warn().Err(err).Msg("end of the session")
			}
			s.hand = nil
			if !slices.Contains(beginnings, name) {
				return nil, errEnded()
			}
		default:
			return s.hand, nil
		}
	}
	client := "MCP client"
	if i := req.ClientInfo(); i != nil && i.Name != "" {
		client = "MCP: " + i.Name
	}
	h, err := s.o.Open(ctx, client)
	if err != nil {
		return nil, err
	}
	s.hand = h
	return h, nil
}

// handler runs one tool. A failure of the tool is a result, never a protocol
// error: the model is to read it.
func (s *server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		call, confirmation, bad := callOf(t, req.Params.Arguments)
		if bad != nil {
			return result(control.ResultOf(t.spec.Name, bad)), nil
		}
		hand, err := s.session(ctx, req, call.Name)
		if err != nil {
			return result(control.ResultOf(call.Name, openError(err))), nil
		}
		if call.Name == "" {
			return result(s.checkLost(hand, hand.Observe(ctx, action.ObserveOptions{Budget: summaryBudget}))), nil
		}
		if !s.o.Elicit {
			return result(withList(ctx, hand, call, s.checkLost(hand, hand.Do(ctx, call, confirmation)))), nil
		}
		return s.doAsking(ctx, hand, call, req), nil
	}
}

// doAsking does a call and has the client ask its user what must be
// confirmed: the SDK asks at once or has the call repeated with the answer, by
// the protocol version of the client.
func (s *server) doAsking(ctx context.Context, hand control.SessionClient, call action.Call, req *sdk.CallToolRequest) *sdk.CallToolResult {
	if req.Params.RequestState == loginState {
		if a, ok := req.Params.InputResponses[askKey].(*sdk.ElicitResult); ok && a.Action == "accept" {
			call.Params = json.RawMessage(`{"done":true}`)
		}
		return result(hand.Do(ctx, call, ""))
	}
	if id := req.Params.RequestState; id != "" {
		allow, why := false, ""
		if a, ok := req.Params.InputResponses[askKey].(*sdk.ElicitResult); ok && a.Action == "accept" {
			allow, _ = a.Content["allow"].(bool) // anything but a clear yes is a no
			why, _ = a.Content[whyKey].(string)
		}
		if err := hand.Answer(ctx, id, allow, why); err != nil {
			return result(control.ResultOf(call.Name, err))
		}
		return result(withList(ctx, hand, call, hand.Do(ctx, call, id)))
	}
	r := s.checkLost(hand, hand.Do(ctx, call, ""))
	caps := req.ClientCapabilities()
	asks := caps != nil && caps.Elicitation != nil
	if call.Name == clientsession.RequestLogin && r.Error == nil && asks && strings.Contains(string(r.Data), `"waiting"`) {
		return &sdk.CallToolResult{RequestState: loginState, InputRequests: sdk.InputRequestMap{askKey: &sdk.ElicitParams{
			Mode: "form", Message: r.Line + "\nAccept this when you have done it in the browser's window.",
			RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}},
		}}}
	}
	if r.Confirm == nil {
		return result(withList(ctx, hand, call, r))
	}
	if !asks {
		if err := hand.Answer(ctx, r.Confirm.ID, false, ""); err != nil {
			return result(control.ResultOf(call.Name, err))
		}
		r = hand.Do(ctx, call, r.Confirm.ID)
		const why = "this needs a user's word, and this MCP client can't ask one (it has no elicitation)"
		if r.Error != nil {
			if c := action.Code(r.Error.Code); c != action.Denied && c != action.StoppedAfter {
				return result(r)
			}
			r.Error.Message = action.Because(r.Error.Message, why)
			r.Text = string(r.Error.Code) + ": " + r.Error.Message + "\n" + r.Error.Hint
		}
		return result(r)
	}
	return &sdk.CallToolResult{RequestState: r.Confirm.ID, InputRequests: sdk.InputRequestMap{askKey: &sdk.ElicitParams{
		Mode: "form", Message: cardText(*r.Confirm),
		RequestedSchema: &jsonschema.Schema{
			Type: "object", Required: []string{"allow"},
			Properties: map[string]*jsonschema.Schema{
				"allow": {Type: "boolean", Title: r.Confirm.Question(), Description: "No is the safe answer"},
				whyKey:  {Type: "string", Title: "If not, why", Description: "What to do instead; the model reads it"},
			},
			PropertyOrder: []string{"allow", whyKey},
		},
	}}}
}

// listBudget is how many tokens of a page that was gone to are told with it.
const listBudget = 600

// noElements is the text of an empty list, buildTime the most that is waited for the
// first element of a page.
const (
	noElements = "OK: no such elements."
	buildTime  = 5 * time.Second
)

// travels are the actions that lead to a page that nobody has looked at.
var travels = []string{"navigate", "openTab", "goBack", "goForward", "refresh"}

// arrived is how an effect says that there is another document, moved that the address
// is another one.
const (
	arrived = "navigated to "
	moved   = "address is now "
)

// withList adds the beginning of the list of elements to what led to another page or
// view, of a view the part that is new: a model would ask for it next.
func withList(ctx context.Context, hand control.SessionClient, call action.Call, r wire.SessionResult) wire.SessionResult {
	says := func(s string) bool { return strings.Contains(r.Effect, s) }
	travel := slices.Contains(travels, call.Name) && says(moved)
	if r.Error != nil || r.Confirm != nil || r.Part == "" && !travel && !says(arrived) || says("; it is ") {
		return r
	}
	params := fmt.Appendf(nil, `{"budget":%d,"type":"new"}`, listBudget)
	if r.Part != "" {
		params = fmt.Appendf(nil, `{"budget":%d,"type":"new","scope":%q}`, listBudget, r.Part)
	}
	read := func() wire.SessionResult {
		return hand.Do(ctx, action.Call{Name: "getElements", Params: params}, "")
	}
	list := read()
	if list.Error == nil && r.Part == "" && list.Text == noElements {
		// A page that its script builds may have loaded before anything of it is there.
		still := hand.Do(ctx, action.Call{Name: "waitFor", Params: fmt.Appendf(nil, `{"state":"stable","timeoutMs":%d}`, buildTime.Milliseconds())}, "")
		if list = read(); list.Text == noElements && still.Error != nil {
			r.Text += "\nNothing to operate is there yet, and the page is still changing: wait for what is to come."
		}
	}
	if list.Error == nil && strings.Contains(list.Text, "\n") { // more than that there is none
		r.Text += "\n" + list.Text
		r.Notes = append(r.Notes, list.Notes...)
	}
	return r
}

// goneTime is how long the news of a browser's end may come behind the error
// that it causes.
const goneTime = 500 * time.Millisecond

// checkLost tells a browser that has ended from one that only does not answer: the
// next call will have a new one, and need not be told once more.
func (s *server) checkLost(hand control.SessionClient, r wire.SessionResult) wire.SessionResult {
	switch {
	case r.Error != nil && r.Error.Code == wire.CodeNoSession:
		s.leave(hand)
		return control.ResultOf(r.Action, errEnded())
	case r.Error == nil || r.Error.Code != wire.Code(action.Detached) || r.Error.Message == control.ErrBrokerGone.Message:
		return r
	}
	wait := time.NewTimer(goneTime)
	defer wait.Stop()
	select {
	case <-hand.Ended():
	case <-wait.C:
		return r
	}
	s.leave(hand)
	e := *r.Error
	e.Hint = "The browser has ended. Go on with browser_navigate, in a new one."
	r.Text = string(e.Code) + ": " + e.Message + "\n" + e.Hint
	r.Error = &e
	return r
}

// leave gives up a session that has ended and was said to have.
func (s *server) leave(hand control.SessionClient) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hand != hand {
		return // another call found it first
	}
	s.hand = nil
	if err := hand.Close(); err != nil {
		s.o.Log.Warn().Err(err).Msg("end of the session")
	}
}

// askKey names the one question of a result, and loginState is the state of the
// one that waits for a user to sign in.
const (
	askKey     = "confirm"
	whyKey     = "why" // in the form of a question
	loginState = "login"
)

// cardText is a card on lines: every word of it comes from the page and the
// policy.
func cardText(c wire.ConfirmInfo) string {
	text := fmt.Sprintf("%s\nIt is to %s %s on %s.", c.Question(), c.Action, c.Target, c.Site)
	if c.Amount != "" {
		text += "\nAmount: " + c.Amount
	}
	for _, d := range c.Facts() {
		text += "\n" + d
	}
	for _, r := range c.Reasons {
		text += "\nBecause: " + r
	}
	return text
}

// callOf takes a tool's arguments apart. A call without a name is a look.
func callOf(t tool, raw json.RawMessage) (c action.Call, confirmation string, bad error) {
	args := map[string]json.RawMessage{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &args); err != nil {
			return c, "", invalid("the arguments are no JSON object: "+err.Error(), "Give an object.")
		}
	}
	if id, ok := args[confirmationParam]; ok {
		if json.Unmarshal(id, &confirmation) != nil {
			return c, "", invalid("confirmation_id is no string", "Give it as it came with needs_confirmation.")
		}
		delete(args, confirmationParam)
	}
	c.Name = t.spec.Name
	switch t.def.Name {
	case summaryTool:
		return c, "", nil
	case tabsTool:
		var what string
		_ = json.Unmarshal(args["action"], &what) // anything else is told below
		delete(args, "action")
		switch what {
		case "list":
			c.Name, args = "listTabs", nil
		case "open", "switch", "close":
			c.Name = what + "Tab"
		default:
			return c, "", invalid("action is list, open, switch or close", `Call it again as {"action": "list"}.`)
		}
	}
	if args == nil {
		args = map[string]json.RawMessage{}
	}
	params, err := json.Marshal(args)
	if err != nil {
		return c, "", invalid(err.Error(), "Give an object.")
	}
	c.Params = params
	return c, confirmation, nil
}

func invalid(message, hint string) error {
	return &wire.Error{Code: wire.Code(action.InvalidParams), Message: message, Hint: hint}
}

// openError gives an error of opening a session a code that models know.
func openError(err error) error {
	var ne *wire.Error
	if errors.As(err, &ne) {
		return ne
	}
	return &wire.Error{
		Code: wire.Code(action.Detached), Message: "the browser can't be reached: " + err.Error(),
		Hint: "Tell the user; `tabwright doctor` says what is missing.",
	}
}
