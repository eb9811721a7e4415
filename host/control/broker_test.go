package control

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/llm"
)

const testExtension = "abcdefghijklmnopabcdefghijklmnop"

// startBroker serves a broker on a loopback listener, and gives a way to
// connect to it and the channel that says how it ended.
func startBroker(t *testing.T, tune func(*Broker)) (dial func() *native.Peer, b *Broker, ended chan error) {
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
		Manager: &Manager{Journal: j, Log: zerolog.Nop(), Models: &Models{
			Config: func(string) (llm.Config, error) {
				return llm.Config{Provider: "ollama", BaseURL: "http://127.0.0.1:1"}, nil
			},
		}},
		Version: "1.2.3", ExtensionID: testExtension, Log: zerolog.Nop(), Idle: time.Hour,
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
	return func() *native.Peer {
		nc, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		p := native.NewPeer(nc, native.PeerOptions{Name: "test"})
		t.Cleanup(func() { _ = p.Close() })
		return p
	}, b, ended
}

func hello(role string) native.HelloParams {
	p := native.HelloParams{Role: role, ProtocolMin: native.ProtocolMin, ProtocolMax: native.ProtocolMax, Version: "1.2.3"}
	if role == RoleRelay {
		p.ExtensionID, p.Profile = testExtension, "p1"
		p.Browser = &native.Browser{Name: "Chromium", Version: "156"}
	}
	return p
}

func wantCode(t *testing.T, err error, code native.Code) {
	t.Helper()
	if !errors.Is(err, &native.Error{Code: code}) {
		t.Errorf("error %v, want code %s", err, code)
	}
}

func TestHello(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	for name, c := range map[string]struct {
		tune func(*native.HelloParams)
		code native.Code
	}{
		"right":               {func(*native.HelloParams) {}, ""},
		"a newer client only": {func(p *native.HelloParams) { p.ProtocolMin, p.ProtocolMax = 99, 100 }, native.CodeProtocol},
		"an older client":     {func(p *native.HelloParams) { p.ProtocolMin, p.ProtocolMax = -2, -1 }, native.CodeProtocol},
		"another extension":   {func(p *native.HelloParams) { p.ExtensionID = "ppppppppppppppppppppppppppppppp" }, native.CodeProtocol},
	} {
		p := dial()
		p.Start()
		h := hello(RoleRelay)
		c.tune(&h)
		res, err := native.Ask[native.HelloResult](t.Context(), p, native.MethodHello, h)
		if c.code != "" {
			wantCode(t, err, c.code)
			continue
		}
		if err != nil || res.Version != "1.2.3" || res.Session == "" || res.PID == 0 {
			t.Errorf("%s: %+v %v", name, res, err)
		}
		_, err = native.Ask[native.HelloResult](t.Context(), p, native.MethodHello, h)
		wantCode(t, err, native.CodeProtocol)
	}
}

func TestNothingBeforeHello(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	p := dial()
	p.Start()
	for _, m := range []string{
		native.MethodPanelState, native.MethodTaskStart, native.MethodTaskList, native.MethodConfirm,
		native.MethodBrokerStatus, native.MethodBrokerStop, native.MethodTaskSubscribe,
	} {
		wantCode(t, p.Call(t.Context(), m, native.Empty{}, nil), native.CodeProtocol)
	}
}

func TestOnlyAPanelAnswersCards(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	cli := dial()
	cli.Start()
	if err := cli.Call(t.Context(), native.MethodHello, hello(RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	a := native.ConfirmAnswer{Task: "t", ID: "c", Allow: true}
	wantCode(t, cli.Call(t.Context(), native.MethodConfirm, a, nil), CodePanelOnly)
	// A command line that opens a channel is no panel either.
	wantCode(t, cli.Chan("p1").Call(t.Context(), native.MethodConfirm, a, nil), CodePanelOnly)
	relay := dial()
	relay.Start()
	if err := relay.Call(t.Context(), native.MethodHello, hello(RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	// The service worker itself is none; a panel's port is, and is told that
	// nothing of that name runs.
	wantCode(t, relay.Call(t.Context(), native.MethodConfirm, a, nil), CodePanelOnly)
	wantCode(t, relay.Chan("p1").Call(t.Context(), native.MethodConfirm, a, nil), CodeNoTask)
}

func TestWithoutABrowserATaskIsRefused(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	p := dial()
	p.Start()
	if err := p.Call(t.Context(), native.MethodHello, hello(RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	err := p.Call(t.Context(), native.MethodTaskStart, native.TaskStartParams{Text: "x"}, nil)
	wantCode(t, err, CodeNoBrowser)
}

func TestSubscriptionReplaysAndGoesOn(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	j := b.Manager.Journal
	if err := j.Create(journal.Task{TaskInfo: native.TaskInfo{Task: "t1", State: native.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	put := func(ty native.EventType) {
		if _, err := j.Append(native.Event{Task: "t1", Type: ty}); err != nil {
			t.Fatal(err)
		}
	}
	put(native.EvStarted)
	put(native.EvThinking)
	p := dial()
	got := make(chan native.Event, 10)
	native.On(p, native.EventTask, func(_ context.Context, _ *native.Channel, ev native.Event) (native.Empty, error) {
		got <- ev
		return native.Empty{}, nil
	})
	p.Start()
	if err := p.Call(t.Context(), native.MethodHello, hello(RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	res, err := native.Ask[native.Subscribed](t.Context(), p, native.MethodTaskSubscribe, native.SubscribeParams{Task: "t1", Seq: 1})
	if err != nil || res.Replayed != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	put(native.EvComplete)
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
	_, err = native.Ask[native.Subscribed](t.Context(), p, native.MethodTaskSubscribe, native.SubscribeParams{Task: "none"})
	wantCode(t, err, CodeNoTask)
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
	if err := p.Call(t.Context(), native.MethodHello, hello(RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Call(t.Context(), native.MethodBrokerStop, native.Empty{}, nil); err != nil && !errors.Is(err, &native.Error{Code: native.CodeClosed}) {
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
	native.On(relay, native.MethodPing, func(context.Context, *native.Channel, native.Empty) (native.Empty, error) {
		pinged <- struct{}{}
		return native.Empty{}, nil
	})
	relay.Start()
	if err := relay.Call(t.Context(), native.MethodHello, hello(RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	cli := dial()
	cli.Start()
	if err := cli.Call(t.Context(), native.MethodHello, hello(RoleCLI), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for { // the relay joins beside its hello
		s, err := native.Ask[native.BrokerStatus](ctx, cli, native.MethodBrokerStatus, native.Empty{})
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
	m := &Models{Config: func(string) (llm.Config, error) {
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
	wantCode(t, m.Use(t.Context(), "nonsense"), native.CodeInvalidParams)
}

func TestPolicyNamesOnlyWhatThePersonNamed(t *testing.T) {
	p := policyFor(native.TaskStartParams{
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
}

func tabAt(url string) browser.TabInfo { return browser.TabInfo{ID: "1", URL: url} }
