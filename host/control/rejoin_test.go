package control

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/llm"
)

// joined says hello as a relay of profile p1, whose service worker answers.
func joined(t *testing.T, dial func() *native.Peer) *native.Peer {
	t.Helper()
	p := dial()
	native.On(p, native.MethodPing, func(context.Context, *native.Channel, native.Empty) (native.Empty, error) {
		return native.Empty{}, nil
	})
	p.Start()
	if err := p.Call(t.Context(), native.MethodHello, hello(RoleRelay), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// A relay that says hello again before the first has taken over (its service
// worker was stopped and the extension reloaded) must leave the broker whole,
// and only the newest connection standing.
func TestARelayThatComesBackTwiceAtOnce(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	var all []*native.Peer
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

// silentServer takes connections and never answers.
func silentServer(t *testing.T) string {
	t.Helper()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); s.Close() })
	return s.URL
}

// A panel must draw itself although the model server does not answer.
func TestAPanelDoesNotWaitForAModelServer(t *testing.T) {
	url := silentServer(t)
	dial, _, _ := startBroker(t, func(b *Broker) {
		b.Manager.Models.Config = func(string) (llm.Config, error) {
			return llm.Config{Provider: "ollama", BaseURL: url, Model: "m"}, nil
		}
	})
	p := joined(t, dial)
	began := time.Now()
	s, err := native.Ask[native.PanelState](t.Context(), p.Chan("panel"), native.MethodPanelState, native.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if s.Models.Error == nil || s.Models.Error.Code != CodeLooking || s.Models.Using != "ollama/m" {
		t.Errorf("models %+v", s.Models)
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
	if err := j.Create(journal.Task{TaskInfo: native.TaskInfo{Task: "t1", State: native.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	from, to := native.NewPeer(here, native.PeerOptions{}), native.NewPeer(there, native.PeerOptions{})
	got := make(chan uint64, 16)
	native.On(to, native.EventTask, func(_ context.Context, _ *native.Channel, ev native.Event) (native.Empty, error) {
		got <- ev.Seq
		return native.Empty{}, nil
	})
	from.Start()
	to.Start()
	defer func() { _ = from.Close(); from.Wait(); to.Wait() }()
	for range 3 {
		if _, err := j.Append(native.Event{Task: "t1", Type: native.EvThinking}); err != nil {
			t.Fatal(err)
		}
	}
	cut := make(chan native.Event) // as the journal leaves it for a reader that lags
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
	if _, err := j.Append(native.Event{Task: "t1", Type: native.EvThinking}); err != nil {
		t.Fatal(err)
	}
	if n := <-got; n != 4 {
		t.Errorf("event %d, want 4", n)
	}
	cancel()
	wg.Wait()
}

// nowhere is a browser with one tab that can never be attached.
type nowhere struct {
	browser.Driver
	opened chan struct{}
	closed chan struct{}
}

func (nowhere) Open(context.Context, string, bool, browser.TabID) (browser.TabInfo, error) {
	return browser.TabInfo{ID: "7"}, nil
}

func (n nowhere) Attach(ctx context.Context, _ browser.TabID) (*browser.Tab, error) {
	select {
	case n.opened <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (nowhere) Subscribe() (<-chan browser.TabEvent, func()) {
	ch := make(chan browser.TabEvent)
	return ch, sync.OnceFunc(func() { close(ch) })
}

func (nowhere) Tabs(context.Context) ([]browser.TabInfo, error) {
	return []browser.TabInfo{{ID: "7"}}, nil
}

func (n nowhere) CloseTab(context.Context, browser.TabID) error {
	select {
	case n.closed <- struct{}{}:
	default:
	}
	return nil
}

func (nowhere) Release(context.Context, browser.TabID) error { return nil }

// manager gives one whose model is never asked.
func manager(t *testing.T) *Manager {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	j, err := journal.Open(filepath.Join(t.TempDir(), "j.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return &Manager{Journal: j, Log: zerolog.Nop(), Models: &Models{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "openai", BaseURL: server.URL, APIKey: "x", Model: "m"}, nil
	}}}
}

// faulty panics at the first touch.
type faulty struct{ nowhere }

func (faulty) Attach(context.Context, browser.TabID) (*browser.Tab, error) { panic("a fault of ours") }

func TestAFaultInOneTaskIsThatTasksFailure(t *testing.T) {
	m := manager(t)
	info, err := m.Start(t.Context(), native.TaskStartParams{Text: "x"}, Place{Driver: faulty{}, Profile: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	<-m.Done(info.Task)
	if got, err := m.Journal.Task(info.Task); err != nil || got.State != native.TaskFailed {
		t.Errorf("%+v %v", got, err)
	}
	m.Close(agent.ErrStopped)
}

func TestAManagerThatEndsTakesNoMoreTasks(t *testing.T) {
	m := manager(t)
	j := m.Journal
	d := nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	place := Place{Driver: d, Profile: "p1"}
	info, err := m.Start(t.Context(), native.TaskStartParams{Text: "x"}, place)
	if err != nil {
		t.Fatal(err)
	}
	<-d.opened
	_, err = m.Start(t.Context(), native.TaskStartParams{Text: "y"}, place)
	wantCode(t, err, CodeTabBusy)
	<-d.closed // a tab that was opened for a refused task does not stay
	_, err = m.Start(t.Context(), native.TaskStartParams{Text: "y", TabID: 7}, place)
	wantCode(t, err, CodeTabBusy)
	if len(d.closed) != 0 {
		t.Error("the person's own tab was closed")
	}
	if err := m.Stop(t.Context(), info.Task); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Task(info.Task); err != nil || got.State != native.TaskCancelled {
		t.Errorf("after Stop: %+v %v", got, err)
	}
	// The tab is free at once, although it stays attached for a while.
	if info, err = m.Start(t.Context(), native.TaskStartParams{Text: "z"}, place); err != nil {
		t.Fatal(err)
	}
	m.Close(agent.ErrStopped)
	if len(m.ended.tasks) != 0 || m.Running() != 0 {
		t.Errorf("left over: %d tabs, %d tasks", len(m.ended.tasks), m.Running())
	}
	_, err = m.Start(t.Context(), native.TaskStartParams{Text: "late"}, place)
	wantCode(t, err, native.CodeClosed)
	if m.Running() != 0 {
		t.Error("a task began after the end")
	}
	if got, err := j.Task(info.Task); err != nil || got.State != native.TaskCancelled {
		t.Errorf("after Close: %+v %v", got, err)
	}
}

// A broker whose binary was replaced hands over, but only once the new file
// stands still, and not while a task runs.
func TestAReplacedBinaryTakesOver(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tabwright")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(binary, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	place := Place{Driver: nowhere{opened: make(chan struct{}, 1)}, Profile: "p1"}
	m := manager(t)
	_, _, ended := startBroker(t, func(b *Broker) {
		b.Manager, b.binary, b.lookEvery = m, binary, 5*time.Millisecond
	})
	info, err := m.Start(t.Context(), native.TaskStartParams{Text: "x"}, place)
	if err != nil {
		t.Fatal(err)
	}
	<-place.Driver.(nowhere).opened
	write("the new one")
	select {
	case err := <-ended:
		t.Fatalf("it left its task: %v", err)
	case <-time.After(100 * time.Millisecond): // twenty looks
	}
	if err := m.Stop(t.Context(), info.Task); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, ErrUpdated) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it did not hand over")
	}
}
