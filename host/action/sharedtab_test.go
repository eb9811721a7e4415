package action

import (
	"context"
	"slices"
	"testing"

	"tabwright/host/browser"
	"tabwright/safety"
)

// handOver opens a tab of the user's and lets the session use it.
func (r *rig) handOver(t *testing.T, url string) browser.TabInfo {
	t.Helper()
	info, err := r.b.Open(context.Background(), url, false, "")
	if err != nil {
		t.Fatal(err)
	}
	r.Receive(info)
	r.mu.Lock()
	r.current = info.ID
	r.mu.Unlock()
	return info
}

// TestTakenBackWhileAttached: a tab that the user takes back in the middle of
// the first act in it is let go, and nothing of it is read.
func TestTakenBackWhileAttached(t *testing.T) {
	r := newRig(t, node(1, "button", "Show"))
	info := r.handOver(t, "https://mail.test/")
	r.b.onAttach = func(id browser.TabID) {
		r.b.onAttach = nil
		if err := r.GiveBack(context.Background(), id); err != nil {
			t.Error(err)
		}
	}
	wantCode(t, r.do("getElements", `{}`), TabClosed)
	if !slices.Contains(r.b.released, info.ID) {
		t.Error("the tab is still attached")
	}
}

// TestTakenBackHost: what a handed tab allowed ends with it, and what was
// allowed before does not.
func TestTakenBackHost(t *testing.T) {
	r := newRig(t)
	open := func(url string) safety.Level {
		_, d := safety.CheckURL(url, r.rules())
		return d.Level
	}
	const router = "http://192.168.1.1/"
	if open(router) != safety.Block {
		t.Fatal("open from the start")
	}
	one, two := r.handOver(t, router), r.handOver(t, router+"admin")
	r.Receive(one) // told twice
	for i, tab := range []browser.TabInfo{one, two} {
		if open(router) == safety.Block {
			t.Errorf("closed with %d tabs of it left", 2-i)
		}
		if !r.IsShared(tab.ID) {
			t.Error("not the user's")
		}
		if err := r.GiveBack(context.Background(), tab.ID); err != nil {
			t.Fatal(err)
		}
	}
	if open(router) != safety.Block {
		t.Error("still open after it was taken back")
	}
	if r.IsShared("T1") {
		t.Error("the session's own tab is said to be the user's")
	}
	if got := r.rules().Sites; !slices.Equal(got, []string{"shop.test"}) {
		t.Errorf("sites %q", got)
	}
}
