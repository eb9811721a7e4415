package browser_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"tabwright/host/browser"
)

// TestNumbersOfAnotherRun: a browser that crashed and was started anew may give the
// number of a tab to another one, which is the user's. Nobody who held the number
// reads, drives or closes that, until it is meant.
func TestNumbersOfAnotherRun(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, framePages)
	ctx := ctxFor(t)
	mine, theirs := openTab(t, d, s.url("a.test", "/two")), openTab(t, d, s.url("c.test", "/"))
	number := func(tab *browser.Tab) int {
		n, err := strconv.Atoi(string(tab.ID()))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	reconnect := func(run string) {
		t.Helper()
		o := relayOptions()
		o.Run = run
		if err := d.Reconnect(ctx, w.Connect(t, d.Event), o); err != nil {
			t.Fatal(err)
		}
	}

	// The extension was reloaded: its run is another one, the tabs are the same.
	w.Drop()
	d.Gone(nil)
	reconnect("first")
	if err := mine.Navigate(ctx, s.url("a.test", "/two")); err != nil || d.Void(mine.ID()) || d.Run() != "first" {
		t.Fatalf("after a reload of the extension: %v, void %t, run %s", err, d.Void(mine.ID()), d.Run())
	}

	w.Drop()
	d.Gone(nil)
	if err := w.Swap(ctx, number(mine), number(theirs)); err != nil {
		t.Fatal(err)
	}
	events, stop := d.Subscribe()
	defer stop()
	reconnect("second")
	gone := map[browser.TabID]bool{}
	for range 2 {
		gone[awaitKind(t, events, browser.TabRemoved).Tab.ID] = true
	}
	awaitKind(t, events, browser.DriverBack)
	if !gone[mine.ID()] || !gone[theirs.ID()] {
		t.Errorf("told as removed: %v", gone)
	}
	if d.Run() != "second" {
		t.Errorf("the run is %q", d.Run())
	}
	for what, do := range map[string]func() error{
		"read":        func() error { _, err := mine.Frames(ctx); return err },
		"attached":    func() error { _, err := d.Attach(ctx, mine.ID()); return err },
		"activated":   func() error { return d.Activate(ctx, mine.ID()) },
		"closed":      func() error { return d.CloseTab(ctx, mine.ID()) },
		"opened from": func() error { _, err := d.Open(ctx, "about:blank", false, mine.ID()); return err },
	} {
		if err := do(); !errors.Is(err, browser.ErrNoTab) {
			t.Errorf("the tab that has the number now was %s: %v", what, err)
		}
	}
	tabs, err := d.Tabs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	urls := map[browser.TabID]string{}
	for _, tab := range tabs {
		urls[tab.ID] = tab.URL
	}
	if urls[mine.ID()] != s.url("c.test", "/") || urls[theirs.ID()] != s.url("a.test", "/two") {
		t.Errorf("the tabs are %v", urls)
	}

	browser.Take(d, mine.ID())
	tab, err := d.Attach(ctx, mine.ID())
	if err != nil || tab == mine || tab.URL() != s.url("c.test", "/") {
		t.Fatalf("the tab that is meant: %v, %v", tab, err)
	}
	if err := d.Release(context.WithoutCancel(ctx), tab.ID()); err != nil {
		t.Error(err)
	}
}
