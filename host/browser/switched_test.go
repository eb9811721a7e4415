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
	act := func() {
		watch := tab.Watch()
		defer watch.Close()
		watch.SuppressFileDialogs(ctx, nil)()
		watch.Hold(ctx, func(browser.Held) bool { return false })()
	}
	if w.Sent("Page.addScriptToEvaluateOnNewDocument") > 0 {
		t.Error("the extractor comes with the document, in a world to which Chrome opens no closed shadow roots: the extension has its own")
	}
	fast := 0
	for round := 0; fast < 2; round++ { // the second: what was switched off is switched on again
		if round == 10 {
			t.Fatal("this machine never does three acts within their time")
		}
		f0, r0 := w.Sent(files), w.Sent(requests)
		began := time.Now()
		act()
		act()
		act()
		if time.Since(began) < browser.OffAfter {
			fast++
			if f, r := w.Sent(files)-f0, w.Sent(requests)-r0; f != 1 || r != 1 {
				t.Errorf("three acts told Chrome of files %d times, of requests %d times", f, r)
			}
		}
		for end := time.Now().Add(5 * time.Second); ; {
			f, r := w.Sent(files)-f0, w.Sent(requests)-r0
			if f > 0 && r > 0 && f%2 == 0 && r%2 == 0 {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("nothing was taken back: files %d, requests %d", f, r)
			}
			evaluate[bool](t, tab, "new Promise((done) => setTimeout(() => done(true), 20))")
		}
	}
}
