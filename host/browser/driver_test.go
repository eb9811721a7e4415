package browser_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

var directOptions = direct.Options{}

func TestTabs(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": `<title>T</title>`})
		ctx := ctxFor(t)
		events, cancel := d.Subscribe()
		defer cancel()
		info, err := d.Open(ctx, s.url("a.test", "/"), true, "")
		if err != nil || info.ID == "" {
			t.Fatal(info, err)
		}
		if e := awaitKind(t, events, browser.TabCreated); e.Tab.ID != info.ID {
			t.Errorf("%+v", e)
		}
		tab, err := d.Attach(ctx, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		list, err := d.Tabs(ctx)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, i := range list {
			found = found || i.ID == info.ID
		}
		if !found {
			t.Errorf("%s is not in %+v", info.ID, list)
		}
		var same sync.WaitGroup
		for range 8 {
			same.Go(func() {
				if again, err := d.Attach(ctx, info.ID); err != nil || again != tab {
					t.Errorf("attach again: %p %v", again, err)
				}
			})
		}
		same.Wait()
		if err := tab.Reload(ctx); err != nil {
			t.Fatal(err)
		}
		rev := tab.PageRev()
		if err := d.Release(ctx, info.ID); err != nil {
			t.Fatal(err)
		}
		<-tab.Done()
		if e := awaitKind(t, events, browser.TabDetached); e.Reason != browser.ReasonReleased {
			t.Errorf("%+v", e)
		}
		if err := d.Release(ctx, info.ID); err != nil {
			t.Errorf("released twice: %v", err)
		}
		back, err := d.Attach(ctx, info.ID)
		if err != nil || back == tab || back.PageRev() != rev {
			t.Errorf("attach after release: %v, pageRev %d, was %d", err, back.PageRev(), rev)
		}
		if _, err := d.Open(ctx, "chrome://settings", true, ""); err == nil {
			t.Error("opened chrome://")
		}
		if _, err := d.Attach(ctx, "987654"); !errors.Is(err, browser.ErrNoTab) {
			t.Errorf("no such tab: %v", err)
		}
		if err := d.CloseTab(ctx, info.ID); err != nil {
			t.Fatal(err)
		}
		if e := awaitKind(t, events, browser.TabRemoved); e.Tab.ID != info.ID {
			t.Errorf("%+v", e)
		}
	})
}

// A renderer that does not answer must not keep anyone for ever.
func TestCallsAreBounded(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		tab := openTab(t, d, "about:blank")
		ctx := browser.WithCallTimeout(ctxFor(t), 200_000_000)
		_, err := cdp.Call(ctx, tab.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: "for (const end = Date.now() + 1500; Date.now() < end;);"})
		if !errors.Is(err, browser.ErrTimeout) {
			t.Errorf("a busy page: %v", err)
		}
		var ce *browser.CDPError
		if err := tab.Session().Call(ctxFor(t), "Page.noSuchThing", nil, nil); !errors.As(err, &ce) || ce.Method != "Page.noSuchThing" {
			t.Errorf("an unknown command: %v", err)
		}
	})
}

func TestEventsInOrder(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		tab := openTab(t, d, "about:blank")
		ctx := ctxFor(t)
		var got []float64
		next := cdp.Events(ctx, tab.Session(), runtime.ConsoleAPICalled)
		if _, err := tab.Evaluate(ctx, "for (let i = 0; i < 500; i++) console.log(i)"); err != nil {
			t.Fatal(err)
		}
		for e, err := range next {
			if err != nil {
				t.Fatal(err)
			}
			if want := float64(len(got)); string(e.Args[0].Value) != strconv.Itoa(int(want)) {
				t.Fatalf("event %v is %s", want, e.Args[0].Value)
			}
			if got = append(got, 0); len(got) == 500 {
				break
			}
		}
	})
}

func BenchmarkEvaluateDirect(b *testing.B) {
	benchEvaluate(b, connectDirect(b, direct.Options{}))
}

func BenchmarkEvaluateRelay(b *testing.B) {
	d, _ := connectRelay(b)
	benchEvaluate(b, d)
}

func benchEvaluate(b *testing.B, d browser.Driver) {
	tab := openTab(b, d, "about:blank")
	ctx := ctxFor(b)
	for b.Loop() {
		if _, err := cdp.Call(ctx, tab.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: "1"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrameCallDirect(b *testing.B) {
	d := connectDirect(b, direct.Options{})
	tab := openTab(b, d, "about:blank")
	ctx := ctxFor(b)
	f, err := tab.MainFrame(ctx)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := f.Call(ctx, "echo", 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPageCrashes(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, framePages)
		tab := openTab(t, d, s.url("a.test", "/"))
		f, ctx := mainFrame(t, tab), ctxFor(t)
		ended := make(chan error, 1)
		go func() { ended <- f.Call(ctx, "never", nil, nil) }()
		// Page.crash itself is never answered.
		go func() { _ = tab.Session().Call(browser.WithCallTimeout(ctx, time.Second), "Page.crash", nil, nil) }()
		if err := <-ended; !errors.Is(err, browser.ErrCrashed) && !errors.Is(err, browser.ErrDocumentGone) {
			t.Errorf("a call under way: %v", err)
		}
		if _, err := tab.Evaluate(ctx, "1"); !errors.Is(err, browser.ErrCrashed) {
			t.Errorf("afterwards: %v", err)
		}
		if err := tab.Reload(ctx); err != nil {
			t.Fatal(err)
		}
		frames, err := tab.Frames(ctx)
		if err != nil || len(frames) != 7 {
			t.Errorf("%d frames, %v", len(frames), err)
		}
		for _, f := range frames {
			if err := f.Call(ctx, "summary", nil, nil); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestConnectionLost(t *testing.T) {
	d := connectDirect(t, direct.Options{})
	tab := openTab(t, d, "about:blank")
	events, cancel := d.Subscribe()
	defer cancel()
	ended := make(chan error, 1)
	f, ctx := mainFrame(t, tab), ctxFor(t)
	go func() { ended <- f.Call(ctx, "never", nil, nil) }()
	if err := f.Call(ctx, "summary", nil, nil); err != nil {
		t.Fatal(err)
	}
	_ = d.Close()
	if err := <-ended; !errors.Is(err, browser.ErrGone) {
		t.Errorf("a call under way: %v", err)
	}
	awaitKind(t, events, browser.DriverGone)
	<-tab.Done()
	if _, err := d.Tabs(ctx); !errors.Is(err, browser.ErrGone) {
		t.Errorf("afterwards: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}
