package zoo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/extension/bundle"
	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/pagecontext"
	"tabwright/safety"
)

var (
	writeDoc = flag.Bool("write", false, "write docs/widgets.md from what was done")
	showText = flag.Bool("text", false, "log what a model reads of each page and of each act")
	lookOnly = flag.Bool("look", false, "only log the list of each page, for who writes what to do there")
)

// deedTime bounds one deed.
const deedTime = 60 * time.Second

// TestZoo does with each widget what its table says, in a page of the library
// itself, and holds the widget's own state: all with TABWRIGHT_ALL=1, else a few.
func TestZoo(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium and npm")
	}
	all := os.Getenv("TABWRIGHT_ALL") != ""
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	modules, err := Install(ctx, all)
	if errors.Is(err, ErrNoPackages) {
		t.Skipf("NONE OF THE REAL WIDGETS WAS TRIED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var widgets []Widget
	for _, w := range Widgets {
		if all || w.Few {
			widgets = append(widgets, w)
		}
	}
	scripts := map[string]string{}
	for _, w := range widgets {
		if scripts[w.Page], err = Build(modules, w.Page); err != nil {
			t.Error(err)
		}
	}
	site := serve(t, scripts)
	d := open(t)
	var mu sync.Mutex
	got := map[string]string{}
	t.Run("widgets", func(t *testing.T) {
		for _, w := range widgets {
			t.Run(w.Name, func(t *testing.T) {
				if scripts[w.Page] == "" {
					t.Skip("not bundled")
				}
				t.Parallel()
				z := newVisit(t, d)
				if *lookOnly {
					why := z.try(ctx, site+w.Page, Deed{})
					t.Log(why + z.do(ctx, "getElements", p{}).Text)
					return
				}
				for i, deed := range w.Deeds {
					t.Run(fmt.Sprintf("%s %s", deed.Kind, deed.What), func(t *testing.T) {
						z.t = t
						ctx, cancel := context.WithTimeout(context.Background(), deedTime)
						defer cancel()
						why := z.try(ctx, site+w.Page, deed)
						mu.Lock()
						got[w.Deeds[i].in(w)] = why
						mu.Unlock()
						switch {
						case why != "" && deed.Fails == "":
							t.Error(why)
						case why == "" && deed.Fails != "":
							t.Errorf("it can be done, and the table says that it fails: %s", deed.Fails)
						case why != "":
							t.Logf("as the table says (%s): %s", deed.Fails, why)
						}
					})
				}
			})
		}
	})
	t.Log("\n" + table(widgets, got))
	if *writeDoc && all {
		if err := writeTable(table(widgets, got)); err != nil {
			t.Error(err)
		}
	}
}

// open starts the one browser.
func open(t *testing.T) browser.Driver {
	t.Helper()
	script, err := bundle.Extractor(bundle.Root())
	if err != nil {
		t.Fatal(err)
	}
	b, err := launch.Start(context.Background(), launch.Options{
		Headless: true, Args: []string{"--host-resolver-rules=MAP zoo.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Log(err)
		}
	})
	d, err := direct.Connect(context.Background(), b.URL(), direct.Options{Extractor: script, Downloads: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// serve serves the bundles, each in an empty page, and gives the address before
// a page's name.
func serve(t *testing.T, scripts map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := strings.TrimPrefix(r.URL.Path, "/")
		if script, ok := scripts[page]; ok {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			name := strings.TrimSuffix(filepath.Base(script), ".js")
			fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title>`, name)
			if _, err := os.Stat(strings.TrimSuffix(script, ".js") + ".css"); err == nil {
				fmt.Fprintf(w, `<link rel="stylesheet" href="/file/%s/%s.css">`, page, name)
			}
			fmt.Fprintf(w, `<body><script>onerror = (e) => { window.broken = e; };</script><script src="/file/%s/%s.js"></script></body></html>`, page, name)
			return
		}
		if page, file, ok := strings.Cut(strings.TrimPrefix(page, "file/"), "/"); ok && scripts[page] != "" {
			http.ServeFile(w, r, filepath.Join(filepath.Dir(scripts[page]), filepath.Base(file)))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return "http://zoo.test:" + u.Port() + "/"
}

// visit is a session in a tab of its own.
type visit struct {
	t   *testing.T
	s   *action.Session
	tab *browser.Tab
	dir string
}

// yes allows what is asked: no widget here does harm.
type yes struct{}

func (yes) Confirm(context.Context, action.Card) (action.Answer, error) {
	return action.Answer{Allow: true, By: "panel"}, nil
}

func newVisit(t *testing.T, d browser.Driver) *visit {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	info, err := d.Open(ctx, "about:blank", true, "")
	if err != nil {
		t.Fatal(err)
	}
	z := &visit{t: t, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(z.dir, "report.txt"), []byte("A report.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hosts := []string{"zoo.test"}
	z.s, err = action.NewSession(action.Options{
		Driver: d, Tab: info.ID, Confirmer: yes{}, TaskDir: z.dir, UploadDirs: []string{z.dir},
		Policy: safety.Context{Sites: hosts, LocalHosts: hosts},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := d.CloseTab(end, info.ID); err != nil {
			t.Log(err)
		}
		_ = z.s.Close(end)
	})
	if z.tab, err = d.Attach(ctx, info.ID); err != nil {
		t.Fatal(err)
	}
	return z
}

// try loads the page anew, does a deed there, and says why that failed.
func (z *visit) try(ctx context.Context, page string, d Deed) (why string) {
	if err := z.tab.Navigate(ctx, page); err != nil {
		return err.Error()
	}
	if _, err := z.state(ctx); err != nil {
		return "the page is broken: " + err.Error()
	}
	for _, s := range d.Steps {
		if why := z.step(ctx, s); why != "" {
			return strings.TrimSpace(s.Action+" "+s.Target) + ": " + why
		}
	}
	var state map[string]any
	for end := time.Now().Add(3 * time.Second); ; {
		var err error
		if state, err = z.state(ctx); err != nil {
			return err.Error()
		}
		if d.holds(state) {
			return ""
		}
		if time.Now().After(end) {
			break
		}
		if _, err := z.tab.Evaluate(ctx, "new Promise((done) => setTimeout(done, 50))"); err != nil {
			return err.Error()
		}
	}
	b, _ := json.Marshal(state)
	return "its state is " + string(b)
}

// holds tells whether a state is as the deed should leave it.
func (d Deed) holds(state map[string]any) bool {
	for k, v := range d.Want {
		if !same(state[k], v) {
			return false
		}
	}
	return true
}

// state is what the page says of its widgets, read past the session.
func (z *visit) state(ctx context.Context) (map[string]any, error) {
	// As text: what a library wraps in a proxy is no plain object.
	out, err := z.tab.Evaluate(ctx, "JSON.stringify(window.state ? state() : { broken: window.broken ?? 'no state' })")
	if err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(out, &text); err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return nil, err
	}
	if why, ok := m["broken"]; ok {
		return nil, fmt.Errorf("%v", why)
	}
	return m, nil
}

// step makes one call, and says why it failed.
func (z *visit) step(ctx context.Context, s Step) (why string) {
	params := p{}
	for k, v := range s.Params {
		params[k] = v
	}
	if f, ok := params["filePath"].(string); ok {
		params["filePath"] = filepath.Join(z.dir, f)
	}
	if s.Target != "" {
		i, why := z.find(ctx, s.Target)
		if why != "" {
			return why
		}
		params["index"] = i
		if s.To != "" {
			to, why := z.find(ctx, s.To)
			if why != "" {
				return why
			}
			params = p{"from": p{"index": i}, "to": p{"index": to}}
		}
	}
	res := z.do(ctx, s.Action, params)
	if res.Err != nil {
		return fmt.Sprintf("%s: %s", res.Err.Code, res.Err.Message)
	}
	return ""
}

func (z *visit) do(ctx context.Context, name string, params p) action.Result {
	raw, _ := json.Marshal(params)
	res := z.s.Do(ctx, action.Call{Name: name, Params: raw})
	if *showText {
		z.t.Logf("%s %s\n%s", name, raw, res.Text)
	}
	return res
}

// named is a target: a role (or * for any), a name, which of several, and the words
// beside it.
var named = regexp.MustCompile(`^(?:(\S+?)(?: |$))??(?:"(.*?)")?(?:#(\d+))?(?: ?in "(.*)")?$`)

// find gives the index of the element that the list shows by a role, a name and
// the words beside it: in the first look, else in what a query for its name gives,
// else as a search for its text does. What comes a moment late is looked for again.
func (z *visit) find(ctx context.Context, target string) (index int, why string) {
	m := named.FindStringSubmatch(target)
	if m == nil {
		return 0, "not a target: " + target
	}
	for again := range 12 {
		if again > 0 {
			z.do(ctx, "wait", p{"ms": 250})
		}
		o, err := z.s.Observe(ctx, action.ObserveOptions{Full: true})
		if err != nil {
			return 0, err.Error()
		}
		if again == 0 && *showText {
			z.t.Log(o.Text)
		}
		if o.Elements != nil {
			if i, n := among(o.Elements, m, o.Text); n > 0 {
				return unique(i, n, target)
			}
		}
		res := z.do(ctx, "getElements", p{"query": m[2]})
		if l, ok := res.Data.(*pagecontext.Listing); ok {
			if i, n := among(l, m, res.Text); n > 0 {
				return unique(i, n, target)
			}
		}
		if m[1] == "" && m[4] == "" {
			res = z.do(ctx, "find", p{"text": m[2], "exact": true})
			if l, ok := res.Data.(*pagecontext.Listing); ok && len(l.Elements) > 0 {
				return unique(l.Elements[0].Index, len(l.Elements), target)
			}
		}
		why = fmt.Sprintf("no %s in the list:\n%s", target, o.Text)
	}
	return 0, why
}

func unique(i, n int, target string) (int, string) {
	if n > 1 {
		return 0, fmt.Sprintf("%d elements are called %s", n, target)
	}
	return i, ""
}

// among gives the index of the element that answers to a target, and how many do:
// one where the target says which.
func among(l *pagecontext.Listing, m []string, text string) (index, n int) {
	nth, _ := strconv.Atoi(m[3])
	for _, e := range l.Elements {
		name := e.Name
		if name == "" || m[2] != "" && e.Hint == m[2] {
			name = e.Hint
		}
		name = cmp.Or(name, e.Text)
		if m[1] != "" && m[1] != "*" && e.Role != m[1] || m[2] != "" && name != m[2] || m[4] != "" && !strings.Contains(e.Near+"\n"+l.RowOf(&e), m[4]) && (m[2] != "" || e.Name != m[4]) { // a field beside its label may be called by it
			continue
		}
		if !regexp.MustCompile(fmt.Sprintf(`\b%d\b`, e.Index)).MatchString(text) {
			continue // of which the text tells nothing
		}
		if n++; n == 1 || n == nth {
			index = e.Index
		}
		if n == nth {
			return index, 1
		}
	}
	if n < nth {
		return 0, 0
	}
	return index, n
}

// TestTable: docs/widgets.md holds the table.
func TestTable(t *testing.T) {
	said, err := os.ReadFile(doc())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, w := range Widgets {
		for _, d := range w.Deeds {
			want[d.in(w)] = d.Fails
		}
	}
	if !strings.Contains(string(said), table(Widgets, want)) {
		t.Error("docs/widgets.md is not current: make zoo")
	}
}

// TestLicences: what is taken from npm may be used by anyone, and the few packages
// of each test run are what their pages import.
func TestLicences(t *testing.T) {
	var lock struct {
		Packages map[string]struct {
			License string
			Dev     bool
		}
	}
	b, err := os.ReadFile(filepath.Join(dir(), "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		t.Fatal(err)
	}
	free := []string{"MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "MPL-2.0", "(MPL-2.0 OR Apache-2.0)", "(MIT OR CC0-1.0)"}
	for name, pkg := range lock.Packages {
		if name != "" && !slices.Contains(free, pkg.License) {
			t.Errorf("%s: licence %q", name, pkg.License)
		}
	}
	imports := regexp.MustCompile(`(?m)^import (?:[^"]* from )?"((?:@[^/"]+/)?[^/"]+)`)
	for _, w := range Widgets {
		src, err := os.ReadFile(filepath.Join(dir(), "pages", w.Page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllStringSubmatch(string(src), -1) {
			if pkg, ok := lock.Packages["node_modules/"+m[1]]; m[1] != "." && (!ok || w.Few && pkg.Dev) {
				t.Errorf("%s imports %s, which is not in the lock file, or among devDependencies", w.Page, m[1])
			}
		}
	}
}
