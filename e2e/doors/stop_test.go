package doors

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// midway is a page whose acts take long and tell when they are under way, and
// which counts what is pressed and let go.
const midway = `document.body.innerHTML = '<button id=count>Count</button> <label>Words <input id=words></label> <p id=thing draggable=false style="width:60px;height:40px;background:#fa0">Thing</p> <p id=place style="margin:160px;width:90px;height:60px;background:#0af">Place</p>';
	window.held = []; window.up = [];
	const slowly = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
	document.querySelector("#count").onclick = () => at("count");
	for (const type of ["mousedown", "keydown"]) addEventListener(type, (e) => held.push(e.key ?? "button"), true);
	for (const type of ["mouseup", "keyup"]) addEventListener(type, (e) => up.push(e.key ?? "button"), true);
	document.addEventListener("keydown", () => { at("midkey"); slowly(40); });
	document.addEventListener("mousemove", (e) => { if (e.buttons) { at("middrag"); slowly(1500); } });
	document.querySelector("#place").addEventListener("mouseup", () => at("dropped")); 0`

// stops are acts that are stopped when the page tells that they are under way.
var stops = []struct {
	name, at string
	words    []string
}{
	{"typing", "midkey", []string{"type", "#words", "Many Words Of Which Each Takes The Page A While, And So On And So On Until The End Of It All"}},
	{"a drag", "middrag", []string{"drag-drop", "#thing", "#place"}},
	{"a wait", "tick", []string{"wait", "--text", "never to be seen"}},
}

// TestInterruptedCommand: Ctrl+C in the middle of an act ends the command and
// the act with it. Nothing stays held, nothing is dropped, the page is the
// user's, and the session goes on.
func TestInterruptedCommand(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.stopBroker)
	b.ctx = context.WithoutCancel(t.Context()) // each wait here has a bound of its own
	s := newStage(t)
	own := b.own()
	b.ok("open", s.url+"/stage", "--cdp", own.URL(), "--allow-host", "127.0.0.1")
	tab := tabAt(t, b, b.join(own.URL()), s.url+"/stage")
	_, err := tab.Evaluate(b.ctx, midway)
	b.must(err)
	for _, a := range stops {
		t.Run(a.name, func(t *testing.T) {
			n, dropped := s.count(a.at), s.count("dropped")
			cmd := b.command(a.words...)
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = &said, &said
			b.must(cmd.Start())
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			if err := s.await(a.at, n+1); err != nil {
				_ = cmd.Process.Kill()
				t.Fatal(err, <-done, said.String())
			}
			b.must(cmd.Process.Signal(os.Interrupt))
			select {
			case err := <-done:
				if err == nil {
					t.Error("it says that it was done")
				}
			case <-time.After(3 * limit5()):
				t.Fatal("it does not end")
			}
			b.ok("get", "text", "#place") // comes when the act has let go
			free(t, b, s, tab, a.name)
			if s.count("dropped") != dropped {
				t.Error("what was dragged was dropped at its goal")
			}
		})
	}
}

// TestStopInTheMiddle is the same for Stop in the panel: the session ends.
func TestStopInTheMiddle(t *testing.T) {
	w := newChrome(t)
	w.ctx = context.WithoutCancel(t.Context())
	s := newStage(t)
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	for i, a := range stops {
		t.Run(a.name, func(t *testing.T) {
			page := fmt.Sprint(s.url, "/stage?", i) // that of the session before stays open
			w.ok("open", page, "--allow-host", "127.0.0.1")
			tab := tabAt(t, w.bench, w.rig.Driver, page)
			_, err := tab.Evaluate(w.ctx, midway)
			w.must(err)
			n := s.count(a.at)
			done := make(chan said, 1)
			go func() { done <- w.run(a.words...) }()
			w.must(s.await(a.at, n+1))
			w.chosen(panel, "program-stop")
			select {
			case got := <-done:
				if got.code == 0 {
					t.Error("it says that it was done")
				}
			case <-time.After(3 * limit5()):
				t.Fatal("it does not end")
			}
			if !waitFor(limit5(), func() bool { return w.ok("sessions") == "" }) {
				t.Error("the session goes on")
			}
			free(t, w.bench, s, tab, a.name)
		})
	}
}

// TestBrowserKilledUnderAQuestion: nobody can answer any more, so the call that
// waits for the answer ends and says so, and the program goes on.
func TestBrowserKilledUnderAQuestion(t *testing.T) {
	w := newChrome(t)
	w.ctx = context.WithoutCancel(t.Context())
	c := w.connect(nil, "mcp", "--confirm", "ask", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": w.url + "/danger"})
	q := c.refuses("needs_confirmation", "browser_click", args{"selector": "button"})
	done := make(chan answer, 1)
	go func() {
		done <- c.try("browser_click", args{"selector": "button", "confirmation_id": q.Error.ConfirmationID})
	}()
	family := w.family()
	for _, pid := range matching(family, "--user-data-dir=") {
		if cmd := family[pid].cmd; !strings.Contains(cmd, w.binary) && !strings.Contains(cmd, "tabwright-keeper") {
			end(pid)
		}
	}
	select {
	case r := <-done:
		coded(t, r, "detached", "went away while the question was open")
	case <-time.After(3 * limit5()):
		t.Fatal("it still waits for an answer")
	}
	if n := w.deleted(); n != "0" {
		t.Errorf("it was done %s times", n)
	}
}
