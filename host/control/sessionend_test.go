package control

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tabwright/host/browser/launch"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// opened opens a session in a browser of its own on a broker.
func opened(t *testing.T, p *rpc.Peer, name string) wire.SessionInfo {
	t.Helper()
	if _, err := launch.Find(); err != nil || testing.Short() {
		t.Skip("needs a browser")
	}
	p.Start()
	if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(wire.RoleCLI)); err != nil {
		t.Fatal(err)
	}
	info, err := rpc.Ask[wire.SessionInfo](t.Context(), p, wire.MethodSessionOpen, wire.SessionOpenParams{
		Name: name, Launch: &wire.SessionLaunch{Headless: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// endOf waits for the end of a session's task, and gives its last event.
func endOf(t *testing.T, b *Broker, info wire.SessionInfo) wire.Event {
	t.Helper()
	old, live, err := b.Manager.Journal.Follow(t.Context(), info.Task, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range old {
		if wire.Ends(ev.Type) {
			return ev
		}
	}
	limit := time.After(30 * time.Second)
	for {
		select {
		case ev := <-live:
			if wire.Ends(ev.Type) {
				return ev
			}
		case <-limit:
			t.Fatal("the session does not end")
		}
	}
}

// pidOf is the main process of a session's browser.
func pidOf(t *testing.T, b *Broker, name string) int {
	t.Helper()
	s, err := b.sessions.get(name)
	if err != nil {
		t.Fatal(err)
	}
	l, ok := s.live.place.Driver.(*Launched)
	if !ok {
		t.Fatalf("the driver is %T", s.live.place.Driver)
	}
	return l.PID()
}

// A session that nobody uses ends, and its browser with it; one that is used
// does not.
func TestASessionEndsAfterAnIdleHour(t *testing.T) {
	const hour = 1500 * time.Millisecond
	dial, b, _ := startBroker(t, func(b *Broker) { b.SessionIdle = hour })
	p := dial()
	info := opened(t, p, "idle")
	pid := pidOf(t, b, "idle")
	began := time.Now()
	for time.Since(began) < 2*hour { // it is used for longer than that
		r, err := rpc.Ask[wire.SessionResult](t.Context(), p, wire.MethodSessionDo, wire.SessionDoParams{
			Session: "idle", Action: "wait", Params: []byte(`{"ms": 200}`),
		})
		if err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
	}
	if ev := endOf(t, b, info); ev.Type != wire.EvComplete || ev.Text != "Nothing was asked for a long while." {
		t.Errorf("it ends with %+v", ev)
	}
	gonePID(t, pid)
	_, err := rpc.Ask[wire.SessionResult](t.Context(), p, wire.MethodSessionObserve, wire.SessionObserveParams{Session: "idle"})
	wantCode(t, err, wire.CodeNoSession)
}

// gonePID waits until a process is no more.
func gonePID(t *testing.T, pid int) {
	t.Helper()
	limit := time.After(10 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid))); errors.Is(err, os.ErrNotExist) {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("process %d is left", pid)
		}
	}
}

// A new version takes over although a session is open that nobody uses; one
// that is at work is waited for.
func TestAnIdleSessionDoesNotDelayAnUpdate(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tabwright")
	if err := os.WriteFile(binary, []byte("old"), 0o700); err != nil {
		t.Fatal(err)
	}
	dial, b, ended := startBroker(t, func(b *Broker) {
		b.binary, b.lookEvery, b.updateIdle = binary, 50*time.Millisecond, 300*time.Millisecond
	})
	p := dial()
	info := opened(t, p, "update")
	pid := pidOf(t, b, "update")
	working := make(chan error, 1)
	go func() {
		_, err := rpc.Ask[wire.SessionResult](t.Context(), p, wire.MethodSessionDo, wire.SessionDoParams{
			Session: "update", Action: "wait", Params: []byte(`{"ms": 1500}`),
		})
		working <- err
	}()
	waitCalls(t, b, "update")
	if err := os.WriteFile(binary, []byte("new version"), 0o700); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-working:
		if err != nil {
			t.Errorf("what was at work was cut short: %v", err)
		}
	case err := <-ended:
		t.Fatalf("it ended while a session was at work: %v", err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, ErrUpdated) {
			t.Errorf("it ended: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("an idle session keeps the old version")
	}
	if ev := endOf(t, b, info); ev.Text != "Tabwright was updated." {
		t.Errorf("the session says %+v", ev)
	}
	gonePID(t, pid)
}

func waitCalls(t *testing.T, b *Broker, name string) {
	t.Helper()
	s, err := b.sessions.get(name)
	if err != nil {
		t.Fatal(err)
	}
	limit := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for s.idleFor() > 0 {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("the call does not begin")
		}
	}
}
