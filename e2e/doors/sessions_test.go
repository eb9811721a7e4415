package doors

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"tabwright/e2e/rig"
	"tabwright/host/browser/direct"
)

// until waits for a condition; the bench's context bounds it.
func (b *bench) until(what string, ok func() bool) {
	b.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-b.ctx.Done():
			b.t.Fatal("never: " + what)
		}
	}
}

// group is a tab group as the extension sees it, with the addresses in it.
type group struct {
	Title, Color string
	Tabs         []string
}

// groups asks the extension's own page for the tab groups.
func (w *chrome) groups(p *rig.Panel) []group {
	w.t.Helper()
	var raw string
	w.must(p.Eval(w.ctx, `(async () => JSON.stringify(await Promise.all((await chrome.tabGroups.query({})).map(async (g) =>
		({Title: g.title, Color: g.color, Tabs: (await chrome.tabs.query({groupId: g.id})).map((t) => t.url)})))))()`, &raw))
	var out []group
	w.must(json.Unmarshal([]byte(raw), &out))
	return out
}

// TestTabGroup has a window: the tabs that a program opens stand in a group, one
// that the user drags out stays out, and the group goes with its last tab.
func TestTabGroup(t *testing.T) {
	screen := rig.TestScreen(t).Display
	w := newChromeOn(t, screen)
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	if g := w.groups(panel); len(g) != 0 {
		t.Fatalf("there are groups before anything was opened: %v", g)
	}
	w.ok("open", w.url+"/form", "--allow-host", "127.0.0.1")
	w.ok("tabs", "new", w.url+"/count")
	g := w.groups(panel)
	if len(g) != 1 || g[0].Title != "Tabwright" || g[0].Color != "orange" || len(g[0].Tabs) != 2 {
		t.Fatalf("the groups are %+v", g)
	}
	// The user drags one out: what is opened later does not bring it back.
	w.must(panel.Eval(w.ctx, `chrome.tabs.query({url: "*://*/count"}).then((t) => chrome.tabs.ungroup(t[0].id)).then(() => true)`, nil))
	w.ok("tabs", "new", w.url+"/hard")
	g = w.groups(panel)
	if len(g) != 1 || len(g[0].Tabs) != 2 || strings.Contains(strings.Join(g[0].Tabs, " "), "/count") {
		t.Errorf("after one was dragged out: %+v", g)
	}
	if shot := os.Getenv("TABWRIGHT_SHOT"); shot != "" { // to be looked at by eye
		cmd := exec.CommandContext(w.ctx, "import", "-window", "root", shot)
		cmd.Env = append(os.Environ(), "DISPLAY="+screen)
		w.must(cmd.Run())
	}
	w.ok("close")
	w.until("the group goes with its last tab", func() bool { return len(w.groups(panel)) == 0 })
}

// TestIsolatedSessions share a browser, and no cookie.
func TestIsolatedSessions(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.stopBroker)
	open := func(session, path string, a ...string) {
		t.Helper()
		b.ok(append([]string{"open", b.url + path, "--session", session, "--profile", "own:iso", "--headless", "--browser-arg", b.mark}, a...)...)
	}
	who := func(session string) string { t.Helper(); return b.ok("get", "text", "#who", "--session", session) }
	reload := func(session string) { t.Helper(); b.ok("open", b.url+"/cookie", "--session", session) }
	open("plain", "/cookie?set=plain")
	open("one", "/cookie?set=one", "--isolated")
	open("two", "/cookie", "--isolated")
	open("beside", "/cookie")
	for session, want := range map[string]string{"plain": "plain", "one": "one", "two": "nobody", "beside": "plain"} {
		reload(session)
		if got := who(session); got != want {
			t.Errorf("session %s is %q, want %q", session, got, want)
		}
	}
	d := b.joined("own:iso")
	if n := b.contexts(d); n != 2 {
		t.Errorf("%d contexts, want 2", n)
	}
	b.ok("close", "--session", "one")
	b.until("the context goes with its session", func() bool { return b.contexts(d) == 1 })
	b.ok("close", "--session", "two")
	b.ok("close", "--session", "beside")
	if got := b.ok("profiles"); !strings.Contains(got, "own:iso\town\trunning, headless, 1 session") {
		t.Errorf("the profiles are %q", got)
	}
	b.ok("close", "--session", "plain")
	b.noBrowser()
	if got := b.ok("profiles"); !strings.Contains(got, "own:iso\town\tnot running") {
		t.Errorf("the profiles are %q", got)
	}
	// What is not isolated stays in the profile.
	open("later", "/cookie")
	if got := who("later"); got != "plain" {
		t.Errorf("the profile forgot: %q", got)
	}
	b.fails(2, "is open already", "open", b.url, "--session", "later", "--launch")
	b.fails(2, "is open already", "open", b.url, "--session", "later", "--profile", "own")
	b.fails(2, "is open already, with a headless browser", "open", b.url, "--session", "later", "--profile", "own:iso")
	b.fails(2, "is open already, with confirm ask", "open", b.url, "--session", "later", "--confirm", "deny")
	b.fails(2, "from 1; -1 is none", "get", "value", "--session", "later", "--", "-1")
	b.fails(1, "", "is", "visible", "head", "--session", "later") // the answer is no
	b.fails(4, "not_found", "is", "enabled", "#nothing", "--session", "later")
	b.fails(1, "runs", "profiles", "remove", "own:iso")
	b.ok("close", "--session", "later")
	b.noBrowser()
	b.ok("profiles", "remove", "own:iso")
	if got := b.ok("profiles"); strings.Contains(got, "own:iso") {
		t.Errorf("a profile that was removed is listed: %q", got)
	}
	b.fails(2, "no profile own:iso", "profiles", "remove", "own:iso")
	b.fails(2, "not one of Tabwright's own", "profiles", "remove", "chrome")
	b.fails(2, "no name for a profile", "profiles", "remove", "own:../x")
	b.fails(2, "list", "profiles", "drop")
}

// joined is the test's own connection to the browser of an own profile.
func (b *bench) joined(profile string) *direct.Driver {
	b.t.Helper()
	var list struct {
		Profiles []struct{ Profile, Path string }
	}
	b.must(json.Unmarshal([]byte(b.ok("profiles", "--json")), &list))
	for _, p := range list.Profiles {
		if p.Profile != profile {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(p.Path, "DevToolsActivePort"))
		b.must(err)
		port, path, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
		return b.join("ws://127.0.0.1:" + port + path)
	}
	b.t.Fatalf("no profile %s: %+v", profile, list)
	return nil
}

func (b *bench) join(url string) *direct.Driver {
	b.t.Helper()
	d, err := direct.Connect(b.ctx, url, direct.Options{})
	b.must(err)
	b.t.Cleanup(func() { _ = d.Close() })
	return d
}

func (b *bench) contexts(d *direct.Driver) int {
	b.t.Helper()
	res, err := cdp.Call(b.ctx, d.Browser(), target.GetBrowserContexts, cdp.Empty{})
	b.must(err)
	return len(res.BrowserContextIDs)
}

const (
	usedIt = "The user used this tab"
	waited = "once they were still"
)

func (b *bench) brokerRunning() int {
	b.t.Helper()
	_, rest, _ := strings.Cut(b.ok("status"), "running: ")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(line))
	b.must(err)
	return n
}

// TestFilesThroughTheExtension writes a PDF and a download through the real
// extension in a browser with a window.
func TestFilesThroughTheExtension(t *testing.T) {
	w := newChromeOn(t, rig.TestScreen(t).Display)
	w.ok("open", w.url+"/count", "--allow-host", "127.0.0.1")
	dir := t.TempDir()
	page := filepath.Join(dir, "page.pdf")
	w.ok("pdf", page)
	if raw, err := os.ReadFile(page); err != nil || !strings.HasPrefix(string(raw), "%PDF") || len(raw) < 1000 {
		t.Errorf("the PDF is none: %v, %d bytes", err, len(raw))
	}
	list := filepath.Join(dir, "list.csv")
	w.ok("download", "a", list)
	if raw, err := os.ReadFile(list); err != nil || string(raw) != "mug,12.50\n" {
		t.Errorf("the download is %q: %v", raw, err)
	}
	w.ok("close")
}
