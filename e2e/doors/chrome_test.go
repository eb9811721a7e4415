package doors

import (
	"context"
	"encoding/json"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/e2e/rig"
	"tabwright/e2e/shop"
)

// chrome is a browser with the extension, as a user has it, and a shop.
type chrome struct {
	*bench
	rig  *rig.Rig
	shop *shop.Shop
	site string
}

func newChrome(t *testing.T) *chrome { return newChromeOn(t, "") }

// newChromeOn is the same with a window, on a display.
func newChromeOn(t *testing.T, display string) *chrome {
	t.Helper()
	b := newBench(t)
	c := &chrome{bench: b, shop: shop.New(4711)}
	server := httptest.NewServer(c.shop.Handler())
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	b.must(err)
	c.site = "http://shop.test:" + port + "/"
	c.rig, err = rig.Start(b.ctx, rig.Options{
		Binary: b.binary, Headless: display == "", Env: []string{"DISPLAY=" + display},
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"},
	})
	b.must(err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.rig.Logs())
		}
		if err := c.rig.Close(); err != nil {
			t.Error(err)
		}
	})
	b.env = c.rig.Command(b.ctx, "version").Env
	// The extension's service worker says hello when the browser has started.
	page, err := c.rig.Open(b.ctx, c.site)
	b.must(err)
	b.must(rig.Await(b.ctx, page, `document.readyState === 'complete'`))
	p, err := c.rig.OpenPanel(b.ctx)
	b.must(err)
	b.must(p.Await(b.ctx, `document.querySelector('[data-testid=status]')`))
	b.must(p.Close(b.ctx))
	return c
}

// TestUsersBrowser has an MCP client buy in the user's own browser: the
// side panel asks, and only its yes lets the purchase through.
func TestUsersBrowser(t *testing.T) {
	w := newChrome(t)
	if got := w.ok("profiles"); !strings.Contains(got, "Chromium") && !strings.Contains(got, "Chrome") {
		t.Fatalf("the profiles are %q", got)
	}
	c := w.connect(nil, "mcp", "--confirm", "ask", "--allow-host", ".test")
	before := len(w.tabs())
	c.do("browser_navigate", args{"url": w.site + "p/" + w.shop.Cheapest().ID})
	if n := len(w.tabs()); n != before+1 {
		t.Errorf("%d tabs, there were %d: it begins in a tab that it opens", n, before)
	}
	c.do("browser_click", args{"ref": c.ref("Add to cart")})
	c.do("browser_navigate", args{"url": w.site + "checkout"})
	fill(c)
	pay := args{"ref": c.button("Pay")}
	q := c.refuses("needs_confirmation", "browser_click", pay)
	if q.Error.ConfirmationID == "" {
		t.Fatalf("no confirmation_id: %v", q.All)
	}
	if n := len(w.shop.Orders()); n != 0 {
		t.Fatalf("%d orders before anybody was asked", n)
	}
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=confirm-allow]')`))
	card, err := panel.Text(w.ctx, "confirm-card")
	w.must(err)
	if !strings.Contains(strings.Join(card, "\n"), "Pay") {
		t.Errorf("the card is %q", card)
	}
	// The call waits in another goroutine while the user answers.
	pay["confirmation_id"] = q.Error.ConfirmationID
	done := make(chan *sdk.CallToolResult, 1)
	go func(ctx context.Context) {
		r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "browser_click", Arguments: pay})
		if err != nil {
			r = &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
		}
		done <- r
	}(w.ctx)
	w.must(panel.Allow(w.ctx))
	if r := <-done; r.IsError {
		t.Fatalf("after the yes: %s", text(r))
	}
	if n := len(w.shop.Orders()); n != 1 {
		t.Errorf("%d orders after the yes", n)
	}
	// A session has no say over another's tab, nor over the user's.
	if r := c.do("browser_tabs", args{"action": "list"}); strings.Count(r.Text, "shop.test") != 1 {
		t.Errorf("it sees tabs that are not its own:\n%s", r.Text)
	}
	if got := w.ok("sessions"); !strings.Contains(got, "doors-test") {
		t.Errorf("the sessions are %q", got)
	}
	w.must(c.Close())
	for w.ok("sessions") != "" { // ends with the test's limit, if never
		if w.ctx.Err() != nil {
			t.Fatal("the session outlives its client")
		}
	}
}

// TestUsersBrowserCommands is the command line there, over several calls.
func TestUsersBrowserCommands(t *testing.T) {
	w := newChrome(t)
	w.ok("open", w.site, "--allow-host", ".test")
	w.ok("find", "role", "link", "--name", w.shop.Cheapest().Name, "click")
	if got := w.ok("get", "url"); !strings.HasPrefix(got, w.site+"p/") {
		t.Errorf("it is at %q", got)
	}
	// Another call withdraws the question, and its id is good for nothing then.
	var q struct {
		Error struct {
			ID string `json:"confirmation_id"`
		}
	}
	s := w.fails(3, "", "eval", "document.title", "--json")
	w.must(json.Unmarshal([]byte(s.out), &q))
	again := w.fails(3, "", "eval", "document.title", "--json")
	if q.Error.ID == "" || !strings.Contains(again.out, q.Error.ID) {
		t.Errorf("the same call has another question: %s, %s", s.out, again.out)
	}
	w.fails(2, "another call", "eval", "document.URL", "--confirmation", q.Error.ID)
	w.ok("get", "url")
	w.fails(2, "no question", "eval", "document.title", "--confirmation", q.Error.ID)
	w.fails(2, "find can't repeat a call", "find", "role", "link", "--name", "Cart", "click", "--confirmation", q.Error.ID)
	w.fails(2, "--confirm allow", "open", w.site, "--confirm", "allow")
	n := len(w.tabs())
	w.ok("close")
	if got := len(w.tabs()); got != n-1 {
		t.Errorf("%d tabs after close, %d before", got, n)
	}
}

func (w *chrome) tabs() []string {
	w.t.Helper()
	list, err := w.rig.Driver.Tabs(w.ctx)
	w.must(err)
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.URL
	}
	return out
}

// button finds a button by how its name begins.
func (c *mcpClient) button(prefix string) string {
	c.b.t.Helper()
	r := c.do("browser_get_elements", args{"type": "button"})
	for _, e := range r.Elements {
		if strings.HasPrefix(e.Name, prefix) {
			return e.Ref
		}
	}
	c.b.t.Fatalf("no button %q:\n%s", prefix, r.Text)
	return ""
}

// fill fills in what the checkout wants.
func fill(c *mcpClient) {
	c.b.t.Helper()
	r := c.do("browser_get_elements", args{"type": "input"})
	for _, e := range r.Elements {
		if e.Role != "textbox" || e.Value != "" || strings.Contains(e.Name, "Search") {
			continue
		}
		word := "Ada"
		if strings.Contains(strings.ToLower(e.Name), "mail") {
			word = "ada@example.com"
		}
		c.do("browser_type", args{"ref": e.Ref, "text": word})
	}
}
