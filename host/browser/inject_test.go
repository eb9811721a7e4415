package browser_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/relay/relaytest"
	"tabwright/host/native/wire"
)

// A launched browser has the extractor in every frame before the page's own
// scripts run, so that a look at a new page need not bring it there.
func TestExtractorComesWithTheDocument(t *testing.T) {
	d := connectDirect(t, direct.Options{})
	s := newSite(t, map[string]string{
		"/":   `<iframe src="/in"></iframe><iframe src="http://b.test:{port}/in"></iframe>out`,
		"/in": `in`,
	})
	tab, ctx := openTab(t, d, "about:blank"), ctxFor(t)
	if err := tab.Navigate(ctx, s.url("a.test", "/")); err != nil {
		t.Fatal(err)
	}
	fs, err := tab.Frames(ctx)
	if err != nil || len(fs) != 3 {
		t.Fatalf("%d frames, %v", len(fs), err)
	}
	for _, f := range fs[:2] { // a frame in a process of its own may have begun before its session
		var born string
		if err := f.Call(ctx, "born", nil, &born); err != nil || born != "loading" {
			t.Errorf("%s: it came when the document was %q, %v", f.URL(), born, err)
		}
	}
	if err := fs[2].Call(ctx, "summary", nil, nil); err != nil {
		t.Errorf("%s: %v", fs[2].URL(), err)
	}
}

// Through the extension the extractor comes with a new document as well, and
// nothing is asked of one that began while its tab was attached but what is
// wanted of it. It is put there on demand where the extension is from before
// that, where its world was made for something else first, and where the
// extractor went away after all.
func TestNewDocumentIsAskedNothingMore(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": "one", "/two": "two"})
	for _, c := range []struct {
		name    string
		set     func(*relaytest.Worker)
		follows bool // no message of the host's puts it there
		asked   bool // the page, to find out
	}{
		{"followed", func(*relaytest.Worker) {}, true, false},
		{"an older extension", func(w *relaytest.Worker) { w.NoFollow = true }, false, false},
		{"a world without it", func(w *relaytest.Worker) {
			w.Bare = func(url string) bool { return strings.HasSuffix(url, "/two") }
		}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, w := connectRelay(t)
			c.set(w)
			tab, ctx := openTab(t, d, s.url("a.test", "/")), ctxFor(t)
			look := func() *browser.Frame {
				t.Helper()
				f := mainFrame(t, tab)
				var sum struct{ URL string }
				if err := f.Call(ctx, "summary", nil, &sum); err != nil || sum.URL != f.URL() {
					t.Fatalf("%s: %+v, %v", f.URL(), sum, err)
				}
				return f
			}
			look()
			before := w.Sent("Runtime.evaluate")
			if got := follows(t, w, tab, s.url("b.test", "/two")); got != c.follows {
				t.Errorf("the extractor comes with new documents: %v", got)
			}
			if n := w.Sent("Runtime.evaluate") - before; n > 0 != c.asked {
				t.Errorf("they were asked %d times whether the extractor is there", n)
			}
			if err := look().Call(ctx, "vanish", nil, nil); err != nil {
				t.Fatal(err)
			}
			look()
		})
	}
}

// An extension that was reloaded leaves worlds in a frame that Chrome makes anew in
// its later documents: whichever is reported last, the extractor is found where it is.
func TestWorldsOfReloadedExtensions(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": "one", "/two": "two"})
	for name, set := range map[string]func(*relaytest.Worker){
		"followed":           func(w *relaytest.Worker) { w.Stale = 3 },
		"an older extension": func(w *relaytest.Worker) { w.Stale, w.NoFollow = 3, true },
	} {
		t.Run(name, func(t *testing.T) {
			d, w := connectRelay(t)
			set(w)
			tab, ctx := openTab(t, d, s.url("a.test", "/")), ctxFor(t)
			for i := range 6 {
				f := mainFrame(t, tab)
				var sum struct{ URL string }
				if err := f.Call(ctx, "summary", nil, &sum); err != nil || sum.URL != f.URL() {
					t.Fatalf("%s: %+v, %v", f.URL(), sum, err)
				}
				if i == 2 { // the world was the right one and is empty now
					if err := f.Call(ctx, "vanish", nil, nil); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if err := tab.Navigate(ctx, s.url("a.test", []string{"/", "/two"}[i%2])); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// follows tells whether the extractor comes with the tab's documents: a look at
// one of several has it put nowhere. On a busy machine it may come too late for
// a look not to ask for it.
func follows(t *testing.T, w *relaytest.Worker, tab *browser.Tab, url string) bool {
	t.Helper()
	for range 8 {
		before := w.Sent(wire.MethodInject)
		if err := tab.Navigate(ctxFor(t), url); err != nil {
			t.Fatal(err)
		}
		if err := mainFrame(t, tab).Call(ctxFor(t), "summary", nil, nil); err != nil {
			t.Fatal(err)
		}
		if w.Sent(wire.MethodInject) == before {
			return true
		}
	}
	return false
}

// While a page is waited for that was navigated to, the extractor's code gets
// ready for the look that follows: the first one of the page before that was not at a
// part of it.
func TestExtractorGetsReady(t *testing.T) {
	s := newSite(t, map[string]string{"/": "one"})
	driven(t, func(t *testing.T, d browser.Driver) {
		tab, ctx := openTab(t, d, ""), ctxFor(t)
		w := tab.Watch()
		defer w.Close()
		type ask struct {
			fn string
			of map[string]any
		}
		for _, c := range []struct {
			ready string
			then  []ask
		}{
			{`summary undefined`, []ask{{"list", map[string]any{"scope": "p"}}, {"tree", map[string]any{"max": 7}}, {"list", map[string]any{"first": 8}}}},
			{`tree {"max":7}`, []ask{{"list", map[string]any{"first": 9}}}},
			{`list {"first":9}`, nil},
		} {
			if err := tab.Navigate(ctx, s.url("a.test", "/")); err != nil {
				t.Fatal(err)
			}
			w.Rest(ctx, 200*time.Millisecond, 5*time.Second) // the world may come after the load event
			var look string
			if err := mainFrame(t, tab).Call(ctx, "readied", nil, &look); err != nil || look != c.ready {
				t.Errorf("ready for a look of %q, %v, want %q", look, err, c.ready)
			}
			for _, a := range c.then {
				if err := mainFrame(t, tab).Call(ctx, a.fn, a.of, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Through the extension a look is begun as a document comes, without a message:
// of the kind that the last page was first looked at, which the service worker is told
// of where that is another.
func TestLookBeginsWithTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": "one"})
	d, w := connectRelay(t)
	tab, ctx := openTab(t, d, s.url("a.test", "/")), ctxFor(t)
	begins := func() (look string) {
		t.Helper()
		for try := 0; try < 8 && look == ""; try++ { // on a busy machine it may come on demand, for the question
			if err := tab.Navigate(ctx, s.url("a.test", "/")); err != nil {
				t.Fatal(err)
			}
			if err := mainFrame(t, tab).Call(ctx, "begun", nil, &look); err != nil {
				t.Fatal(err)
			}
		}
		return look
	}
	last := "summary" // where nobody has looked
	for _, look := range []string{"summary", "tree", "tree", "list", "summary"} {
		if got := begins(); got != last {
			t.Errorf("it begins with %q, the last page was looked at with a %s", got, last)
		}
		told := w.Sent(wire.MethodFollow)
		if err := mainFrame(t, tab).Call(ctx, look, nil, nil); err != nil {
			t.Fatal(err)
		}
		if other := look != last; other {
			told++
			for w.Sent(wire.MethodFollow) < told && ctx.Err() == nil {
				runtime.Gosched()
			}
		}
		if n := w.Sent(wire.MethodFollow); n != told {
			t.Errorf("after a %s behind a %s the worker was told %d times, want %d", look, last, n, told)
		}
		last = look
	}
}

// What the extractor says travels as text: half a character and what is no
// number must not make it unreadable.
func TestOddAnswers(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		tab := openTab(t, d, newSite(t, map[string]string{"/": "hi"}).url("a.test", "/"))
		var got struct {
			Text string   `json:"text"`
			Not  *float64 `json:"not"`
		}
		if err := mainFrame(t, tab).Call(ctxFor(t), "odd", nil, &got); err != nil || got.Text != "\uFFFDx" || got.Not != nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
