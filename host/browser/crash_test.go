package browser_test

import (
	"errors"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
)

// A page whose process ends while it is navigated: Chrome may go on with that in
// another process, drop it, or forget it without a word. The call ends soon, and
// the next navigation brings a page.
func TestCrashUnderANavigation(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	for name, keep := range map[string]bool{"launched": false, "as a user's": true} {
		for name2, answers := range map[string]bool{"no answer": false, "an answer with the crash": true} {
			t.Run(name+", "+name2, func(t *testing.T) { crashUnder(t, keep, answers) })
		}
	}
}

func crashUnder(t *testing.T, keepPages, answers bool) {
	ctx := ctxFor(t)
	b, err := launch.Start(ctx, launch.Options{Headless: true, KeepPages: keepPages})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	d, err := direct.Connect(ctx, b.URL(), direct.Options{Extractor: extractor})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	s := newSite(t, map[string]string{"/": "one"})
	asked, hold := make(chan struct{}), make(chan struct{})
	s.mux.HandleFunc("GET /never", func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	tab := openTab(t, d, s.url("127.0.0.1", "/"))
	ended := make(chan error, 1)
	go func() { ended <- tab.Navigate(ctx, s.url("127.0.0.1", "/never")) }()
	select {
	case <-asked:
	case err := <-ended:
		t.Fatal(err)
	}
	killRenderers(t, d)
	killed := time.Now()
	if answers {
		close(hold)
	}
	var failed *browser.NavError
	if err := <-ended; err != nil && !errors.Is(err, browser.ErrCrashed) && !errors.As(err, &failed) {
		t.Errorf("the navigation under way: %v", err)
	}
	if took := time.Since(killed); took > browser.NavTimeout/2 {
		t.Errorf("it ended after %s", took)
	}
	if err := tab.Navigate(ctx, s.url("127.0.0.1", "/")); err != nil {
		t.Errorf("the next navigation: %v", err)
	}
	if err := mainFrame(t, tab).Call(ctx, "summary", nil, nil); err != nil {
		t.Error(err)
	}
}

// killRenderers ends the processes of all pages of a browser.
func killRenderers(t *testing.T, d *direct.Driver) {
	t.Helper()
	all, err := cdp.Call(ctxFor(t), d.Browser(), systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all.ProcessInfo {
		if p.Type != "renderer" {
			continue
		}
		proc, err := os.FindProcess(int(p.ID))
		if err == nil {
			err = proc.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
