package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

var framePages = map[string]string{
	"/": `<title>Outer</title><body style="margin:0"><h1 style="margin:0;height:50px">outer</h1>
<iframe id="far" style="border:3px solid;padding:4px;margin-left:20px;width:300px;height:200px" src="http://b.test:{port}/in"></iframe>
<iframe id="near" src="/same" width="100" height="80"></iframe>
<iframe id="doc" srcdoc="<p>written</p>" width="100" height="80"></iframe>
<iframe id="empty" width="100" height="80"></iframe>
<iframe id="hidden" style="display:none" src="/same"></iframe>`,
	"/in":   `<title>In</title><body style="margin:0">in<br><iframe id="deep" src="http://c.test:{port}/same?deep" width="80" height="60" style="border:0"></iframe>`,
	"/same": `<title>Same</title><button onclick="this.textContent='clicked'">press</button>`,
	"/two":  `<title>Two</title>two`,
}

func TestFramesOfAllProcesses(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, framePages)
		tab := openTab(t, d, s.url("a.test", "/"))
		ctx := ctxFor(t)
		frames, err := tab.Frames(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		byURL := map[string]*browser.Frame{}
		place := map[string]int{}
		for i, f := range frames {
			url := strings.TrimPrefix(f.URL(), "http://")
			url = strings.Replace(url, s.srv.URL[strings.LastIndex(s.srv.URL, ":"):], "", 1)
			got = append(got, url)
			byURL[url] = f
			place[f.ID()] = i
			if f.Document() == "" {
				t.Errorf("%s has no document", url)
			}
			if parent, ok := place[f.ParentID()]; i > 0 && (!ok || parent >= i) {
				t.Errorf("%s stands before its parent", url)
			}
			var sum struct{ URL string }
			if err := f.Call(ctx, "summary", nil, &sum); err != nil || sum.URL != f.URL() {
				t.Errorf("summary of %s: %+v, %v", url, sum, err)
			}
		}
		want := "a.test/ b.test/in c.test/same?deep a.test/same about:srcdoc about:blank a.test/same"
		if strings.Join(got, " ") != want {
			t.Errorf("frames\n got %s\nwant %s", strings.Join(got, " "), want)
		}
		if t.Failed() {
			return
		}
		x, y, ok := byURL["b.test/in"].Offset(ctx)
		if !ok || x != 27 || y != 57 { // margin 20 + border 3 + padding 4; heading 50
			t.Errorf("offset of the far frame: %v,%v %v", x, y, ok)
		}
		dx, dy, ok := byURL["c.test/same?deep"].Offset(ctx)
		if !ok || dx != 27 || dy <= y || dy > y+40 || math.IsNaN(dy) {
			t.Errorf("offset of the deep frame: %v,%v %v", dx, dy, ok)
		}
		if _, _, ok := frames[len(frames)-1].Offset(ctx); ok {
			t.Error("a frame with display:none has an offset")
		}
		parent, id, err := byURL["b.test/in"].Owner(ctx)
		if err != nil || parent.ID() != frames[0].ID() || id != find(t, frames[0], "#far") {
			t.Errorf("owner: %v %v %v", parent, id, err)
		}
		click(t, tab, byURL["c.test/same?deep"], "button")
		var list struct{ Buttons []string }
		if err := byURL["c.test/same?deep"].Call(ctx, "list", map[string]any{}, &list); err != nil || len(list.Buttons) != 1 || list.Buttons[0] != "clicked" {
			t.Errorf("after a click two processes down: %+v, %v", list, err)
		}
	})
}

func TestCallCarriesJSON(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, framePages)
		tab := openTab(t, d, s.url("a.test", "/two"))
		f, ctx := mainFrame(t, tab), ctxFor(t)
		for _, in := range []string{`{"a":[1,2.5,null,"ü \" 中 🦊"]}`, `"x"`, `0`, `false`, `[]`} {
			var out, want any
			if err := json.Unmarshal([]byte(in), &want); err != nil {
				t.Fatal(err)
			}
			if err := f.Call(ctx, "echo", json.RawMessage(in), &out); err != nil || !reflect.DeepEqual(out, want) {
				t.Errorf("echo %s: %v, %v", in, out, err)
			}
		}
		var waited struct{ Waited int }
		if err := f.Call(ctx, "later", map[string]int{"ms": 30}, &waited); err != nil || waited.Waited != 30 {
			t.Errorf("a promise: %+v, %v", waited, err)
		}
		var js *browser.JSError
		if err := f.Call(ctx, "boom", nil, nil); !errors.As(err, &js) || !strings.Contains(js.Text, "boom") {
			t.Errorf("an exception: %v", err)
		}
		if err := f.Call(ctx, "noSuchThing", nil, nil); !errors.As(err, &js) || !strings.Contains(js.Text, "noSuchThing") {
			t.Errorf("an unknown function: %v", err)
		}
		if _, err := f.NodeObject(ctx, 999); !errors.Is(err, browser.ErrNoNode) {
			t.Errorf("an unknown node: %v", err)
		}
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		if err := f.Call(short, "never", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call that never ends: %v", err)
		}
		if err := f.Call(browser.WithCallTimeout(ctx, 50*time.Millisecond), "never", nil, nil); !errors.Is(err, browser.ErrTimeout) {
			t.Errorf("a call over its bound: %v", err)
		}
	})
}

// The world must be the frame's isolated one: the page neither sees the
// extractor nor can put another in its place.
func TestExtractorIsHidden(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": `<script>globalThis.__tabwright = {summary: () => ({URL: "forged"})}</script>hi`})
		tab := openTab(t, d, s.url("a.test", "/"))
		var sum struct{ URL string }
		if err := mainFrame(t, tab).Call(ctxFor(t), "summary", nil, &sum); err != nil || sum.URL != tab.URL() {
			t.Fatalf("summary: %+v, %v", sum, err)
		}
		if got := evaluate[bool](t, tab, `"version" in globalThis.__tabwright`); got {
			t.Error("the page sees the extractor")
		}
	})
}

func TestDocumentGone(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, framePages)
		tab := openTab(t, d, s.url("a.test", "/two"))
		f, ctx := mainFrame(t, tab), ctxFor(t)
		if err := f.Call(ctx, "stamp", map[string]string{"set": "first"}, nil); err != nil {
			t.Fatal(err)
		}
		never := make(chan error, 1)
		go func() { never <- f.Call(ctx, "never", nil, nil) }()
		if tab.PageRev() != 2 { // about:blank, then /two
			t.Errorf("pageRev %d before", tab.PageRev())
		}
		if err := tab.Navigate(ctx, s.url("b.test", "/two")); err != nil { // another process
			t.Fatal(err)
		}
		if err := <-never; !errors.Is(err, browser.ErrDocumentGone) {
			t.Errorf("in the middle: %v", err)
		}
		if err := f.Call(ctx, "summary", nil, nil); !errors.Is(err, browser.ErrDocumentGone) {
			t.Errorf("afterwards: %v", err)
		}
		if tab.PageRev() != 3 {
			t.Errorf("pageRev %d after", tab.PageRev())
		}
		now, ok := tab.Frame(f.ID())
		if !ok || now.Document() == f.Document() {
			t.Fatalf("the frame now: %v %v", now, ok)
		}
		var stamp string
		if err := now.Call(ctx, "stamp", map[string]string{}, &stamp); err != nil || stamp != "" {
			t.Errorf("the new document's world: %q, %v", stamp, err)
		}
		if _, err := tab.Evaluate(ctx, `history.pushState(null, "", "/pushed#x")`); err != nil {
			t.Fatal(err)
		}
		if err := now.Call(ctx, "summary", nil, nil); err != nil {
			t.Errorf("after a same-document navigation: %v", err)
		}
		if tab.PageRev() != 3 || !strings.HasSuffix(tab.URL(), "/pushed#x") || now.URL() != tab.URL() {
			t.Errorf("same document: pageRev %d, %s, %s", tab.PageRev(), tab.URL(), now.URL())
		}
	})
}

// A frame may leave its parent's process and come back; it stays one frame.
func TestFrameChangesProcess(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, framePages)
		tab := openTab(t, d, s.url("a.test", "/"))
		ctx := ctxFor(t)
		frames, err := tab.Frames(ctx)
		if err != nil {
			t.Fatal(err)
		}
		near := frames[3]
		for _, host := range []string{"b.test", "c.test", "a.test", "b.test"} {
			url := s.url(host, "/same?"+host)
			if _, err := tab.Evaluate(ctx, `new Promise(r => { near.onload = () => r(1); near.src = "`+url+`" })`); err != nil {
				t.Fatal(err)
			}
			all, err := tab.Frames(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != len(frames) {
				t.Errorf("%s: %d frames, were %d", host, len(all), len(frames))
			}
			f, ok := tab.Frame(near.ID())
			if !ok {
				t.Fatalf("%s: the frame is gone", host)
			}
			var sum struct{ URL string }
			if err := f.Call(ctx, "summary", nil, &sum); err != nil || sum.URL != url {
				t.Errorf("%s: %+v, %v", host, sum, err)
			}
			if _, _, ok := f.Offset(ctx); !ok {
				t.Errorf("%s: no offset", host)
			}
		}
		if _, err := tab.Evaluate(ctx, `near.remove(); far.remove()`); err != nil {
			t.Fatal(err)
		}
		all, err := tab.Frames(ctx)
		if err != nil || len(all) != 4 {
			t.Errorf("after removal: %d frames, %v", len(all), err)
		}
	})
}

func TestClosedShadowRootsDirect(t *testing.T) {
	d := connectDirect(t, direct.Options{})
	s := newSite(t, map[string]string{"/": `<x-card></x-card><div id=plain></div><script>
customElements.define("x-in", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>inner</button>"; } });
customElements.define("x-card", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>outer</button><x-in></x-in>"; } });
plain.attachShadow({mode: "closed"}).innerHTML = "<button>plain</button>";
</script>`})
	tab := openTab(t, d, s.url("a.test", "/"))
	f := mainFrame(t, tab)
	var list struct {
		Roots   int
		Buttons []string
	}
	for range 2 { // the second look finds the same roots again, and no more
		if err := f.Call(ctxFor(t), "list", map[string]any{}, &list); err != nil {
			t.Fatal(err)
		}
		if list.Roots != 4 || len(list.Buttons) != 3 {
			t.Fatalf("list: %+v", list)
		}
	}
	click(t, tab, f, "x-card") // hosts stay usable
}

func TestRelayReachesFramesTheExtensionMayNot(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	d, w := connectRelay(t)
	w.SkipInject = func(url string) bool { return strings.Contains(url, "/same") }
	s := newSite(t, framePages)
	tab := openTab(t, d, s.url("a.test", "/"))
	frames, err := tab.Frames(ctxFor(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		var sum struct{ URL string }
		if err := f.Call(ctxFor(t), "summary", nil, &sum); err != nil || sum.URL != f.URL() {
			t.Errorf("summary of %s: %+v, %v", f.URL(), sum, err)
		}
	}
}

// A page that navigates all the time must not get an answer of one document
// for another.
func TestCallsWhileNavigating(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, nil)
		s.mux.HandleFunc("GET /n/{n}", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			n := r.PathValue("n")
			if len(n) < 8 {
				n += "1"
			}
			_, _ = w.Write([]byte(`<script>setTimeout(() => location.href = "/n/` + n + `", 80)</script>`))
		})
		tab := openTab(t, d, "")
		ctx := ctxFor(t)
		if err := tab.Navigate(ctx, s.url("a.test", "/n/1")); err != nil {
			t.Fatal(err)
		}
		right := 0
		for !strings.HasSuffix(tab.URL(), "/n/11111111") {
			f, err := tab.MainFrame(ctx)
			if err != nil {
				continue
			}
			var sum struct{ URL string }
			url := f.URL()
			err = f.Call(ctx, "summary", nil, &sum)
			switch {
			case err == nil && sum.URL != url:
				t.Fatalf("frame of %s answered for %s", url, sum.URL)
			case err == nil:
				right++
			case !errors.Is(err, browser.ErrDocumentGone):
				t.Fatalf("call: %v", err)
			}
		}
		if right == 0 {
			t.Error("no call got through")
		}
	})
}
