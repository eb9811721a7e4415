package doors

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// playwrightMCP is the server whose names are taken.
const playwrightMCP = "@playwright/mcp@0.0.83"

// TestPlaywrightsList: every tool that Playwright MCP lists can be called here, and what
// is answered is a result that a model can read.
func TestPlaywrightsList(t *testing.T) {
	if os.Getenv("TABWRIGHT_ALL") == "" {
		t.Skip("gets a package from npm; TABWRIGHT_ALL=1 has it run")
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip("needs npx")
	}
	b := newBench(t)
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Minute)
	defer cancel()
	theirs, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(ctx, &sdk.CommandTransport{Command: exec.CommandContext(ctx, npx, "-y", playwrightMCP, "--headless")}, nil)
	if err != nil {
		t.Skip("Playwright MCP can't be had here:", err)
	}
	list, err := theirs.ListTools(ctx, nil)
	b.must(err)
	b.must(theirs.Close())
	if len(list.Tools) < 20 {
		t.Fatalf("it lists %d tools", len(list.Tools))
	}
	c := b.connect(nil, b.launched("--confirm", "deny")...)
	c.do("browser_navigate", args{"url": b.url + "/form"})
	for _, tool := range list.Tools {
		r, err := c.CallTool(b.ctx, &sdk.CallToolParams{Name: tool.Name, Arguments: map[string]any{}})
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		text, _ := r.Content[0].(*sdk.TextContent)
		if r.IsError && (text == nil || text.Text == "") {
			t.Errorf("%s fails without a word", tool.Name)
		}
		t.Logf("%s: %.80s", tool.Name, text.Text)
	}
	// What has no equal here, and says so.
	for _, name := range []string{"browser_run_code_unsafe", "browser_network_request", "browser_emulate_media"} {
		if !slices.ContainsFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == name }) {
			t.Errorf("%s is no tool of theirs any more", name)
		}
		c.refuses("unsupported", name, nil)
	}
}
