package action

import (
	"context"
	"errors"
	_ "image/jpeg"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

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

// TestRealLeaves: what a page does with the tab's input is undone or told: another
// program that its script would open, of which Chrome asks in a window that takes
// all input; a pointer that it locks; the keyboard that a form moves to what is
// missing; a frame that goes elsewhere.
func TestRealLeaves(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "leaves.html")
		has(t, l.ok("click", p{"selector": "#other"}).Effect, "another program to open foo-bar:1")
		has(t, l.ok("click", p{"selector": "#turn"}).Effect, "another program to open foo-bar:2") // not where it was judged to lead
		for _, want := range []string{"Counted 1", "Counted 2"} {                                 // its window takes a moment to come
			has(t, l.ok("click", p{"selector": "#count"}).Effect, want)
		}
		l.ok("click", p{"selector": "#lock"})
		locked := `Object.getOwnPropertyDescriptor(Document.prototype, "pointerLockElement").get.call(document)` // an image has that name
		if got := l.eval("new Promise((done) => { const end = performance.now() + 3000; const look = () => " + locked + " || performance.now() > end ? done(" + locked + "?.localName) : setTimeout(look, 10); look(); })"); got != `"body"` {
			t.Fatalf("the pointer is locked to %s", got)
		}
		has(t, l.ok("click", p{"selector": "#count"}).Effect, "Counted 3")

		has(t, l.ok("type", p{"selector": "#mail", "text": "a@b.test", "submit": true}).Effect, `"a@b.test"`, `focus on`, `"Needed"`)
		has(t, l.ok("click", p{"index": l.found(p{"role": "link", "name": "On"}).Index}).Effect, "the frame went to", "next.html")
	})
}

func TestRealOwnTabs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		first := l.Tab()
		l.ok("click", p{"selector": "#nothing"})
		res := l.ok("openTab", p{"url": l.at("b.test", "next.html")})
		has(t, res.Effect, "next.html (Next)")
		if e := as[TabEntry](t, res); e.Index != 2 || !e.Active || e.ID != l.Tab() || e.Title != "Next" {
			t.Errorf("tab %+v", e)
		}
		type tabs struct{ Tabs []TabEntry }
		if ts := as[tabs](t, l.ok("listTabs", p{})).Tabs; len(ts) != 2 || ts[0].Active || !ts[1].Active || ts[0].Title != "Click" {
			t.Errorf("tabs %+v", ts)
		}
		l.fails(NavigationFailed, "openTab", p{"url": "http://a.test:1/"})
		l.fails(Blocked, "openTab", p{"url": "chrome://version"})
		if n := len(as[tabs](t, l.ok("listTabs", p{})).Tabs); n != 2 {
			t.Errorf("%d tabs after failures", n)
		}
		l.person.cards = nil
		l.ok("closeTab", p{}) // its own: nobody is asked
		if l.Tab() != first || len(l.person.cards) != 0 {
			t.Errorf("in tab %s, %d cards", l.Tab(), len(l.person.cards))
		}
		l.ok("openTab", p{})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "closeTab", p{"index": 1}) // the user's
		l.fails(NotFound, "closeTab", p{"index": 7})

		has(t, l.ok("webSearch", p{"query": "blue mugs & tea"}).Effect, "next.html?q=blue+mugs+%26+tea")
		l.fails(InvalidParams, "webSearch", p{"query": " "})
	})
}

func TestRealNavigation(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "")
		res := l.ok("navigate", p{"url": strings.TrimPrefix(l.at("a.test", "click.html"), "http://")})
		has(t, res.Effect, "navigated to http://a.test:", "(Click)")
		rev := res.PageRev
		res = l.ok("click", p{"selector": "#next"})
		has(t, res.Effect, "navigated to http://a.test:", "next.html (Next)")
		if res.PageRev != rev+1 {
			t.Errorf("page rev %d after %d", res.PageRev, rev)
		}
		has(t, l.ok("goBack", p{}).Effect, "click.html (Click)")
		has(t, l.ok("goForward", p{}).Effect, "next.html (Next)")
		l.fails(NavigationFailed, "goForward", p{})
		has(t, l.ok("refresh", p{}).Effect, "next.html (Next)")
		l.ok("navigate", p{"url": l.at("a.test", "click.html")})
		rev = l.do("wait", p{"ms": 1}).PageRev
		res = l.ok("click", p{"selector": "#hash"})
		has(t, res.Effect, "address is now", "#below")
		if res.PageRev != rev {
			t.Errorf("within one document the page rev went from %d to %d", rev, res.PageRev)
		}
		l.fails(Blocked, "navigate", p{"url": "chrome://version"})
		l.fails(Blocked, "navigate", p{"url": "javascript:alert(1)"})
		l.fails(NavigationFailed, "navigate", p{"url": "http://a.test:1/"})
	})
}

func TestRealTabs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		other, err := d.Open(context.Background(), l.at("b.test", "next.html"), false, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.CloseTab(context.Background(), other.ID) })
		res := l.ok("click", p{"selector": "#blank"})
		has(t, res.Effect, "opened a new tab at", "next.html")
		if n := len(l.Tabs()); n != 2 {
			t.Fatalf("%d tabs: %+v", n, l.Tabs())
		}
		l.fails(NotFound, "switchTab", p{"url": "b.test"})
		was := l.Tab()
		has(t, l.ok("switchTab", p{"url": "next.html"}).Text, "Next")
		if l.Tab() == was {
			t.Error("still in the old tab")
		}
		l.ok("click", p{"selector": "a"})
		if err := d.CloseTab(context.Background(), l.Tab()); err != nil {
			t.Fatal(err)
		}
		has(t, l.fails(TabClosed, "click", p{"selector": "a"}).Text, "switchTab")
		l.ok("switchTab", p{"index": 1})
		l.ok("click", p{"selector": "#nothing"})
	})
}

// TestRealTravel holds that a navigation is told of by where it ended: also
// where the page sends the browser on at its load event, or right after.
func TestRealTravel(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		for _, page := range []string{"sentonload.html", "sentonsoon.html"} {
			res := l.ok("navigate", p{"url": l.at("a.test", page)})
			has(t, res.Effect, "next.html (Next)")
		}
		// A place in the document that is shown is no other document.
		l.ok("navigate", p{"url": l.at("a.test", "click.html")})
		res := l.ok("navigate", p{"url": l.at("a.test", "click.html#below")})
		has(t, res.Effect, "address is now", "#below")
		// A page that keeps its view when it goes back must not be taken for the one before.
		l.eval(`history.pushState({}, "", "?as=another"), 0`)
		has(t, l.ok("goBack", p{}).Effect, "address is now", "click.html#below; nothing visible changed")
		// The first look finds the new document's elements.
		l.ok("click", p{"selector": "#nothing"})
	})
}
