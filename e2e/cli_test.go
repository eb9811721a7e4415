package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/host/browser/launch"
)

// local is a shop and a stand-in model on loopback.
func local(t *testing.T) (s *shop.Shop, url string, env []string) {
	t.Helper()
	s = shop.New(seed)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.NewShopper()})
	if err := model.Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	return s, server.URL + "/", provider(model)
}

func TestRunLaunched(t *testing.T) {
	for name, c := range map[string]struct {
		confirm, stdin string
		code           int
		says           string
	}{
		"allowed by flag": {"allow", "", 0, "Allowed (--confirm or policy)"},
		"denied by flag":  {"deny", "", 3, "Denied (--confirm or policy)"},
		"yes is typed":    {"ask", "y\n", 0, "Allowed (terminal)"},
		"no is typed":     {"ask", "N\n", 3, "Denied (terminal)"},
	} {
		t.Run(name, func(t *testing.T) {
			s, url, env := local(t)
			cl := newCLI(t, env...)
			recording := filepath.Join(cl.dir, "shop.yaml")
			code, out := cl.run(c.stdin, "run", task, "--url", url, "--launch", "--headless", "--confirm", c.confirm, "--record", recording)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range []string{"▶ " + task, "Add to cart", "CONFIRM:", c.says} {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			recorded := read(t, recording)
			unfinished := strings.Contains(recorded, "\nunfinished: 'failed: ") || strings.Contains(recorded, "\nunfinished: \"failed: ")
			if !strings.Contains(recorded, "name: Add to cart") || unfinished != (c.code != 0) || strings.Contains(out, "and the file says so") != unfinished {
				t.Errorf("the recording:\n%s", recorded)
			}
			orders := s.Orders()
			switch {
			case c.code == 0 && (len(orders) != 1 || orders[0].Status != shop.StatusPaid || orders[0].Lines[0].ProductID != s.Cheapest().ID):
				t.Errorf("orders %+v", orders)
			case c.code != 0 && len(orders) != 0:
				t.Errorf("something was bought: %+v", orders)
			}
			nothingRuns(t, cl.mark)
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// A task is done in a browser with a profile that stays, and in one that runs already,
// where nobody can be asked.
func TestRunElsewhere(t *testing.T) {
	if os.Getenv("TABWRIGHT_ALL") == "" {
		t.Skip("starts two browsers more; TABWRIGHT_ALL=1 has it run")
	}
	t.Run("own profile", func(t *testing.T) {
		s, url, env := local(t)
		c := newCLI(t, env...)
		code, out := c.run("y\n", "run", task, "--url", url, "--profile", "own:shop", "--headless", "--isolated")
		if code != 0 || len(s.Orders()) != 1 {
			t.Errorf("exit code %d, orders %v: %s", code, s.Orders(), out)
		}
		nothingRuns(t, c.mark)
	})
	t.Run("joined", func(t *testing.T) {
		s, url, env := local(t)
		c := newCLI(t, env...)
		b, err := launch.Start(t.Context(), launch.Options{Headless: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		code, out := c.run("", "run", task, "--url", url, "--cdp", b.URL(), "--json")
		if code != 3 || len(s.Orders()) != 0 {
			t.Errorf("exit code %d, orders %v: %s", code, s.Orders(), out)
		}
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	})
}

// The browser of the settings is the one that is launched.
func TestRunLaunchedTakesTheBrowserOfTheSettings(t *testing.T) {
	_, url, env := local(t)
	c := newCLI(t, append(env, "TABWRIGHT_BROWSER=/nowhere/chromium")...)
	code, out := c.run("", "run", task, "--url", url, "--launch", "--headless", "--confirm", "deny")
	if code != 1 || !strings.Contains(out, "/nowhere/chromium") {
		t.Errorf("exit code %d: %s", code, out)
	}
	nothingRuns(t, c.mark)
}

// A terminal's Ctrl-C ends task and browser.
func TestRunLaunchedInterrupted(t *testing.T) {
	g := newGate(3)
	defer close(g.open)
	_, url, _ := local(t)
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: g})
	t.Cleanup(model.Close)
	c := newCLI(t, provider(model)...)
	p := start(t, c.command("run", task, "--url", url, "--launch", "--headless", "--confirm", "allow"))
	p.await(c.ctx, g.reached)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 130 {
		t.Errorf("exit code %d, want 130\n%s", code, p.out.String())
	}
	nothingRuns(t, c.mark)
}

// The user's own Chromium, the task given in a terminal, the answer in the
// panel.
func TestRunInTheBrowser(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(*rig.Panel, context.Context) error
		code   int
		says   string
	}{
		"allowed": {(*rig.Panel).Allow, 0, "Allowed (panel)"},
		"denied":  {(*rig.Panel).Deny, 3, "Denied (panel)"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, standin.OllamaTools, standin.NewShopper())
			p := w.panel()
			cmd := start(t, w.rig.Command(w.ctx, "run", task, "--url", w.url))
			cmd.says(w.ctx, "side panel")
			w.card(p)
			w.must(c.answer(p, w.ctx))
			if code := cmd.wait(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range []string{"▶ " + task, "Add to cart", "CONFIRM:", "shop.test", c.says} {
				if !strings.Contains(cmd.out.String(), want) {
					t.Errorf("it does not say %q in\n%s", want, cmd.out.String())
				}
			}
			w.ended(p)
			if c.code == 0 {
				w.paid()
			} else {
				w.nothingBought()
			}
		})
	}
}

func TestRunInTheBrowserInterrupted(t *testing.T) {
	g := newGate(3)
	w := newWorld(t, standin.OllamaTools, g)
	defer close(g.open)
	p := w.panel()
	w.deadPages()
	cmd := start(t, w.rig.Command(w.ctx, "run", task, "--url", w.url))
	cmd.await(w.ctx, g.reached)
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=status]').dataset.state === 'running'`))
	w.must(cmd.cmd.Process.Signal(os.Interrupt))
	if code := cmd.wait(); code != 130 {
		t.Errorf("exit code %d, want 130\n%s", code, cmd.out.String())
	}
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=status]').dataset.state === 'cancelled'`))
	w.nothingBought()
}

// deadPages: a task or a workflow's node that begins at a page that can't be loaded
// ends with that, and no model is asked.
func (w *world) deadPages() {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	dead := fmt.Sprintf("http://shop.test:%d/", l.Addr().(*net.TCPAddr).Port)
	w.must(l.Close())
	graph := filepath.Join(w.rig.Dir, "dead.yaml")
	w.must(os.WriteFile(graph, []byte("tabwright: 1\nname: dead\nnodes:\n  - id: a\n    task: "+task+"\n    url: "+dead+"\n"), 0o600))
	for _, c := range [][]string{
		{"ERR_CONNECTION_REFUSED", "run", task, "--url", dead},
		{"ERR_NAME_NOT_RESOLVED", "run", task, "--url", "http://nowhere.invalid/"},
		{"ERR_CONNECTION_REFUSED", "flow", "run", graph},
	} {
		out, err := w.rig.Command(w.ctx, c[1:]...).CombinedOutput()
		if code := exitCode(w.t, err); code != 1 || !strings.Contains(string(out), c[0]) || c[1] == "run" && !strings.Contains(string(out), "navigation_failed") {
			w.t.Errorf("%s: exit code %d:\n%s", c[1:], code, out)
		}
	}
	if n := len(w.model.Requests()); n > 0 {
		w.t.Errorf("the model was asked %d times about pages that are not there", n)
	}
}

func (w *world) doctor() (code int, out string) {
	w.t.Helper()
	raw, err := w.rig.Command(w.ctx, "doctor", "--user-data-dir", w.profile()).CombinedOutput()
	return exitCode(w.t, err), string(raw)
}

func (w *world) profile() string { return filepath.Join(w.rig.Dir, "profile") }

// status gives what `tabwright status` says, once a browser is connected.
func (w *world) status() string {
	w.t.Helper()
	w.panel() // ready means: the chain stands
	raw, err := w.rig.Command(w.ctx, "status").CombinedOutput()
	w.must(err)
	return string(raw)
}

var brokerPID = regexp.MustCompile(`pid (\d+)`)

func (w *world) brokerPID() int {
	w.t.Helper()
	s := w.status()
	m := brokerPID.FindStringSubmatch(s)
	if m == nil {
		w.t.Fatalf("no broker in %q", s)
	}
	n, err := strconv.Atoi(m[1])
	w.must(err)
	return n
}

func TestDoctorOnAWholeChainAndOnBrokenOnes(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	if s := w.status(); !strings.Contains(s, "Chrom") || !strings.Contains(s, "profile ") {
		t.Errorf("status does not name the browser: %s", s)
	}
	for _, flags := range [][]string{{"--user-data-dir", w.profile()}, nil} { // without: as the panel asks
		raw, err := w.rig.Command(w.ctx, append([]string{"doctor"}, flags...)...).CombinedOutput()
		if out := string(raw); err != nil || strings.Contains(out, "FAIL") {
			t.Errorf("%v, %s on a whole chain:\n%s", err, flags, out)
		}
	}
	// A browser that is connected needs no waiting for.
	raw, err := w.rig.Command(w.ctx, "install", "--user-data-dir", w.profile(), "--wait", "20s", "--json").CombinedOutput()
	var done struct{ Connected, Opened *struct{ Browser string } }
	if json.Unmarshal(raw, &done) != nil || err != nil || done.Connected == nil || done.Opened != nil || !strings.Contains(done.Connected.Browser, "Chrom") {
		t.Errorf("%v, install on a whole chain: %s", err, raw)
	}
	w.model.Close()
	if code, out := w.doctor(); code != 1 || !strings.Contains(out, "FAIL") || !strings.Contains(out, "→") {
		t.Errorf("exit code %d without a model server:\n%s", code, out)
	}
	manifests, err := filepath.Glob(filepath.Join(w.profile(), "NativeMessagingHosts", "*.json"))
	w.must(err)
	if len(manifests) != 1 {
		t.Fatalf("manifests %v", manifests)
	}
	w.must(os.WriteFile(manifests[0], []byte(`{"name": "broken`), 0o600))
	if code, out := w.doctor(); code != 1 || !strings.Contains(out, "tabwright install") {
		t.Errorf("exit code %d with a broken manifest:\n%s", code, out)
	}
}

func TestInstallAndUninstallLeaveNothing(t *testing.T) {
	c := newCLI(t)
	if code, out := c.run("", "version"); code != 0 || !strings.HasPrefix(out, "tabwright ") {
		t.Errorf("version: %d %q", code, out)
	}
	if code, out := c.run("", "status"); code != 0 || !strings.Contains(out, "not running") {
		t.Errorf("status: %d %q", code, out)
	}
	// A profile that a browser made; install adds to it.
	profile := filepath.Join(c.dir, "profile")
	if err := os.MkdirAll(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := tree(t, c.dir)
	if code, out := c.run("", "install", "--user-data-dir", profile); code != 0 || !strings.Contains(out, "chrome://extensions") {
		t.Errorf("install: %d %q", code, out)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "data", "tabwright", "extension", "manifest.json")); err != nil {
		t.Error(err)
	}
	if code, out := c.run("", "install", "--user-data-dir", profile); code != 0 {
		t.Errorf("install again: %d %q", code, out)
	}
	if code, out := c.run("", "uninstall", "--user-data-dir", profile, "--purge"); code != 2 {
		t.Errorf("--purge of one browser must be refused: %d %q", code, out)
	}
	if code, out := c.run("", "uninstall", "--purge"); code != 0 {
		t.Errorf("uninstall: %d %q", code, out)
	}
	if after := tree(t, c.dir); after != before {
		t.Errorf("left behind:\n%s\nbefore:\n%s", after, before)
	}
	if code, out := c.run("", "uninstall"); code != 0 || !strings.Contains(out, "Nothing") {
		t.Errorf("uninstall of nothing: %d %q", code, out)
	}
	nothingRuns(t, c.mark)
}

// tree is every file under a folder; empty folders are not what is meant.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// What doctor advises about a broker: it ends, and that none runs is no error.
func TestBrokerStop(t *testing.T) {
	c := newCLI(t)
	if code, out := c.run("", "flow", "show"); code != 0 { // which starts a broker
		t.Errorf("flow show: %d %q", code, out)
	}
	for _, said := range []string{"The broker has ended.", "No broker is running."} {
		if code, out := c.run("", "broker", "stop"); code != 0 || !strings.Contains(out, said) {
			t.Errorf("broker stop: %d %q, want %q", code, out, said)
		}
	}
}
