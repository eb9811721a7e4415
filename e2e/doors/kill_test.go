package doors

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/e2e/rig"
	"tabwright/host/browser/launch"
)

// longAct is an action in the middle of which things are killed: it would go on
// for longer than everything else may take.
type longAct struct {
	name, tool string
	args       args
	cli        []string
	at         string // what the page tells when it is under way
	times      int    // and how often: where the action itself can't be seen
}

var longActs = []longAct{
	{"wait for a text", "browser_wait_for", args{"text": "never to be seen", "timeoutMs": 60000}, []string{"wait", "--text", "never to be seen", "--timeout-ms", "60000"}, "tick", 4},
	{"click that hangs", "browser_click", args{"selector": "#hang"}, []string{"click", "#hang"}, "hang", 1},
	{"slow navigation", "browser_navigate", args{"url": "/never"}, []string{"open", "/never"}, "never", 1},
	{"scroll until", "browser_scroll_until", args{"text": "never to be seen", "maxScrolls": 200}, []string{"scroll-until", "--text", "never to be seen", "--max-scrolls", "200"}, "scroll", 1},
	{"type a long text", "browser_type", args{"selector": "#words", "text": strings.Repeat("many words ", 300)}, []string{"type", "#words", strings.Repeat("many words ", 300)}, "key", 1},
	{"download", "browser_download", args{"selector": "a"}, []string{"download", "a"}, "file", 1},
	{"confirmation", "browser_click", args{"selector": "form button"}, nil, "tick", 2},
	{"screenshot", "browser_screenshot", nil, []string{"screenshot"}, "tick", 1},
	{"drag", "browser_drag_drop", args{"from": args{"selector": "#card"}, "to": args{"selector": "#count"}}, []string{"drag-drop", "#card", "#count"}, "drag", 1},
	{"choose from a list", "browser_select", args{"selector": "#colour", "value": "never to be seen"}, []string{"select", "#colour", "never to be seen"}, "colour", 1},
	{"save as PDF", "browser_save_pdf", nil, []string{"pdf"}, "tick", 1},
	{"load more", "browser_load_more_until", args{"selector": "#more", "maxLoads": 200, "stallMs": 30000}, []string{"load-more-until", "#more", "--max-loads", "200", "--stall-ms", "30000"}, "more", 1},
}

// killing is one door, open.
type killing struct {
	*bench
	whole *testing.T
	door  string
	stage *stage
	site  string   // the stage, as the door's browser calls it
	start []string // of the client; nil: the command line
	c     *mcpClient
	rig   *rig.Rig
	// joined is a browser that is the test's own, or nil.
	joined *launch.Browser
	// asked tells that the client was asked for a confirmation.
	asked  chan struct{}
	killed chan struct{} // closed when the victim is dead; the question is left then
	worst  time.Duration // of all ends and recoveries
}

// TestKill kills the client, the host, the browser and their parts in the
// middle of actions, at each door: what is left says what happened within five
// seconds (more on a machine that is busy, see rig.Slack), goes on where there is
// something to go on with, and no process or file is left over.
//
// Each pair of door and victim meets an eighth of the actions, another one at each
// door; TABWRIGHT_KILL_ALL=1 has them all meet, and so has TABWRIGHT_ALL=1.
func TestKill(t *testing.T) {
	doors := map[string]int{} // of those before this one, how many have the victim
	for _, d := range []struct {
		door    string
		victims []string
	}{
		{"launched", []string{"client", "browser", "renderer"}},
		{"joined", []string{"client", "browser", "renderer"}},
		{"extension", []string{"client", "broker", "shim", "renderer", "service worker", "extension", "browser"}},
		{"command line", []string{"client", "broker", "browser", "renderer"}},
	} {
		t.Run(d.door, func(t *testing.T) {
			k := openDoor(t, d.door)
			for _, victim := range d.victims {
				for n, a := range longActs {
					switch {
					case victim == "browser" && k.rig != nil && k.over(): // once: nobody starts the user's again
						continue
					case os.Getenv("TABWRIGHT_KILL_ALL") == "" && (n+doors[victim])%8 >= share(1, 8),
						a.name == "confirmation" && (d.door == "joined" || d.door == "command line"), // nobody is asked there
						a.name == "download" && victim == "renderer":                                 // it goes on in the browser
						continue
					}
					t.Run(victim+", "+a.name, func(t *testing.T) { k.one(t, victim, a) })
				}
				doors[victim]++
			}
			t.Logf("the slowest end or recovery took %s", k.worst.Round(time.Millisecond))
			k.nothingStays()
		})
	}
}

// openDoor starts what a door needs. Clients come with the first action.
func openDoor(t *testing.T, name string) *killing {
	t.Helper()
	k := &killing{whole: t, door: name, stage: newStage(t), asked: make(chan struct{}, 8)}
	switch name {
	case "extension":
		w := newChrome(t)
		k.bench, k.rig = w.bench, w.rig
		k.start = []string{"mcp", "--confirm", "ask", "--allow-host", "127.0.0.1"}
	case "launched":
		k.bench = newBench(t)
		k.isolate()
		k.start = k.launched("--confirm", "ask")
	case "joined":
		k.bench = newBench(t)
		k.isolate()
	case "command line":
		k.bench = newBench(t)
		k.isolate()
		t.Cleanup(k.stopBroker)
	}
	k.ctx = context.WithoutCancel(t.Context()) // each wait here has a bound of its own
	k.site = k.stage.url
	return k
}

// limit5 is what five seconds are here.
func limit5() time.Duration { return time.Duration(float64(leftover) * rig.Slack()) }

// one kills a victim in the middle of one action.
func (k *killing) one(t *testing.T, victim string, a longAct) {
	k.t = t
	defer func() { k.t = k.whole }()
	defer func() {
		if t.Failed() && k.c != nil && k.c.ClientSession != nil {
			_ = k.c.cmd.Process.Kill() // the next begins anew
			k.c = nil
		}
	}()
	k.ready()
	k.killed = make(chan struct{})
	done := k.begin(a)
	family := k.family()
	killed := time.Now()
	stay := k.kill(victim, family)
	close(k.killed)
	// A question stays open while it can still be answered, in the panel: the
	// next call withdraws it.
	waits := a.name == "confirmation" && k.door == "extension" && victim != "client" && victim != "broker"
	if !waits {
		k.judge(done, victim, killed)
	}
	if err := k.gone(family, stay); err != nil {
		t.Error(err)
	}
	k.note(killed)
	if victim == "client" {
		k.c = nil
		k.handed(t, a.name == "slow navigation" && k.door == "joined") // nobody is left to stop that
	}
	killed = time.Now()
	k.recovered(victim)
	if waits && victim != "browser" {
		k.judge(done, victim, killed)
	}
	k.note(killed)
	k.stage.release()
}

// judge waits for the end of the action.
func (k *killing) judge(done <-chan ended, victim string, killed time.Time) {
	k.t.Helper()
	select {
	case end := <-done:
		k.note(killed)
		k.t.Logf("after %s: %s", time.Since(killed).Round(time.Millisecond), end)
		if victim != "client" && end.code == "" && !end.ok {
			k.t.Errorf("no coded end: %s", end)
		}
	case <-time.After(limit5() + time.Second):
		k.t.Fatalf("%s after the %s was killed the call still waits", time.Since(killed), victim)
	}
}

// note holds an end or a recovery against the five seconds.
func (k *killing) note(since time.Time) {
	k.t.Helper()
	took := time.Since(since)
	if limit := limit5(); took > limit {
		k.t.Errorf("it took %s; the limit is %s", took.Round(time.Millisecond), limit.Round(time.Millisecond))
	}
	k.worst = max(k.worst, took)
}

// ready has a client at the door, with the stage before it.
func (k *killing) ready() {
	k.t.Helper()
	if k.start == nil && k.door == "command line" {
		if k.run("get", "url").code != 0 {
			k.ok("open", k.site+"/stage", "--launch", "--headless", "--browser-arg", k.mark)
			return
		}
		k.ok("open", k.site+"/stage")
		return
	}
	if k.door == "joined" && k.joined == nil {
		inner := k.t
		k.t = k.whole
		k.joined = k.own()
		k.t = inner
		k.start = []string{"mcp", "--cdp", k.joined.URL(), "--allow-host", "127.0.0.1"}
	}
	if k.c == nil {
		inner := k.t
		k.t = k.whole // the client outlives this part of the test
		k.c = k.connect(&sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			k.asked <- struct{}{}
			select {
			case <-k.killed:
			case <-ctx.Done():
			}
			return &sdk.ElicitResult{Action: "cancel"}, nil
		}}, k.start...)
		k.t = inner
	}
	k.c.do("browser_navigate", args{"url": k.site + "/stage"})
}

var saidCode = regexp.MustCompile(`^tabwright: ([a-z_]+): `)

// recovered has the door work again within five seconds, and begun anew where
// it is the browser that went.
func (k *killing) recovered(victim string) {
	k.t.Helper()
	if victim == "browser" && k.door == "joined" {
		k.must(k.joined.Close())
		_ = k.c.Close() // nothing to go on with
		k.joined, k.c = nil, nil
		return
	}
	if victim == "browser" && k.door == "extension" {
		return // the user starts it again
	}
	if k.door == "command line" {
		if victim != "broker" && victim != "browser" {
			k.soon(func() string { return k.run("open", k.site+"/stage").err })
			k.soon(func() string { return k.run("click", "#count").err })
			return
		}
		if s := k.run("click", "#count"); s.code == 0 || !strings.Contains(s.err, "no_session") && !strings.Contains(s.err, "session has ended") {
			k.t.Errorf("after its end the session says %q", s.err)
		}
		return
	}
	if victim == "client" {
		return // ready makes a new one
	}
	first := ""
	k.soon(func() string {
		r := k.c.try("browser_navigate", args{"url": k.site + "/stage"})
		if !r.IsErr {
			return ""
		}
		if first == "" {
			first = r.Text
		}
		if r.Error.Code == "" || r.Error.Hint == "" {
			k.t.Errorf("a refusal that explains nothing: %s", r.Text)
		}
		return r.Text
	})
	if first != "" {
		k.t.Logf("the first call after it was refused: %s", strings.ReplaceAll(first, "\n", " "))
	}
	n := k.stage.count("count")
	k.c.do("browser_click", args{"selector": "#count"})
	k.must(k.stage.await("count", n))
}

// soon repeats what may fail for five seconds, and while the page hangs.
func (k *killing) soon(try func() string) {
	k.t.Helper()
	for began := time.Now(); ; {
		bad := try()
		if bad == "" {
			return
		}
		if time.Since(began) > hang+limit5() { // the page itself may be busy that long
			k.t.Fatalf("after %s it still says %s", time.Since(began), bad)
		}
	}
}
