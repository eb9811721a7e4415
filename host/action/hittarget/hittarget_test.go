package hittarget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
)

// frame is a frame whose extractor answers as it is told.
type frame struct {
	id, parent string
	owner      int
	answers    map[string]any // by function; an error is one of the call
	mu         sync.Mutex
	armed      page.Guard
	calls      map[string]int
}

func (f *frame) ID() string       { return f.id }
func (f *frame) ParentID() string { return f.parent }
func (f *frame) URL() string      { return "https://" + f.id + ".test/" }

func (f *frame) Owner(context.Context) (int, error) { return f.owner, nil }

func (f *frame) Call(_ context.Context, fn string, arg, result any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[fn]++
	if fn == "arm" {
		f.armed = arg.(page.Guard)
	}
	got := f.answers[fn]
	if err, ok := got.(error); ok {
		return err
	}
	b, err := json.Marshal(got)
	if err != nil || got == nil {
		return err
	}
	return json.Unmarshal(b, result)
}

func ask(target *frame, all ...Frame) Request {
	return Request{
		Name: "button", Kind: "pointer", Target: target, Frames: all, Guard: page.Guard{ID: 7, Whole: true},
		Draw: func() {}, Later: func(do func()) { do() }, Log: &zerolog.Logger{},
	}
}

func sure() map[string]any { return map[string]any{"arm": page.ArmReport{Sure: true, Still: true}} }

// TestInstall puts a guard for the element into its frame, one for the <iframe> above it,
// and one that nothing may reach into the others.
func TestInstall(t *testing.T) {
	main := &frame{id: "main", answers: sure()}
	inner := &frame{id: "inner", parent: "main", owner: 3, answers: sure()}
	other := &frame{id: "other", parent: "main", answers: sure()}
	q := ask(inner, main, inner, other)
	beside := false
	q.Beside = []func(){func() { beside = true }}
	q.Watch = func(id string) bool { return id == "main" }
	q.DropFrame, q.DropID = "other", 9
	g, err := Install(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Sure || !g.Still || !beside {
		t.Errorf("%+v, beside %t", g.Standing, beside)
	}
	for _, tt := range []struct {
		f    *frame
		want page.Guard
	}{
		{inner, page.Guard{ID: 7, Whole: true}},
		{main, page.Guard{IframeID: 3, Watch: true}},
		{other, page.Guard{DropID: 9}},
	} {
		tt.want.Token, tt.want.Kind, tt.want.MS = g.Token(), "pointer", LeaseTime.Milliseconds()
		if tt.f.armed != tt.want {
			t.Errorf("%s has %+v, want %+v", tt.f.id, tt.f.armed, tt.want)
		}
	}
}

// TestInstallFails takes back what stands where a frame on the way can't be guarded; one
// beside it only costs the certainty.
func TestInstallFails(t *testing.T) {
	lost := map[string]any{"arm": browser.ErrTimeout}
	main := &frame{id: "main", answers: lost}
	inner := &frame{id: "inner", parent: "main", answers: sure()}
	if _, err := Install(t.Context(), ask(inner, main, inner)); !errors.Is(err, browser.ErrTimeout) || inner.calls["disarm"] != 1 {
		t.Errorf("%v; guards were taken away %d times", err, inner.calls["disarm"])
	}
	main.answers, inner.answers = sure(), lost
	g, err := Install(t.Context(), ask(main, main, inner))
	if err != nil || g.Sure {
		t.Errorf("%+v, %v", g, err)
	}
	var e *spec.Error
	if _, err := Install(t.Context(), ask(inner, inner)); !errors.As(err, &e) || e.Code != spec.StaleRef {
		t.Errorf("a frame whose parent is gone: %v", err)
	}
}

// TestUnpainted has a page drawn that does not paint by itself, and puts the guards up
// again.
func TestUnpainted(t *testing.T) {
	main := &frame{id: "main", answers: map[string]any{"arm": page.ArmReport{Unpainted: true}}}
	q := ask(main, main)
	drawn := 0
	q.Draw = func() { drawn++ }
	if _, err := Install(t.Context(), q); err != nil || drawn != 1 || !main.armed.Unpainted || main.calls["painted"] != 2 {
		t.Errorf("drawn %d times, guard %+v, calls %v, %v", drawn, main.armed, main.calls, err)
	}
}

// TestReport puts together what the frames saw.
func TestReport(t *testing.T) {
	seen := func(why string) map[string]any {
		return map[string]any{"disarm": page.GuardReport{Arrived: 1, Stopped: []page.Stop{{Why: why}}, Active: why == "b", Effects: &page.Effects{URL: why}}}
	}
	a, b := &frame{id: "a", answers: seen("a")}, &frame{id: "b", answers: seen("b")}
	g := &Guards{all: []armed{{f: a}, {f: b}}, way: 1, now: time.Now}
	got := g.Remove(t.Context(), time.Second, Settling{})
	if got.Arrived != 1 || len(got.Stopped) != 2 || !got.Active || got.Silent || got.Unsure || got.Settled["b"].URL != "b" {
		t.Errorf("%+v", got)
	}
	a.answers["disarm"] = browser.ErrDocumentGone
	if got = g.Remove(t.Context(), time.Second, Settling{}); !got.Silent || !got.Unsure || got.Arrived != 0 || len(got.Stopped) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestLease renews guards in time, and refuses to send behind those that may be gone.
func TestLease(t *testing.T) {
	for _, tt := range []struct {
		answer any
		after  time.Duration
		asked  int
		code   spec.Code
	}{
		{page.Renewal{OK: true}, LeaseTime / 4, 0, ""},
		{page.Renewal{OK: true}, LeaseTime, 1, ""},
		{page.Renewal{OK: false}, LeaseTime, 1, spec.Timeout},
		{browser.ErrDocumentGone, LeaseTime, 1, ""},
	} {
		t.Run(fmt.Sprint(tt.answer, tt.after), func(t *testing.T) {
			f := &frame{id: "main", answers: map[string]any{"renew": tt.answer}}
			g := &Guards{all: []armed{{f: f}}, way: 1, now: time.Now, renewed: time.Now().Add(-tt.after)}
			err := g.Renew(t.Context())
			var e *spec.Error
			if errors.As(err, &e) != (tt.code != "") || e != nil && e.Code != tt.code || f.calls["renew"] != tt.asked {
				t.Errorf("%v after %d calls", err, f.calls["renew"])
			}
		})
	}
	slow := time.Now()
	f := &frame{id: "main", answers: map[string]any{"renew": page.Renewal{OK: true}}}
	g := &Guards{all: []armed{{f: f}}, way: 1, now: func() time.Time { slow = slow.Add(LeaseTime); return slow }}
	var e *spec.Error
	if err := g.Renew(t.Context()); !errors.As(err, &e) || e.Code != spec.Timeout || f.calls["renew"] != leaseTries {
		t.Errorf("a page that answers too slowly: %v after %d calls", err, f.calls["renew"])
	}
}

// TestNoLease lets no input be sent by a lease that nobody gave.
func TestNoLease(t *testing.T) {
	if err := (Lease{}).Renew(t.Context()); err == nil {
		t.Error("input without a lease")
	}
	f := &frame{id: "main", answers: map[string]any{"renew": page.Renewal{OK: true, Held: true}}}
	g := &Guards{all: []armed{{f: f}}, way: 1, now: time.Now}
	if err := g.Lease().Renew(t.Context()); err != nil || f.calls["renew"] != 1 || !g.Lease().KeptRelease(t.Context()) {
		t.Errorf("%v after %d calls", err, f.calls["renew"])
	}
	if err := Unguarded().Renew(t.Context()); err != nil || Unguarded().KeptRelease(t.Context()) {
		t.Error(err)
	}
}
