// Package mcp is the MCP server, which offers the actions as tools over stdio or HTTP. It uses
// the official Go SDK. It acts through a control.SessionClient. So it works the same, whether
// its own process or the broker owns the browser. The package may import host/control,
// host/action and host/native. Start reading at Serve and door.handler.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

const summaryBudget = action.DefaultBudget

// Options are the options of a server.
type Options struct {
	Version  string
	Registry *action.Registry // nil: action.Default
	Tools    string           // ToolsAll or ToolsCore
	// Open opens the session at the first call; client names the caller for the user.
	// It is called again after the session has ended.
	Open func(ctx context.Context, client string) (control.SessionClient, error)
	// Elicit lets the client ask its user for confirmations: only for a launched
	// browser.
	Elicit bool
	// Confirm is the mode of the session (clientsession.Ask, Deny or Allow); "" is Ask.
	Confirm string
	Log     zerolog.Logger
}

// door holds what the clients of a server share.
type door struct {
	o     Options
	ctx   context.Context // ends with the server
	tools map[string]tool // all tools, listed or not

	mu      sync.Mutex
	clients map[*sdk.ServerSession]*server
}

// server holds the state of one client.
type server struct {
	*door
	ctx context.Context // ends with the client

	mu      sync.Mutex
	session control.SessionClient
	// asked maps a question's id to its place in a call of several steps.
	asked map[string]place
}

// newDoor returns the SDK's server and the door that handles its calls.
func newDoor(ctx context.Context, o Options, versions []string) (*door, *sdk.Server) {
	if o.Registry == nil {
		o.Registry = action.Default()
	}
	d := &door{o: o, ctx: ctx, tools: map[string]tool{}, clients: map[*sdk.ServerSession]*server{}}
	srv := sdk.NewServer(&sdk.Implementation{Name: "tabwright", Title: "Tabwright", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions(o.Confirm), Logger: slog.New(zerolog.NewSlogHandler(o.Log)),
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		PageSize:                  1000, // one page, because some clients read only the first
		SupportedProtocolVersions: versions,
	})
	for _, t := range tools(o.Registry, ToolsAll) {
		d.tools[t.def.Name] = t
	}
	var listed []string
	for _, t := range tools(o.Registry, o.Tools) {
		if o.Confirm == clientsession.Allow {
			t.def.Description = strings.Replace(t.def.Description, alwaysAsks, "", 1)
		}
		if in, ok := t.def.InputSchema.(*jsonschema.Schema); ok && (o.Confirm == clientsession.Allow || o.Confirm == clientsession.Deny) {
			removeParam(in, confirmationParam) // nothing is asked
		}
		srv.AddTool(t.def, d.handler(t.def.Name))
		listed = append(listed, t.def.Name)
	}
	for _, name := range otherNames(d.tools) {
		srv.AddTool(&sdk.Tool{Name: name, InputSchema: &jsonschema.Schema{Type: "object"}}, d.handler(name))
	}
	srv.AddReceivingMiddleware(listOnly(listed))
	return d, srv
}

// listOnly removes the tools that are callable but not listed from the list of tools.
func listOnly(listed []string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, req)
			if l, ok := res.(*sdk.ListToolsResult); ok && l != nil {
				few := *l
				few.Tools = slices.DeleteFunc(slices.Clone(l.Tools), func(t *sdk.Tool) bool { return !slices.Contains(listed, t.Name) })
				return &few, err
			}
			return res, err
		}
	}
}

// Serve serves one client until in or ctx ends. It returns when the session, and the
// browser if it is its own, have ended.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d, srv := newDoor(ctx, o, nil)
	answers := newAnswers(out)
	srv.AddReceivingMiddleware(answers.middleware)
	// The end of in cancels the running calls: the SDK waits for its handlers.
	err := srv.Run(ctx, &sdk.IOTransport{Reader: newMessages(in, answers, cancel), Writer: answers, MaxLineLength: maxLine})
	cancel()
	d.end()
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// end ends the sessions of all clients.
func (d *door) end() {
	d.mu.Lock()
	clients := maps.Clone(d.clients)
	d.mu.Unlock()
	for session, s := range clients {
		_ = session.Close() // it may have ended already
		s.end()
	}
}

// client returns the state of a call's client.
func (d *door) client(session *sdk.ServerSession) *server {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.clients[session]
	if s == nil {
		ctx, cancel := context.WithCancel(d.ctx)
		s = &server{door: d, ctx: ctx, asked: map[string]place{}}
		d.clients[session] = s
		go func() { // ends with the client
			_ = session.Wait()
			cancel() // what runs for it ends
			s.end()  // before the removal from the map, so that door.end waits for it
			d.mu.Lock()
			defer d.mu.Unlock()
			delete(d.clients, session)
		}()
	}
	return s
}

// end ends the session of a client.
func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return
	}
	if err := s.session.Close(); err != nil {
		s.o.Log.Warn().Err(err).Msg("end of the session")
	}
	s.session = nil
}

// handler returns the handler of one tool. A failure is a result, never a protocol
// error, so that the model can read it.
func (d *door) handler(name string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s := d.client(req.Session)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		defer reportProgress(ctx, req)()
		steps, bad := d.stepsOf(name, req.Params.Arguments)
		if bad != nil {
			return result(control.ResultOf(name, bad)), nil
		}
		return s.doSteps(ctx, steps, req), nil
	}
}

// doCall does one call of a tool of this server.
func (s *server) doCall(ctx context.Context, t tool, args json.RawMessage, req *sdk.CallToolRequest) *sdk.CallToolResult {
	call, confirmation, bad := callOf(t, args)
	if bad != nil {
		return result(control.ResultOf(t.spec.Name, bad))
	}
	hand, err := s.openSession(ctx, req, call.Name)
	if err != nil {
		return result(control.ResultOf(call.Name, openError(err)))
	}
	if call.Name == "" {
		return result(s.checkLost(hand, hand.Observe(ctx, action.ObserveOptions{Budget: summaryBudget})))
	}
	if !s.o.Elicit {
		return result(withList(ctx, hand, call, s.checkLost(hand, hand.Do(ctx, call, confirmation))))
	}
	return s.doAsking(ctx, hand, call, confirmation, req)
}

// callOf turns a tool's arguments into a call. A call without a name observes.
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
		_ = json.Unmarshal(args["action"], &what) // anything else is refused below
		delete(args, "action")
		switch what {
		case "list":
			c.Name, args = "listTabs", nil
		case "open", "switch", "close":
			c.Name = what + "Tab"
		case "new": // as Playwright names it
			c.Name = "openTab"
		case "select":
			c.Name = "switchTab"
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
