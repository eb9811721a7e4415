package doors

import (
	"fmt"
	"strings"
	"testing"
)

// TestDiscardedTab: Chrome throws a tab's page away to save memory, which ends
// the debugger's hold on it and gives the tab another number. For a program it
// is closed: every call says so at once, with what to do, and that works.
func TestDiscardedTab(t *testing.T) {
	w := newChrome(t)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": w.url + "/count"})
	press := c.ref("Press")
	c.do("browser_click", args{"ref": press})
	panel, id := w.panelFor("/count")
	var said string
	w.must(panel.Eval(w.ctx, fmt.Sprintf(`chrome.tabs.discard(%d).then((t) => t ? "discarded" : "nothing", (e) => String(e))`, id), &said))
	if said != "discarded" {
		t.Fatalf("Chrome discards no attached tab: %s", said)
	}
	if r := c.try("browser_page_summary", nil); !r.IsErr || !strings.HasPrefix(r.Text, "ERROR tab_closed: ") {
		t.Errorf("the summary says: %s", r.Text)
	}
	for tool, a := range map[string]args{
		"browser_get_elements": nil, "browser_click": {"ref": press}, "browser_navigate": {"url": w.url + "/count"},
	} {
		if r := c.refuses("tab_closed", tool, a); !strings.Contains(r.Text, "browser_tabs") {
			t.Errorf("%s does not say what to do:\n%s", tool, r.Text)
		}
	}
	c.do("browser_tabs", args{"action": "open", "url": w.url + "/count"})
	if r := c.do("browser_click", args{"ref": c.ref("Press")}); !strings.Contains(r.Effect, "Pressed 1") {
		t.Errorf("in a new tab: %s", r.Text)
	}
}
