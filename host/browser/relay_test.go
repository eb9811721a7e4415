package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/relay"
	"tabwright/host/browser/relay/relaytest"
	"tabwright/host/native/wire"
)

func relayOptions() relay.Options {
	return relay.Options{ExtensionID: relaytest.ExtensionID, Extractor: extractor}
}

func awaitKind(t *testing.T, events <-chan browser.TabEvent, kind browser.TabEventKind) browser.TabEvent {
	t.Helper()
	ctx := ctxFor(t)
	for {
		select {
		case e := <-events:
			if e.Kind == kind {
				return e
			}
		case <-ctx.Done():
			t.Fatalf("no %s event", kind)
		}
	}
}

// The service worker is stopped and comes back, or the extension is reloaded:
// the tabs go on, with what happened meanwhile read anew.
func TestRelayComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	for _, c := range []struct {
		name string
		stop func(*relaytest.Worker)
	}{
		{"worker stopped", (*relaytest.Worker).Drop},
		{"extension reloaded", (*relaytest.Worker).Reload},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, w := connectRelay(t)
			s := newSite(t, framePages)
			tab := openTab(t, d, s.url("a.test", "/"))
			still := openTab(t, d, s.url("b.test", "/two"))
			ctx := ctxFor(t)
			events, cancel := d.Subscribe()
			defer cancel()
			f, rev, stillRev := mainFrame(t, tab), tab.PageRev(), still.PageRev()
			pending := make(chan error, 1)
			started := make(chan struct{})
			go func() {
				close(started)
				pending <- f.Call(ctx, "never", nil, nil)
			}()
			<-started
			c.stop(w)
			d.Gone(errors.New("the worker was stopped"))
			if err := <-pending; !errors.Is(err, browser.ErrGone) {
				t.Errorf("a call under way: %v", err)
			}
			if err := tab.Navigate(ctx, s.url("a.test", "/two")); !errors.Is(err, browser.ErrGone) {
				t.Errorf("a call while gone: %v", err)
			}
			awaitKind(t, events, browser.DriverGone)
			// The user goes elsewhere meanwhile; nobody is told.
			other := connectDirectAt(t, w, tab.ID())
			if err := other.Navigate(ctx, s.url("c.test", "/")); err != nil {
				t.Fatal(err)
			}
			peer := w.Connect(t, d.Event)
			if err := d.Reconnect(ctx, peer, relayOptions()); err != nil {
				t.Fatal(err)
			}
			awaitKind(t, events, browser.DriverBack)
			if tab.PageRev() != rev+1 || tab.URL() != s.url("c.test", "/") {
				t.Errorf("pageRev %d, was %d; %s", tab.PageRev(), rev, tab.URL())
			}
			if still.PageRev() != stillRev {
				t.Errorf("a page that stayed: pageRev %d, was %d", still.PageRev(), stillRev)
			}
			if err := f.Call(ctx, "summary", nil, nil); !errors.Is(err, browser.ErrDocumentGone) {
				t.Errorf("the old document: %v", err)
			}
			frames, err := tab.Frames(ctx)
			if err != nil || len(frames) != 7 {
				t.Fatalf("%d frames, %v", len(frames), err)
			}
			for _, f := range frames {
				var sum struct{ URL string }
				if err := f.Call(ctx, "summary", nil, &sum); err != nil || sum.URL != f.URL() {
					t.Errorf("summary of %s: %+v, %v", f.URL(), sum, err)
				}
			}
			again, err := d.Attach(ctx, tab.ID())
			if err != nil || again != tab {
				t.Errorf("attach gives %p, not %p: %v", again, tab, err)
			}
			if err := tab.Navigate(ctx, s.url("a.test", "/two")); err != nil || tab.PageRev() != rev+2 {
				t.Errorf("afterwards: %v, pageRev %d", err, tab.PageRev())
			}
			if !follows(t, w, tab, s.url("a.test", "/two")) {
				t.Error("the extractor does not come with the documents any more")
			}
		})
	}
}

// connectDirectAt drives a relay's tab past the relay.
func connectDirectAt(t *testing.T, w *relaytest.Worker, id browser.TabID) *browser.Tab {
	t.Helper()
	n, err := strconv.Atoi(string(id))
	if err != nil {
		t.Fatal(err)
	}
	d := connectDirect(t, directOptions)
	tab, err := d.Attach(ctxFor(t), browser.TabID(w.Target(n)))
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestDialogThatOpenedWhileAway(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, framePages)
	tab := openTab(t, d, s.url("a.test", "/two"))
	ctx := ctxFor(t)
	if _, err := tab.Evaluate(ctx, "setTimeout(() => { window.said = confirm('?') }, 300)"); err != nil {
		t.Fatal(err)
	}
	w.Drop()
	d.Gone(nil)
	other := connectDirectAt(t, w, tab.ID())
	<-other.DialogOpened()
	if err := d.Reconnect(ctx, w.Connect(t, d.Event), relayOptions()); err != nil {
		t.Fatal(err)
	}
	if tab.Dialog() == nil {
		t.Fatal("the dialog is not known")
	}
	if err := tab.HandleDialog(ctx, true, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Frames(ctx); err != nil {
		t.Fatal(err)
	}
	if !evaluate[bool](t, tab, "window.said") {
		t.Error("it was not accepted")
	}
	if err := mainFrame(t, tab).Call(ctx, "summary", nil, nil); err != nil {
		t.Error(err)
	}
}

// deaf is a relay that never answers one method.
type deaf struct {
	relay.Caller
	to string
}

func (c deaf) Call(ctx context.Context, method string, params, result any) error {
	if method == c.to {
		<-ctx.Done()
		return ctx.Err()
	}
	return c.Caller.Call(ctx, method, params, result)
}

// A tab that can't be had again after the extension was loaded anew must not
// keep the browser from being used: it is given up, and attached when needed.
func TestATabThatIsNotAdopted(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, framePages)
	tab := openTab(t, d, s.url("a.test", "/two"))
	ctx := ctxFor(t)
	events, cancel := d.Subscribe()
	defer cancel()
	w.Reload()
	d.Gone(nil)
	peer := w.Connect(t, d.Event)
	if err := d.Reconnect(ctx, deaf{peer, wire.MethodCDPAttach}, relayOptions()); err == nil || ctx.Err() != nil {
		t.Fatalf("it did not give the tab up: %v", err)
	}
	awaitKind(t, events, browser.DriverBack)
	<-tab.Done()
	if !errors.Is(tab.Err(), browser.ErrDetached) {
		t.Errorf("the tab ended with %v", tab.Err())
	}
	if err := d.Reconnect(ctx, peer, relayOptions()); err != nil {
		t.Fatal(err)
	}
	again, err := d.Attach(ctx, tab.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := mainFrame(t, again).Call(ctx, "summary", nil, nil); err != nil {
		t.Error(err)
	}
}

func TestUserCancels(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, framePages)
	tab := openTab(t, d, s.url("a.test", "/two"))
	ctx := ctxFor(t)
	events, cancel := d.Subscribe()
	defer cancel()
	rev := tab.PageRev()
	n, err := strconv.Atoi(string(tab.ID()))
	if err != nil {
		t.Fatal(err)
	}
	w.Cancel(n)
	<-tab.Done()
	if !errors.Is(tab.Err(), browser.ErrUserCancelled) || !errors.Is(tab.Err(), browser.ErrDetached) {
		t.Errorf("err: %v", tab.Err())
	}
	if e := awaitKind(t, events, browser.TabDetached); e.Reason != browser.ReasonUser || e.Tab.ID != tab.ID() {
		t.Errorf("%+v", e)
	}
	if err := tab.Navigate(ctx, s.url("a.test", "/")); !errors.Is(err, browser.ErrUserCancelled) {
		t.Errorf("navigate: %v", err)
	}
	if _, err := d.Attach(ctx, tab.ID()); !errors.Is(err, browser.ErrUserCancelled) {
		t.Errorf("attach: %v", err)
	}
	d.Allow(tab.ID())
	again, err := d.Attach(ctx, tab.ID())
	if err != nil {
		t.Fatal(err)
	}
	if again.PageRev() != rev {
		t.Errorf("pageRev %d, was %d: the document is the same", again.PageRev(), rev)
	}
}

// What is typed goes to the browser in one message, in its order, and a failure
// in the middle of it is told.
func TestEventsInOneMessage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, map[string]string{"/": `<input id="text" autofocus>`})
	tab, ctx := openTab(t, d, s.url("a.test", "/")), ctxFor(t)
	evaluate[any](t, tab, "text.focus()")
	var list []browser.Input
	for _, c := range "aBc" {
		k := letter(c)
		up := k
		up.Up = true
		list = append(list, browser.Input{Key: &k}, browser.Input{Key: &up})
	}
	if err := tab.Send(ctx, list); err != nil {
		t.Fatal(err)
	}
	if got := evaluate[string](t, tab, "text.value"); got != "aBc" || w.Batches() != 1 {
		t.Errorf("typed %q in %d messages", got, w.Batches())
	}
	// One that Chrome refuses, between two that it takes.
	k := letter('d')
	var ce *browser.CDPError
	err := tab.Send(ctx, []browser.Input{{Key: &k}, {Key: &browser.KeyEvent{Key: "x", Text: "more than a key types"}}, {Key: &k}})
	if got := evaluate[string](t, tab, "text.value"); got != "aBcdd" || !errors.As(err, &ce) {
		t.Errorf("a command that fails in the middle: %q, %v", got, err)
	}
}

// Chrome puts another tab into the place of one: the page counter goes on, and
// so does what the user refused.
func TestTabReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	s := newSite(t, framePages)
	tab, ctx := openTab(t, d, s.url("a.test", "/two")), ctxFor(t)
	events, cancel := d.Subscribe()
	defer cancel()
	rev := tab.PageRev()
	replace := func(id browser.TabID) browser.TabID {
		t.Helper()
		n, err := strconv.Atoi(string(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Replace(ctx, n); err != nil {
			t.Fatal(err)
		}
		e := awaitKind(t, events, browser.TabReplaced)
		if e.Was != id || e.Tab.ID == id {
			t.Fatalf("%+v", e)
		}
		return e.Tab.ID
	}
	id := replace(tab.ID())
	<-tab.Done()
	if !errors.Is(tab.Err(), browser.ErrDetached) {
		t.Errorf("the tab that is gone: %v", tab.Err())
	}
	again, err := d.Attach(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if again.PageRev() != rev {
		t.Errorf("pageRev %d, was %d: the document is the same", again.PageRev(), rev)
	}
	if err := mainFrame(t, again).Call(ctx, "summary", nil, nil); err != nil {
		t.Error(err)
	}
	n, _ := strconv.Atoi(string(id))
	w.Cancel(n)
	<-again.Done()
	if _, err := d.Attach(ctx, replace(id)); !errors.Is(err, browser.ErrUserCancelled) {
		t.Errorf("the user refused the tab before it: %v", err)
	}
}

// Whatever the other side sends, the driver neither blocks nor panics.
func FuzzRelayEvent(f *testing.F) {
	for _, m := range []string{"cdp.event", "cdp.detached", "tabs.created", "tabs.removed", "downloads.event", "x"} {
		f.Add(m, []byte(`{"tabId":1,"method":"Page.frameNavigated","params":{"frame":{}}}`))
		f.Add(m, []byte(`[`))
	}
	f.Fuzz(func(_ *testing.T, method string, params []byte) {
		d := relay.New(nil, relay.Options{})
		d.Event(method, json.RawMessage(params))
	})
}

// silentInject never answers the first injection.
type silentInject struct {
	relay.Caller
	asked chan struct{}
	once  sync.Once
}

func (c *silentInject) Call(ctx context.Context, method string, params, result any) error {
	first := false
	if method == wire.MethodInject {
		c.once.Do(func() { first = true })
	}
	if !first {
		return c.Caller.Call(ctx, method, params, result)
	}
	close(c.asked)
	<-ctx.Done()
	return ctx.Err()
}

// An injection that is never answered, as Chrome was seen to do where a document
// goes meanwhile, ends with its document, and the next one is read at once.
func TestInjectionIntoADocumentThatGoes(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	made := make(chan struct{})
	var d *relay.Driver
	w := relaytest.Start(t, startChromium(t).URL(), extractor)
	w.NoFollow = true
	silent := &silentInject{asked: make(chan struct{}), Caller: w.Connect(t, func(method string, params json.RawMessage) {
		<-made
		d.Event(method, params)
	})}
	d = relay.New(silent, relay.Options{ExtensionID: relaytest.ExtensionID}) // nothing comes with a document
	close(made)
	t.Cleanup(func() { _ = d.Close() })
	s := newSite(t, framePages)
	ctx := ctxFor(t)
	tab := openTab(t, d, s.url("a.test", "/two"))
	old := mainFrame(t, tab)
	ended := make(chan error, 1)
	go func() { ended <- old.Call(ctx, "summary", nil, nil) }()
	select {
	case <-silent.asked:
	case <-ctx.Done():
		t.Fatal("nothing was injected")
	}
	if err := tab.Navigate(ctx, s.url("b.test", "/two")); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := <-ended; !errors.Is(err, browser.ErrDocumentGone) {
		t.Errorf("the document before: %v", err)
	}
	if err := mainFrame(t, tab).Call(ctx, "summary", nil, nil); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > browser.CallTimeout/2 {
		t.Errorf("it took %v", took)
	}
}
