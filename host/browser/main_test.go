package browser_test

import (
	"context"
	_ "embed"
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
			Headless: true,
			Args:     []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
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
	t.Run("direct", func(t *testing.T) { test(t, connectDirect(t, direct.Options{})) })
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
