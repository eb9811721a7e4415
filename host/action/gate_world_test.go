package action

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tabwright/host/browser"
	"tabwright/safety"
)

// world serves attack pages on every *.test name and counts, on the server,
// what harm was done: a page can't take that back.
type world struct {
	url   *url.URL
	mu    sync.Mutex
	pages map[string]string
	harms []string
	spare browser.TabID // of next
	shut  func()        // closes it
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	w := &world{pages: map[string]string{}}
	srv := httptest.NewServer(w)
	tb.Cleanup(srv.Close)
	tb.Cleanup(func() {
		if w.spare != "" {
			w.shut()
		}
	})
	w.url, _ = url.Parse(srv.URL)
	return w
}

func (w *world) at(host, path string) string {
	return "http://" + host + ":" + w.url.Port() + "/" + strings.TrimPrefix(path, "/")
}

// ServeHTTP answers /harm?what and every address under /evil/ by counting it,
// /to?url by a redirect, and the rest with a page.
func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/socket" {
		w.hear(rw, r)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case r.URL.Path == "/harm":
		w.harms = append(w.harms, r.URL.RawQuery)
	case strings.HasPrefix(r.URL.Path, "/evil/"):
		w.harms = append(w.harms, r.Method+" "+r.URL.RequestURI())
	case r.URL.Path == "/to":
		http.Redirect(rw, r, r.URL.Query().Get("url"), http.StatusFound)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	body, ok := w.pages[r.URL.Path]
	if !ok {
		body = "<p>ok"
	}
	_, _ = rw.Write([]byte(strings.ReplaceAll(attackPage(body), "{port}", w.url.Port())))
}

// hear counts each message of a WebSocket as harm, and answers it.
func (w *world) hear(rw http.ResponseWriter, r *http.Request) {
	converse(rw, r, func(ws *websocket.Conn, m []byte) bool {
		w.mu.Lock()
		w.harms = append(w.harms, "SEND "+string(m))
		w.mu.Unlock()
		_ = ws.WriteMessage(websocket.BinaryMessage, m) // the page may have closed it
		return true
	})
}

// await waits until n harms have come, 3 s at most.
func (w *world) await(n int) {
	for end := time.Now().Add(3 * time.Second); len(w.harmed()) < n && time.Now().Before(end); {
		<-time.After(5 * time.Millisecond)
	}
}

// attackPage puts a body into a document with what the attacks share: harm(what)
// reaches the server before it returns.
func attackPage(body string) string {
	return `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:20px;font:16px sans-serif}</style>
<script>
window.log = [];
function harm(what) { log.push(what); const x = new XMLHttpRequest(); x.open("POST", "/harm?" + encodeURIComponent(what), false); x.send(); }
const at = (id) => document.getElementById(id);
</script>` + body
}

func (w *world) harmed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.harms)
}

// next opens a page of this world in the tab that the one before had, left by it
// for an empty page, or in a new one where that could not be left: a tab, with a
// process of its own, costs the browser as much as most attacks do. The played
// relay is slow to let go of a tab that stays open: there each page has its own.
func (w *world) next(t *testing.T, d browser.Driver, body string) *live {
	t.Helper()
	if d.Kind() != "direct" {
		return w.live(t, d, body)
	}
	l := w.newLive(t, "/page", body)
	l.shown, w.spare = w.spare, ""
	l.keep = func(ctx context.Context) bool {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if l.tab == nil || l.tab.Dialog() != nil || l.tab.Navigate(ctx, w.at("a.test", "/empty")) != nil ||
			l.tab.Dialog() != nil || d.Activate(ctx, l.shown) != nil {
			return false
		}
		// A launched browser keeps the frame, and where its mouse was: the next page
		// would begin with that over what it stood on.
		if l.tab.Mouse(ctx, "mouseMoved", 0, 0, "none", 0, 0) != nil {
			return false
		}
		w.spare = l.shown
		w.shut = func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = d.CloseTab(ctx, w.spare)
		}
		return true
	}
	w.begin(l, d, w.at("a.test", "/page"))
	return l
}

// live opens a page of this world in a tab of its own.
func (w *world) live(tb testing.TB, d browser.Driver, body string) *live {
	tb.Helper()
	return w.liveAt(tb, d, "a.test", "/page", body)
}

func (w *world) liveAt(tb testing.TB, d browser.Driver, host, path, body string) *live {
	tb.Helper()
	l := w.newLive(tb, path, body)
	w.begin(l, d, w.at(host, path))
	return l
}

func (w *world) newLive(tb testing.TB, path, body string) *live {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[path], w.harms = body, nil
	return &live{t: tb, at: w.at, person: &person{answers: []Answer{{By: "panel"}}}, diary: &diary{}}
}

func (w *world) begin(l *live, d browser.Driver, to string) {
	l.t.Helper()
	l.begin(d, Options{
		TaskDir: l.t.TempDir(), Policy: safety.Context{Sites: []string{"a.test", "b.test"}, LocalHosts: []string{".a.test", "a.test", "b.test"}},
	}, to)
}

// step is one action of an attack.
type step struct {
	action string
	params p
}

func (s step) run(l *live) Result {
	b, err := json.Marshal(s.params)
	if err != nil {
		l.t.Fatal(err)
	}
	res := l.Do(context.Background(), Call{Name: s.action, Params: b})
	l.t.Logf("%s %.300s\n  %.500s", s.action, b, res.Text)
	return res
}

func on(id string) step    { return step{"click", p{"selector": "#" + id}} }
func strike(k string) step { return step{"pressKey", p{"key": k}} }
func into(s string) step   { return step{"type", p{"selector": "#f", "text": s}} }
func point(x, y int) step  { return step{"click", p{"x": x, "y": y}} }

// cardsOf lists the cards for a failure.
func cardsOf(l *live) string {
	var out []string
	for _, c := range l.person.cards {
		out = append(out, fmt.Sprintf("%s %s (%s)", c.Action, c.Target, reasons(c.Decision)))
	}
	return strings.Join(out, "; ")
}
