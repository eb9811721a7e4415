package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/e2e/rig"
)

// The versions that are compared with.
const (
	playwrightMCP = "@playwright/mcp@0.0.83"
	agentBrowserN = "agent-browser@0.41.2"
)

// call is one tool call.
type call struct {
	tool string
	args map[string]any
}

// server is an MCP server and how its tools are called.
type server struct {
	command []string
	env     []string // added to the process's own
	dir     string   // it may write into its working folder
	calls   func(url string) map[string]call
	end     *call         // what ends its browser
	rest    time.Duration // before each step
	meter   *meter        // of a build of ours
	session *sdk.ClientSession
}

// column makes an MCP server a contender.
func (s *server) column(name string, k kind) *contender {
	return &contender{name: name, kind: k, start: s.start, round: s.round, close: s.close}
}

func tabwrightCalls(url string) map[string]call {
	write := call{"browser_type", map[string]any{"selector": "#note", "text": word, "clear": true}}
	return map[string]call{
		"navigate":     {"browser_navigate", map[string]any{"url": url}},
		"snapshot":     {"browser_snapshot", nil},
		"click":        {"browser_click", map[string]any{"selector": "#count"}},
		"fill":         write, // with real keys as well
		"type by keys": write,
	}
}

// tabwrightDirect drives a browser that it launches.
func tabwrightDirect(binary string, o options) *contender {
	s := &server{
		command: []string{binary, "mcp", "--launch", "--headless", "--browser", o.chromium}, calls: tabwrightCalls,
		rest: o.rest, meter: newMeter(binary + " direct"),
	}
	s.env = []string{s.meter.env()}
	return s.column("Tabwright, direct", direct)
}

// tabwrightExtension joins a browser with the extension in it, as a user has
// it: the relay, the shim that Chrome starts, the broker. All of that has a
// folder of its own.
func tabwrightExtension(binary string, o options) *contender {
	// The page is on this computer, which the user has to allow.
	s := &server{
		command: []string{binary, "mcp", "--allow-host", "127.0.0.1"}, calls: tabwrightCalls,
		rest: o.rest, meter: newMeter(binary + " extension"),
	}
	c := s.column("Tabwright, extension", extension)
	var r *rig.Rig
	c.start = func(ctx context.Context) error {
		var err error
		r, err = rig.Start(ctx, rig.Options{Binary: binary, Headless: true, Env: []string{"TABWRIGHT_BROWSER=" + o.chromium, s.meter.env()}})
		if err != nil {
			return err
		}
		if err := connected(ctx, r); err != nil {
			return fmt.Errorf("%w\n%s", err, r.Logs())
		}
		s.env = r.Command(ctx).Env
		return s.start(ctx)
	}
	c.close = func() error {
		err := s.close()
		if r != nil {
			err = errors.Join(err, r.Close())
		}
		return err
	}
	return c
}

// connected waits until the extension has found its host: the panel says so.
func connected(ctx context.Context, r *rig.Rig) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	p, err := r.OpenPanel(ctx)
	if err != nil {
		return err
	}
	return p.Close(ctx)
}

func playwright(cache, chromium string) *contender {
	s := &server{
		dir:     cache,
		command: []string{filepath.Join(cache, "node_modules", ".bin", "playwright-mcp"), "--headless", "--isolated", "--no-sandbox", "--executable-path", chromium},
		calls: func(url string) map[string]call {
			return map[string]call{
				"navigate":     {"browser_navigate", map[string]any{"url": url}},
				"snapshot":     {"browser_snapshot", nil},
				"click":        {"browser_click", map[string]any{"element": "count", "target": "#count"}},
				"fill":         {"browser_type", map[string]any{"element": "note", "target": "#note", "text": word}},
				"type by keys": {"browser_type", map[string]any{"element": "note", "target": "#note", "text": word, "slowly": true}},
			}
		},
	}
	return s.column("Playwright MCP", other)
}

func agentBrowser(cache, chromium string) *contender {
	return agentBrowserServer(cache, chromium).column("agent-browser", other)
}

func agentBrowserServer(cache, chromium string) *server {
	return &server{
		command: []string{filepath.Join(cache, "node_modules", ".bin", "agent-browser"), "mcp"},
		dir:     cache,
		env: []string{
			"AGENT_BROWSER_EXECUTABLE_PATH=" + chromium, "AGENT_BROWSER_ARGS=--no-sandbox,--disable-gpu",
			fmt.Sprintf("AGENT_BROWSER_SESSION=bench-%d", os.Getpid()),
		},
		end: &call{"agent_browser_close", nil},
		calls: func(url string) map[string]call {
			return map[string]call{
				"navigate":     {"agent_browser_open", map[string]any{"url": url}},
				"snapshot":     {"agent_browser_snapshot", map[string]any{"interactive": false}}, // as the others: the whole tree
				"click":        {"agent_browser_click", map[string]any{"selector": "#count"}},
				"fill":         {"agent_browser_fill", map[string]any{"selector": "#note", "text": word}},
				"type by keys": {"agent_browser_type", map[string]any{"selector": "#note", "text": word, "clear": true}},
			}
		},
	}
}

// install installs the peers if they are missing.
func install(ctx context.Context, cache string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	want := playwrightMCP + " " + agentBrowserN
	stamp := filepath.Join(cache, "installed")
	if got, err := os.ReadFile(stamp); err == nil && string(got) == want {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", cache, "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", playwrightMCP, agentBrowserN)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
}

func (s *server) start(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Dir = s.dir
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	s.session = session
	return err
}

func (s *server) close() error {
	if s.session == nil {
		return nil
	}
	var err error
	if s.end != nil {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		_, err = s.do(ctx, *s.end)
	}
	return errors.Join(err, s.session.Close())
}

// do makes one call.
func (s *server) do(ctx context.Context, c call) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	args := c.args
	if args == nil {
		args = map[string]any{}
	}
	res, err := s.session.CallTool(ctx, &sdk.CallToolParams{Name: c.tool, Arguments: args})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.tool, err)
	}
	if res.IsError {
		return nil, fmt.Errorf("%s: %s", c.tool, all(res))
	}
	return res, nil
}

// all returns the whole text of a result.
func all(res *sdk.CallToolResult) string {
	raw, err := json.Marshal(res)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// round takes every step once, and looks whether the page saw it all.
func (s *server) round(ctx context.Context, url string) (map[string]time.Duration, error) {
	calls := s.calls(url)
	took := map[string]time.Duration{}
	for _, step := range steps {
		time.Sleep(s.rest)
		was := s.meter.read()
		began := time.Now()
		if _, err := s.do(ctx, calls[step]); err != nil {
			return nil, err
		}
		took[step] = time.Since(began)
		for part, d := range s.meter.since(was) {
			took[step+"/"+part] = d
		}
		if step == "snapshot" || step == "navigate" {
			continue
		}
		shown, err := s.do(ctx, calls["snapshot"])
		if err == nil {
			err = said(step, all(shown))
		}
		if err != nil {
			return nil, err
		}
	}
	return took, nil
}
