package doors

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mailbox is a site that counts, by host, what is sent on it.
type mailbox struct {
	mu   sync.Mutex
	sent map[string]int
}

func (m *mailbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	if r.Method == http.MethodPost {
		m.mu.Lock()
		m.sent[host]++
		m.mu.Unlock()
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>%s</title><h1>Hello</h1><form method=post action="/out"><button>Send message</button></form>
<form method=post action="/p"><button>Pay $5.00</button></form><form method=post action="/d"><button>Delete all messages</button></form>`, host)
}

func (m *mailbox) count(host string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent[host]
}

// TestAlwaysOnThisSite: a click on "always on this site" in the side panel lets
// the like pass on that site without a question, and on no other; for what costs
// money, deletes or runs code it is not even offered.
func TestAlwaysOnThisSite(t *testing.T) {
	w := newChrome(t)
	box := &mailbox{sent: map[string]int{}}
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	at := func(host string) args {
		return args{"url": strings.Replace(server.URL, "127.0.0.1", host, 1) + "/"}
	}
	c := w.connect(nil, "mcp", "--confirm", "ask", "--allow-host", ".test")
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	const always = `document.querySelector('[data-testid=confirm-always]:enabled')`
	card := func(words string) {
		t.Helper()
		w.must(panel.Await(w.ctx, fmt.Sprintf(`document.querySelector('[data-testid=confirm-allow]:enabled') && document.querySelector('[data-testid=confirm-card]').innerText.includes(%q)`, words)))
	}

	c.do("browser_navigate", at("mail.test"))
	send := args{"selector": "form[action='/out'] button"}
	q := c.refuses("needs_confirmation", "browser_click", send)
	card("Send message")
	w.must(panel.Await(w.ctx, always))
	done := make(chan *sdk.CallToolResult, 1)
	go func(ctx context.Context) {
		again := args{"selector": send["selector"], "confirmation_id": q.Error.ConfirmationID}
		r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "browser_click", Arguments: again})
		if err != nil {
			r = &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
		}
		done <- r
	}(w.ctx)
	w.must(panel.Click(w.ctx, "confirm-always"))
	if r := <-done; r.IsError {
		t.Fatalf("after the yes: %s", text(r))
	}
	if got := w.ok("policy", "show"); !strings.Contains(got, "mail.test") || !strings.Contains(got, "communicate") {
		t.Errorf("the policy has no grant:\n%s", got)
	}
	c.do("browser_click", send) // nobody is asked
	if n := box.count("mail.test"); n != 2 {
		t.Errorf("sent %d times", n)
	}

	for name, call := range map[string]struct {
		tool string
		args args
		card string
	}{
		"a payment":  {"browser_click", args{"selector": "form[action='/p'] button"}, "Pay $5.00"},
		"a deletion": {"browser_click", args{"selector": "form[action='/d'] button"}, "Delete all messages"},
		"code":       {"browser_execute_js", args{"code": "document.title"}, "document.title"},
	} {
		c.refuses("needs_confirmation", call.tool, call.args)
		card(call.card)
		var offered bool
		w.must(panel.Eval(w.ctx, `!!document.querySelector('[data-testid=confirm-always]')`, &offered))
		if offered {
			t.Errorf("%s: \"always\" is offered", name)
		}
	}
	c.do("browser_navigate", at("forum.test")) // withdraws the last question
	c.refuses("needs_confirmation", "browser_click", send)
	card("forum.test")
	w.must(panel.Deny(w.ctx))
	if n, m := box.count("mail.test"), box.count("forum.test"); n != 2 || m != 0 {
		t.Errorf("sent %d times on the one, %d on the other", n, m)
	}
	w.must(c.Close())
}
