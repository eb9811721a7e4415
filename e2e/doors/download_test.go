package doors

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	host "tabwright/host/browser"
	"tabwright/host/browser/direct"
)

// TestDownloadsThatEndBadly: one that the user cancels in the browser, and one
// that the browser refuses, end the call at once with a code and what to do.
func TestDownloadsThatEndBadly(t *testing.T) {
	refuse := func(b *bench, d *direct.Driver, behavior browser.SetDownloadBehaviorBehavior) {
		t.Helper()
		_, err := cdp.Call(b.ctx, d.Browser(), browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: behavior})
		b.must(err)
	}
	begin := func(c *mcpClient, s *stage) <-chan answer {
		t.Helper()
		n, done := s.count("file"), make(chan answer, 1)
		go func() { done <- c.try("browser_download", args{"selector": "a", "timeoutMs": 60000}) }()
		c.b.must(s.await("file", n))
		return done
	}
	t.Run("joined", func(t *testing.T) {
		b, s := newBench(t), newStage(t)
		own := b.own()
		c := b.connect(nil, "mcp", "--cdp", own.URL(), "--allow-host", "127.0.0.1")
		c.do("browser_navigate", args{"url": s.url + "/stage"})
		d := b.join(own.URL())
		events, stop := d.Subscribe()
		defer stop()
		done := begin(c, s)
		for e := range events {
			if e.Kind == host.Downloaded {
				_, err := cdp.Call(b.ctx, d.Browser(), browser.CancelDownload, browser.CancelDownloadParams{GUID: e.GUID})
				b.must(err)
				break
			}
		}
		coded(t, <-done, "navigation_failed", "was cancelled")
		s.release()
		refuse(b, d, browser.SetDownloadBehaviorBehaviorDeny)
		coded(t, c.try("browser_download", args{"selector": "a", "timeoutMs": 60000}), "navigation_failed", "broke off")
		c.do("browser_click", args{"selector": "#count"})
	})
	t.Run("extension", func(t *testing.T) {
		w, s := newChrome(t), newStage(t)
		c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
		c.do("browser_navigate", args{"url": s.url + "/stage"})
		panel, err := w.rig.OpenPanel(w.ctx)
		w.must(err)
		done := begin(c, s)
		var cancelled json.RawMessage
		w.must(panel.Eval(w.ctx, `(async () => { for (;;) { const [d] = await chrome.downloads.search({state: "in_progress"}); if (d) return await chrome.downloads.cancel(d.id), true; await new Promise((r) => setTimeout(r, 50)); } })()`, &cancelled))
		coded(t, <-done, "navigation_failed", "was cancelled in the browser")
		s.release()
		refuse(w.bench, w.rig.Driver, browser.SetDownloadBehaviorBehaviorDeny)
		coded(t, c.try("browser_download", args{"selector": "a", "timeoutMs": 60000}), "navigation_failed", "cancelled") // as chrome.downloads calls it
		c.do("browser_click", args{"selector": "#count"})
	})
}

func coded(t *testing.T, r answer, code, says string) {
	t.Helper()
	if !r.IsErr || r.Error.Code != code || !strings.Contains(r.Text, says) || r.Error.Hint == "" {
		t.Errorf("want %s that says %q: %s", code, says, r.Text)
	}
}
