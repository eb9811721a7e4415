package browser_test

import (
	"testing"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
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

// Through the extension nothing is asked of a document that began while its tab
// was attached but what is wanted of it; where the extractor went away after all,
// it is put there again.
func TestNewDocumentIsAskedNothingMore(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, map[string]string{"/": "one", "/two": "two"})
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
	if err := tab.Navigate(ctx, s.url("b.test", "/two")); err != nil {
		t.Fatal(err)
	}
	f := look()
	if n := w.Sent("Runtime.evaluate") - before; n != 0 {
		t.Errorf("the new document was asked %d times whether the extractor is there", n)
	}
	if err := f.Call(ctx, "vanish", nil, nil); err != nil {
		t.Fatal(err)
	}
	look()
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
