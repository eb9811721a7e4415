package doors

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/rig"
)

// TestPrintWindow: a page that prints stands still under the browser's own
// window, in a tab that the person's covers. It is told at once, nothing waits
// for the page, and the session goes on in another tab. What the person prints
// themselves holds nobody up.
func TestPrintWindow(t *testing.T) {
	screen := rig.TestScreen(t)
	w := newChromeOn(t, screen.Display)
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, `<!doctype html><title>bill</title><button onclick="window.print()">Print</button><button onclick="this.textContent = 'Went'">Go</button>`)
	}))
	t.Cleanup(page.Close)
	theirs, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": page.URL + "/"})

	ref := c.ref("Print")
	began := time.Now()
	r := c.do("browser_click", args{"ref": ref})
	if took := time.Since(began); !strings.Contains(r.Effect, "the browser's print window") || took > 5*time.Second {
		t.Errorf("after %s: %s", took, r.Text)
	}
	for tool, a := range map[string]args{"browser_click": {"ref": ref}, "browser_handle_dialog": {"accept": true}} {
		if e := c.refuses("dialog_open", tool, a).Error; !strings.Contains(e.Message, "print window") || !strings.Contains(e.Hint, "browser_tabs") {
			t.Errorf("%s: %s; %s", tool, e.Message, e.Hint)
		}
	}
	c.do("browser_tabs", args{"action": "close"})

	c.do("browser_tabs", args{"action": "open", "url": page.URL + "/mine"})
	front := func(script string) (ok bool) {
		w.must(theirs.Eval(w.ctx, script, &ok))
		return ok
	}
	front(`chrome.tabs.query({url: "` + page.URL + `/mine"}).then(async ([t]) => !!await chrome.tabs.update(t.id, {active: true}))`)
	prints := `chrome.debugger.getTargets().then((all) => all.some((t) => t.url.startsWith("chrome://print")))`
	w.until("the page's own print window has gone", func() bool { return !front(prints) })
	w.must(screen.Key(w.ctx, "ctrl+p"))
	w.until("the person's print window is open", func() bool { return front(prints) })
	if r := c.do("browser_snapshot", args{}); !strings.Contains(r.Text, "Go") {
		t.Errorf("while the person prints: %s", r.Text)
	}
}
