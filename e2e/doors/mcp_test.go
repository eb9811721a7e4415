package doors

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestFlow(t *testing.T) {
	b := newBench(t)
	c := b.connect(nil, b.launched("--confirm", "allow")...)
	tools, err := c.ListTools(b.ctx, nil)
	b.must(err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	for _, want := range []string{"browser_navigate", "browser_page_summary", "browser_get_elements", "browser_get_element_details", "browser_click", "browser_type", "browser_tabs"} {
		if !slices.Contains(names, want) {
			t.Errorf("no tool %s among %v", want, names)
		}
	}
	for tool, want := range map[string][]string{
		"browser_get_elements":        {"type", "visible", "query", "limit", "cursor"},
		"browser_get_element_details": {"indices"},
		"browser_snapshot":            {"interactive", "compact", "maxDepth", "scope", "delta"},
		"browser_tabs":                {"action", "index", "url"},
		"browser_click":               {"ref", "index", "selector", "x", "y"},
		"browser_navigate":            {"url"},
		"browser_request_login":       {"reason", "done"},
	} {
		i := slices.IndexFunc(tools.Tools, func(tl *sdk.Tool) bool { return tl.Name == tool })
		if i < 0 {
			t.Errorf("no tool %s", tool)
			continue
		}
		raw, err := json.Marshal(tools.Tools[i].InputSchema)
		b.must(err)
		var in struct{ Properties map[string]any }
		b.must(json.Unmarshal(raw, &in))
		for _, p := range want {
			if _, ok := in.Properties[p]; !ok {
				t.Errorf("%s takes no %s: %s", tool, p, raw)
			}
		}
	}
	if len(b.browsers()) != 0 {
		t.Error("a browser runs before it is needed")
	}
	r := c.do("browser_navigate", args{"url": b.url + "/"})
	if r.URL != b.url+"/" || r.PageRev < 1 {
		t.Errorf("navigate says %v", r.All)
	}
	if l := c.do("browser_tabs", args{"action": "list"}); l.PageRev != r.PageRev {
		t.Errorf("the list of tabs has page revision %d, the page %d", l.PageRev, r.PageRev)
	}
	c.do("browser_click", args{"ref": c.ref("Form")})
	sum := c.do("browser_page_summary", nil)
	if sum.All["title"] != "form" || sum.All["elements"].(map[string]any)["buttons"] != 2.0 {
		t.Errorf("the summary says %v", sum.All)
	}
	tree := c.do("browser_snapshot", args{"interactive": true})
	if words, _ := tree.All["tree"].(string); !strings.Contains(words, "Press") || tree.SnapshotID == "" {
		t.Errorf("the snapshot is %v", tree.All)
	}
	if _, ok := tree.All["refs"].(map[string]any); !ok || tree.All["stats"] == nil {
		t.Errorf("the snapshot has no refs or stats: %v", tree.All)
	}
	delta := c.do("browser_snapshot", args{"delta": true})
	for _, field := range []string{"tree", "refs", "stats", "pageRev", "snapshotId"} {
		if _, ok := delta.All[field]; !ok {
			t.Errorf("a delta snapshot has no %s: %v", field, delta.All)
		}
	}
	first := c.do("browser_get_elements", args{"limit": 2})
	for _, field := range []string{"elements", "total", "nextCursor", "pageRev", "snapshotId"} {
		if _, ok := first.All[field]; !ok {
			t.Errorf("get_elements gives no %s: %v", field, first.All)
		}
	}
	for _, field := range []string{"index", "ref", "tag", "role", "name", "text"} {
		if _, ok := first.All["elements"].([]any)[0].(map[string]any)[field]; !ok {
			t.Errorf("an element has no %s: %v", field, first.All["elements"])
		}
	}
	rest := c.do("browser_get_elements", args{"limit": 2, "cursor": first.NextCursor})
	if len(first.Elements) != 2 || first.Total != 3 || len(rest.Elements) != 1 || rest.NextCursor != "" {
		t.Errorf("pages of %d and %d of %d", len(first.Elements), len(rest.Elements), first.Total)
	}
	if q := c.do("browser_get_elements", args{"query": "press"}); len(q.Elements) != 1 || q.Elements[0].Name != "Press" {
		t.Errorf("the query finds %s", q.Text)
	}
	press := c.do("browser_click", args{"ref": "@" + c.ref("Press")})
	if !strings.Contains(press.Effect, "Pressed 1") {
		t.Errorf("the effect of a press is %q", press.Effect)
	}
	list := c.do("browser_get_elements", args{"type": "input"})
	if len(list.Elements) != 1 || list.Total != 1 || list.SnapshotID == "" || list.PageRev == 0 {
		t.Fatalf("the inputs are %s", list.Text)
	}
	c.do("browser_type", args{"index": list.Elements[0].Index, "text": "blue mug", "clear": true})
	details := c.do("browser_get_element_details", args{"indices": []int{list.Elements[0].Index}})
	for _, field := range []string{"attributes", "selector", "xpath", "childCount"} {
		if _, ok := details.All["elements"].([]any)[0].(map[string]any)[field]; !ok {
			t.Errorf("the details have no %s: %v", field, details.All)
		}
	}
	if len(details.Elements) != 1 || details.Elements[0].Value != "blue mug" {
		t.Errorf("the details are %v", details.All)
	}
	c.do("browser_press_key", args{"key": "Enter"})
	if got := c.do("browser_page_summary", nil).All["visibleText"]; got != `You looked for "blue mug"` {
		t.Errorf("the page says %q", got)
	}
	c.do("browser_go_back", nil)
	c.do("browser_click", args{"selector": "a, button[type=button]"})
	shot, err := c.CallTool(b.ctx, &sdk.CallToolParams{Name: "browser_screenshot"})
	b.must(err)
	if i := slices.IndexFunc(shot.Content, func(p sdk.Content) bool { im, ok := p.(*sdk.ImageContent); return ok && len(im.Data) > 1000 }); i < 0 {
		t.Error("the screenshot has no picture")
	}
	byPlaywrightsNames(b, c)
}

// byPlaywrightsNames does the form of the same session as a client of Playwright MCP would.
func byPlaywrightsNames(b *bench, c *mcpClient) {
	b.t.Helper()
	c.do("browser_navigate", args{"url": b.url + "/form"})
	if got := c.do("browser_evaluate", args{"function": "() => document.title"}); got.All["value"] != "form" {
		b.t.Errorf("the title is %v", got.All)
	}
	press, field := c.ref("Press"), c.ref("Search")
	if got := c.do("browser_click", args{"element": "Press", "target": press}); !strings.Contains(got.Effect, "Pressed 1") {
		b.t.Errorf("the press says %q", got.Effect)
	}
	if got := c.do("browser_evaluate", args{"element": "Press", "target": press, "function": "(e) => e.textContent.trim()"}); !strings.Contains(fmt.Sprint(got.All["value"]), "Press") {
		b.t.Errorf("the button's text is %v", got.All)
	}
	c.do("browser_fill_form", args{"fields": []args{{"name": "Search", "type": "textbox", "target": field, "value": "tea"}}})
	// Without types, the tool for each field is found.
	c.do("browser_execute_js", args{"code": `document.querySelector("form").insertAdjacentHTML("beforeend", '<label>Size <select id=size><option>Small<option>Large</select></label> <label><input id=terms type=checkbox> Terms</label> <label><input id=news type=checkbox checked> News</label> <label><input id=fast type=radio name=way> Fast</label> <label>Amount <input id=amount type=number></label>')`})
	c.do("browser_fill_form", args{"fields": []args{
		{"ref": c.ref("Size"), "value": "Large"},
		{"ref": c.ref("Terms"), "value": "true"},
		{"ref": c.ref("News"), "value": "false"},
		{"ref": c.ref("Fast"), "value": "true"},
		{"ref": c.ref("Amount"), "value": 12},
		{"ref": field, "value": "mugs and tea"},
	}})
	if got := c.do("browser_evaluate", args{"function": `() => [size.value, terms.checked, news.checked, fast.checked, amount.value, document.querySelector("[name=q]").value].join()`}).All["value"]; got != "Large,true,false,true,12,mugs and tea" {
		b.t.Errorf("the form holds %v", got)
	}
	c.do("browser_type", args{"element": "Search", "target": field, "text": "mugs", "submit": true})
	if got := c.do("browser_page_summary", nil).All["visibleText"]; got != `You looked for "mugs"` {
		b.t.Errorf("after the search the page says %v", got)
	}
	c.do("browser_navigate_back", nil)
	if got := c.do("browser_network_requests", args{"static": false}); !strings.Contains(got.Text, "/form 200") {
		b.t.Errorf("the requests are %s", got.Text)
	}
	c.do("browser_console_messages", args{"level": "info"})
	c.do("browser_resize", args{"width": 500, "height": 400})
	c.do("browser_take_screenshot", args{"type": "png", "scale": "css"})
	c.do("browser_close", nil)
	c.do("browser_navigate", args{"url": b.url + "/"})
}

// TestErrors provokes the codes and reads each as a model would.
func TestErrors(t *testing.T) {
	b := newBench(t)
	c := b.connect(nil, b.launched()...)
	c.do("browser_navigate", args{"url": b.url + "/hard"})
	c.refuses("not_found", "browser_click", args{"selector": "#nowhere"})
	c.refuses("not_found", "browser_click", args{"index": 4711})
	c.refuses("disabled", "browser_click", args{"ref": c.ref("Frozen")})
	c.refuses("not_visible", "browser_click", args{"selector": "#ghost"})
	c.refuses("covered", "browser_click", args{"selector": "#under"})
	c.refuses("not_editable", "browser_type", args{"selector": "#plain", "text": "x"})
	c.refuses("invalid_params", "browser_click", nil)
	c.refuses("invalid_params", "browser_navigate", nil)
	c.refuses("invalid_params", "browser_tabs", args{"action": "juggle"})
	c.refuses("invalid_params", "browser_click", args{"ref": "e1", "confirmation_id": "c0"})
	c.refuses("blocked", "browser_navigate", args{"url": "chrome://settings"})
	c.refuses("blocked", "browser_navigate", args{"url": "http://169.254.169.254/latest/meta-data"})
	c.refuses("navigation_failed", "browser_navigate", args{"url": "http://127.0.0.1:9/"})

	c.do("browser_navigate", args{"url": b.url + "/hard"})
	soon := c.ref("Gone soon")
	c.do("browser_click", args{"ref": soon})
	stale := c.refuses("stale_ref", "browser_click", args{"ref": soon})
	for _, field := range []string{"ref", "snapshot_page_rev", "current_page_rev", "url"} {
		if _, ok := stale.Error.Data[field]; !ok {
			t.Errorf("stale_ref has no %s: %v", field, stale.Error.Data)
		}
	}
	c.try("browser_click", args{"ref": c.ref("Ask me")}) // the dialog may open in its wake
	open := c.refuses("dialog_open", "browser_get_elements", nil)
	if !strings.Contains(open.Text, "Really?") {
		t.Errorf("the dialog's words are not told: %q", open.Text)
	}
	c.do("browser_handle_dialog", args{"accept": false})
	c.refuses("timeout", "browser_wait_for", args{"text": "never to be seen", "timeoutMs": 300})

	c.do("browser_tabs", args{"action": "open", "url": b.url + "/form"})
	if l := c.do("browser_tabs", args{"action": "list"}); strings.Count(l.Text, b.url) != 2 {
		t.Errorf("the tabs are %s", l.Text)
	}
	c.do("browser_tabs", args{"action": "switch", "index": 1})
	c.do("browser_tabs", args{"action": "close", "index": 2})
	c.do("browser_click", args{"ref": c.ref("Ask me")})
	c.refuses("denied", "browser_handle_dialog", args{"accept": true}) // nobody knows what it would agree to
	c.do("browser_handle_dialog", args{"accept": false})

	c.do("browser_navigate", args{"url": b.url + "/danger"})
	c.refuses("denied", "browser_click", args{"ref": c.ref("Delete account")})
	if n := b.deleted(); n != "0" {
		t.Errorf("deleted %s times", n)
	}
	c.refuses("denied", "browser_execute_js", args{"code": "1"})

	for _, pid := range b.browsers() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended with its parent
	}
	r := c.try("browser_page_summary", nil)
	if code, _ := r.All["error"].(map[string]any); !r.IsErr || code["code"] != "detached" && code["code"] != "tab_closed" {
		t.Errorf("without its browser: %s", r.Text)
	}
	c.do("browser_navigate", args{"url": b.url + "/"}) // a new one is there
}

func TestConfirmAllow(t *testing.T) {
	b := newBench(t)
	c := b.connect(nil, b.launched("--confirm", "allow")...)
	c.do("browser_navigate", args{"url": b.url + "/danger"})
	c.do("browser_click", args{"ref": c.ref("Delete account")})
	if n := b.deleted(); n != "1" {
		t.Errorf("deleted %s times", n)
	}
	c.refuses("unsupported", "browser_execute_js", args{"code": "throw new Error('no')"})
}

// TestElicitation has the client's user answer, over both ways that MCP has
// for it: asking back in the middle of a call, and repeating the call.
func TestElicitation(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answer  *sdk.ElicitResult
		code    string
		deleted string
	}{
		{"yes", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, "", "1"},
		{"no", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": false, "why": "rename it instead"}}, "denied", "0"},
		{"declined", &sdk.ElicitResult{Action: "decline"}, "denied", "0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			var asked string
			o := &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				asked = r.Params.Message
				return tc.answer, nil
			}}
			c := b.connect(o, b.launched("--confirm", "ask")...)
			c.do("browser_navigate", args{"url": b.url + "/danger"})
			if a := (args{"ref": c.ref("Delete account")}); tc.code == "" {
				c.do("browser_click", a)
			} else {
				r := c.refuses(tc.code, "browser_click", a)
				if why, _ := tc.answer.Content["why"].(string); !strings.Contains(r.Text, why) {
					t.Errorf("the model is not told why: %s", r.Text)
				}
			}
			if !strings.HasPrefix(asked, "Delete account?\n") || !strings.Contains(asked, "127.0.0.1") {
				t.Errorf("the user was asked %q", asked)
			}
			if n := b.deleted(); n != tc.deleted {
				t.Errorf("deleted %s times, want %s", n, tc.deleted)
			}
		})
	}
	t.Run("a client that can't ask", func(t *testing.T) {
		b := newBench(t)
		c := b.connect(nil, b.launched("--confirm", "ask")...)
		c.do("browser_navigate", args{"url": b.url + "/danger"})
		c.refuses("denied", "browser_click", args{"ref": c.ref("Delete account")})
		if n := b.deleted(); n != "0" {
			t.Errorf("deleted %s times", n)
		}
	})
}

// TestCDP joins a browser that somebody else started, and leaves it running.
func TestCDP(t *testing.T) {
	b := newBench(t)
	first := b.connect(nil, b.launched()...)
	first.do("browser_navigate", args{"url": b.url + "/"})
	port := ""
	for _, pid := range b.browsers() {
		raw, err := os.ReadFile(filepath.Join("/proc", itoa(pid), "cmdline"))
		b.must(err)
		for _, a := range strings.Split(string(raw), "\x00") {
			if dir, ok := strings.CutPrefix(a, "--user-data-dir="); ok {
				if raw, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort")); err == nil {
					port, _, _ = strings.Cut(string(raw), "\n")
				}
			}
		}
	}
	c := b.connect(nil, "mcp", "--cdp", "http://127.0.0.1:"+port, "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": b.url + "/form"})
	c.do("browser_click", args{"ref": c.ref("Press")})
	b.must(c.Close())
	// Another joins it with cookies of its own, which go with it.
	c = b.connect(nil, "mcp", "--cdp", "http://127.0.0.1:"+port, "--isolated", "--allow-host", "127.0.0.1")
	first.do("browser_navigate", args{"url": b.url + "/cookie?set=first"})
	first.do("browser_navigate", args{"url": b.url + "/"})
	c.do("browser_navigate", args{"url": b.url + "/cookie"})
	if r := c.do("browser_get_text", args{"selector": "#who"}); !strings.Contains(r.Text, "nobody") {
		t.Errorf("an isolated client shares cookies: %s", r.Text)
	}
	if r := c.do("browser_tabs", args{"action": "list"}); strings.Count(r.Text, b.url) != 1 {
		t.Errorf("an isolated client sees other tabs: %s", r.Text)
	}
	d := b.join("http://127.0.0.1:" + port)
	if n := b.contexts(d); n != 1 {
		t.Errorf("%d contexts", n)
	}
	b.must(c.Close())
	b.until("the context goes with its client", func() bool { return b.contexts(d) == 0 })
	if len(b.browsers()) == 0 {
		t.Error("the browser that was joined has ended")
	}
	if got := first.do("browser_page_summary", nil).All["url"]; got != b.url+"/" {
		t.Errorf("the first client's tab went to %v", got)
	}
}

// TestChromiumArguments reach the browser from both places.
func TestChromiumArguments(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "TABWRIGHT_CHROMIUM_ARGS=--user-agent='From the environment' --host-resolver-rules='MAP far.test 127.0.0.1'")
	c := b.connect(nil, b.launched("--browser-arg", "--window-size=611,422")...)
	_, port, _ := strings.Cut(strings.TrimPrefix(b.url, "http://"), ":")
	r := c.do("browser_navigate", args{"url": "http://far.test:" + port + "/agent"})
	if got := c.do("browser_page_summary", nil); !strings.Contains(got.Text, "From the environment") {
		t.Errorf("the agent is not that of the environment: %s, %s", r.Text, got.Text)
	} else if w := got.All["viewport"].(map[string]any)["width"]; w != 611.0 {
		t.Errorf("the width is %v", w)
	}
}

func itoa(n int) string {
	raw, err := json.Marshal(n)
	if err != nil {
		return ""
	}
	return string(raw)
}

// TestNothingIsLeft ends the client, the server or both in the middle.
func TestNothingIsLeft(t *testing.T) {
	t.Run("the client closes", func(t *testing.T) {
		b := newBench(t)
		c := b.connect(nil, b.launched()...)
		c.do("browser_navigate", args{"url": b.url + "/"})
		if len(b.browsers()) == 0 {
			t.Fatal("no browser was found")
		}
		b.must(c.Close())
		b.noBrowser()
	})
	t.Run("the client dies in the middle of a call", func(t *testing.T) {
		b := newBench(t)
		cmd := b.command(b.launched()...)
		in, err := cmd.StdinPipe()
		b.must(err)
		out, err := cmd.StdoutPipe()
		b.must(err)
		b.must(cmd.Start())
		lines := json.NewDecoder(out)
		send := func(s string) { _, err := in.Write([]byte(s + "\n")); b.must(err) }
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		var m map[string]any
		b.must(lines.Decode(&m))
		send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_navigate","arguments":{"url":"` + b.url + `/"}}}`)
		b.must(lines.Decode(&m))
		send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"browser_wait","arguments":{"ms":30000}}}`)
		b.must(in.Close()) // as the kernel does for a client that was killed
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(leftover):
			t.Error("the server is still there")
			_ = cmd.Process.Kill()
		}
		b.noBrowser()
	})
	t.Run("the server is killed", func(t *testing.T) {
		b := newBench(t)
		c := b.connect(nil, b.launched()...)
		c.do("browser_navigate", args{"url": b.url + "/"})
		b.must(c.cmd.Process.Kill())
		b.noBrowser()
	})
}

func TestUsageErrors(t *testing.T) {
	b := newBench(t)
	for _, a := range [][]string{
		{"mcp", "--confirm", "allow"},
		{"mcp", "--cdp", "http://127.0.0.1:1", "--confirm", "allow"},
		{"mcp", "--confirm", "maybe"},
		{"mcp", "--headless"},
		{"mcp", "--isolated"},
		{"mcp", "--launch", "--profile", "own"},
		{"mcp", "--profile", "own", "--confirm", "allow"},
		{"mcp", "--cdp", "http://127.0.0.1:1", "--profile", "own"},
		{"mcp", "--tools", "some"},
		{"mcp", "--launch", "--cdp", "http://127.0.0.1:1"},
		{"mcp", "extra"},
	} {
		cmd := b.command(a...)
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); err == nil || code != 2 || len(out) != 0 {
			t.Errorf("%v: exit code %d, standard output %q", a, code, out)
		}
	}
}

// TestNoBrowser says what is missing when nothing is connected.
func TestNoBrowser(t *testing.T) {
	b := newBench(t)
	defer b.stopBroker()
	c := b.connect(nil, "mcp")
	r := c.refuses("no_browser", "browser_navigate", args{"url": b.url})
	if !strings.Contains(r.Error.Hint, "doctor") {
		t.Errorf("the hint is %q", r.Error.Hint)
	}
}
