package action

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/extension/bundle"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/browser/relay"
	"tabwright/host/browser/relay/relaytest"
	"tabwright/safety"
)

// chromium is the one browser of this package's tests; each test has a tab of
// its own.
var chromium struct {
	sync.Once
	b      *launch.Browser
	d      *direct.Driver
	script string
	err    error
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if chromium.b != nil {
		if err := chromium.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

func startChromium(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs Chromium")
	}
	chromium.Do(func() {
		if chromium.script, chromium.err = bundle.Extractor(bundle.Root()); chromium.err != nil {
			return
		}
		chromium.b, chromium.err = launch.Start(context.Background(), launch.Options{
			Headless: true,
			Args:     []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
		})
		if chromium.err != nil {
			return
		}
		chromium.d, chromium.err = direct.Connect(context.Background(), chromium.b.URL(), direct.Options{Extractor: chromium.script})
	})
	if chromium.err != nil {
		tb.Fatal(chromium.err)
	}
}

// drivers runs a test on every driver there is.
func drivers(t *testing.T, test func(t *testing.T, d browser.Driver)) {
	t.Helper()
	t.Run("direct", func(t *testing.T) {
		startChromium(t)
		test(t, chromium.d)
	})
	t.Run("relay", func(t *testing.T) {
		startChromium(t)
		test(t, playRelay(t))
	})
}

// playRelay gives the relay driver over a played service worker.
func playRelay(t *testing.T) browser.Driver {
	t.Helper()
	w := relaytest.Start(t, chromium.b.URL(), chromium.script)
	var d *relay.Driver
	made := make(chan struct{})
	peer := w.Connect(t, func(method string, params json.RawMessage) {
		<-made
		d.Event(method, params)
	})
	d = relay.New(peer, relay.Options{ExtensionID: relaytest.ExtensionID, Extractor: chromium.script})
	close(made)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// site serves the fixture pages on every *.test name.
func site(tb testing.TB) (address func(host, path string) string) {
	tb.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(filepath.Join("testdata", filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		_, _ = w.Write([]byte(strings.ReplaceAll(string(b), "{port}", port)))
	}))
	tb.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		tb.Fatal(err)
	}
	return func(host, path string) string { return "http://" + host + ":" + u.Port() + "/" + path }
}

// live is a session on a real page.
type live struct {
	*Session
	t      testing.TB
	tab    *browser.Tab
	person *person
	diary  *diary
	at     func(host, path string) string
}

func openLive(tb testing.TB, d browser.Driver, page string) *live {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	tb.Cleanup(cancel)
	at := site(tb)
	info, err := d.Open(ctx, "about:blank", true, "")
	if err != nil {
		tb.Fatal(err)
	}
	l := &live{t: tb, at: at, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	l.Session, err = NewSession(Options{
		Driver: d, Tab: info.ID, Confirmer: l.person, Watcher: l.diary,
		Log: zerolog.New(zerolog.NewTestWriter(tb)), Policy: safety.Context{Sites: []string{"a.test", "b.test", "c.test"}, LocalHosts: []string{"a.test", "b.test", "c.test"}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for _, t := range l.Tabs() {
			if err := d.CloseTab(end, t.ID); err != nil {
				tb.Log(err)
			}
		}
		if err := l.Close(end); err != nil {
			tb.Log(err)
		}
	})
	if l.tab, err = d.Attach(ctx, info.ID); err != nil {
		tb.Fatal(err)
	}
	if page != "" {
		if err := l.tab.Navigate(ctx, at("a.test", page)); err != nil {
			tb.Fatal(err)
		}
	}
	return l
}

func (l *live) do(name string, params any) Result {
	l.t.Helper()
	b, err := json.Marshal(params)
	if err != nil {
		l.t.Fatal(err)
	}
	res := l.Do(context.Background(), Call{Name: name, Params: b})
	l.t.Logf("%s %s\n  %s\n  %s", name, b, res.Text, res.Line)
	return res
}

func (l *live) ok(name string, params any) Result {
	l.t.Helper()
	res := l.do(name, params)
	if res.Err != nil {
		l.t.Fatalf("%s: %v (%s)", name, res.Err, res.Err.Hint)
	}
	return res
}

func (l *live) fails(code Code, name string, params any) Result {
	l.t.Helper()
	res := l.do(name, params)
	if res.Err == nil || res.Err.Code != code {
		l.t.Fatalf("%s: %v, want %s", name, res.Err, code)
	}
	return res
}

// eval reads the page's own state, past the session.
func (l *live) eval(code string) string {
	l.t.Helper()
	out, err := l.tab.Evaluate(context.Background(), code)
	if err != nil {
		l.t.Fatalf("%s: %v", code, err)
	}
	var plain bytes.Buffer // the relay and DevTools escape differently
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	var v any
	if err := json.Unmarshal(out, &v); err != nil {
		l.t.Fatal(err)
	}
	if err := e.Encode(v); err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimSpace(plain.String())
}

func (l *live) wantLog(want ...string) {
	l.t.Helper()
	if want == nil {
		want = []string{}
	}
	b, _ := json.Marshal(want)
	if got := l.eval("window.log"); got != string(b) {
		l.t.Errorf("the page saw %s, want %s", got, b)
	}
}

// index finds an element in a fresh list by its line.
func (l *live) index(role, name string) int {
	l.t.Helper()
	o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range o.Elements.Elements {
		if e.Role == role && e.Name == name {
			return e.Index
		}
	}
	l.t.Fatalf("no %s %q in\n%s", role, name, o.Text)
	return 0
}

type p = map[string]any

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
}

func TestRealClick(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		res := l.ok("click", p{"index": l.index("button", "Add to cart")})
		has(t, res.Text, `clicked button "Add to cart"`, `0" → "`, `link "View cart"`, "new: [")
		if res.Line != `Clicked "Add to cart" on a.test` || res.Site != "a.test" {
			t.Errorf("line %q", res.Line)
		}
		if res := l.ok("click", p{"selector": "#nothing"}); res.Effect != NoEffect {
			t.Errorf("effect %q", res.Effect)
		}
		l.ok("click", p{"selector": "xpath=//button[text()='Nothing']"})
		var r struct{ X, Y, Width, Height float64 }
		if err := json.Unmarshal([]byte(l.eval(`(() => { const r = nothing.getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height}; })()`)), &r); err != nil {
			t.Fatal(err)
		}
		l.ok("click", p{"x": r.X + r.Width/2, "y": r.Y + r.Height/2})
		l.wantLog("add", "nothing", "nothing", "nothing")
		l.fails(Disabled, "click", p{"selector": "#disabled"})
		l.fails(NotVisible, "click", p{"selector": "#hidden"})
		res = l.fails(Covered, "click", p{"selector": "#under"})
		has(t, res.Text, "Cookies")
		l.fails(NotFound, "click", p{"selector": "#nobody"})
		l.fails(InvalidParams, "click", p{"selector": "###"})
		l.wantLog("add", "nothing", "nothing", "nothing")
	})
}

// TestRealStop: a stop is obeyed at once, even while the page answers nothing,
// and no guard is left behind to eat the person's own clicks.
func TestRealStop(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		ctx, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)
		defer cancel()
		begin := time.Now()
		res := l.Do(ctx, Call{Name: "click", Params: json.RawMessage(`{"selector":"#busy"}`)})
		if res.Err == nil || res.Err.Code != Timeout || !res.Sent {
			t.Errorf("error %v, sent %t", res.Err, res.Sent)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("took %s", took)
		}
		l.loose.Wait()
		var at struct{ X, Y float64 }
		if err := json.Unmarshal([]byte(l.eval(`(() => { const r = nothing.getBoundingClientRect(); return {x: r.x + 5, y: r.y + 5}; })()`)), &at); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
			if err := l.tab.Mouse(context.Background(), kind, at.X, at.Y, "left", 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		l.wantLog("busy", "nothing")
	})
}

func TestRealNavigation(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "")
		res := l.ok("navigate", p{"url": strings.TrimPrefix(l.at("a.test", "click.html"), "http://")})
		has(t, res.Effect, "navigated to http://a.test:", "(Click)")
		rev := res.PageRev
		res = l.ok("click", p{"selector": "#next"})
		has(t, res.Effect, "navigated to http://a.test:", "next.html (Next)")
		if res.PageRev != rev+1 {
			t.Errorf("page rev %d after %d", res.PageRev, rev)
		}
		has(t, l.ok("goBack", p{}).Effect, "click.html (Click)")
		has(t, l.ok("goForward", p{}).Effect, "next.html (Next)")
		l.fails(NavigationFailed, "goForward", p{})
		has(t, l.ok("refresh", p{}).Effect, "next.html (Next)")
		l.ok("navigate", p{"url": l.at("a.test", "click.html")})
		rev = l.do("wait", p{"ms": 1}).PageRev
		res = l.ok("click", p{"selector": "#hash"})
		has(t, res.Effect, "address is now", "#below")
		l.fails(Blocked, "navigate", p{"url": "chrome://version"})
		l.fails(Blocked, "navigate", p{"url": "javascript:alert(1)"})
		l.fails(NavigationFailed, "navigate", p{"url": "http://a.test:1/"})
		_ = rev
	})
}

func TestRealTabs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		other, err := d.Open(context.Background(), l.at("b.test", "next.html"), false, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.CloseTab(context.Background(), other.ID) })
		res := l.ok("click", p{"selector": "#blank"})
		has(t, res.Effect, "opened a new tab at", "next.html")
		if n := len(l.Tabs()); n != 2 {
			t.Fatalf("%d tabs: %+v", n, l.Tabs())
		}
		l.fails(NotFound, "switchTab", p{"url": "b.test"})
		was := l.Tab()
		has(t, l.ok("switchTab", p{"url": "next.html"}).Text, "Next")
		if l.Tab() == was {
			t.Error("still in the old tab")
		}
		l.ok("click", p{"selector": "a"})
		if err := d.CloseTab(context.Background(), l.Tab()); err != nil {
			t.Fatal(err)
		}
		has(t, l.fails(TabClosed, "click", p{"selector": "a"}).Text, "switchTab")
		l.ok("switchTab", p{"index": 1})
		l.ok("click", p{"selector": "#nothing"})
	})
}

func TestRealDialogs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		res := l.ok("click", p{"selector": "#alert"})
		has(t, res.Effect, `an alert said "Hello" and was closed`)
		l.wantLog("alert")
		res = l.ok("click", p{"selector": "#confirm"})
		has(t, res.Effect, `a confirm dialog opened: "Proceed?"`)
		has(t, l.fails(DialogOpen, "click", p{"selector": "#nothing"}).Text, "Proceed?", "handleDialog")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
		if err != nil || o.Dialog == nil {
			t.Errorf("observation %+v, %v", o, err)
		}
		l.ok("handleDialog", p{"accept": true})
		l.wantLog("alert", "confirm", "answer true")

		if err := l.tab.Navigate(context.Background(), l.at("a.test", "dialogs.html")); err != nil {
			t.Fatal(err)
		}
		has(t, l.ok("click", p{"selector": "#ask"}).Effect, "a prompt dialog opened")
		has(t, l.ok("handleDialog", p{"accept": true, "text": "Ada"}).Effect, `"none" → "Ada"`)
		l.eval(`addEventListener("beforeunload", (e) => e.preventDefault()), 0`)
		has(t, l.ok("navigate", p{"url": l.at("a.test", "next.html")}).Effect, "a beforeunload dialog opened")
		l.ok("handleDialog", p{"accept": false})
		if got := l.eval("document.title"); got != `"Dialogs"` {
			t.Errorf("left for %s", got)
		}
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.ok("click", p{"selector": "#wipe"})
		l.fails(Denied, "handleDialog", p{"accept": true})
		if len(l.person.cards) != 1 || l.person.cards[0].Decision.Class != safety.Destroy {
			t.Errorf("cards %+v", l.person.cards)
		}
		has(t, l.ok("handleDialog", p{"accept": false}).Effect, `"false"`)
	})
}

func TestRealSwap(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		for _, when := range []string{"mousemove", "pointermove", "mouseover", "pointerdown", "mousedown"} {
			t.Run(when, func(t *testing.T) {
				l := openLive(t, d, "swap.html?on="+when)
				res := l.do("click", p{"selector": "#good"})
				if got := l.eval(`log.filter((x) => x.startsWith("evil"))`); got != "[]" {
					t.Errorf("the other button saw %s", got)
				}
				if res.Err != nil && res.Err.Code != StaleRef && res.Err.Code != Covered {
					t.Errorf("error %v", res.Err)
				}
				if res.Err == nil && l.eval("log") != `["good"]` {
					t.Errorf("said to be clicked, but the page saw %s", l.eval("log"))
				}
			})
		}
	})
}

func TestRealPay(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "pay.html")
		l.person.onAsk = func(n int, c Card) {
			if n == 1 {
				if c.Decision.Amount != "$12.50" || c.Changed || c.Target != `button "Pay"` {
					t.Errorf("first card %+v", c)
				}
				l.eval(`price("$99.00", 9900)`)
			} else if c.Decision.Amount != "$99.00" || !c.Changed {
				t.Errorf("second card %+v", c)
			}
		}
		res := l.ok("click", p{"selector": "#pay"})
		if len(l.person.cards) != 2 {
			t.Errorf("%d cards", len(l.person.cards))
		}
		has(t, res.Effect, "Thank you")
		l.wantLog("paid $99.00")

		for _, when := range []string{"mousemove", "mouseover", "mousedown"} {
			late := openLive(t, d, "pay.html?on="+when)
			res := late.ok("click", p{"selector": "#pay"})
			if n := len(late.person.cards); n != 2 || !late.person.cards[1].Changed || late.person.cards[1].Decision.Amount != "$99.00" {
				t.Errorf("%s: %d cards, %+v", when, n, late.person.cards)
			}
			has(t, res.Effect, "Thank you")
			late.wantLog("paid $99.00")
		}

		enter := openLive(t, d, "pay.html")
		enter.person.answers = []Answer{{By: "panel"}}
		enter.fails(Denied, "type", p{"selector": "#coupon", "text": "FREE\n"})
		enter.wantLog()
		if got := enter.eval("coupon.value"); got != `"FREE"` {
			t.Errorf("coupon %s", got)
		}
		if c := enter.person.cards; len(c) != 1 || c[0].Decision.Class != safety.Purchase || c[0].Decision.Amount != "$12.50" {
			t.Errorf("cards %+v", c)
		}
		enter.fails(Denied, "click", p{"selector": "#pay"})
		enter.ForgetDenials()
		enter.person.answers = []Answer{{Allow: true}}
		enter.ok("click", p{"selector": "#coupon"})
		enter.ok("pressKey", p{"key": "Enter"})
		enter.wantLog("paid $12.50")

		denied := openLive(t, d, "pay.html")
		denied.person.answers = []Answer{{By: "panel"}}
		denied.fails(Denied, "click", p{"selector": "#pay"})
		denied.fails(Denied, "executeJS", p{"code": "pay.click()"})
		denied.wantLog()
		if len(denied.person.cards) != 1 {
			t.Errorf("%d cards", len(denied.person.cards))
		}
	})
}

func TestRealForm(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		res := l.ok("type", p{"selector": "#nick", "text": "Ada B?"})
		if got := l.eval("nick.value"); got != `"oldAda B?"` {
			t.Errorf("value %s", got)
		}
		has(t, res.Effect, `"old" → "oldAda B?"`)
		if got := l.eval("keys"); got != `["A","d","a"," ","B","?"]` {
			t.Errorf("keys %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Zoë 茶 😀", "clear": true})
		if got := l.eval("nick.value"); got != `"Zoë 茶 😀"` {
			t.Errorf("value %s", got)
		}
		long := strings.Repeat("long text ", 40)
		l.ok("type", p{"selector": "#notes", "text": "one\ntwo\n" + long})
		if got := l.eval("notes.value"); got != `"one\ntwo\n`+long+`"` {
			t.Errorf("notes %s", got)
		}
		l.ok("type", p{"selector": "#rich", "text": "bold"})
		if got := l.eval("rich.textContent"); got != `"bold"` {
			t.Errorf("rich %s", got)
		}
		l.fails(NotEditable, "type", p{"selector": "#fixed", "text": "y"})

		res = l.ok("select", p{"selector": "#colour", "value": "Blue"})
		has(t, res.Text, `selected "Blue"`)
		has(t, l.fails(NotFound, "select", p{"selector": "#colour", "value": "Pink"}).Text, "Red")
		l.fails(Disabled, "select", p{"selector": "#colour", "value": "Black"})
		l.ok("select", p{"selector": "#colour", "value": "0"})
		has(t, l.ok("click", p{"selector": "#gift"}).Effect, "checked")
		l.ok("click", p{"selector": "#nick"})
		l.ok("pressKey", p{"key": "a", "modifiers": []string{"ctrl"}})
		l.ok("pressKey", p{"key": "Backspace"})
		if got := l.eval("nick.value"); got != `""` {
			t.Errorf("value %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Bo"})
		l.ok("pressKey", p{"key": "Enter"})
		l.wantLog("colour b", "colour r", "submitted Bo")
		l.ok("type", p{"selector": "#nick", "text": "Cy\n", "clear": true})
		l.wantLog("colour b", "colour r", "submitted Bo", "submitted Cy")
		res = l.ok("type", p{"selector": "#q", "text": "mugs\n"})
		has(t, res.Effect, "navigated to", "next.html?q=mugs")
	})
}

func TestRealUpload(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		file := filepath.Join(t.TempDir(), "report.txt")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		l.ok("uploadFile", p{"selector": "#file", "filePath": file})
		l.wantLog("file report.txt")
		if len(l.person.cards) != 1 {
			t.Errorf("%d cards", len(l.person.cards))
		}
		l.fails(NotFound, "uploadFile", p{"selector": "#file", "filePath": file + "x"})
		l.fails(Unsupported, "uploadFile", p{"selector": "#nick", "filePath": file})
		has(t, l.fails(Unsupported, "click", p{"selector": "#file"}).Text, "uploadFile")
		has(t, l.fails(Unsupported, "click", p{"selector": "#colour"}).Text, "Red, Blue")
	})
}

func TestRealDrag(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "drag.html")
		l.ok("dragDrop", p{"from": p{"x": 60, "y": 60}, "to": p{"x": 340, "y": 140}})
		l.wantLog("ball on basket")
		l.eval(`ball.remove()`)
		res := l.ok("dragDrop", p{"from": p{"x": 60, "y": 240}, "to": p{"x": 340, "y": 140}})
		has(t, res.Text, `button "Card"`, `button "Basket"`)
		l.wantLog("ball on basket", "card dropped")
	})
}

func TestRealFrames(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "frames.html")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(o.Text, `button "Press me"`); n != 3 {
			t.Fatalf("%d buttons in\n%s", n, o.Text)
		}
		for _, tt := range []struct{ selector, host string }{{".inner", "a.test"}, {".deep", "c.test"}} {
			res := l.ok("click", p{"selector": tt.selector})
			has(t, res.Effect, "pressed "+tt.host)
			if strings.Contains(res.Effect, "!") || !strings.HasPrefix(res.Site, tt.host) {
				t.Errorf("effect %q on %s", res.Effect, res.Site)
			}
		}
		for _, e := range o.Elements.Elements {
			if e.Role == "textbox" {
				res := l.ok("type", p{"index": e.Index, "text": "hi"})
				has(t, res.Effect, "hi")
				host := siteOf(e.FrameURL)
				res = l.ok("pressKey", p{"key": "Enter"})
				has(t, res.Effect, "sent hi")
				if res.Site != host {
					t.Errorf("pressed on %s, want %s", res.Site, host)
				}
				x, y := e.Rect.X+e.Rect.Width/2, e.Rect.Y-e.Rect.Height
				res = l.ok("click", p{"x": x, "y": y + 5})
				if res.Site != host {
					t.Errorf("a click at %g,%g went to %s, want %s", x, y, res.Site, host)
				}
			}
		}
	})
}

func TestRealStaleRef(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "render.html")
		old := l.index("button", "Add to cart")
		l.eval(`render("Add to cart")`)
		res := l.fails(StaleRef, "click", p{"index": old})
		has(t, res.Text, `button "Add to cart" (exact)`)
		l.wantLog()
		now := l.index("button", "Add to cart")
		if now == old {
			t.Error("an index was given twice")
		}
		l.ok("click", p{"ref": fmt.Sprintf("@e%d", now)})
		l.wantLog("Add to cart")
		l.eval(`root.firstChild.textContent = "Delete basket"`)
		l.fails(StaleRef, "click", p{"index": now})
		l.ok("refresh", p{})
		l.fails(StaleRef, "click", p{"index": now})
	})
}

func TestRealScroll(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "long.html")
		l.ok("scroll", p{"direction": "down", "amount": 700})
		if got := l.eval("scrollY"); got != "700" {
			t.Errorf("at %s", got)
		}
		l.ok("scroll", p{"direction": "up"})
		l.ok("scroll", p{"direction": "up", "amount": 5000})
		if got := l.eval("scrollY"); got != "0" {
			t.Errorf("at %s", got)
		}
		has(t, l.ok("pressKey", p{"key": "End"}).Effect, "scrolled")
		l.ok("pressKey", p{"key": "Home"})
		l.ok("scroll", p{"direction": "down", "amount": 300, "selector": "#box"})
		if got := l.eval("[scrollY, box.scrollTop]"); got != "[0,300]" {
			t.Errorf("at %s", got)
		}
		has(t, l.ok("click", p{"selector": "#far"}).Effect, "Reached")
	})
}

func TestRealReading(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		has(t, l.ok("hover", p{"selector": "#menu"}).Effect, "Hovered item")
		has(t, l.ok("getElements", p{"type": "link"}).Text, `link "Next page"`)
		i := l.index("link", "Next page")
		has(t, l.ok("getElementDetails", p{"indices": []int{i}}).Text, "#next", "xpath", "/next.html")
		res := l.ok("screenshot", p{})
		if len(res.Image) < 1000 || res.MIME != "image/jpeg" {
			t.Errorf("picture of %d bytes, %s", len(res.Image), res.MIME)
		}
		has(t, l.ok("executeJS", p{"code": "document.title"}).Text, `Result: "Click"`)
		res = l.ok("executeJS", p{"code": `"x".repeat(20000)`})
		if n := len(res.Text); n > maxScriptResult+200 {
			t.Errorf("%d characters", n)
		}
		has(t, l.fails(Unsupported, "executeJS", p{"code": "nope()"}).Text, "nope")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true, Image: true, Budget: 400})
		if err != nil || len(o.Image) == 0 || o.Title != "Click" || o.SnapshotID == "" || o.PageRev == 0 {
			t.Errorf("observation %+v, %v", o, err)
		}
		has(t, o.Text, "Add to cart", "URL: ")
	})
}

func BenchmarkClickNoEffect(b *testing.B)   { benchmarkClick(b, "#nothing", 0) }
func BenchmarkClickWithEffect(b *testing.B) { benchmarkClick(b, "#add", 0) }
func BenchmarkClickBigPage(b *testing.B)    { benchmarkClick(b, "#add", 3000) }

func benchmarkClick(b *testing.B, selector string, rows int) {
	startChromium(b)
	l := openLive(b, chromium.d, "click.html")
	l.eval(fmt.Sprintf(`document.body.insertAdjacentHTML("beforeend", "<p><b>Row</b> <a href=/next.html>link</a></p>".repeat(%d)), 0`, rows))
	raw, _ := json.Marshal(p{"selector": selector})
	for b.Loop() {
		if res := l.Do(context.Background(), Call{Name: "click", Params: raw}); res.Err != nil {
			b.Fatal(res.Err)
		}
	}
}
