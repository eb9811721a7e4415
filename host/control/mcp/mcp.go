// Package mcp is the MCP server: the action registry as tools over stdio or HTTP, with
// the official Go SDK. It acts through a control.SessionClient and does
// not know who owns the browser. It may import host/control, host/action and host/native.
// Start reading at Serve and door.handler.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

const summaryBudget = action.DefaultBudget

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
	// Allowed says that what needs a confirmation is done without one.
	Allowed bool
	Log     zerolog.Logger
}

// door is what the clients of a server share.
type door struct {
	o     Options
	ctx   context.Context // ends with the server
	tools map[string]tool // all, whichever are listed

	mu      sync.Mutex
	clients map[*sdk.ServerSession]*server
}

// server is one client's.
type server struct {
	*door
	ctx context.Context // ends with the client

	mu   sync.Mutex
	hand control.SessionClient
	// asked is the step of a call of several that a question belongs to.
	asked map[string]int
}

// newDoor makes the SDK's server and what it hands its calls to.
func newDoor(ctx context.Context, o Options, versions []string) (*door, *sdk.Server) {
	if o.Registry == nil {
		o.Registry = action.Default()
	}
	d := &door{o: o, ctx: ctx, tools: map[string]tool{}, clients: map[*sdk.ServerSession]*server{}}
	srv := sdk.NewServer(&sdk.Implementation{Name: "tabwright", Title: "Tabwright", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions(o.Allowed), Logger: slog.New(zerolog.NewSlogHandler(o.Log)),
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		PageSize:                  1000, // one page: some clients read only the first
		SupportedProtocolVersions: versions,
	})
	for _, t := range tools(o.Registry, ToolsAll) {
		d.tools[t.def.Name] = t
	}
	var listed []string
	for _, t := range tools(o.Registry, o.Tools) {
		srv.AddTool(t.def, d.handler(t.def.Name))
		listed = append(listed, t.def.Name)
	}
	for _, name := range otherNames(d.tools) {
		srv.AddTool(&sdk.Tool{Name: name, InputSchema: &jsonschema.Schema{Type: "object"}}, d.handler(name))
	}
	srv.AddReceivingMiddleware(only(listed))
	return d, srv
}

// only leaves out of the list of tools what can be called and is not listed.
func only(listed []string) sdk.Middleware {
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

// Serve serves one client until in ends or ctx does. It returns when the
// session, and a browser of its own, have ended.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d, srv := newDoor(ctx, o, nil)
	answers := newAnswers(out)
	srv.AddReceivingMiddleware(answers.middleware)
	// The end of in ends what runs: the SDK waits for handlers first.
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
		_ = session.Close() // it may have ended
		s.end()
	}
}

// client gives what is kept for the client of a call.
func (d *door) client(session *sdk.ServerSession) *server {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.clients[session]
	if s == nil {
		ctx, cancel := context.WithCancel(d.ctx)
		s = &server{door: d, ctx: ctx, asked: map[string]int{}}
		d.clients[session] = s
		go func() { // ends with the client
			_ = session.Wait()
			cancel() // what runs for it ends
			s.end()  // no other client waits for that, and door.end does as long as s is in the map
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
	if s.hand == nil {
		return
	}
	if err := s.hand.Close(); err != nil {
		s.o.Log.Warn().Err(err).Msg("end of the session")
	}
	s.hand = nil
}

// handler runs one tool. A failure of the tool is a result, never a protocol
// error: the model is to read it.
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
		return s.inSteps(ctx, steps, req), nil
	}
}

// one does a call of one of the server's own tools.
func (s *server) one(ctx context.Context, t tool, args json.RawMessage, req *sdk.CallToolRequest) *sdk.CallToolResult {
	call, confirmation, bad := callOf(t, args)
	if bad != nil {
		return result(control.ResultOf(t.spec.Name, bad))
	}
	hand, err := s.session(ctx, req, call.Name)
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
		case "new": // as Playwright has it
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
