package doors

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/e2e/rig"
	"tabwright/extension"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

// ended is how an action ended.
type ended struct {
	ok   bool
	code string
	text string
}

func (e ended) String() string {
	if e.ok {
		return "done"
	}
	return e.code + " " + strings.ReplaceAll(e.text, "\n", " ")
}

// begin starts an action and waits until it is under way.
func (k *killing) begin(a longAct) <-chan ended {
	k.t.Helper()
	done := make(chan ended, 1)
	n := k.stage.count(a.at)
	if k.door == "command line" {
		words := slices.Clone(a.cli)
		if a.tool == "browser_navigate" {
			words[1] = k.site + words[1]
		}
		k.c = &mcpClient{b: k.bench, cmd: k.command(append(words, "--json")...)}
		var out, errs strings.Builder
		k.c.cmd.Stdout, k.c.cmd.Stderr = &out, &errs
		k.must(k.c.cmd.Start())
		go func() {
			err := k.c.cmd.Wait()
			var r struct {
				Error struct{ Code, Message, Hint string }
			}
			_ = json.Unmarshal([]byte(out.String()), &r) // empty when it was killed
			if m := saidCode.FindStringSubmatch(errs.String()); m != nil && r.Error.Code == "" {
				r.Error.Code = m[1] // before it had its session
			}
			done <- ended{ok: err == nil, code: r.Error.Code, text: r.Error.Message + " / " + r.Error.Hint + errs.String()}
		}()
	} else {
		c, p := k.c, &sdk.CallToolParams{Name: a.tool, Arguments: a.args}
		if a.tool == "browser_navigate" {
			p.Arguments = args{"url": k.site + a.args["url"].(string)}
		}
		if a.name == "confirmation" && k.door == "extension" {
			q := c.refuses("needs_confirmation", a.tool, a.args)
			p.Arguments = args{"selector": a.args["selector"], "confirmation_id": q.Error.ConfirmationID}
		}
		go func() {
			r, err := c.CallTool(k.ctx, p)
			if err != nil {
				done <- ended{text: "the connection: " + err.Error()}
				return
			}
			var s struct{ Error struct{ Code string } }
			raw, _ := json.Marshal(r.StructuredContent) // came as JSON
			_ = json.Unmarshal(raw, &s)
			done <- ended{ok: !r.IsError, code: s.Error.Code, text: text(r)}
		}()
		if a.name == "confirmation" && k.door == "launched" {
			select {
			case <-k.asked:
			case e := <-done:
				k.t.Fatalf("nobody was asked: %s", e)
			}
		}
	}
	for i := range a.times {
		if err := k.stage.await(a.at, n+i); err != nil {
			select {
			case e := <-done:
				err = fmt.Errorf("%w; the action ended by itself: %s", err, e)
			default:
			}
			k.t.Fatal(err)
		}
	}
	return done
}

// kill kills the victim. Of what ran, stay says what may go on.
func (k *killing) kill(victim string, family map[int]proc) (stay func(proc) bool) {
	k.t.Helper()
	end1 := func(words ...string) {
		pids := matching(family, words...)
		if len(pids) == 0 {
			k.t.Fatalf("no process %v", words)
		}
		for _, pid := range pids {
			end(pid)
		}
	}
	browsers := func(p proc) bool {
		return strings.Contains(p.cmd, "hrom") || strings.Contains(p.cmd, "tabwright-keeper")
	}
	switch victim {
	case "client":
		end(k.c.cmd.Process.Pid)
		if k.door != "launched" { // only that one owns a browser
			return func(p proc) bool { return p.pid != k.c.cmd.Process.Pid }
		}
		return nil
	case "broker":
		end1(k.binary, " broker")
		if k.door == "extension" {
			return func(p proc) bool { return browsers(p) || strings.Contains(p.cmd, " mcp ") }
		}
		return nil
	case "shim":
		end1("chrome-extension://", k.binary)
		return func(p proc) bool { return !strings.Contains(p.cmd, k.binary+" chrome-extension://") }
	case "renderer":
		for _, pid := range matching(family, "--type=renderer") {
			if !strings.Contains(family[pid].cmd, "--extension-process") {
				end(pid)
			}
		}
		return func(p proc) bool {
			return !strings.Contains(p.cmd, "--type=renderer") || strings.Contains(p.cmd, "--extension-process")
		}
	case "browser":
		// The main process: of all that have the folder in their command line
		// the only one without a type, and no crash handler.
		for _, pid := range matching(family, "--user-data-dir=") {
			if !strings.Contains(family[pid].cmd, "--type=") && !strings.Contains(family[pid].cmd, "crashpad") && !strings.Contains(family[pid].cmd, k.binary) && !strings.Contains(family[pid].cmd, "tabwright-keeper") {
				end(pid)
			}
		}
		// The keeper goes when the owner closes the browser that died.
		return func(p proc) bool {
			return !strings.Contains(p.cmd, "hrom") || strings.Contains(p.cmd, k.binary) || strings.Contains(p.cmd, "tabwright-keeper")
		}
	case "service worker":
		b := k.rig.Driver.Browser()
		res, err := cdp.Call(k.ctx, b, target.GetTargets, target.GetTargetsParams{})
		k.must(err)
		for _, info := range res.TargetInfos {
			if info.Type == "service_worker" && strings.Contains(info.URL, extension.ID) {
				_, err := cdp.Call(k.ctx, b, target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID})
				k.must(err)
			}
		}
		return func(proc) bool { return true }
	case "extension":
		p, err := k.rig.OpenPanel(k.ctx)
		k.must(err)
		// Its page goes with it, so the call itself may not be answered.
		ctx, cancel := context.WithTimeout(k.ctx, time.Second)
		defer cancel()
		_ = p.Eval(ctx, `chrome.runtime.reload()`, nil)
		return func(proc) bool { return true }
	}
	k.t.Fatalf("no victim %q", victim)
	return nil
}

// handed is the user's page after a client was killed: their own click works
// at once, no guard is left armed, no key or button held.
func (k *killing) handed(t *testing.T, loading bool) {
	t.Helper()
	var d *direct.Driver
	switch k.door {
	case "joined":
		var err error
		d, err = direct.Connect(k.ctx, k.joined.URL(), direct.Options{})
		k.must(err)
		defer d.Close()
	case "extension":
		d = k.rig.Driver
		k.soon(func() string { return k.ok("sessions") })
	default:
		return
	}
	tabs, err := d.Tabs(k.ctx)
	k.must(err)
	found := false
	for _, info := range tabs {
		if strings.HasPrefix(info.URL, k.site) {
			found = true
			if !loading {
				k.clickByHand(d, info.ID)
			}
			k.must(d.CloseTab(k.ctx, info.ID))
		}
	}
	if !found {
		t.Errorf("no stage among %v", tabs)
	}
}

// guardRuns is how long a guard that was left behind may stay in a page: the
// life of one that nobody renews, and a second more.
func guardRuns() time.Duration { return time.Duration(6 * float64(time.Second) * rig.Slack()) }

// clickByHand clicks as a user does, without any of our own script.
func (k *killing) clickByHand(d *direct.Driver, id browser.TabID) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.ctx, guardRuns()+hang+limit5())
	defer cancel()
	tab, err := d.Attach(ctx, id)
	k.must(err)
	_, err = tab.Evaluate(ctx, `scrollTo(0, 0), 0`)
	k.must(err)
	raw, err := tab.Evaluate(ctx, `(({x, y, width, height}) => [x + width/2, y + height/2])(document.querySelector("#count").getBoundingClientRect())`)
	k.must(err)
	var at [2]float64
	k.must(json.Unmarshal(raw, &at))
	// A process that is killed can't take its guard out of the page: there it
	// runs out by itself, and until then keeps all clicks from the page.
	n := k.stage.count("count")
	began := time.Now()
	for k.stage.count("count") == n {
		for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
			button, clicks := "left", 1
			if kind == browser.MouseMove {
				button, clicks = "none", 0
			}
			k.must(tab.Mouse(ctx, kind, at[0], at[1], button, clicks, 0))
		}
		tick := k.stage.count("tick")
		k.must(k.stage.await("tick", tick+1)) // the click is told before it
		if time.Since(began) > guardRuns()+hang {
			k.t.Fatalf("no click by hand arrived within %s", guardRuns()+hang)
		}
	}
	k.must(d.Release(ctx, id))
}

// nothingStays ends what is left of a door, in good order, and looks for more.
func (k *killing) nothingStays() {
	k.t.Helper()
	if k.c != nil && k.c.ClientSession != nil {
		_ = k.c.Close() // its browser may be gone
	}
	if k.rig != nil {
		k.must(k.rig.Close())
	} else {
		if k.door == "command line" {
			_ = k.run("close", "--all")
			k.stopBroker()
		}
		if k.joined != nil {
			k.must(k.joined.Close())
		}
	}
	if err := k.gone(k.family(), nil); err != nil {
		k.t.Error(err)
	}
	tmp := filepath.Join(filepath.Dir(filepath.Dir(k.socket())), "tmp")
	if k.rig == nil && !waitFor(limit5(), func() bool { return len(names(tmp)) == 0 }) {
		k.t.Errorf("left in the temporary folder: %v", names(tmp))
	}
}

func names(dir string) (out []string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return []string{fmt.Sprint(err)}
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// over says that the user's browser has ended.
func (k *killing) over() bool {
	select {
	case <-k.rig.Browser.Done():
		return true
	default:
		return false
	}
}
