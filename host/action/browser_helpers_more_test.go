package action

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	_ "golang.org/x/image/webp"

	product "tabwright/e2e/rig"
	"tabwright/host/browser"
	"tabwright/host/browser/relay"
	"tabwright/host/browser/relay/relaytest"
	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/pagecontext"
)

// visit is a session on a page of the fair.
func (f *fair) visit(t *testing.T, d browser.Driver, path string) *live {
	t.Helper()
	l := openLive(t, d, "")
	l.at = func(host, path string) string { return f.at(host, path) }
	if path != "" {
		if err := l.tab.Navigate(context.Background(), f.at("a.test", path)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// within fails when an action took longer than a bound.
func (l *live) within(max time.Duration, name string, params any) Result {
	l.t.Helper()
	return l.withinOf(context.Background(), max, name, params)
}

// vainTime is how long a page or a server is waited for that will not answer,
// where a session of the product would wait for browser.CallTimeout or longer.
const vainTime = 3 * time.Second

// inVain does an action that waits for such a page or server.
func (l *live) inVain(name string, params any) Result {
	l.t.Helper()
	return l.withinOf(browser.WithCallTimeout(context.Background(), vainTime), quick, name, params)
}

func (l *live) withinOf(ctx context.Context, max time.Duration, name string, params any) Result {
	l.t.Helper()
	began := time.Now()
	res := l.doIn(ctx, name, params)
	took := time.Since(began)
	l.t.Logf("  took %s", took.Round(time.Millisecond))
	if took > max {
		l.t.Errorf("%s %v took %s, more than %s", name, params, took, max)
	}
	return res
}

// quick is how long what must not wait for anything may take: an action bounds
// itself well below a hang, and the machine may be busy.
const quick = 15 * time.Second

// ends does an action that must end soon, well or with a code, and checks what
// is said of it.
func (l *live) ends(code Code, name string, params any, says ...string) Result {
	l.t.Helper()
	res := l.within(quick, name, params)
	switch {
	case code == "" && res.Err != nil:
		l.t.Errorf("%s %v: %v", name, params, res.Err)
	case code != "" && (res.Err == nil || res.Err.Code != code):
		l.t.Errorf("%s %v: %v, want %s", name, params, res.Err, code)
	}
	for _, part := range says {
		if !strings.Contains(res.Text, part) {
			l.t.Errorf("%s %v: %q lacks %q", name, params, res.Text, part)
		}
	}
	return res
}

// bothDoors runs a test on the direct driver and through the real extension in
// a Chromium of its own: what native dialogs, pop-ups, downloads and crashes do
// to chrome.debugger and chrome.tabs, a played service worker can't tell.
func bothDoors(t *testing.T, test func(t *testing.T, d browser.Driver)) {
	t.Helper()
	t.Run("direct", func(t *testing.T) {
		startChromium(t)
		test(t, chromium.d)
	})
	t.Run("extension", func(t *testing.T) { test(t, realRelay(t)) })
}

// realRelay starts a browser with the extension and stands in for the broker
// on its socket: Chrome starts the shim, the shim joins the test.
func realRelay(t *testing.T) *relay.Driver {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp("", "tw-") // short: a Unix socket's path is at most 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	// Where Chromium puts downloads: nothing of a test stays in a user's folder.
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "config"), 0o700), os.WriteFile(filepath.Join(dir, "config", "user-dirs.dirs"), []byte(`XDG_DOWNLOAD_DIR="`+filepath.Join(dir, "downloads")+`"`+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv(native.SocketEnv, filepath.Join(dir, "run", "broker.sock"))
	l, err := native.Listen(os.Getenv(native.SocketEnv))
	if err != nil {
		t.Fatal(err)
	}
	b := &standIn{t: t, hello: make(chan *relay.Driver, 1)}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b.join(rpc.NewPeer(c, rpc.PeerOptions{Name: "relay", MaxWrite: native.MaxToChrome}))
		}
	})
	r, err := product.Start(ctx, product.Options{
		Dir: dir, Headless: true,
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.Close()
		accepting.Wait()
		b.close()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	select {
	case d := <-b.hello:
		t.Cleanup(func() { _ = d.Close() })
		return d
	case <-ctx.Done():
		t.Fatal("the extension did not connect")
		return nil
	}
}

// standIn is as much of a broker as a relay needs.
type standIn struct {
	t     *testing.T
	hello chan *relay.Driver

	mu    sync.Mutex
	d     *relay.Driver
	peers []*rpc.Peer
}

func (b *standIn) join(p *rpc.Peer) {
	rpc.On(p, wire.MethodHello, func(ctx context.Context, _ *rpc.Channel, h wire.HelloParams) (wire.HelloResult, error) {
		if h.Role != "relay" {
			return wire.HelloResult{}, &wire.Error{Code: wire.CodeProtocol, Message: "only a relay joins here"}
		}
		b.mu.Lock()
		first := b.d == nil
		o := relay.Options{ExtensionID: h.ExtensionID, Extractor: chromium.script}
		if first {
			b.d = relay.New(p, o)
		}
		d := b.d
		b.mu.Unlock()
		rpc.AfterAnswer(ctx, func() {
			if first {
				b.hello <- d
			} else if err := d.Reconnect(context.Background(), p, o); err != nil {
				b.t.Log(err)
			}
		})
		return wire.HelloResult{Protocol: h.ProtocolMax, Version: h.Version, PID: os.Getpid(), Session: "stand-in"}, nil
	})
	for _, ev := range wire.RelayEvents() {
		p.HandleInline(ev, func(params json.RawMessage) {
			b.mu.Lock()
			d := b.d
			b.mu.Unlock()
			if d != nil {
				d.Event(ev, params)
			}
		})
	}
	b.mu.Lock()
	b.peers = append(b.peers, p)
	b.mu.Unlock()
	p.Start()
}

func (b *standIn) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.peers {
		_ = p.Close()
		p.Wait()
	}
}

// fair is a site where everything that can happen to a page happens.
type fair struct {
	invoice, scanned atomic.Pointer[[]byte] // PDF documents
	invoices         atomic.Int32           // how often the first was fetched

	plain, secure *httptest.Server
	release       chan struct{} // lets slow answers end
	sent          atomic.Int32  // forms that came
}

// at is an address of the fair.
func (f *fair) at(host, path string) string {
	return "http://" + host + ":" + f.port() + strings.Replace(path, "PORT", f.port(), 1)
}

func (f *fair) port() string {
	u, err := url.Parse(f.plain.URL)
	if err != nil {
		return ""
	}
	return u.Port()
}

func newFair(t *testing.T) *fair {
	t.Helper()
	f := &fair{release: make(chan struct{})}
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+body)
		})
	}
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("testdata", "events.html"))
	})
	page("/plain", "<title>Plain</title><h1>Plain</h1><button onclick=\"window.close()\">Close me</button>")
	page("/closes", "<title>Closes</title><script>setTimeout(() => window.close(), 30)</script>")
	page("/alerts", "<title>Alerts</title><script>alert('Hello from a new tab')</script><p>after</p>")
	page("/frame-dialog", "<title>Frame</title><button onclick=\"document.title = confirm('From a frame?')\">In the frame</button>")
	page("/frame-timer", "<title>Frame</title><script>setTimeout(() => confirm('A frame asks by itself?'), 400)</script>")
	page("/confirms", "<title>Confirms</title><p>before</p><script>answer = confirm('Before it has loaded?')</script><p>after</p>")
	page("/order", `<title>Order form</title><form method="post" action="/ordered"><button>Find it</button></form><form method="post" action="/seeother"><button>Look it up</button></form>`)
	mux.HandleFunc("POST /ordered", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Ordered</title><p>That was number %d", f.sent.Add(1))
	})
	mux.HandleFunc("POST /seeother", func(w http.ResponseWriter, r *http.Request) {
		f.sent.Add(1)
		http.Redirect(w, r, "/plain?seen", http.StatusSeeOther)
	})
	page("/meta", `<title>Meta</title><meta http-equiv="refresh" content="0; url=/plain?meta"><p>wait`)
	page("/busy", "<title>Busy</title><script>while (true);</script>")
	mux.HandleFunc("GET /report.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "a,b\n1,2\n")
	})
	mux.HandleFunc("GET /attachment", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="minutes.txt"`)
		fmt.Fprint(w, "minutes")
	})
	mux.HandleFunc("GET /cut.bin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", "1000000")
		fmt.Fprint(w, strings.Repeat("x", 70000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("GET /slow.bin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", "1000000")
		fmt.Fprint(w, strings.Repeat("x", 70000))
		_ = http.NewResponseController(w).Flush()
		f.wait(r)
	})
	mux.HandleFunc("GET /basic/", func(w http.ResponseWriter, r *http.Request) {
		if u, p, ok := r.BasicAuth(); ok && u == "ada" && p == "pw" {
			fmt.Fprint(w, "<title>Inside</title><p>inside")
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="The vault"`)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusUnauthorized)
		if !strings.Contains(r.URL.Path, "empty") {
			fmt.Fprint(w, "<title>401</title><p>Who are you?")
		}
	})
	mux.HandleFunc("GET /digest/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Digest realm="The vault", nonce="abc", qop="auth"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	page("/fetches", `<title>Fetches</title><p id="out">waiting</p><script>fetch('/basic/data').then((r) => out.textContent = 'got ' + r.status, (e) => out.textContent = 'failed ' + e)</script>`)
	mux.HandleFunc("GET /204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("GET /endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Endless</title><h1>Endless</h1><button onclick=\"document.title='Pressed'\">Press</button>"+strings.Repeat(" ", 4096))
		_ = http.NewResponseController(w).Flush()
		f.wait(r)
	})
	mux.HandleFunc("GET /silent", func(_ http.ResponseWriter, r *http.Request) { f.wait(r) })
	mux.HandleFunc("GET /hangup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("GET /404", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<title>Lost</title><h1>No such page</h1>")
	})
	mux.HandleFunc("GET /doc.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, onePagePDF)
	})
	mux.HandleFunc("GET /invoice.pdf", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("member"); err != nil || c.Value != "ida" {
			http.Error(w, "sign in first", http.StatusForbidden)
			return
		}
		f.invoices.Add(1)
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(*f.invoice.Load())
	})
	mux.HandleFunc("GET /scanned.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(*f.scanned.Load())
	})
	page("/blank", `<title>Blank</title><div style="width: 90px; height: 60px; background: teal">`)
	page("/invoice", `<title>Invoice</title><script>document.cookie = "member=ida"</script><h1>Invoice for May</h1><table><tr><th>Item<th>Qty<th>Price<tr><td>Blue mug<td>2<td>12.50</table><p style="break-before: page">Carried over`)
	page("/embeds", `<title>Embeds</title><button onclick="this.textContent = 'Went'">Go</button><button id=pay draggable=true>Pay now</button><embed src=/doc.pdf width=300 height=200>`)
	page("/noviewer", `<title>No viewer</title><p>text</p><iframe src="chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"></iframe>`)
	page("/around", `<title>Around</title><button onclick="this.textContent = 'Went'">Go</button><iframe src=/doc.pdf width=300 height=200></iframe>`)
	mux.HandleFunc("GET /pic.svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="teal"/><text y="20">Drawn</text></svg>`)
	})
	mux.HandleFunc("GET /pic.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(onePixel)
	})
	quiet := log.New(io.Discard, "", 0)
	f.plain = httptest.NewUnstartedServer(mux)
	f.plain.Config.ErrorLog = quiet
	f.plain.Start()
	f.secure = httptest.NewUnstartedServer(mux)
	f.secure.Config.ErrorLog = quiet
	f.secure.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	f.secure.StartTLS()
	t.Cleanup(func() {
		close(f.release)
		f.plain.CloseClientConnections()
		f.plain.Close()
		f.secure.Close()
	})
	return f
}

// wait holds an answer back until the test is over or the browser gives up.
func (f *fair) wait(r *http.Request) {
	select {
	case <-f.release:
	case <-r.Context().Done():
	}
}

// onePixel is a PNG of one pixel.
var onePixel = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82")

const onePagePDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n"

const choiceKinds = "day|from|clock|when|where|marks|row|more|area|tongue|town|inner|escape"

// editorLibraries is the folder of libraries.js and its style sheet, once bundleEditors made them.
var editorLibraries string

// libs is a part of the page of what libraries of widgets do.
func libs(t *testing.T, part string, test func(t *testing.T, l *live)) {
	t.Helper()
	hard(t, "hard_libs.html?part="+part, test)
}

// gives holds what an expression of the page's gives against what it should.
func (l *live) gives(code, want string) {
	l.t.Helper()
	if got := l.eval("JSON.stringify(" + code + ") ?? ''"); got != strconv.Quote(want) {
		l.t.Errorf("%s: %s, want %q", code, got, want)
	}
}

// listed gives all elements of the page.
func (l *live) listed() []pagecontext.Element {
	l.t.Helper()
	return as[pagecontext.Listing](l.t, l.ok("getElements", p{"limit": 500})).Elements
}

func namesOf(es []pagecontext.Element) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Tag+" "+e.Name+e.Text)
	}
	return strings.Join(out, ", ")
}

// more is a part of the page of what more libraries do.
func more(t *testing.T, part string, test func(t *testing.T, l *live)) {
	t.Helper()
	hard(t, "hard_more.html?part="+part, test)
}

// sel is a target by its selector.
func sel(s string) p { return p{"selector": s} }

// useClosedRoots presses and types into what stands in the closed roots of
// hard_shadow.html: made by a script, one in another, and declared.
func (l *live) useClosedRoots() {
	l.t.Helper()
	l.pressAll([]pressable{
		{role: "button", name: "Closed inside", selector: "#cin", id: "cin"},
		{role: "link", name: "Closed twice", selector: "#clink", id: "clink"},
		{role: "button", name: "Declared closed", selector: "#dclosed", id: "dclosed"},
	})
	l.typeInto("cfield", p{"label": "Closed field"})
	l.typeInto("dfield", p{"label": "Declared field"})
}

// typeInto types into a field and takes the last character away.
func (l *live) typeInto(field string, by p) {
	l.t.Helper()
	l.ok("type", p{"index": l.found(by).Index, "text": "ab"})
	l.saw("input", "input "+field, "input "+field)
	l.ok("pressKey", p{"key": "Backspace"})
	l.saw("input", "input "+field)
}

// hinted is a call that a text tells a model to make, listed a line of an element.
var (
	hinted = regexp.MustCompile(`(getElements|extractContent) (cursor)=([\w:–-]+)`)
	listed = regexp.MustCompile(`(?m) \[(\d+)\]$`)
)

// as reads Result.Data the way a program behind a door does.
func as[T any](t testing.TB, res Result) T {
	t.Helper()
	b, err := json.Marshal(res.Data)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

// pictureOf gives the picture and what is told of it.
func pictureOf(t *testing.T, res Result) (image.Image, *ScreenshotData) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(res.Image))
	if err != nil {
		t.Fatal(err)
	}
	data, ok := res.Data.(*ScreenshotData)
	if !ok || data.Width != img.Bounds().Dx() || data.Height != img.Bounds().Dy() {
		t.Fatalf("%+v for a picture of %v", res.Data, img.Bounds())
	}
	return img, data
}

// htmlIDs gives the ids in the page of marked elements.
func (l *live) htmlIDs(marks []PictureMark) map[int]string {
	l.t.Helper()
	out := map[int]string{}
	for _, m := range marks {
		res := l.ok("getAttribute", p{"index": m.Index, "name": "id"})
		b, err := json.Marshal(res.Data)
		if err != nil {
			l.t.Fatal(err)
		}
		var got struct{ Value string }
		if err := json.Unmarshal(b, &got); err != nil || got.Value == "" {
			l.t.Fatalf("[%d] has no id: %s", m.Index, b)
		}
		out[m.Index] = got.Value
	}
	return out
}

// until waits for the page.
func (l *live) until(code string) {
	l.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if l.eval(code) == "true" {
			return
		}
	}
	l.t.Fatalf("%s: still not; log %s", code, l.eval("window.log"))
}

// openSettle opens the page whose answers come late, with a server for them.
func openSettle(t *testing.T, d browser.Driver) *live {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/talk" {
			talk(w, r)
			return
		}
		if r.URL.Path != "/late" {
			b, err := os.ReadFile("testdata/settle.html")
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(b) // the browser went away
			return
		}
		ms, err := strconv.Atoi(r.URL.Query().Get("ms"))
		if err != nil {
			t.Error(err)
		}
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
		}
		_, _ = w.Write([]byte("The server said so"))
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	l := openLive(t, d, "")
	l.ok("navigate", p{"url": "http://a.test:" + u.Port() + "/"})
	return l
}

// talk answers each message over a WebSocket, which is a list of pauses in ms, with a message
// after each pause.
func talk(w http.ResponseWriter, r *http.Request) {
	converse(w, r, func(ws *websocket.Conn, m []byte) bool {
		for _, pause := range strings.Fields(string(m)) {
			ms, err := strconv.Atoi(pause)
			if err != nil || ws.WriteMessage(websocket.TextMessage, []byte("begun")) != nil {
				return false
			}
			<-time.After(time.Duration(ms) * time.Millisecond)
			if ws.WriteMessage(websocket.TextMessage, []byte("The server said so")) != nil {
				return false
			}
		}
		return true
	})
}

// converse serves a WebSocket: each message is given to answer, until that returns false or the page
// is gone. Pages of any origin may talk.
func converse(w http.ResponseWriter, r *http.Request, answer func(*websocket.Conn, []byte) bool) {
	ws, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, r, nil)
	if err != nil {
		return // the browser went away
	}
	defer func() { _ = ws.Close() }()
	for {
		_, m, err := ws.ReadMessage()
		if err != nil || !answer(ws, m) {
			return
		}
	}
}

// notWaitedAt holds that no change which nobody announced is waited for after act:
// it is done by turns as it is, and with the page asking for a timer at each input;
// the fastest of either counts.
func (l *live) notWaitedAt(what string, act func(i int)) {
	l.t.Helper()
	l.eval(`document.body.addEventListener("input", () => { if (window.asks) setTimeout(() => {}, 1000); }), 0`)
	best := [2]time.Duration{time.Hour, time.Hour}
	for i := range 12 {
		l.eval([]string{"window.asks = false", "window.asks = true"}[i%2])
		began := time.Now()
		act(i)
		best[i%2] = min(best[i%2], time.Since(began))
	}
	l.t.Logf("%s: %s where nothing was asked for, %s where a timer was", what, best[0], best[1])
	if best[1] < firstTime || best[0] > best[1]-firstTime/3 {
		l.t.Errorf("%s: %s where nothing was asked for, %s where a timer was", what, best[0], best[1])
	}
}

// changesNothing clicks what changes nothing; the fastest of three counts, for the first
// after a change looks at the page anew.
func (l *live) changesNothing() time.Duration {
	l.t.Helper()
	best := time.Hour
	for range 3 {
		began := time.Now()
		if res := l.ok("click", p{"selector": "#nothing"}); res.Effect != NoEffect {
			l.t.Fatalf("it is told that %s", res.Effect)
		}
		best = min(best, time.Since(began))
	}
	return best
}

// tolled counts what a driver asks the service worker: messages, and trips, each
// of which begins when nothing is under way.
type tolled struct {
	relay.Caller

	mu    sync.Mutex
	open  int
	trips int
	said  []string
	last  time.Time
}

// overlap is how much longer each message takes: on a busy machine the first of
// those that go out together could be answered before the last has left.
const overlap = 40 * time.Millisecond

// Call counts one message.
func (c *tolled) Call(ctx context.Context, method string, params, result any) error {
	text, _ := json.Marshal(params)
	said := string(text)
	ends := strings.Contains(said, `"Page.startScreencast"`) || strings.Contains(said, `"Page.stopScreencast"`) || // by how a busy machine draws
		strings.Contains(said, `"Page.setInterceptFileChooserDialog","params":{"enabled":false}`) ||
		strings.Contains(said, `"Fetch.enable"`) && !strings.Contains(said, `"XHR"`)
	if ends { // nobody waits for it
		return c.Caller.Call(ctx, method, params, result)
	}
	c.mu.Lock()
	if c.open == 0 {
		c.trips++
	}
	c.open++
	c.said = append(c.said, method+" "+short(said, 160))
	c.mu.Unlock()
	defer func() {
		<-time.After(overlap)
		c.mu.Lock()
		c.open--
		c.last = time.Now()
		c.mu.Unlock()
	}()
	return c.Caller.Call(ctx, method, params, result)
}

// rest waits until what followed behind the last act is over.
func (c *tolled) rest(t *testing.T) {
	t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); ; <-look.C {
		c.mu.Lock()
		still := c.open == 0 && time.Since(c.last) > 300*time.Millisecond
		c.mu.Unlock()
		if still {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it never rests")
		}
	}
}

// begin forgets what was counted.
func (c *tolled) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trips, c.said = 0, nil
}

func (c *tolled) count() (trips int, said []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trips, c.said
}

// tolledDriver is a driver over the played relay, each call of which goes through
// what counts.
func tolledDriver(t *testing.T, counting func(relay.Caller) relay.Caller) *relay.Driver {
	t.Helper()
	startChromium(t)
	w := relaytest.Start(t, chromium.b.URL(), chromium.script)
	var d *relay.Driver
	made := make(chan struct{})
	peer := w.Connect(t, func(method string, params json.RawMessage) {
		<-made
		d.Event(method, params)
	})
	d = relay.New(counting(peer), relay.Options{ExtensionID: relaytest.ExtensionID, Extractor: chromium.script})
	close(made)
	t.Cleanup(func() { _ = d.Close() })
	return d
}
