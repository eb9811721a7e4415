package extension_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"tabwright/extension"
	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

func TestMain(m *testing.M) {
	paneltest.ServeHost()
	os.Exit(m.Run())
}

// launch starts a browser whose host is played by handler.
func launch(t *testing.T, handler paneltest.Handler) (context.Context, *paneltest.Browser) {
	t.Helper()
	if testing.Short() || paneltest.Find() == "" {
		t.Skip("needs a Chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	dir, err := os.MkdirTemp("", "tw") //nolint:usetesting // a socket's path has a limit that t.TempDir is beyond
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	b, err := paneltest.Launch(ctx, paneltest.Options{Dir: dir, Handler: handler})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return ctx, b
}

// besidePage opens a page of the site and the real side panel beside it.
func besidePage(t *testing.T, handler paneltest.Handler) (ctx context.Context, page, panel *paneltest.Page) {
	t.Helper()
	ctx, b := launch(t, handler)
	page, err := b.Open(ctx, site(t), 800, 600)
	must(t, err)
	must(t, page.Until(ctx, `document.title === "outer"`))
	connected(ctx, t, b)
	panel, err = b.OpenSidePanel(ctx, page)
	must(t, err)
	return ctx, page, panel
}

// greet answers the relay's hello and nothing else.
func greet(_ context.Context, _ *paneltest.Host, m wire.Message) (any, error) {
	if m.Method == wire.MethodHello {
		return wire.HelloResult{Protocol: 1, Version: "test", Session: "s"}, nil
	}
	return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: m.Method}
}

func connected(ctx context.Context, t *testing.T, b *paneltest.Browser) *paneltest.Host {
	t.Helper()
	for {
		select {
		case h := <-b.Hosts:
			select {
			case <-h.Ready:
				return h
			case <-h.Done:
			case <-ctx.Done():
			}
		case <-ctx.Done():
			t.Fatal("the extension did not connect")
		}
	}
}

// event waits for an event of that method that satisfies ok.
func event[T any](ctx context.Context, t *testing.T, h *paneltest.Host, method string, ok func(T) bool) T {
	t.Helper()
	for {
		select {
		case <-ctx.Done():
			t.Fatalf("no %s", method)
		case m := <-h.Events:
			if m.Method != method {
				continue
			}
			var v T
			if err := json.Unmarshal(m.Params, &v); err != nil {
				t.Fatal(err)
			}
			if ok(v) {
				return v
			}
		}
	}
}

// site serves pages: / holds a cross-site frame, /file is a download.
func site(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(r.Host, ":")
		switch r.URL.Path {
		case "/":
			_, _ = fmt.Fprintf(w, `<!doctype html><title>outer</title><iframe src="http://other.test:%s/inner"></iframe><iframe srcdoc="<p>hi"></iframe>`, port)
		case "/inner":
			_, _ = fmt.Fprint(w, `<!doctype html><title>inner</title><p>inside`)
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="a.txt"`)
			_, _ = fmt.Fprint(w, "hello")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "shop.test", 1)
}

func TestRelayHello(t *testing.T) {
	hello := make(chan wire.HelloParams, 1)
	ctx, b := launch(t, func(ctx context.Context, h *paneltest.Host, m wire.Message) (any, error) {
		if m.Method == wire.MethodHello {
			var p wire.HelloParams
			if err := json.Unmarshal(m.Params, &p); err != nil {
				return nil, err
			}
			hello <- p
		}
		return greet(ctx, h, m)
	})
	h := connected(ctx, t, b)
	p := <-hello
	if p.Role != "relay" || p.ExtensionID != extension.ID || p.ProtocolMin != 1 || p.ProtocolMax != 1 || p.Profile == "" || p.Version == "" {
		t.Errorf("hello %+v", p)
	}
	if p.Browser == nil || p.Browser.Name == "" || p.Browser.Version == "" || p.Browser.Platform == "" {
		t.Errorf("browser %+v", p.Browser)
	}

	// The host goes: the relay comes back by itself, as the same profile.
	_ = h.Close()
	connected(ctx, t, b)
	if again := <-hello; again.Profile != p.Profile {
		t.Errorf("profile %s became %s", p.Profile, again.Profile)
	}
}

func TestRelayDrivesTabs(t *testing.T) {
	ctx, b := launch(t, greet)
	h := connected(ctx, t, b)
	url := site(t)
	call := func(method string, params, out any) {
		t.Helper()
		if err := h.Call(ctx, method, params, out); err != nil {
			t.Fatal(err)
		}
	}

	var tab wire.TabInfo
	call(wire.MethodTabsCreate, wire.TabsCreateParams{URL: url, Active: true}, &tab)
	of := wire.TabParams{TabID: tab.TabID}
	event(ctx, t, h, wire.EventTabUpdated, func(i wire.TabInfo) bool {
		return i.TabID == tab.TabID && i.Status == "complete" && i.Title == "outer"
	})
	call(wire.MethodTabsGet, of, &tab)
	if tab.Title != "outer" || !strings.HasPrefix(tab.URL, url) {
		t.Errorf("tabs.get %+v", tab)
	}

	call(wire.MethodCDPAttach, of, nil)
	if err := h.Call(ctx, wire.MethodCDPAttach, of, nil); !errors.Is(err, &wire.Error{Code: wire.CodeBrowser}) {
		t.Errorf("second attach: %v", err)
	}
	var targets []wire.DebugTarget
	call(wire.MethodCDPTargets, nil, &targets)
	found := false
	for _, tg := range targets {
		found = found || tg.TabID == tab.TabID && tg.Attached
	}
	if !found {
		t.Errorf("cdp.targets does not show the attached tab: %+v", targets)
	}

	// The cross-site frame is a flat child session.
	call(wire.MethodCDPSend, wire.CDPSendParams{
		TabID: tab.TabID, Method: "Target.setAutoAttach",
		Params: json.RawMessage(`{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":false}`),
	}, nil)
	ev := event(ctx, t, h, wire.EventCDP, func(e wire.CDPEvent) bool { return e.Method == "Target.attachedToTarget" })
	var child struct{ SessionID string }
	if err := json.Unmarshal(ev.Params, &child); err != nil {
		t.Fatal(err)
	}
	var got struct{ Result struct{ Value string } }
	call(wire.MethodCDPSend, wire.CDPSendParams{
		TabID: tab.TabID, SessionID: child.SessionID, Method: "Runtime.evaluate",
		Params: json.RawMessage(`{"expression":"document.title"}`),
	}, &got)
	if got.Result.Value != "inner" {
		t.Errorf("the child session evaluates in %q", got.Result.Value)
	}
	call(wire.MethodCDPSend, wire.CDPSendParams{TabID: tab.TabID, SessionID: child.SessionID, Method: "Runtime.enable"}, nil)
	event(ctx, t, h, wire.EventCDP, func(e wire.CDPEvent) bool {
		return e.SessionID == child.SessionID && e.Method == "Runtime.executionContextCreated"
	})

	var in wire.InjectResult
	call(wire.MethodInject, wire.InjectParams{TabID: tab.TabID}, &in)
	if len(in.Frames) != 3 {
		t.Errorf("injected into %+v, want the page, its cross-site frame and its srcdoc frame", in.Frames)
	}
	for _, f := range in.Frames {
		if f.DocumentID == "" {
			t.Errorf("frame without document: %+v", f)
		}
	}

	followed(ctx, t, h, tab.TabID, url+"/inner")
	call(wire.MethodCDPDetach, of, nil)

	var second wire.TabInfo
	call(wire.MethodTabsCreate, wire.TabsCreateParams{URL: url + "/file", Active: true}, &second)
	event(ctx, t, h, wire.EventDownload, func(d wire.DownloadEvent) bool {
		return d.State == "complete" && strings.HasSuffix(d.Filename, ".txt") && strings.HasSuffix(d.URL, "/file")
	})
	call(wire.MethodTabsCreate, wire.TabsCreateParams{URL: "about:blank", Active: true}, &second)
	event(ctx, t, h, wire.EventTabActivated, func(p wire.TabParams) bool { return p.TabID == second.TabID })
	call(wire.MethodTabsActivate, of, nil)
	event(ctx, t, h, wire.EventTabActivated, func(p wire.TabParams) bool { return p.TabID == tab.TabID })
	call(wire.MethodTabsRemove, of, nil)
	event(ctx, t, h, wire.EventTabRemoved, func(p wire.TabParams) bool { return p.TabID == tab.TabID })
	if err := h.Call(ctx, wire.MethodTabsGet, of, nil); !errors.Is(err, &wire.Error{Code: wire.CodeBrowser}) {
		t.Errorf("tabs.get of a closed tab: %v", err)
	}
	for _, name := range []string{"no.such", "constructor", "__proto__"} {
		if err := h.Call(ctx, name, nil, nil); !errors.Is(err, &wire.Error{Code: wire.CodeUnknownMethod}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// followed has the relay put the extractor into the tab's documents by itself.
// Nothing else asks for it here.
func followed(ctx context.Context, t *testing.T, h *paneltest.Host, tab int, url string) {
	t.Helper()
	send := func(method string, params any) (result json.RawMessage) {
		t.Helper()
		raw, err := json.Marshal(params)
		if err == nil {
			err = h.Call(ctx, wire.MethodCDPSend, wire.CDPSendParams{TabID: tab, Method: method, Params: raw}, &result)
		}
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	send("Page.enable", wire.Empty{})
	send("Runtime.enable", wire.Empty{})
	if err := h.Call(ctx, wire.MethodFollow, wire.TabParams{TabID: tab}, nil); err != nil {
		t.Fatal(err)
	}
	send("Page.navigate", map[string]string{"url": url})
	type created struct {
		Context struct{ Origin, UniqueID string }
	}
	began := false
	for {
		e := event(ctx, t, h, wire.EventCDP, func(e wire.CDPEvent) bool {
			return e.SessionID == "" && (e.Method == "Page.frameNavigated" || e.Method == "Runtime.executionContextCreated")
		})
		began = began || e.Method == "Page.frameNavigated"
		var c created
		if err := json.Unmarshal(e.Params, &c); err != nil {
			t.Fatal(err)
		}
		if !began || c.Context.Origin != "chrome-extension://"+extension.ID {
			continue
		}
		got := send("Runtime.evaluate", map[string]any{
			"expression": "document.title + typeof __tabwright", "uniqueContextId": c.Context.UniqueID, "returnByValue": true,
		})
		if !strings.Contains(string(got), `"innerobject"`) {
			t.Errorf("in the new document: %s", got)
		}
		return
	}
}

func TestRelayTakesChunksAndSurvivesNonsense(t *testing.T) {
	ctx, b := launch(t, greet)
	h := connected(ctx, t, b)
	whole, err := json.Marshal(wire.Message{Kind: wire.KindReq, ID: 4000, Method: "no.such.ünïcode", Params: json.RawMessage(`"` + strings.Repeat("ö", 1<<20) + `"`)})
	if err != nil {
		t.Fatal(err)
	}
	const size = 700_001 // odd: the cut falls inside a character
	total := (len(whole) + size - 1) / size
	for i := range total {
		c := &wire.Chunk{ID: 1, Seq: i, Total: total, Data: whole[i*size : min((i+1)*size, len(whole))]}
		if err := h.Send(wire.Message{Kind: wire.KindChunk, Chunk: c}); err != nil {
			t.Fatal(err)
		}
	}
	// A chunk that follows nothing, a message of no kind, an answer nobody asked for, a cancel of nothing.
	for _, s := range []string{
		`{"kind":"chunk","chunk":{"id":9,"seq":3,"total":5,"data":"AAAA"}}`, `{"kind":"chunk"}`, `{"kind":"what"}`, `{}`,
		`{"kind":"res","id":77}`, `{"kind":"cancel","id":77}`, `{"kind":"evt","chan":"p99","method":"x"}`,
	} {
		if err := h.SendBytes([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Call(ctx, wire.MethodPing, nil, nil); err != nil {
		t.Fatal(err)
	}
	got := h.Stray(4000)
	if got == nil || got.Error == nil || got.Error.Code != wire.CodeUnknownMethod || !strings.Contains(got.Error.Message, "ünïcode") {
		t.Errorf("answer to the chunked request: %+v", got)
	}
}
