package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The versions that are compared with.
const (
	playwrightMCP = "@playwright/mcp@0.0.83"
	agentBrowserN = "agent-browser@0.41.2"
)

// steps are what is timed, in the order of a round.
var steps = []string{"navigate", "snapshot", "click", "fill", "type by keys"}

// call is one tool call.
type call struct {
	tool string
	args map[string]any
}

// peer is one MCP server and how its tools are called.
type peer struct {
	name    string
	ours    bool
	command []string
	env     []string
	dir     string // it may write into its working folder
	calls   func(url string) map[string]call
	end     *call // what ends its browser
	session *sdk.ClientSession
}

func tabwright(binary, chromium string) *peer {
	return &peer{
		name: "Tabwright", ours: true,
		command: []string{binary, "mcp", "--launch", "--headless", "--browser", chromium},
		calls: func(url string) map[string]call {
			write := call{"browser_type", map[string]any{"selector": "#note", "text": word, "clear": true}}
			return map[string]call{
				"navigate":     {"browser_navigate", map[string]any{"url": url}},
				"snapshot":     {"browser_snapshot", nil},
				"click":        {"browser_click", map[string]any{"selector": "#count"}},
				"fill":         write, // with real keys as well
				"type by keys": write,
			}
		},
	}
}

func playwright(cache, chromium string) *peer {
	return &peer{
		name:    "Playwright MCP",
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
}

func agentBrowser(cache, chromium string) *peer {
	return &peer{
		name:    "agent-browser",
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

// install gets the others, if they are not there yet.
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

func (p *peer) start(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Dir = p.dir
	s, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	p.session = s
	return nil
}

func (p *peer) close() {
	if p.session == nil {
		return
	}
	if p.end != nil {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		if _, err := p.do(ctx, *p.end); err != nil {
			fmt.Fprintln(os.Stderr, p.name, "did not end its browser:", err)
		}
	}
	if err := p.session.Close(); err != nil {
		fmt.Fprintln(os.Stderr, p.name, "did not end well:", err)
	}
}

// do makes one call and gives all that it says.
func (p *peer) do(ctx context.Context, c call) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	args := c.args
	if args == nil {
		args = map[string]any{}
	}
	res, err := p.session.CallTool(ctx, &sdk.CallToolParams{Name: c.tool, Arguments: args})
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.tool, err)
	}
	raw, err := json.Marshal(res)
	if err != nil {
		return "", err
	}
	if res.IsError {
		return "", fmt.Errorf("%s: %s", c.tool, raw)
	}
	return string(raw), nil
}

// round takes every step once, and looks whether the page saw it all.
func (p *peer) round(ctx context.Context, url string) (map[string]time.Duration, error) {
	calls := p.calls(url)
	took := map[string]time.Duration{}
	for _, step := range steps {
		began := time.Now()
		if _, err := p.do(ctx, calls[step]); err != nil {
			return nil, err
		}
		took[step] = time.Since(began)
		if step == "snapshot" || step == "navigate" {
			continue
		}
		want := "Noted: " + word
		if step == "click" {
			want = "Clicked 1 times"
		}
		got, err := p.do(ctx, calls["snapshot"])
		if err != nil {
			return nil, err
		}
		if !strings.Contains(got, want) {
			return nil, fmt.Errorf("after %s the page does not say %q: %.1500s", step, want, got)
		}
	}
	return took, nil
}
