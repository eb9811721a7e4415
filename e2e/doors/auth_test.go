package doors

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tabwright/e2e/rig"
)

// locked is a site that wants a name and a password, as HTTP asks for them.
func locked(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Open</title><h1>Open</h1><a href="/vault">Vault</a> <button onclick="fetch('/vault').then((r) => document.title = 'got ' + r.status)">Fetch</button>`)
	})
	mux.HandleFunc("GET /vault", func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); ok {
			fmt.Fprint(w, "<title>Inside</title>inside")
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="The vault"`)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<title>401</title><p>Who are you?")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// TestPasswordPrompt has a window, in which Chrome asks for the name and the
// password of a site: the call that led there ends with a code and says who can
// give them, and the session goes on.
func TestPasswordPrompt(t *testing.T) {
	w := newChromeOn(t, rig.TestScreen(t).Display)
	site := locked(t)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": site})
	coded(t, c.try("browser_navigate", args{"url": site + "/vault"}), "navigation_failed", "a name and a password")
	// Its window goes some time after the page that it asked for.
	var last string
	gone := func() bool {
		r := c.try("browser_click", args{"selector": "h1"})
		last = r.Text
		return !r.IsErr
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last click on the page: %s", last)
		}
	})
	c.do("browser_navigate", args{"url": site})
	w.until("Chrome's window has gone", gone)
	if r := c.do("browser_click", args{"selector": "a"}); !strings.Contains(r.Text, "/vault could not be loaded") {
		t.Errorf("a link to it: %s", r.Text)
	}
	c.do("browser_navigate", args{"url": site})
	w.until("Chrome's window has gone after a link, too", gone)
	if r := c.do("browser_click", args{"selector": "button"}); !strings.Contains(r.Text, "still waits for its server") {
		t.Errorf("a script that asks for it: %s", r.Text)
	}
	// Chrome's window stands over the page now, and takes its clicks.
	coded(t, c.try("browser_click", args{"selector": "h1"}), "covered", "a window of the browser's own")
	c.do("browser_navigate", args{"url": site})
	w.until("the page takes clicks again", gone)
}
