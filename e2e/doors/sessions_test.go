package doors

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/rs/zerolog"

	"tabwright/e2e/rig"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/control"
	"tabwright/host/native"
)

// display starts a screen that nobody looks at, for browsers with a window.
func display(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	xvfb, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("needs Xvfb, to open a window")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), xvfb, "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close() // the child has its own
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); _ = r.Close() })
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb gave no display: %v", err)
	}
	return ":" + strings.TrimSpace(line)
}

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
// that the person drags out stays out, and the group goes with its last tab.
func TestTabGroup(t *testing.T) {
	screen := display(t)
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
	// The person drags one out: what is opened later does not bring it back.
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

// person acts in a page as a person does: by input that Tabwright did not send.
type person struct {
	b *bench
	t *browser.Tab
}

// personIn finds the page by its address, over a connection of the test's own.
func (b *bench) personIn(d browser.Driver, url string) person {
	b.t.Helper()
	tabs, err := d.Tabs(b.ctx)
	b.must(err)
	for _, i := range tabs {
		if strings.HasPrefix(i.URL, url) {
			tab, err := d.Attach(b.ctx, i.ID)
			b.must(err)
			return person{b, tab}
		}
	}
	b.t.Fatalf("no tab at %s in %v", url, tabs)
	return person{}
}

// click presses where an element is.
func (p person) click(selector string) {
	p.b.t.Helper()
	raw, err := p.t.Evaluate(p.b.ctx, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	p.b.must(err)
	var at []float64
	p.b.must(json.Unmarshal(raw, &at))
	p.b.must(p.t.Mouse(p.b.ctx, browser.MouseMove, at[0], at[1], "", 0, 0))
	p.b.must(p.t.Mouse(p.b.ctx, browser.MouseDown, at[0], at[1], "left", 1, 0))
	p.b.must(p.t.Mouse(p.b.ctx, browser.MouseUp, at[0], at[1], "left", 1, 0))
}

const (
	usedIt = "The person used this tab"
	waited = "once they were still"
)

// usesTab has a person and a program in one tab: the program waits for the
// person and says so, and its own input is never taken for theirs.
func (b *bench) usesTab(c *client, d func() browser.Driver) {
	b.t.Helper()
	c.do("browser_navigate", args{"url": b.url + "/count"})
	p := b.personIn(d(), b.url+"/count")
	press, note := c.ref("Press"), c.ref("Note")
	for range 5 {
		if r := c.do("browser_click", args{"ref": press}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own click is taken for the person's:\n%s", r.Text)
		}
		if r := c.do("browser_type", args{"ref": note, "text": "own words", "clear": true}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own typing is taken for the person's:\n%s", r.Text)
		}
		if r := c.do("browser_scroll", args{"direction": "down"}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own scrolling is taken for the person's:\n%s", r.Text)
		}
	}
	// A press right beside one of ours can't be told from it; a later one can.
	presses := 5
	b.until("an act says that it waited for the person", func() bool {
		p.click("button")
		began := time.Now()
		r := c.do("browser_click", args{"ref": press})
		presses += 2
		if !strings.Contains(r.Text, waited) {
			return false
		}
		if took := time.Since(began); took < time.Second {
			b.t.Errorf("it waited %s:\n%s", took, r.Text)
		}
		if notes, _ := r.All["notes"].([]any); len(notes) != 1 {
			b.t.Errorf("the notes are %v", r.All["notes"])
		}
		return true
	})
	if r := c.do("browser_get_text", args{"selector": "output"}); !strings.Contains(r.Text, fmt.Sprintf("Pressed %d", presses)) || strings.Contains(r.Text, usedIt) {
		b.t.Errorf("want %d presses:\n%s", presses, r.Text)
	}
	b.until("reading says that the person was there", func() bool {
		p.click("h1")
		r := c.do("browser_get_text", args{"selector": "h1"})
		if strings.Contains(r.Text, waited) {
			b.t.Errorf("reading waits for them:\n%s", r.Text)
		}
		return strings.Contains(r.Text, usedIt)
	})
	// One who does not stop is not waited for without end.
	ctx, stop := context.WithCancel(b.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(300 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = p.t.Mouse(ctx, browser.MouseDown, 5, 5, "left", 1, 0)
				_ = p.t.Mouse(ctx, browser.MouseUp, 5, 5, "left", 1, 0)
			case <-ctx.Done():
				return
			}
		}
	}()
	b.until("an act is refused while they go on", func() bool {
		r := c.try("browser_click", args{"ref": press})
		return r.IsErr && r.Error.Code == "tab_busy" && strings.Contains(r.Text, "is using this tab")
	})
	stop()
	<-done
	c.do("browser_click", args{"ref": press})
}

// TestPersonInALaunchedBrowser is the direct driver.
func TestPersonInALaunchedBrowser(t *testing.T) {
	b := newBench(t)
	c := b.connect(nil, "mcp", "--profile", "own:person", "--headless", "--browser-arg", b.mark)
	t.Cleanup(b.stopBroker)
	b.usesTab(c, func() browser.Driver { return b.joined("own:person") })
}

// TestPersonInTheirBrowser is the extension.
func TestPersonInTheirBrowser(t *testing.T) {
	w := newChrome(t)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	w.usesTab(c, func() browser.Driver { return w.rig.Driver })
}

// chosen clicks a control of the panel's list of programs, as soon as it is there.
func (w *chrome) chosen(p *rig.Panel, testid string) {
	w.t.Helper()
	w.must(p.Await(w.ctx, fmt.Sprintf(`document.querySelector('[data-testid=%s]')`, testid)))
	w.must(p.Click(w.ctx, testid))
}

// panelFor opens the panel so that it speaks of the tab with this address.
func (w *chrome) panelFor(path string) (*rig.Panel, int) {
	w.t.Helper()
	p, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	var id int
	w.must(p.Eval(w.ctx, fmt.Sprintf(`chrome.tabs.query({}).then((t) => t.find((x) => x.url.endsWith(%q)).id)`, path), &id))
	w.must(p.Eval(w.ctx, fmt.Sprintf(`(history.replaceState(null, "", "?tab=%d"), true)`, id), nil))
	return p, id
}

// TestHandOver lets a program use a tab of the person's, by the panel alone.
func TestHandOver(t *testing.T) {
	w := newChrome(t)
	theirs, err := w.rig.Open(w.ctx, w.url+"/count")
	w.must(err)
	w.must(rig.Await(w.ctx, theirs, `document.readyState === 'complete'`))
	c := w.connect(nil, "mcp")
	c.do("browser_tabs", args{"action": "list"})
	panel, _ := w.panelFor("/count")
	// A task of ours may not take what a session has, and says who has it.
	w.chosen(panel, "program-hand")
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=program-take]')`))
	r := c.do("browser_tabs", args{"action": "list"})
	if !strings.Contains(r.Text, "lets you use a tab") || !strings.Contains(r.Text, "/count") {
		t.Fatalf("it is told:\n%s", r.Text)
	}
	c.do("browser_tabs", args{"action": "switch", "url": "/count"})
	// They are on that site themselves: it may be worked on without --allow-host.
	if r := c.do("browser_click", args{"ref": c.ref("Press")}); !strings.Contains(r.Effect, "Pressed 1") {
		t.Errorf("in the person's tab: %s", r.Text)
	}
	other := w.connect(nil, "mcp")
	other.do("browser_tabs", args{"action": "list"})
	w.until("the other program is listed", func() bool {
		var n int
		w.must(panel.Eval(w.ctx, `document.querySelectorAll('[data-testid=program]').length`, &n))
		return n == 2
	})
	w.must(panel.Eval(w.ctx, `(document.querySelectorAll('[data-testid=program-hand]').length === 1)`, nil))
	w.must(panel.Click(w.ctx, "program-hand"))
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=problem]')`))
	if got, err := panel.Text(w.ctx, "problem"); err != nil || !strings.Contains(strings.Join(got, " "), "doors-test is at work in this tab") {
		t.Errorf("the refusal says %q, %v", got, err)
	}
	w.must(panel.Click(w.ctx, "program-take"))
	w.until("the tab is back", func() bool { return c.try("browser_get_elements", nil).IsErr })
	gone := c.refuses("tab_closed", "browser_get_elements", nil)
	if !strings.Contains(gone.Text, "took the tab back") {
		t.Errorf("it is told:\n%s", gone.Text)
	}
	if r := c.do("browser_tabs", args{"action": "list"}); strings.Contains(r.Text, "/count") {
		t.Errorf("it still sees the tab:\n%s", r.Text)
	}
	// Its own tab is still there, and the person's was not closed.
	c.do("browser_tabs", args{"action": "switch", "index": 1})
	if !strings.Contains(strings.Join(w.tabs(), " "), "/count") {
		t.Error("the person's tab was closed")
	}
}

// TestRequestLogin hands the tab to the person: nothing is done or read until
// they hand it back in the panel.
func TestRequestLogin(t *testing.T) {
	w := newChrome(t)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": w.url + "/form"})
	done := make(chan answer, 1)
	go func() { done <- c.try("browser_request_login", args{"reason": "Please sign in here"}) }()
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=hand-back]')`))
	if got, err := panel.Text(w.ctx, "ask"); err != nil || !strings.Contains(strings.Join(got, " "), "Please sign in here") {
		t.Errorf("the panel says %q, %v", got, err)
	}
	for tool, a := range map[string]args{"browser_get_elements": nil, "browser_page_summary": nil, "browser_navigate": {"url": w.url + "/"}} {
		if r := c.try(tool, a); !r.IsErr || !strings.Contains(r.Text, "tab_busy") {
			t.Errorf("while the person has the tab, %s gives:\n%s", tool, r.Text)
		}
	}
	if r := c.try("browser_request_login", args{"done": true}); !r.IsErr || r.Error.Code != "denied" {
		t.Errorf("the program itself takes the tab back: %s", r.Text)
	}
	// Nor does it through the broker's socket, which is any program's.
	if err := w.saysDone(); !errors.Is(err, &native.Error{Code: control.CodePanelOnly}) {
		t.Errorf("a program says that the person is done: %v", err)
	}
	w.must(panel.Click(w.ctx, "hand-back"))
	if r := <-done; r.IsErr || !strings.Contains(r.Text, "handed the tab back") || r.All["state"] != "done" {
		t.Errorf("after it was handed back: %s", r.Text)
	}
	c.do("browser_get_elements", nil)
}

// saysDone tells the broker, as a program, that the person is done.
func (w *chrome) saysDone() error {
	w.t.Helper()
	var path string
	for _, e := range w.env {
		if p, ok := strings.CutPrefix(e, "TABWRIGHT_SOCKET="); ok {
			path = p
		}
	}
	nc, err := (&net.Dialer{}).DialContext(w.ctx, "unix", path)
	w.must(err)
	c, err := control.NewClient(w.ctx, nc, "test", zerolog.Nop())
	w.must(err)
	defer c.Close()
	var list native.SessionList
	w.must(c.Call(w.ctx, native.MethodSessionList, native.Empty{}, &list))
	if len(list.Sessions) != 1 {
		w.t.Fatalf("the sessions are %+v", list)
	}
	return c.Call(w.ctx, native.MethodTaskSay, native.SayParams{Task: list.Sessions[0].Task, Text: "Done."}, nil)
}

// TestRequestLoginInALaunchedBrowser has no panel: its window is the person's,
// and the program says when they are done.
func TestRequestLoginInALaunchedBrowser(t *testing.T) {
	b := newBench(t)
	hidden := b.connect(nil, b.launched()...)
	hidden.do("browser_navigate", args{"url": b.url + "/form"})
	hidden.refuses("unsupported", "browser_request_login", nil)
	b.env = append(b.env, "DISPLAY="+display(t))
	c := b.connect(nil, "mcp", "--launch", "--browser-arg", b.mark)
	c.do("browser_navigate", args{"url": b.url + "/form"})
	if r := c.do("browser_request_login", nil); r.All["state"] != "waiting" || !strings.Contains(r.Text, "done: true") {
		t.Errorf("it says %s", r.Text)
	}
	c.refuses("tab_busy", "browser_get_elements", nil)
	if r := c.do("browser_request_login", args{"done": true}); r.All["state"] != "done" {
		t.Errorf("it says %s", r.Text)
	}
	c.do("browser_get_elements", nil)
}

// TestPersonHoldsAProgram pauses and ends sessions in the panel.
func TestPersonHoldsAProgram(t *testing.T) {
	w := newChrome(t)
	w.ok("open", w.url+"/count", "--allow-host", "127.0.0.1")
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": w.url + "/form"})
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	w.chosen(panel, "program-pause") // the first: the command line's
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=program-resume]')`))
	done := make(chan said, 1)
	go func() { done <- w.run("click", "button") }()
	w.until("the call waits", func() bool { return strings.Contains(w.ok("sessions"), "paused") })
	select {
	case s := <-done:
		t.Fatalf("a paused session went on: %+v", s)
	default:
	}
	w.must(panel.Click(w.ctx, "program-resume"))
	if s := <-done; s.code != 0 || !strings.Contains(s.out, "Pressed 1") {
		t.Errorf("after the pause: %+v", s)
	}
	before := w.brokerRunning()
	w.must(panel.Click(w.ctx, "program-stop"))
	w.until("the session ends", func() bool { return !strings.Contains(w.ok("sessions"), "default") })
	w.fails(1, "no_session", "get", "url")
	if now := w.brokerRunning(); now != before-1 {
		t.Errorf("%d sessions run, %d before", now, before)
	}
	w.chosen(panel, "program-stop")
	w.until("the other ends as well", func() bool { return w.ok("sessions") == "" })
	// A client that was stopped has its next call in a new session.
	if r := c.try("browser_page_summary", nil); !r.IsErr {
		t.Errorf("a stopped session goes on: %s", r.Text)
	}
	c.do("browser_navigate", args{"url": w.url + "/form"})
}

func (b *bench) brokerRunning() int {
	b.t.Helper()
	_, rest, _ := strings.Cut(b.ok("status"), ", ")
	_, rest, _ = strings.Cut(rest, ", ")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	b.must(err)
	return n
}

// TestFilesThroughTheExtension writes a PDF and a download through the real
// extension in a browser with a window.
func TestFilesThroughTheExtension(t *testing.T) {
	w := newChromeOn(t, display(t))
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
