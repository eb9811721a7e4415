package doors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/e2e/rig"
	"tabwright/host/browser"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
)

// user acts in a page as a user does: by input that Tabwright did not send.
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

// usesTab has a user and a program in one tab: the program waits for the
// user and says so, and its own input is never taken for theirs.
func (b *bench) usesTab(c *mcpClient, d func() browser.Driver) {
	b.t.Helper()
	c.do("browser_navigate", args{"url": b.url + "/count"})
	p := b.personIn(d(), b.url+"/count")
	press, note := c.ref("Press"), c.ref("Note")
	for range 5 {
		if r := c.do("browser_click", args{"ref": press}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own click is taken for the user's:\n%s", r.Text)
		}
		if r := c.do("browser_type", args{"ref": note, "text": "own words", "clear": true}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own typing is taken for the user's:\n%s", r.Text)
		}
		if r := c.do("browser_scroll", args{"direction": "down"}); strings.Contains(r.Text, usedIt) {
			b.t.Fatalf("its own scrolling is taken for the user's:\n%s", r.Text)
		}
	}
	// A press right beside one of ours can't be told from it; a later one can.
	presses := 5
	b.until("an act says that it waited for the user", func() bool {
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
	b.until("reading says that the user was there", func() bool {
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
	c := b.connect(nil, "mcp", "--profile", "own:person", "--allow-host", "127.0.0.1", "--headless", "--browser-arg", b.mark)
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

// TestHandOver lets a program use a tab of the user's, by the panel alone.
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
		t.Errorf("in the user's tab: %s", r.Text)
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
	// Its own tab is still there, and the user's was not closed.
	c.do("browser_tabs", args{"action": "switch", "index": 1})
	if !strings.Contains(strings.Join(w.tabs(), " "), "/count") {
		t.Error("the user's tab was closed")
	}
}

// TestRequestLogin hands the tab to the user: nothing is done or read until
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
			t.Errorf("while the user has the tab, %s gives:\n%s", tool, r.Text)
		}
	}
	if r := c.try("browser_request_login", args{"done": true}); !r.IsErr || r.Error.Code != "denied" {
		t.Errorf("the program itself takes the tab back: %s", r.Text)
	}
	// Nor does it through the broker's socket, which is any program's.
	if err := w.saysDone(); !errors.Is(err, &wire.Error{Code: wire.CodePanelOnly}) {
		t.Errorf("a program says that the user is done: %v", err)
	}
	w.must(panel.Click(w.ctx, "hand-back"))
	if r := <-done; r.IsErr || !strings.Contains(r.Text, "handed the tab back") || r.All["state"] != "done" {
		t.Errorf("after it was handed back: %s", r.Text)
	}
	c.do("browser_get_elements", nil)
}

// saysDone tells the broker, as a program, that the user is done.
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
	c, err := client.New(w.ctx, nc, "test", zerolog.Nop())
	w.must(err)
	defer c.Close()
	var list wire.SessionList
	w.must(c.Call(w.ctx, wire.MethodSessionList, wire.Empty{}, &list))
	if len(list.Sessions) != 1 {
		w.t.Fatalf("the sessions are %+v", list)
	}
	return c.Call(w.ctx, wire.MethodTaskSay, wire.SayParams{Task: list.Sessions[0].Task, Text: "Done."}, nil)
}

// TestRequestLoginInALaunchedBrowser has no panel: its window is the user's,
// and the program says when they are done.
func TestRequestLoginInALaunchedBrowser(t *testing.T) {
	b := newBench(t)
	hidden := b.connect(nil, b.launched()...)
	hidden.do("browser_navigate", args{"url": b.url + "/form"})
	hidden.refuses("unsupported", "browser_request_login", nil)
	b.env = append(b.env, "DISPLAY="+rig.TestScreen(t).Display)
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
	if r := c.try("browser_page_summary", nil); !r.IsErr || r.Error.Code != "detached" || !strings.Contains(r.Text, "browser_navigate") {
		t.Errorf("a stopped session: %s", r.Text)
	}
	c.do("browser_navigate", args{"url": w.url + "/form"})
}
