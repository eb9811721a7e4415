package browser_test

import (
	"testing"
	"time"

	"tabwright/host/browser"
)

// What acts switch on is told once for those that follow each other, and taken
// back soon after the last.
func TestSwitchedOnceForManyActs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, map[string]string{"/": "<p>hello"})
	tab := openTab(t, d, s.url("a.test", "/"))
	ctx := ctxFor(t)
	const files, requests = "Page.setInterceptFileChooserDialog", "Fetch.enable"
	before := w.Sent(requests)
	act := func() {
		watch := tab.Watch()
		defer watch.Close()
		watch.CatchFiles(ctx, nil)()
		watch.Hold(ctx, func(browser.Held) bool { return false })()
	}
	began := time.Now()
	act()
	act()
	act()
	if time.Since(began) < browser.OffAfter { // else there may have been more
		if f, r := w.Sent(files), w.Sent(requests)-before; f != 1 || r != 1 {
			t.Errorf("three acts told Chrome of files %d times, of requests %d times", f, r)
		}
	}
	for end := time.Now().Add(5 * time.Second); w.Sent(files) < 2 || w.Sent(requests)-before < 2; {
		if time.Now().After(end) {
			t.Fatalf("nothing was taken back: files %d, requests %d", w.Sent(files), w.Sent(requests)-before)
		}
		if !evaluate[bool](t, tab, "new Promise((done) => setTimeout(() => done(true), 20))") {
			t.Fatal("no timer")
		}
	}
	act()
	if w.Sent(files) < 3 || w.Sent(requests)-before < 3 {
		t.Error("the next act did not switch it on again")
	}
}
