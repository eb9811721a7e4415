package action

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	_ "image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	_ "golang.org/x/image/webp"

	"tabwright/extension/bundle"
	"tabwright/host/action/pdf"
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
	aside  string // where downloads go
	err    error
}

func TestMain(m *testing.M) {
	if pdf.Child() {
		return
	}
	flag.Parse()
	code := m.Run()
	if chromium.b != nil {
		if err := chromium.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		_ = os.RemoveAll(chromium.aside)
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
		env, err := downloadsAside()
		if chromium.err = err; err != nil {
			return
		}
		chromium.b, chromium.err = launch.Start(context.Background(), launch.Options{
			Headless: true, Env: env,
			Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
		})
		if chromium.err != nil {
			return
		}
		chromium.d, chromium.err = direct.Connect(context.Background(), chromium.b.URL(), direct.Options{Extractor: chromium.script, Downloads: os.TempDir()})
	})
	if chromium.err != nil {
		tb.Fatal(chromium.err)
	}
}

// downloadsAside gives Chromium a folder of its own for what a click downloads:
// nothing of a test stays in a user's.
func downloadsAside() (env []string, err error) {
	if chromium.aside, err = os.MkdirTemp("", "tw-downloads-"); err != nil {
		return nil, err
	}
	dirs := fmt.Sprintf("XDG_DOWNLOAD_DIR=%q\n", chromium.aside)
	return []string{"XDG_CONFIG_HOME=" + chromium.aside}, os.WriteFile(filepath.Join(chromium.aside, "user-dirs.dirs"), []byte(dirs), 0o600)
}

// everything is the variable with which no test is left out or shortened.
const everything = "TABWRIGHT_ALL"

// drivers runs a test on every driver there is.
//
// Three of four tests, chosen by their names, leave the relay out, but none of
// onBothAlways: what differs there is in the real extension, which bothDoors has,
// and minutes are few.
func drivers(t *testing.T, test func(t *testing.T, d browser.Driver)) {
	t.Helper()
	t.Run("direct", func(t *testing.T) {
		startChromium(t)
		test(t, chromium.d)
	})
	name := t.Name()
	t.Run("relay", func(t *testing.T) {
		if leftOut(name) {
			t.Skipf("every fourth test runs on the played relay, too; all do with %s=1", everything)
		}
		startChromium(t)
		test(t, playRelay(t))
	})
}

// onBothAlways are the tests of what every act rests on: they run on the relay
// each time.
var onBothAlways = []string{"TestRealSwap", "TestThousandClicks", "TestRealPay", "TestRealStaleRef", "TestRealClick", "TestRealForm"}

// leftOut tells whether a test, or a case of one that has many, is of the three
// quarters that run on the direct driver only.
func leftOut(name string) bool {
	test, _, _ := strings.Cut(name, "/")
	return os.Getenv(everything) == "" && !slices.Contains(onBothAlways, test) && crc32.ChecksumIEEE([]byte(name))%4 > 0
}

// playRelay gives the relay driver over a played service worker.
func playRelay(t *testing.T) browser.Driver {
	t.Helper()
	w := relaytest.Start(t, chromium.b.URL(), chromium.script)
	w.WatchDownloads(t)
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
		dir := "testdata"
		if strings.HasPrefix(r.URL.Path, "/editors/") {
			dir = editorLibraries
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		switch filepath.Ext(r.URL.Path) {
		case ".html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		case ".js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(b)
			return
		case ".css":
			w.Header().Set("Content-Type", "text/css")
		default:
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", "attachment")
		}
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
	// shown is a tab to show the page in, empty for a new one; keep, if there is
	// one, says after the test that the tab is not to be closed.
	shown browser.TabID
	keep  func(context.Context) bool
}

func openLive(tb testing.TB, d browser.Driver, page string) *live {
	tb.Helper()
	at, to := site(tb), ""
	if page != "" {
		to = at("a.test", page)
	}
	l := &live{t: tb, at: at, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	hosts := []string{"a.test", "b.test", "c.test"}
	l.begin(d, Options{
		TaskDir: tb.TempDir(), SearchURL: at("a.test", "next.html?q={query}"), Policy: safety.Context{Sites: hosts, LocalHosts: hosts},
	}, to)
	return l
}

// begin opens a tab, if it has none, a session in it, and an address, if there is
// one; the test's end closes the session and its tabs.
func (l *live) begin(d browser.Driver, o Options, to string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	l.t.Cleanup(cancel)
	if l.shown == "" {
		info, err := d.Open(ctx, "about:blank", true, "")
		if err != nil {
			l.t.Fatal(err)
		}
		l.shown = info.ID
	}
	o.Driver, o.Tab, o.Confirmer, o.Watcher = d, l.shown, l.person, l.diary
	o.Log = zerolog.New(zerolog.NewTestWriter(l.t))
	var err error
	if l.Session, err = NewSession(o); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for _, t := range l.Tabs() {
			if t.ID == l.shown && l.keep != nil && l.keep(end) {
				continue
			}
			if err := d.CloseTab(end, t.ID); err != nil {
				l.t.Log(err)
			}
		}
		if err := l.Close(end); err != nil {
			l.t.Log(err)
		}
	})
	if l.tab, err = d.Attach(ctx, l.shown); err != nil {
		l.t.Fatal(err)
	}
	if to == "" {
		return
	}
	if err := l.tab.Navigate(ctx, to); err != nil {
		l.t.Fatal(err)
	}
	// On a busy machine a page now and then takes longer than Navigate waits for it to load.
	for end := time.Now().Add(20 * time.Second); l.eval(`document.readyState === "loading" || location.href === "about:blank"`) == "true" && to != "about:blank" && time.Now().Before(end); {
		l.eval("new Promise((done) => setTimeout(done, 50))")
	}
}

func (l *live) do(name string, params any) Result {
	l.t.Helper()
	return l.doIn(context.Background(), name, params)
}

func (l *live) doIn(ctx context.Context, name string, params any) Result {
	l.t.Helper()
	b, err := json.Marshal(params)
	if err != nil {
		l.t.Fatal(err)
	}
	res := l.Do(ctx, Call{Name: name, Params: b})
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

func (l *live) observe() Observation {
	l.t.Helper()
	o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
	if err != nil {
		l.t.Fatal(err)
	}
	return o
}

// index finds an element in a fresh list by its line.
func (l *live) index(role, name string) int {
	l.t.Helper()
	o := l.observe()
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

// saysChosen tells whether a result says once what a control shows as chosen: in its effect, or else after it.
func saysChosen(res Result, want string) bool {
	return strings.Contains(res.Effect, fmt.Sprintf("→ %q", want)) != strings.Contains(res.Text, fmt.Sprintf("Chosen now: %q.", want))
}

func hasChosen(t *testing.T, res Result, want string) {
	t.Helper()
	if !saysChosen(res, want) {
		t.Errorf("%q does not say once that %q is chosen", res.Text, want)
	}
}

func BenchmarkClickNoEffect(b *testing.B) { benchmarkClick(b, "#nothing", 0) }

func BenchmarkClickWithEffect(b *testing.B) { benchmarkClick(b, "#add", 0) }

func BenchmarkClickBigPage(b *testing.B) { benchmarkClick(b, "#add", 3000) }

// BenchmarkGateShare is how much of a click the gate takes, in percent: what it adds to
// the click that is resolved and sent, by reading the page, judging and comparing with
// what was refused. The aim is under 5.
func BenchmarkGateShare(b *testing.B) {
	startChromium(b)
	l := openLive(b, chromium.d, "click.html")
	ctx := context.Background()
	raw, _ := json.Marshal(p{"selector": "#add"})
	var whole, gate time.Duration
	for b.Loop() {
		began := time.Now()
		if res := l.Do(ctx, Call{Name: "click", Params: raw}); res.Err != nil {
			b.Fatal(res.Err)
		}
		whole += time.Since(began)
		r := l.runOn(ctx, b)
		a, act, bad := r.looker(targetQuery{Target: Target{Selector: "#add"}})(ctx)
		if bad != nil {
			b.Fatal(bad)
		}
		began = time.Now()
		d, x, bad := r.judge(ctx, a, act)
		if bad != nil {
			b.Fatal(bad)
		}
		at := assessment{aim: a, act: act, d: d, x: x, deed: r.deedOf(act, d)}
		r.weigh(&at)
		gate += time.Since(began)
	}
	b.ReportMetric(100*gate.Seconds()/whole.Seconds(), "gate-%")
}

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
