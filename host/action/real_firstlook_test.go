package action

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

// TestRealFirstLook looks at tabs as soon as the browser gave them: it does so before
// the server has answered, and a look at once would see a blank page.
func TestRealFirstLook(t *testing.T) {
	const pause = 700 * time.Millisecond
	pass := func(ctx context.Context, d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/silent" {
			pass(r.Context(), pause)
		}
		_, _ = w.Write([]byte("<!doctype html><title>Slow</title>" + strings.Repeat("<p>first words", 3)))
		if r.URL.Path == "/streams" {
			w.(http.Flusher).Flush()
			pass(r.Context(), pause)
		}
		_, _ = w.Write([]byte("<p>last words"))
	}))
	t.Cleanup(srv.Close)
	base := "http://a.test:" + srv.URL[strings.LastIndex(srv.URL, ":")+1:]
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://a.test:" + strconv.Itoa(dead.Addr().(*net.TCPAddr).Port) + "/"
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	drivers(t, func(t *testing.T, d browser.Driver) {
		// What can't be loaded is an error with Chrome's reason, also where its error
		// page stood there before anybody listened.
		for _, late := range []bool{false, true} {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			info, err := d.Open(ctx, nobody, true, "")
			if err != nil {
				t.Fatal(err)
			}
			s, err := NewSession(Options{Driver: d, Tab: info.ID, Opened: true, Policy: safety.Context{Sites: []string{"a.test"}, LocalHosts: []string{"a.test"}}})
			if err != nil {
				t.Fatal(err)
			}
			if late {
				pass(ctx, pause)
			}
			_, err = s.Observe(ctx, ObserveOptions{})
			var ae *Error
			if !errors.As(err, &ae) || ae.Code != NavigationFailed || !strings.Contains(ae.Message, nobody) || !strings.Contains(ae.Message, "ERR_CONNECTION_REFUSED") {
				t.Errorf("a port where nobody listens, late %v: %v", late, err)
			}
			_ = s.Close(ctx)
			_ = d.CloseTab(ctx, info.ID)
		}
		for _, path := range []string{"/silent", "/streams", "/there"} {
			t.Run(path[1:], func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				info, err := d.Open(ctx, base+path, true, "")
				if err != nil {
					t.Fatal(err)
				}
				hosts := []string{"a.test"}
				s, err := NewSession(Options{Driver: d, Tab: info.ID, Opened: true, Policy: safety.Context{Sites: hosts, LocalHosts: hosts}})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = s.Close(ctx); _ = d.CloseTab(ctx, info.ID) }()
				if path == "/there" {
					pass(ctx, 2*pause) // its load event came before anybody listened
				}
				began := time.Now()
				obs, err := s.Observe(ctx, ObserveOptions{Budget: 1500, Full: true})
				if err != nil || obs.URL != base+path || !strings.Contains(obs.Text, "last words") {
					t.Errorf("%s: %q, %v", obs.URL, obs.Text, err)
				}
				if took := time.Since(began); path == "/there" && took >= loadTime {
					t.Errorf("a page that stood there was waited for: %v", took)
				}
			})
		}
	})
}
