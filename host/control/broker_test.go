package control

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/browser"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

const testExtension = "abcdefghijklmnopabcdefghijklmnop"

// startBroker serves a broker on a loopback listener, and gives a way to
// connect to it and the channel that says how it ended.
func startBroker(t *testing.T, tune func(*Broker)) (dial func() *rpc.Peer, b *Broker, ended chan error) {
	t.Helper()
	j, err := journal.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "b.sock"))
	if err != nil {
		t.Fatal(err)
	}
	b = &Broker{
		Manager: &Manager{Journal: j, Log: zerolog.Nop(), Models: &models.Catalog{
			Config: func(string) (llm.Config, error) {
				return llm.Config{Provider: "ollama", BaseURL: "http://127.0.0.1:1"}, nil
			},
		}},
		Version: "1.2.3", ExtensionIDs: []string{testExtension}, Log: zerolog.Nop(), Idle: time.Hour,
	}
	if tune != nil {
		tune(b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- b.Serve(ctx, l); close(ended) }()
	t.Cleanup(func() {
		cancel()
		for range ended { //nolint:revive // until it is closed
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return func() *rpc.Peer {
		nc, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		p := rpc.NewPeer(nc, rpc.PeerOptions{Name: "test"})
		t.Cleanup(func() { _ = p.Close() })
		return p
	}, b, ended
}

func hello(role string) wire.HelloParams {
	p := wire.HelloParams{Role: role, ProtocolMin: wire.ProtocolMin, ProtocolMax: wire.ProtocolMax, Version: "1.2.3"}
	if role == wire.RoleRelay {
		p.ExtensionID, p.Profile = testExtension, "p1"
		p.Browser = &wire.Browser{Name: "Chromium", Version: "156"}
	}
	return p
}

func wantCode(t *testing.T, err error, code wire.Code) {
	t.Helper()
	if !errors.Is(err, &wire.Error{Code: code}) {
		t.Errorf("error %v, want code %s", err, code)
	}
}

func TestHello(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	for name, c := range map[string]struct {
		tune func(*wire.HelloParams)
		code wire.Code
	}{
		"right":               {func(*wire.HelloParams) {}, ""},
		"a newer client only": {func(p *wire.HelloParams) { p.ProtocolMin, p.ProtocolMax = 99, 100 }, wire.CodeProtocol},
		"an older client":     {func(p *wire.HelloParams) { p.ProtocolMin, p.ProtocolMax = -2, -1 }, wire.CodeProtocol},
		"another extension":   {func(p *wire.HelloParams) { p.ExtensionID = "ppppppppppppppppppppppppppppppp" }, wire.CodeProtocol},
	} {
		p := dial()
		p.Start()
		h := hello(wire.RoleRelay)
		c.tune(&h)
		res, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, h)
		if c.code != "" {
			wantCode(t, err, c.code)
			continue
		}
		if err != nil || res.Version != "1.2.3" || res.Session == "" || res.PID == 0 {
			t.Errorf("%s: %+v %v", name, res, err)
		}
		_, err = rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, h)
		wantCode(t, err, wire.CodeProtocol)
	}
}

func TestNothingBeforeHello(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	p := dial()
	p.Start()
	for _, m := range []string{
		wire.MethodPanelState, wire.MethodTaskStart, wire.MethodTaskList, wire.MethodConfirm,
		wire.MethodBrokerStatus, wire.MethodBrokerStop, wire.MethodTaskSubscribe,
	} {
		wantCode(t, p.Call(t.Context(), m, wire.Empty{}, nil), wire.CodeProtocol)
	}
}

func TestOnlyAPanelAnswersCards(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	cli := dial()
	cli.Start()
	if err := cli.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	a := wire.ConfirmAnswer{Task: "t", ID: "c", Allow: true}
	wantCode(t, cli.Call(t.Context(), wire.MethodConfirm, a, nil), wire.CodePanelOnly)
	// A command line that opens a channel is no panel either.
	wantCode(t, cli.Chan("p1").Call(t.Context(), wire.MethodConfirm, a, nil), wire.CodePanelOnly)
	relay := dial()
	relay.Start()
	if err := relay.Call(t.Context(), wire.MethodHello, hello(wire.RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	// The service worker itself is none; a panel's port is, and is told that
	// nothing of that name runs.
	wantCode(t, relay.Call(t.Context(), wire.MethodConfirm, a, nil), wire.CodePanelOnly)
	wantCode(t, relay.Chan("p1").Call(t.Context(), wire.MethodConfirm, a, nil), wire.CodeNoTask)
}

func TestWithoutABrowserATaskIsRefused(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	p := dial()
	p.Start()
	if err := p.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	err := p.Call(t.Context(), wire.MethodTaskStart, wire.TaskStartParams{Text: "x"}, nil)
	wantCode(t, err, wire.CodeNoBrowser)
}

func TestSubscriptionReplaysAndGoesOn(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	j := b.Manager.Journal
	if err := j.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", State: wire.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	put := func(ty wire.EventType) {
		if _, err := j.Append(wire.Event{Task: "t1", Type: ty}); err != nil {
			t.Fatal(err)
		}
	}
	put(wire.EvStarted)
	put(wire.EvThinking)
	p := dial()
	got := make(chan wire.Event, 10)
	rpc.On(p, wire.EventTask, func(_ context.Context, _ *rpc.Channel, ev wire.Event) (wire.Empty, error) {
		got <- ev
		return wire.Empty{}, nil
	})
	p.Start()
	if err := p.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	res, err := rpc.Ask[wire.Subscribed](t.Context(), p, wire.MethodTaskSubscribe, wire.SubscribeParams{Task: "t1", Seq: 1})
	if err != nil || res.Replayed != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	put(wire.EvComplete)
	for _, want := range []uint64{2, 3} {
		select {
		case ev := <-got:
			if ev.Seq != want {
				t.Errorf("seq %d, want %d", ev.Seq, want)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("event %d did not come", want)
		}
	}
	_, err = rpc.Ask[wire.Subscribed](t.Context(), p, wire.MethodTaskSubscribe, wire.SubscribeParams{Task: "none"})
	wantCode(t, err, wire.CodeNoTask)
}

func TestABrokerWithNothingToDoEnds(t *testing.T) {
	_, _, ended := startBroker(t, func(b *Broker) { b.Idle = 30 * time.Millisecond })
	select {
	case err := <-ended:
		if !errors.Is(err, ErrIdle) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a broker with nothing to do stayed")
	}
}

func TestTheBrokerEndsWhenAsked(t *testing.T) {
	dial, _, ended := startBroker(t, nil)
	p := dial()
	p.Start()
	if err := p.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Call(t.Context(), wire.MethodBrokerStop, wire.Empty{}, nil); err != nil && !errors.Is(err, &wire.Error{Code: wire.CodeClosed}) {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, ErrAsked) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it did not stop when asked")
	}
}

func TestStatusNamesTheRelayAndPingsIt(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	relay := dial()
	pinged := make(chan struct{}, 8)
	rpc.On(relay, wire.MethodPing, func(context.Context, *rpc.Channel, wire.Empty) (wire.Empty, error) {
		pinged <- struct{}{}
		return wire.Empty{}, nil
	})
	relay.Start()
	if err := relay.Call(t.Context(), wire.MethodHello, hello(wire.RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	cli := dial()
	cli.Start()
	if err := cli.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for { // the relay joins beside its hello
		s, err := rpc.Ask[wire.BrokerStatus](ctx, cli, wire.MethodBrokerStatus, wire.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Relays) == 1 {
			if r := s.Relays[0]; r.Profile != "p1" || r.Browser.Name != "Chromium" || r.PingError != "" {
				t.Errorf("%+v", r)
			}
			break
		}
	}
	<-pinged
}

func TestModelsSayWhatIsMissing(t *testing.T) {
	m := &models.Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: "http://127.0.0.1:1"}, nil
	}}
	list := m.List(t.Context())
	if list.Error == nil || list.Error.Hint == "" || len(list.Models) != 0 {
		t.Fatalf("%+v", list)
	}
	if _, err := m.Open(t.Context(), ""); err == nil {
		t.Error("a model opened that can't be reached")
	}
	id := m.UseStandIn(llm.Config{Provider: "ollama", Model: "tour-script", BaseURL: "http://127.0.0.1:1"})
	list = m.List(t.Context())
	if len(list.Models) != 1 || !list.Models[0].StandIn || list.Models[0].ID != id {
		t.Fatalf("the stand-in is not listed as one: %+v", list.Models)
	}
	wantCode(t, m.Use(t.Context(), "nonsense"), wire.CodeInvalidParams)
}

func TestPolicyNamesOnlyWhatThePersonNamed(t *testing.T) {
	p := policyFor(wire.TaskStartParams{
		Text: "compare with https://other.example/x and 192.168.1.5:8080, please.", URL: "http://localhost:3000/",
	}, tabAt("https://shop.example/cart"), nil)
	for _, want := range []string{"shop.example", "other.example", "192.168.1.5", "localhost"} {
		found := false
		for _, s := range p.Sites {
			found = found || s == want
		}
		if !found {
			t.Errorf("%s is missing in %v", want, p.Sites)
		}
	}
	if len(p.Sites) != 4 {
		t.Errorf("sites %v", p.Sites)
	}
	p = policyFor(wire.TaskStartParams{Text: "look", Hosts: []string{"10.0.0.0/8"}}, tabAt("about:blank"), nil)
	if !slices.Contains(p.LocalHosts, "10.0.0.0/8") {
		t.Errorf("local hosts %v", p.LocalHosts)
	}
}

func tabAt(url string) browser.TabInfo { return browser.TabInfo{ID: "1", URL: url} }
