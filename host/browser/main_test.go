package browser_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/browser/relay"
	"tabwright/host/browser/relay/relaytest"
)

//go:embed testdata/extractor.js
var extractor string

// chromium is the one browser of this package's tests; each test has a tab of
// its own.
var chromium = struct {
	sync.Once
	b   *launch.Browser
	err error
}{}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if chromium.b != nil {
		if err := chromium.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func startChromium(tb testing.TB) *launch.Browser {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs Chromium")
	}
	chromium.Do(func() {
		chromium.b, chromium.err = launch.Start(context.Background(), launch.Options{
			Headless: true, KeepPages: true,
			Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
		})
	})
	if chromium.err != nil {
		tb.Fatal(chromium.err)
	}
	return chromium.b
}

func ctxFor(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

func connectDirect(tb testing.TB, o direct.Options) *direct.Driver {
	tb.Helper()
	b := startChromium(tb)
	o.Extractor = extractor
	d, err := direct.Connect(ctxFor(tb), b.URL(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = d.Close() })
	return d
}

// site serves pages by path on any *.test name.
type site struct {
	srv *httptest.Server
	mux *http.ServeMux
}

func newSite(tb testing.TB, pages map[string]string) *site {
	tb.Helper()
	s := &site{mux: http.NewServeMux()}
	for path, body := range pages {
		s.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, port, _ := strings.Cut(r.Host, ":")
			_, _ = fmt.Fprint(w, strings.ReplaceAll(body, "{port}", port))
		})
	}
	s.srv = httptest.NewServer(s.mux)
	tb.Cleanup(s.srv.Close)
	return s
}

func (s *site) url(host, path string) string {
	u, _ := url.Parse(s.srv.URL)
	return "http://" + host + ":" + u.Port() + path
}

// driven runs a test on every driver.
func driven(t *testing.T, test func(t *testing.T, d browser.Driver)) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	t.Run("direct", func(t *testing.T) { test(t, connectDirect(t, direct.Options{})) })
	t.Run("relay", func(t *testing.T) {
		d, _ := connectRelay(t)
		test(t, d)
	})
}

// connectRelay gives a relay driver over a played service worker.
func connectRelay(tb testing.TB) (*relay.Driver, *relaytest.Worker) {
	tb.Helper()
	return connectRelayBy(tb, func(c relay.Caller) relay.Caller { return c })
}

// connectRelayBy is connectRelay with something between the driver and the worker.
func connectRelayBy(tb testing.TB, by func(relay.Caller) relay.Caller) (*relay.Driver, *relaytest.Worker) {
	tb.Helper()
	w := relaytest.Start(tb, startChromium(tb).URL(), extractor)
	var d *relay.Driver
	ready := make(chan struct{})
	peer := w.Connect(tb, func(method string, params json.RawMessage) {
		<-ready
		d.Event(method, params)
	})
	d = relay.New(by(peer), relay.Options{ExtensionID: relaytest.ExtensionID, Extractor: extractor})
	close(ready)
	tb.Cleanup(func() { _ = d.Close() })
	return d, w
}

// openTab opens a tab of the test's own, attached and at an address.
func openTab(tb testing.TB, d browser.Driver, address string) *browser.Tab {
	tb.Helper()
	ctx := ctxFor(tb)
	info, err := d.Open(ctx, "about:blank", true, "")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = d.CloseTab(ctx, info.ID)
	})
	tab, err := d.Attach(ctx, info.ID)
	if err != nil {
		tb.Fatal(err)
	}
	if address != "" {
		if err := tab.Navigate(ctx, address); err != nil {
			tb.Fatal(err)
		}
	}
	return tab
}

// mainFrame gives the main frame or ends the test.
func mainFrame(tb testing.TB, tab *browser.Tab) *browser.Frame {
	tb.Helper()
	f, err := tab.MainFrame(ctxFor(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// find gives the extractor's id of an element.
func find(tb testing.TB, f *browser.Frame, selector string) int {
	tb.Helper()
	var n *struct{ ID int }
	if err := f.Call(ctxFor(tb), "find", map[string]string{"selector": selector}, &n); err != nil {
		tb.Fatal(err)
	}
	if n == nil {
		tb.Fatalf("no %s in %s", selector, f.URL())
	}
	return n.ID
}

// click clicks the middle of an element with the mouse.
func click(tb testing.TB, tab *browser.Tab, f *browser.Frame, selector string) {
	tb.Helper()
	ctx := ctxFor(tb)
	var at struct{ X, Y float64 }
	if err := f.Call(ctx, "center", map[string]int{"id": find(tb, f, selector)}, &at); err != nil {
		tb.Fatal(err)
	}
	dx, dy, ok := f.Offset(ctx)
	if !ok {
		tb.Fatalf("frame %s is not rendered", f.URL())
	}
	for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
		button := "left"
		if kind == browser.MouseMove {
			button = ""
		}
		if err := tab.Mouse(ctx, kind, at.X+dx, at.Y+dy, button, 1, 0); err != nil {
			tb.Fatalf("%s: %v", kind, err)
		}
		if tab.Dialog() != nil {
			return
		}
	}
}

// evaluate gives a value of the page's own world.
func evaluate[T any](tb testing.TB, tab *browser.Tab, code string) T {
	tb.Helper()
	raw, err := tab.Evaluate(ctxFor(tb), code)
	if err != nil {
		tb.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		tb.Fatalf("%s: %v", raw, err)
	}
	return v
}
