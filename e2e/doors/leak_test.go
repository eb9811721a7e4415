package doors

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tabwright/extension"
	"tabwright/host/action"
	"tabwright/host/browser/launch"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
)

// held is what a process holds.
type held struct{ goroutines, files, temps int }

func (h held) String() string {
	return fmt.Sprintf("%d goroutines, %d open files, %d temporary files", h.goroutines, h.files, h.temps)
}

func holds(t *testing.T, pid int, tmp string) held {
	t.Helper()
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return held{files: len(fds), temps: len(names(tmp)), goroutines: runtime.NumGoroutine()}
}

// few is how many more of a thing is no leak.
const few = 3

// leakSessions is how many sessions come and go, fifty with TABWRIGHT_ALL=1.
func leakSessions() int { return share(20, 50) }

// TestLeakLocal opens and closes sessions in a browser that it joins, and acts
// in each: it ends with what it began with.
func TestLeakLocal(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	page := httptest.NewUnstartedServer(pages())
	page.Config.SetKeepAlivesEnabled(false) // connections that the browser keeps are no leak
	page.Start()
	defer page.Close()
	script, err := extension.Extractor()
	b.must(err)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	br, err := launch.Start(ctx, launch.Options{Headless: true})
	b.must(err)
	defer br.Close()
	one := func() {
		h, err := control.OpenLocal(ctx, control.LocalOptions{CDP: br.URL(), Confirm: clientsession.Deny, Hosts: []string{"127.0.0.1"}, Extractor: script})
		b.must(err)
		for _, c := range []action.Call{
			{Name: "navigate", Params: []byte(fmt.Sprintf(`{"url":%q}`, page.URL+"/form"))},
			{Name: "click", Params: []byte(`{"selector":"button[type=button]"}`)},
			{Name: "type", Params: []byte(`{"selector":"input","text":"words"}`)},
		} {
			if r := h.Do(ctx, c, ""); r.Error != nil {
				t.Fatalf("%s: %s", c.Name, r.Text)
			}
		}
		b.must(h.Close())
	}
	one() // what is made once and kept
	before := holds(t, os.Getpid(), tmp)
	for range leakSessions() {
		one()
	}
	var after held
	if !waitFor(limit5(), func() bool {
		after = holds(t, os.Getpid(), tmp)
		// The fixture's server is in this process too, and Chromium keeps a
		// connection or two ready: a leak would be one for each session.
		return after.goroutines <= before.goroutines+few && after.files <= before.files+few && after.temps <= before.temps
	}) {
		buf := make([]byte, 1<<20)
		t.Errorf("before: %s; after %d sessions: %s\n%s", before, leakSessions(), after, buf[:runtime.Stack(buf, true)])
	}
}

// TestLeakBroker opens and closes sessions of the broker, each with a launched
// browser, and tries some that can't open: the broker ends with the files it began
// with, and no process or file is left of any.
func TestLeakBroker(t *testing.T) {
	b := newBench(t)
	b.isolate()
	s := newStage(t)
	t.Cleanup(b.stopBroker)
	tmp := filepath.Join(filepath.Dir(filepath.Dir(b.socket())), "tmp")
	one := func(n int) {
		name := fmt.Sprint("s", n)
		b.ok("open", s.url+"/stage", "--launch", "--headless", "--browser-arg", b.mark, "--session", name)
		b.ok("click", "#count", "--session", name)
		b.ok("close", "--session", name)
	}
	one(0)
	pid := b.broker()
	before := holds(t, pid, tmp)
	before.goroutines = 0
	threads := func() int { return len(names(fmt.Sprintf("/proc/%d/task", pid))) }
	for n := range 8 { // a browser each: fifty would take minutes
		one(n + 1)
	}
	var after held
	if !waitFor(limit5(), func() bool {
		after = holds(t, pid, tmp)
		after.goroutines = 0
		return after.files <= before.files && after.temps == 0
	}) {
		t.Errorf("the broker: before %s; after: %s", before, after)
	}
	// Sessions that fail to open leave nothing either.
	for range leakSessions() / 5 {
		if r := b.run("open", s.url, "--session", "none", "--launch", "--browser", "/no/such/browser"); r.code == 0 {
			t.Fatal("it opened")
		}
	}
	if !waitFor(limit5(), func() bool { return holds(t, pid, tmp).files <= before.files && len(names(tmp)) == 0 }) {
		t.Errorf("after what did not open: %s, %v", holds(t, pid, tmp), names(tmp))
	}
	t.Logf("the broker has %d threads", threads())
	if got := b.ok("sessions"); got != "" {
		t.Errorf("sessions are left: %s", got)
	}
	// Only the broker is left.
	if !waitFor(limit5(), func() bool { return len(b.family()) == 1 }) {
		var left []string
		for _, p := range b.family() {
			left = append(left, p.cmd)
		}
		t.Errorf("left:\n%s", strings.Join(left, "\n"))
	}
}
