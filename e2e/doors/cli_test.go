package doors

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// said is what a command printed and its exit code.
type said struct {
	out, err string
	code     int
}

// run runs the command line.
func (b *bench) run(a ...string) said {
	b.t.Helper()
	// Cleanups run commands too, when the test's own context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, b.binary, a...)
	cmd.Env = b.env
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		b.t.Fatal(err)
	}
	b.t.Logf("%s: tabwright %q", time.Since(began).Round(time.Millisecond), a)
	return said{out: strings.TrimSpace(stdout.String()), err: stderr.String(), code: cmd.ProcessState.ExitCode()}
}

// ok runs a command that must not fail, and gives what it printed.
func (b *bench) ok(a ...string) string {
	b.t.Helper()
	s := b.run(a...)
	if s.code != 0 {
		b.t.Fatalf("tabwright %v: exit code %d: %s%s", a, s.code, s.out, s.err)
	}
	return s.out
}

// fails runs a command that must end with this code and say this.
func (b *bench) fails(code int, says string, a ...string) said {
	b.t.Helper()
	s := b.run(a...)
	if s.code != code || !strings.Contains(s.err, says) {
		b.t.Errorf("tabwright %v: exit code %d, want %d with %q: %s%s", a, s.code, code, says, s.out, s.err)
	}
	return s
}

var brokerPID = regexp.MustCompile(`pid (\d+)`)

// broker is the pid of the broker that runs, or 0.
func (b *bench) broker() int {
	m := brokerPID.FindStringSubmatch(b.ok("status"))
	if m == nil {
		return 0
	}
	pid, _ := strconv.Atoi(m[1]) // the expression takes digits only
	return pid
}

// stopBroker ends the broker, which ends what it owns.
func (b *bench) stopBroker() {
	if pid := b.broker(); pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGTERM) // it may end by itself just now
	}
}

// opened begins a session with a browser of its own.
func (b *bench) opened(path string, a ...string) {
	b.t.Helper()
	b.t.Cleanup(b.stopBroker)
	b.ok(append([]string{"open", b.url + path, "--launch", "--headless", "--browser-arg", b.mark}, a...)...)
}

func TestCommands(t *testing.T) {
	b := newBench(t)
	b.fails(1, "no_session", "summary")
	for command, want := range map[string]string{"close": `{"closed":[]}`, "summary": `"code":"no_session"`} {
		if s := b.run(command, "--json"); !json.Valid([]byte(s.out)) || !strings.Contains(s.out, want) {
			t.Errorf("tabwright %s --json without a session: %s%s", command, s.out, s.err)
		}
	}
	b.opened("/")
	if got := b.ok("get", "title"); got != "" {
		t.Errorf("the title of the first page is %q", got)
	}
	b.ok("open", b.url+"/form")
	if got := b.ok("get", "url"); got != b.url+"/form" {
		t.Errorf("it is at %q", got)
	}
	var list struct {
		Elements []struct{ Ref, Role, Name string }
	}
	if err := json.Unmarshal([]byte(b.ok("elements", "--json")), &list); err != nil || len(list.Elements) != 3 {
		t.Fatalf("the elements are %+v: %v", list, err)
	}
	for _, e := range list.Elements {
		if e.Name == "Press" {
			if got := b.ok("click", "@"+e.Ref); !strings.Contains(got, "Pressed 1") {
				t.Errorf("click says %q", got)
			}
		}
	}
	for _, e := range list.Elements {
		if e.Role == "searchbox" {
			b.ok("fill", "@"+e.Ref, "two", "words")
		}
	}
	b.ok("press", "Enter")
	if got := b.ok("summary"); !strings.Contains(got, `"two words"`) {
		t.Errorf("the summary is %q", got)
	}
	b.ok("back")
	b.ok("wait", "--text", "Form")
	if got := b.ok("snapshot", "-i", "-c", "-d", "6"); !strings.Contains(got, "searchbox") || !strings.Contains(got, "Press") {
		t.Errorf("the snapshot is\n%s", got)
	}
	if got := b.ok("get", "text", "h1"); got != "Form" {
		t.Errorf("the text of the heading is %q", got)
	}
	if got := b.ok("get", "attr", "input", "name"); got != "q" {
		t.Errorf("the attribute is %q", got)
	}
	if got := b.ok("is", "visible", "h1"); got != "true" {
		t.Errorf("is visible says %q", got)
	}
	if s := b.run("is", "checked", "input"); s.code == 0 {
		t.Errorf("is checked says %q", s.out)
	}
	b.ok("find", "role", "button", "--name", "Press", "click")
	if got := b.ok("get", "text", "output"); !strings.HasPrefix(got, "Pressed") {
		t.Errorf("after find … click it says %q", got)
	}
	b.ok("find", "label", "Search", "fill", "found by label")
	if got := b.ok("get", "value", "input"); got != "found by label" {
		t.Errorf("the field holds %q", got)
	}
	// Tab moves the focus: the key goes down on one element and up on the next.
	b.ok("focus", "input")
	b.ok("press", "Tab")
	b.ok("press", "Tab")
	if got := b.ok("press", "Enter"); !strings.Contains(got, "Pressed") {
		t.Errorf("Enter after two Tabs says %q", got)
	}
	page := filepath.Join(t.TempDir(), "out.pdf")
	b.ok("pdf", page)
	if raw, err := os.ReadFile(page); err != nil || !strings.HasPrefix(string(raw), "%PDF") {
		t.Errorf("the PDF is none: %v", err)
	}
	b.ok("tabs", "new", b.url+"/")
	if got := b.ok("tabs"); strings.Count(got, b.url) != 2 {
		t.Errorf("the tabs are\n%s", got)
	}
	b.ok("tabs", "close")
	if got := b.ok("get", "url"); got != b.url+"/form" {
		t.Errorf("after the tab was closed it is at %q", got)
	}
	shot := filepath.Join(t.TempDir(), "out.png")
	b.ok("screenshot", shot)
	if raw, err := os.ReadFile(shot); err != nil || !strings.HasPrefix(string(raw), "\x89PNG") {
		t.Errorf("the screenshot is no PNG: %v", err)
	}
	// A picture of the whole page comes as the file that the host wrote in full size.
	b.ok("screenshot", "-f", shot)
	if raw, err := os.ReadFile(shot); err != nil || !strings.HasPrefix(string(raw), "\x89PNG") {
		t.Errorf("the screenshot of the page is no PNG: %v", err)
	}
	var filed struct {
		Path  string
		Width int
	}
	if err := json.Unmarshal([]byte(b.ok("screenshot", "-f", shot, "--json")), &filed); err != nil || filed.Path != shot || filed.Width == 0 {
		t.Errorf("the screenshot of the page is told as %+v: %v", filed, err)
	}
	b.fails(2, "matches", "click", "body *")
	b.fails(1, "not_found", "click", "#nowhere")
	b.fails(1, "not_found: no element e99", "click", "@e99")
	b.fails(2, "Usage: tabwright click TARGET", "click")
	b.fails(2, "Usage: tabwright open URL", "open")
	b.fails(2, "get is followed by one of attr", "get", "frobs")
	b.fails(2, "TARGET is missing", "get", "count")
	b.fails(2, `no "tabs frobnicate"`, "tabs", "frobnicate")
	b.fails(2, `no command "clik"; did you mean click?`, "clik", "@e1")
	b.fails(2, "no flag --frobnicate", "click", "@e1", "--frobnicate")
	b.fails(2, "too many words", "back", "again")
	b.fails(2, "whole number", "details", "twelve")
	s := b.fails(1, "", "click", "#nowhere", "--json")
	var failure struct{ Error struct{ Code, Hint string } }
	if err := json.Unmarshal([]byte(s.out), &failure); err != nil || failure.Error.Code != "not_found" || failure.Error.Hint == "" {
		t.Errorf("as JSON it is %s", s.out)
	}
	if got := b.ok("sessions"); !strings.HasPrefix(got, "default\t") {
		t.Errorf("the sessions are %q", got)
	}
	for _, words := range []string{"close", "close"} {
		if s := b.run(words, "--json"); s.code != 0 || !json.Valid([]byte(s.out)) {
			t.Errorf("tabwright %s --json: exit code %d: %s%s", words, s.code, s.out, s.err)
		}
	}
	b.noBrowser()
	b.fails(1, "no_session", "summary")
}

// TestJSON has every command that acts in a browser print one JSON object with
// --json, also where it fails; host's TestEveryCommandHasJSON holds that there are
// no others than have the flag, and this test that none of them is left out.
func TestJSON(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "TABWRIGHT_SEARCH="+b.url+"/found?q={query}")
	b.opened("/json")
	dir := t.TempDir()
	given := filepath.Join(dir, "given.txt")
	b.must(os.WriteFile(given, []byte("x"), 0o600))
	seen := map[string]bool{}
	for _, c := range []struct {
		code int
		line []string
	}{
		{0, []string{"open", b.url + "/json"}},
		{0, []string{"snapshot", "-i"}},
		{0, []string{"summary"}},
		{0, []string{"elements"}},
		{0, []string{"details", "1"}},
		{0, []string{"content"}},
		{0, []string{"get", "title"}},
		{0, []string{"get", "url"}},
		{0, []string{"get", "text", "h1"}},
		{0, []string{"get", "html", "h1"}},
		{0, []string{"get", "value", "#q"}},
		{0, []string{"get", "attr", "#q", "name"}},
		{0, []string{"get", "count", "h1"}},
		{0, []string{"get", "box", "h1"}},
		{0, []string{"is", "visible", "h1"}},
		{0, []string{"is", "enabled", "#q"}},
		{1, []string{"is", "checked", "#tick"}},
		{0, []string{"find", "role", "button", "--name", "Press", "click"}},
		{0, []string{"options", "#size"}},
		{0, []string{"click", "#press"}},
		{0, []string{"dblclick", "#press"}},
		{0, []string{"hover", "#press"}},
		{0, []string{"focus", "#q"}},
		{0, []string{"type", "#q", "words"}},
		{0, []string{"fill", "#q", "other words"}},
		{0, []string{"press", "Tab"}},
		{0, []string{"key-down", "Shift"}},
		{0, []string{"key-up", "Shift"}},
		{0, []string{"mouse-move", "#press"}},
		{0, []string{"mouse-down", "#press"}},
		{0, []string{"mouse-up"}},
		{0, []string{"check", "#tick"}},
		{0, []string{"uncheck", "#tick"}},
		{0, []string{"select", "#size", "Large"}},
		{0, []string{"drag-drop", "h1", "#press"}},
		{0, []string{"scroll", "down"}},
		{0, []string{"scroll-into-view", "#end"}},
		{0, []string{"scroll-until", "--text", "The end"}},
		{0, []string{"load-more-until", "--text", "The end"}},
		{0, []string{"wait", "1"}},
		{0, []string{"screenshot", filepath.Join(dir, "a.png")}},
		{0, []string{"pdf", filepath.Join(dir, "a.pdf")}},
		{0, []string{"export-file", "a.md", "words"}},
		{0, []string{"download", "#list", filepath.Join(dir, "list.csv")}},
		{3, []string{"upload", "#file", given}},
		{3, []string{"eval", "1"}},
		{0, []string{"console", "--level", "debug"}},
		{0, []string{"requests"}},
		{0, []string{"resize", "900", "700"}},
		{0, []string{"set", "viewport", "800", "600"}}, // as agent-browser has it
		{0, []string{"scrollintoview", "#end"}},
		{1, []string{"request-login"}},
		{1, []string{"dialog", "accept"}},
		{1, []string{"dialog", "dismiss"}},
		{0, []string{"reload"}},
		{0, []string{"search", "mugs"}},
		{0, []string{"back"}},
		{0, []string{"forward"}},
		{0, []string{"tabs", "new", b.url + "/"}},
		{0, []string{"tabs"}},
		{0, []string{"tabs", "list"}},
		{0, []string{"tabs", "switch", "1"}},
		{0, []string{"tabs", "close", "2"}},
		{0, []string{"sessions"}},
		{0, []string{"sessions", "list"}},
		{0, []string{"profiles"}},
		{0, []string{"profiles", "list"}},
		{2, []string{"profiles", "remove", "own:none"}},
		{0, []string{"close"}},
	} {
		s := b.run(append(c.line, "--json")...)
		var one map[string]any
		if err := json.Unmarshal([]byte(s.out), &one); err != nil || s.code != c.code || s.code != 0 && one["error"] == nil && c.line[0] != "is" {
			t.Errorf("tabwright %v --json: exit code %d, want %d; %v: %s%s", c.line, s.code, c.code, err, s.out, s.err)
		}
		seen[c.line[0]], seen[strings.Join(c.line[:min(2, len(c.line))], " ")] = true, true
	}
	for _, name := range b.commandsInDocs() {
		if !seen[name] {
			t.Errorf("%s --json is not tried", name)
		}
	}
	b.noBrowser()
}

// commandsInDocs are the commands of docs/cli.md's table, which is held against
// the program.
func (b *bench) commandsInDocs() (names []string) {
	b.t.Helper()
	raw, err := os.ReadFile("../../docs/cli.md")
	b.must(err)
	_, table, _ := strings.Cut(string(raw), "<!-- commands:")
	row := regexp.MustCompile("(?m)^\\| `([a-z-]+(?: [a-z]+)?)[ `]")
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		names = append(names, m[1])
	}
	if len(names) < 50 {
		b.t.Fatalf("%d commands in docs/cli.md", len(names))
	}
	return names
}

// TestSessions has two at once, each with its own browser.
func TestSessions(t *testing.T) {
	b := newBench(t)
	b.opened("/form", "--session", "one")
	b.opened("/hard", "--session", "two")
	if one, two := b.ok("get", "url", "--session", "one"), b.ok("get", "url", "--session", "two"); one != b.url+"/form" || two != b.url+"/hard" {
		t.Errorf("one is at %q, two at %q", one, two)
	}
	b.ok("close", "--session", "one")
	b.fails(1, "no_session", "get", "url", "--session", "one")
	b.ok("get", "url", "--session", "two")
	b.ok("close", "--all")
	b.noBrowser()
}

func TestConfirmOnCommandLine(t *testing.T) {
	b := newBench(t)
	b.opened("/danger")
	s := b.fails(3, "needs_confirmation", "click", "button")
	if !strings.Contains(s.err, "terminal") {
		t.Errorf("it says %q", s.err)
	}
	b.ok("summary") // goes on without it
	b.ok("close")
	b.opened("/danger", "--confirm", "deny")
	b.fails(3, "denied", "click", "button")
	b.ok("close")
	if n := b.deleted(); n != "0" {
		t.Errorf("deleted %s times", n)
	}
	b.opened("/danger", "--confirm", "allow")
	b.ok("click", "button")
	if n := b.deleted(); n != "1" {
		t.Errorf("deleted %s times", n)
	}
	b.fails(2, "--confirm allow", "open", b.url, "--confirm", "allow")
}

// TestBrokerKilled leaves no browser behind, and the next command says so.
func TestBrokerKilled(t *testing.T) {
	b := newBench(t)
	b.opened("/")
	if err := syscall.Kill(b.broker(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.noBrowser()
	b.fails(1, "no_session", "summary")
	b.opened("/form")
	b.ok("close")
}

// TestBrowserKilled ends the session, and the next one begins anew.
func TestBrowserKilled(t *testing.T) {
	b := newBench(t)
	b.opened("/")
	for _, pid := range b.browsers() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended with its parent
	}
	if s := b.run("summary"); s.code == 0 {
		t.Errorf("without its browser it says %s", s.out)
	}
	b.opened("/form")
	if got := b.ok("get", "url"); got != b.url+"/form" {
		t.Errorf("it is at %q", got)
	}
	b.ok("close")
}
