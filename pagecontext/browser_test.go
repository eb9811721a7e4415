package pagecontext_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/pagecontext"
)

// tab is a page under test; it is a pagecontext.Source.
type tab struct {
	t       testing.TB
	b       *chromium
	session string
	rev     int
	kept    []pagecontext.Frame // see keepFrames
	mu      sync.Mutex
	worlds  map[string]int // frame+loader → execution context
}

// site serves testdata; a page may also be given as HTML.
var site = sync.OnceValue(func() *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	return httptest.NewServer(mux)
})

var (
	inlineMu    sync.Mutex
	inlinePages = map[string]string{}
	inline      = sync.OnceValue(func() *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inlineMu.Lock()
			defer inlineMu.Unlock()
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, inlinePages[r.URL.Path])
		}))
	})
)

func newTab(t testing.TB) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	browserOnce.Do(func() {
		var stop func()
		if browser, stop, browserErr = launch(); stop != nil {
			stopBrowser = stop
		}
	})
	if browserErr != nil {
		t.Fatalf("launch: %v", browserErr)
	}
	return tabOf(t, browser)
}

func tabOf(t testing.TB, browser *chromium) *tab {
	t.Helper()
	tb := &tab{t: t, b: browser, worlds: map[string]int{}}
	var target struct{ TargetID string }
	tb.must(browser.call("", "Target.createTarget", map[string]any{"url": "about:blank", "newWindow": true, "width": 1280, "height": 720}, &target))
	var att struct{ SessionID string }
	tb.must(browser.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &att))
	tb.session = att.SessionID
	t.Cleanup(func() { _ = browser.call("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}, nil) })
	for _, d := range []string{"Page.enable", "Runtime.enable", "DOM.enable"} {
		tb.must(tb.cdp(d, nil, nil))
	}
	tb.must(tb.cdp("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil))
	tb.must(tb.cdp("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false}, nil))
	return tb
}

// open shows a page: a file of testdata, or HTML.
func open(t testing.TB, page string) *tab {
	t.Helper()
	tb := newTab(t)
	tb.goTo(page)
	return tb
}

func (tb *tab) goTo(page string) {
	tb.t.Helper()
	url := site().URL + "/" + page
	if strings.Contains(page, "<") {
		path := "/" + strings.NewReplacer("/", "_", "#", "_").Replace(tb.t.Name()) + fmt.Sprint(len(inlinePages))
		inlineMu.Lock()
		inlinePages[path] = "<!doctype html><title>t</title>" + page
		inlineMu.Unlock()
		url = inline().URL + path
	}
	loaded := tb.b.expect(tb.session, "Page.loadEventFired", nil)
	tb.must(tb.cdp("Page.navigate", map[string]any{"url": url}, nil))
	tb.wait(loaded, "load")
	tb.rev++
}

func (tb *tab) wait(c <-chan json.RawMessage, what string) json.RawMessage {
	tb.t.Helper()
	select {
	case m := <-c:
		return m
	case <-time.After(20 * time.Second):
		tb.t.Fatalf("waited 20 s for %s", what)
		return nil
	}
}

func (tb *tab) must(err error) {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatal(err)
	}
}

func (tb *tab) cdp(method string, params, result any) error {
	return tb.b.call(tb.session, method, params, result)
}

// js runs in the page's own world.
func (tb *tab) js(expr string) any {
	tb.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	tb.must(tb.cdp("Runtime.evaluate", map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true, "userGesture": true}, &r))
	if r.ExceptionDetails != nil {
		tb.t.Fatalf("%s: %s", expr, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

type frameTree struct {
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		LoaderID string `json:"loaderId"`
		URL      string `json:"url"`
	} `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// keepFrames has the tab ask for its frames only once while run runs, which changes no page.
func (tb *tab) keepFrames(run func()) {
	tb.t.Helper()
	kept, err := tb.Frames(tb.t.Context())
	tb.must(err)
	tb.kept = kept
	defer func() { tb.kept = nil }()
	run()
}

func (tb *tab) PageRev() int { return tb.rev }

func (tb *tab) Frames(context.Context) ([]pagecontext.Frame, error) {
	if tb.kept != nil {
		return tb.kept, nil
	}
	var r struct{ FrameTree frameTree }
	if err := tb.cdp("Page.getFrameTree", nil, &r); err != nil {
		return nil, err
	}
	var out []pagecontext.Frame
	var add func(t frameTree)
	add = func(t frameTree) {
		out = append(out, &testFrame{tb, t.Frame.ID, t.Frame.ParentID, t.Frame.LoaderID, t.Frame.URL})
		for _, c := range t.Children {
			add(c)
		}
	}
	add(r.FrameTree)
	return out, nil
}

type testFrame struct {
	tb                        *tab
	id, parent, document, url string
}

func (f *testFrame) ID() string       { return f.id }
func (f *testFrame) ParentID() string { return f.parent }
func (f *testFrame) Document() string { return f.document }
func (f *testFrame) URL() string      { return f.url }

func (f *testFrame) Scale() (kx, ky float64) { return 1, 1 }

func (f *testFrame) Offset(context.Context) (x, y float64, ok bool) {
	var owner struct{ BackendNodeID int }
	if f.tb.cdp("DOM.getFrameOwner", map[string]any{"frameId": f.id}, &owner) != nil {
		return 0, 0, false
	}
	var box struct{ Model struct{ Content []float64 } }
	if f.tb.cdp("DOM.getBoxModel", map[string]any{"backendNodeId": owner.BackendNodeID}, &box) != nil || len(box.Model.Content) < 2 {
		return 0, 0, false
	}
	return box.Model.Content[0], box.Model.Content[1], true
}

func (f *testFrame) world() (int, error) {
	f.tb.mu.Lock()
	defer f.tb.mu.Unlock()
	key := f.id + f.document
	if id, ok := f.tb.worlds[key]; ok {
		return id, nil
	}
	var w struct{ ExecutionContextID int }
	if err := f.tb.cdp("Page.createIsolatedWorld", map[string]any{"frameId": f.id, "worldName": "tabwright"}, &w); err != nil {
		return 0, err
	}
	var r struct {
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	for range 2 { // twice: it must not matter
		if err := f.tb.cdp("Runtime.evaluate", map[string]any{"expression": script, "contextId": w.ExecutionContextID}, &r); err != nil {
			return 0, err
		}
		if r.ExceptionDetails != nil {
			return 0, errors.New(r.ExceptionDetails.Exception.Description)
		}
	}
	f.tb.worlds[key] = w.ExecutionContextID
	return w.ExecutionContextID, nil
}

func (f *testFrame) Call(_ context.Context, fn string, arg, result any) error {
	ctx, err := f.world()
	if err != nil {
		return err
	}
	if f.parent == "" && (fn == "list" || fn == "summary" || fn == "tree") {
		if err := f.hear(ctx); err != nil {
			return err
		}
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err = f.tb.cdp("Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(a){return globalThis.__tabwright." + fn + "(a)}",
		"executionContextId":  ctx, "arguments": []any{map[string]any{"value": arg}},
		"returnByValue": true, "awaitPromise": true,
	}, &r)
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s", fn, r.ExceptionDetails.Exception.Description)
	}
	if result == nil || len(r.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

// hear tells the extractor what the elements of the main frame hear, as the driver does of every frame.
func (f *testFrame) hear(world int) error {
	var r struct{ Result struct{ Value string } }
	if err := f.tb.cdp("Runtime.evaluate", map[string]any{"expression": listenersScript(), "includeCommandLineAPI": true, "returnByValue": true}, &r); err != nil {
		return err
	}
	return f.tb.cdp("Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(a){return globalThis.__tabwright.hear(a)}",
		"executionContextId":  world, "arguments": []any{map[string]any{"value": r.Result.Value}},
	}, nil)
}

var listenersScript = sync.OnceValue(func() string {
	b, err := os.ReadFile(filepath.Join("..", "host", "browser", "listeners.js"))
	if err != nil {
		panic(err)
	}
	return string(b)
})

// main gives the main frame.
func (tb *tab) main() pagecontext.Frame {
	tb.t.Helper()
	fs, err := tb.Frames(context.Background())
	tb.must(err)
	return fs[0]
}

// do calls the extractor in the main frame.
func do[T any](tb *tab, fn string, arg any) T {
	tb.t.Helper()
	var out T
	tb.must(tb.main().Call(context.Background(), fn, arg, &out))
	return out
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update to accept):\n--- got\n%s\n--- want\n%s", path, got, want)
	}
}
