package browser_test

import (
	"net/http"
	"testing"

	"tabwright/host/browser"
)

// cachedPages is a page with frames of its own process and of another.
var cachedPages = map[string]string{
	"/":     `<title>first</title><script>onload = () => fetch("/loaded")</script><iframe src="/in"></iframe><iframe src="http://b.test:{port}/in"></iframe><iframe srcdoc="<p>x"></iframe>`,
	"/in":   `<p>in`,
	"/next": `<title>next</title>`,
}

// stamps marks the extractor of each frame, or gives the marks by the frames'
// addresses.
func stamps(t *testing.T, tab *browser.Tab, set bool) map[string]string {
	t.Helper()
	ctx := ctxFor(t)
	frames, err := tab.Frames(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range frames {
		p, stamp := map[string]string{}, ""
		if set {
			p["set"] = f.Document()
		}
		if err := f.Call(ctx, "stamp", p, &stamp); err != nil {
			t.Fatal(f.URL(), err)
		}
		out[f.URL()] = stamp
	}
	if set && len(out) != 4 {
		t.Fatalf("the frames are %v", out)
	}
	return out
}

// sameExtractors compares them: those of another extractor would be ids of other
// elements.
func sameExtractors(t *testing.T, tab *browser.Tab, before map[string]string) {
	t.Helper()
	after := stamps(t, tab, false)
	for url, stamp := range before {
		if after[url] != stamp {
			t.Errorf("%s has the extractor of %q, want %q", url, after[url], stamp)
		}
	}
}

// TestBackIsTheSamePage: a page that comes back from Chrome's cache has its
// frames, of which Chrome says nothing then, and the extractors it had.
func TestBackIsTheSamePage(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, cachedPages)
		ctx := ctxFor(t)
		tab := openTab(t, d, s.url("a.test", "/"))
		before := stamps(t, tab, true)
		evaluate[bool](t, tab, `window.kept = true`)
		if err := tab.Navigate(ctx, s.url("a.test", "/next")); err != nil {
			t.Fatal(err)
		}
		stamps(t, tab, false)
		if moved, err := tab.History(ctx, -1); !moved || err != nil {
			t.Fatal(moved, err)
		}
		if !evaluate[bool](t, tab, `window.kept === true`) {
			t.Fatal("the page was loaded anew")
		}
		sameExtractors(t, tab, before)
	})
}

// TestAttachedAgainIsTheSamePage: so it is with one that was let go and taken
// again, whether it came while the tab was attached or was there before.
func TestAttachedAgainIsTheSamePage(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, cachedPages)
		ctx := ctxFor(t)
		loaded := make(chan bool, 2) // once for each tab
		s.mux.HandleFunc("GET /loaded", func(http.ResponseWriter, *http.Request) { loaded <- true })
		wait := func() {
			select {
			case <-loaded:
			case <-ctx.Done():
				t.Fatal("it does not load")
			}
		}
		came := openTab(t, d, s.url("a.test", "/"))
		wait()
		info, err := d.Open(ctx, s.url("a.test", "/"), true, "")
		if err != nil {
			t.Fatal(err)
		}
		wait()
		there, err := d.Attach(ctx, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range []*browser.Tab{came, there} {
			before := stamps(t, tab, true)
			for range 2 {
				if err := d.Release(ctx, tab.ID()); err != nil {
					t.Fatal(err)
				}
				if tab, err = d.Attach(ctx, tab.ID()); err != nil {
					t.Fatal(err)
				}
				sameExtractors(t, tab, before)
			}
		}
		if err := d.CloseTab(ctx, info.ID); err != nil {
			t.Error(err)
		}
	})
}
