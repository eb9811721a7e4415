package browser_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/host/browser"
)

// TestGround: documents are judged at every redirect by their address, and by
// the address they were served from before anything is read, in all frames.
func TestGround(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{
			"/start": `<title>start</title><a id=hop href="/hop">Next</a><a id=inner href="http://inner.test:{port}/secret">Inner</a>`,
			"/host":  `<title>host</title><p>outside</p><iframe id=f src="http://inner.test:{port}/secret"></iframe><iframe src="http://pub.test:{port}/plain"></iframe>`,
			"/plain": `<title>plain</title><p>plain text`,
		})
		var asked atomic.Int64
		s.mux.HandleFunc("GET /secret", func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>swordfish</title><p>swordfish"))
		})
		s.mux.HandleFunc("GET /hop", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/hop2", http.StatusFound)
		})
		s.mux.HandleFunc("GET /hop2", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, s.url("127.0.0.1", "/secret"), http.StatusFound)
		})
		inside := errors.New("inside")
		ground := func(address, ip string) error {
			u, err := url.Parse(address)
			if err != nil {
				return err
			}
			switch {
			case ip == "" && u.Hostname() == "127.0.0.1", ip == "127.0.0.1" && u.Hostname() == "inner.test":
				return inside
			}
			return nil
		}
		open := func(t *testing.T) *browser.Tab {
			tab := openTab(t, d, "")
			tab.SetGround(ground)
			if err := tab.Navigate(ctxFor(t), s.url("pub.test", "/start")); err != nil {
				t.Fatal(err)
			}
			return tab
		}
		refused := func(t *testing.T, tab *browser.Tab) *browser.Refusal {
			t.Helper()
			until(t, "the refusal", func() bool { return tab.Refused() != nil })
			return tab.Refused()
		}
		blank := func(t *testing.T, tab *browser.Tab) {
			t.Helper()
			until(t, "the empty page", func() bool { return tab.URL() == "about:blank" })
		}

		t.Run("a name that resolves to the inside", func(t *testing.T) {
			tab := open(t)
			err := tab.Navigate(ctxFor(t), s.url("inner.test", "/secret"))
			var r *browser.Refusal
			if !errors.As(err, &r) || !errors.Is(err, browser.ErrRefused) || !errors.Is(err, inside) || r.IP != "127.0.0.1" || !strings.Contains(r.URL, "inner.test") {
				t.Fatalf("error %v", err)
			}
			blank(t, tab)
			if title := evaluate[string](t, tab, "document.title"); title != "" {
				t.Errorf("the page is still there: %q", title)
			}
			if err := tab.Navigate(ctxFor(t), s.url("pub.test", "/start")); err != nil || tab.Refused() != nil {
				t.Errorf("can't go elsewhere: %v, %v", err, tab.Refused())
			}
		})
		t.Run("by a link", func(t *testing.T) {
			tab := open(t)
			click(t, tab, mainFrame(t, tab), "#inner")
			if r := refused(t, tab); r.IP != "127.0.0.1" {
				t.Errorf("refused %+v", r)
			}
			blank(t, tab)
		})
		t.Run("at the second redirect", func(t *testing.T) {
			tab := open(t)
			before := asked.Load()
			click(t, tab, mainFrame(t, tab), "#hop")
			if r := refused(t, tab); r.IP != "" || !strings.Contains(r.URL, "127.0.0.1") {
				t.Errorf("refused %+v", r)
			}
			if err := tab.Navigate(ctxFor(t), s.url("pub.test", "/hop")); !errors.Is(err, browser.ErrRefused) {
				t.Errorf("navigate: %v", err)
			}
			if asked.Load() != before {
				t.Error("the request left")
			}
		})
		t.Run("in a frame", func(t *testing.T) {
			tab := open(t)
			if err := tab.Navigate(ctxFor(t), s.url("pub.test", "/host")); err != nil {
				t.Fatal(err)
			}
			until(t, "the frame to be blank", func() bool {
				fs, err := tab.Frames(ctxFor(t))
				if err != nil {
					return false
				}
				urls := ""
				for _, f := range fs {
					urls += f.URL() + " "
				}
				if strings.Contains(urls, "/secret") {
					t.Fatalf("it can be read: %s", urls)
				}
				return strings.Contains(urls, "about:blank") && strings.Contains(urls, "/plain")
			})
			if tab.Refused() != nil {
				t.Error("the page itself was refused")
			}
		})
	})
}

// until waits for a condition.
func until(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	limit := time.After(20 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-limit:
			tb.Fatalf("waited in vain for %s", what)
		}
	}
}
