package browser_test

import (
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

// TestCoveredTabsAreDrawn: a tab under another one is drawn once a second, and
// as in front while something is done in it, over a connection that broke, too.
func TestCoveredTabsAreDrawn(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": `<title>T</title><p>under`})
		ctx := ctxFor(t)
		tab := openTab(t, d, s.url("a.test", "/"))
		front := openTab(t, d, s.url("b.test", "/"))
		if err := d.Activate(ctx, front.ID()); err != nil {
			t.Fatal(err)
		}
		if !late(t, tab) {
			t.Fatal("Chrome draws a covered tab as one in front, and nothing of drawing.go is needed")
		}
		w := tab.Watch()
		if !late(t, tab) {
			t.Error("it is drawn though nobody said that it is not")
		}
		tab.Undrawn()
		if !soonDrawn(t, tab) {
			t.Error("not drawn though it was to be")
		}
		w.Close()
		if !soonLate(t, tab) {
			t.Error("it is drawn still long after the act")
		}
		w = tab.Watch() // what was seen holds for a while
		defer w.Close()
		if !soonDrawn(t, tab) {
			t.Error("not drawn in the next act")
		}
		if err := tab.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		if !soonLate(t, tab) {
			t.Error("it is drawn long after the connection came back")
		}
		tab.Undrawn()
		if !soonDrawn(t, tab) {
			t.Error("not drawn after it was told again")
		}
	})
}

// TestDrawingHelpsOrNot: Undrawn says yes while a screencast can't have helped yet,
// and a page that is late all the same ends the drawing after five times, not one.
func TestDrawingHelpsOrNot(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": `<title>T</title><p>under`})
	d := connectDirect(t, direct.Options{})
	tab := openTab(t, d, s.url("a.test", "/"))
	front := openTab(t, d, s.url("b.test", "/"))
	if err := d.Activate(ctxFor(t), front.ID()); err != nil {
		t.Fatal(err)
	}
	// expectNotice has it said once that the page is not drawn, and begins and ends an act
	// around it.
	expectNotice := func(times int, want bool) {
		t.Helper()
		w := tab.Watch()
		defer w.Close()
		for range times {
			if got := tab.Undrawn(); got != want {
				t.Errorf("drawn from now on: %v, want %v", got, want)
			}
		}
	}
	expectNotice(2, true)
	if !soonDrawn(t, tab) {
		t.Fatal("not drawn though it was to be")
	}
	expectNotice(4, false)
	if !soonDrawn(t, tab) {
		t.Fatal("four late frames ended the drawing")
	}
	expectNotice(1, false)
	if !soonLate(t, tab) {
		t.Fatal("it is drawn still")
	}
	expectNotice(1, false)
	if late := soonLate(t, tab); !late {
		t.Error("it is drawn again though that was of no help")
	}
}

// soonLate and soonDrawn wait for it: Chrome may not have heard yet.
func soonLate(t *testing.T, tab *browser.Tab) bool {
	t.Helper()
	return soon(func() bool { return late(t, tab) })
}

func soonDrawn(t *testing.T, tab *browser.Tab) bool {
	t.Helper()
	return soon(func() bool { return !late(t, tab) })
}

func soon(so func() bool) bool {
	for end := time.Now().Add(4 * browser.DrawnAfter); time.Now().Before(end); {
		if so() {
			return true
		}
	}
	return false
}

// late tells whether one of eight frames, each asked for out of stillness for
// what changed then, comes half a second late.
func late(t *testing.T, tab *browser.Tab) bool {
	t.Helper()
	return evaluate[bool](t, tab, `(async () => {
		for (let i = 0; i < 8; i++) {
			await new Promise((done) => setTimeout(done, 80));
			document.querySelector("p").textContent = i;
			const began = performance.now();
			await new Promise((done) => requestAnimationFrame(done));
			if (performance.now() - began > 500) return true;
		}
		return false;
	})()`)
}
