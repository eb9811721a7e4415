package control

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// joined says hello as a relay of profile p1, whose service worker answers.
func joined(t *testing.T, dial func() *rpc.Peer) *rpc.Peer {
	t.Helper()
	p := dial()
	rpc.On(p, wire.MethodPing, func(context.Context, *rpc.Channel, wire.Empty) (wire.Empty, error) {
		return wire.Empty{}, nil
	})
	p.Start()
	if err := p.Call(t.Context(), wire.MethodHello, hello(wire.RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// A relay that says hello again before the first has taken over (its service
// worker was stopped and the extension reloaded) must leave the broker whole,
// and only the newest connection standing.
func TestARelayThatComesBackTwiceAtOnce(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	var all []*rpc.Peer
	for range 8 {
		all = append(all, joined(t, dial))
	}
	newest := all[len(all)-1]
	for i, p := range all[:len(all)-1] {
		select {
		case <-p.Done():
		case <-time.After(10 * time.Second):
			t.Fatalf("connection %d was left open beside a newer one", i)
		}
	}
	place, err := b.Place(t.Context())
	if err != nil || place.Profile != "p1" {
		t.Fatalf("%+v %v", place, err)
	}
	if s := b.status(t.Context()); len(s.Relays) != 1 || s.Relays[0].PingError != "" {
		t.Errorf("relays %+v", s.Relays)
	}
	if err := newest.Err(); err != nil {
		t.Errorf("the newest was closed: %v", err)
	}
}

// Who names no profile gets the one in which the user changed to a tab or a window
// last, not the one that connected last.
func TestTheProfileFocusedLast(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	first := joined(t, dial)
	second := dial()
	second.Start()
	h := hello(wire.RoleRelay)
	h.Profile = "p2"
	must(t, second.Call(t.Context(), wire.MethodHello, h, nil))
	last := func(want string) {
		t.Helper()
		place, err := b.Place(t.Context())
		if err != nil || place.Profile != want {
			t.Errorf("the place is in %q, want %s (%v)", place.Profile, want, err)
		}
	}
	last("p2")
	for _, x := range []struct {
		p    *rpc.Peer
		name string
	}{{first, "p1"}, {second, "p2"}} {
		must(t, x.p.Notify(wire.EventTabActivated, wire.TabParams{TabID: 1}))
		must(t, x.p.Call(t.Context(), wire.MethodPing, wire.Empty{}, nil)) // behind the event
		last(x.name)
	}
}

// A task waits for its browser no longer than it is told to.
func TestTheWaitForABrowserIsBounded(t *testing.T) {
	dial, b, _ := startBroker(t, func(b *Broker) { b.RelayWait = 50 * time.Millisecond })
	p := joined(t, dial)
	place, err := b.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events, stop := place.Driver.Subscribe()
	defer stop()
	_ = p.Close()
	for e := range events {
		if e.Kind == browser.DriverGone {
			break
		}
	}
	if err := place.Wait(t.Context()); err == nil {
		t.Error("a browser that is gone was not missed")
	}
	joined(t, dial)
	if err := place.Wait(t.Context()); err != nil {
		t.Errorf("it is back: %v", err)
	}
}

// A broker must not leave while a browser is connected: the shim would only
// start another, in a loop.
func TestABrokerStaysWhileABrowserIsConnected(t *testing.T) {
	dial, b, ended := startBroker(t, func(b *Broker) { b.Idle = 20 * time.Millisecond })
	p := joined(t, dial)
	select {
	case err := <-ended:
		t.Fatalf("it left: %v", err)
	case <-time.After(10 * b.Idle): // the idle time itself is what is tested
	}
	_ = p.Close()
	select {
	case err := <-ended:
		if !errors.Is(err, ErrIdle) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it stayed with nobody there")
	}
}

// Events come behind the answer to the subscription, and a reader that the
// journal cut off goes on where it was.
func TestASubscriptionGoesOnWhereItWasCutOff(t *testing.T) {
	j, err := journal.Open(filepath.Join(t.TempDir(), "j.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", State: wire.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	from, to := rpc.NewPeer(here, rpc.PeerOptions{}), rpc.NewPeer(there, rpc.PeerOptions{})
	got := make(chan uint64, 16)
	rpc.On(to, wire.EventTask, func(_ context.Context, _ *rpc.Channel, ev wire.Event) (wire.Empty, error) {
		got <- ev.Seq
		return wire.Empty{}, nil
	})
	from.Start()
	to.Start()
	defer func() { _ = from.Close(); from.Wait(); to.Wait() }()
	for range 3 {
		if _, err := j.Append(wire.Event{Task: "t1", Type: wire.EvThinking}); err != nil {
			t.Fatal(err)
		}
	}
	cut := make(chan wire.Event) // as the journal leaves it for a reader that lags
	close(cut)
	ctx, cancel := context.WithCancel(t.Context())
	v := viewer{j: j, to: from.Root(), task: "t1", seq: 1}
	var wg sync.WaitGroup
	wg.Go(func() { v.feed(ctx, nil, cut, nil) })
	for _, want := range []uint64{2, 3} {
		if n := <-got; n != want {
			t.Errorf("event %d, want %d", n, want)
		}
	}
	if _, err := j.Append(wire.Event{Task: "t1", Type: wire.EvThinking}); err != nil {
		t.Fatal(err)
	}
	if n := <-got; n != 4 {
		t.Errorf("event %d, want 4", n)
	}
	cancel()
	wg.Wait()
}
