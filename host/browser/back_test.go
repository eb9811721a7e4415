package browser_test

import (
	"testing"

	"tabwright/host/browser"
)

// TestBackIsTheSamePage: a page that comes back from Chrome's cache has its
// frames, of which Chrome says nothing then, and the extractor by whose ids its
// elements are known. Those of another would name other elements.
func TestBackIsTheSamePage(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{
			"/":     `<title>first</title><iframe src="/in"></iframe><iframe src="http://b.test:{port}/in"></iframe><iframe srcdoc="<p>x"></iframe>`,
			"/in":   `<p>in`,
			"/next": `<title>next</title>`,
		})
		ctx := ctxFor(t)
		tab := openTab(t, d, s.url("a.test", "/"))
		stamps := func(set bool) map[string]string {
			t.Helper()
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
			return out
		}
		before := stamps(true)
		if len(before) != 4 {
			t.Fatalf("the frames are %v", before)
		}
		evaluate[bool](t, tab, `window.kept = true`)
		if err := tab.Navigate(ctx, s.url("a.test", "/next")); err != nil {
			t.Fatal(err)
		}
		stamps(false)
		if moved, err := tab.History(ctx, -1); !moved || err != nil {
			t.Fatal(moved, err)
		}
		if !evaluate[bool](t, tab, `window.kept === true`) {
			t.Fatal("the page was loaded anew")
		}
		after := stamps(false)
		for url, stamp := range before {
			if after[url] != stamp {
				t.Errorf("%s has the extractor of %q, want %q", url, after[url], stamp)
			}
		}
	})
}
