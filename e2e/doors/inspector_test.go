package doors

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	inspectorVersion = "2.12.0"
	inspectorLimit   = 5 * time.Minute // each of its calls starts Node anew
)

// TestMain is the program that the Inspector starts for a server, too (shared).
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == joins {
		os.Exit(join(os.Args[2]))
	}
	os.Exit(m.Run())
}

// joins is the first word of that program's command line.
const joins = "join-shared-server"

func join(socket string) int {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)        // until the Inspector is done
		_ = conn.(*net.UnixConn).CloseWrite() //nolint:forcetypeassert // it was dialled as one
	}()
	_, _ = io.Copy(os.Stdout, conn)
	return 0
}

// shared is one server that the Inspector's calls have in turn: each of them is a
// process that starts a server of its own, and a session is more than one call.
// What both say passes as it is; only the greeting is answered from the first one.
type shared struct {
	b      *bench
	server io.Writer

	mu    sync.Mutex
	now   net.Conn        // whose turn it is
	first json.RawMessage // the id of the greeting that was passed on
	hello json.RawMessage // the answer to it
}

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// share starts the server and gives the command line that joins it.
func (b *bench) share(args ...string) []string {
	b.t.Helper()
	socket := filepath.Join(filepath.Dir(b.socket()), "shared.sock")
	b.must(os.MkdirAll(filepath.Dir(socket), 0o700))
	l, err := net.Listen("unix", socket)
	b.must(err)
	cmd := b.command(args...)
	in, err := cmd.StdinPipe()
	b.must(err)
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	s := &shared{b: b, server: in}
	var running sync.WaitGroup
	running.Go(func() { s.answers(out) })
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.turn(conn)
		}
	})
	b.t.Cleanup(func() {
		_ = l.Close()
		_ = in.Close()
		running.Wait()
		if err := cmd.Wait(); err != nil {
			b.t.Errorf("the server ended with %v", err)
		}
	})
	self, err := os.Executable()
	b.must(err)
	return []string{self, joins, socket}
}

// turn passes on what one Inspector says, until it is done.
func (s *shared) turn(conn net.Conn) {
	s.mu.Lock()
	s.now = conn
	s.mu.Unlock()
	for lines := bufio.NewReader(conn); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		if s.passes(conn, line) {
			_, _ = s.server.Write(line) // a server that ended says so at the cleanup
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = nil
	_ = conn.Close()
}

// passes tells whether the server is to have a line; what it has heard before is
// answered here.
func (s *shared) passes(conn net.Conn, line []byte) bool {
	var m message
	if json.Unmarshal(line, &m) != nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.Method == "notifications/initialized":
		return s.hello == nil || s.first != nil
	case m.Method != "initialize":
		return true
	case s.hello == nil:
		s.first = m.ID
		return true
	}
	s.first = nil
	raw, err := json.Marshal(message{JSONRPC: "2.0", ID: m.ID, Result: s.hello})
	if err == nil {
		_, _ = conn.Write(append(raw, '\n')) // it may have gone
	}
	return false
}

// answers passes on what the server says to whose turn it is.
func (s *shared) answers(out io.Reader) {
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		s.mu.Lock()
		if s.hello == nil && s.first != nil && json.Unmarshal(line, &m) == nil && string(m.ID) == string(s.first) {
			s.hello = m.Result
		}
		if s.now != nil {
			_, _ = s.now.Write(line) // it may have gone
		}
		s.mu.Unlock()
	}
}

// TestInspector drives a session with the official MCP Inspector's CLI: a list of
// the tools (over HTTP, too), a page, what is on it, a press and typing by ref, what came of them,
// and a failure. It is skipped only where the Inspector can't be had or run at all.
func TestInspector(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), inspectorLimit) // the server ends at the cleanup
	t.Cleanup(cancel)
	b.ctx = ctx
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip("needs npx")
	}
	// Its own path: npx takes longer to find it each time than it takes to run.
	where, err := exec.CommandContext(ctx, npx, "-y", "-p", "@modelcontextprotocol/inspector@"+inspectorVersion, "-c", "command -v mcp-inspector").Output()
	inspector := strings.TrimSpace(string(where))
	if err != nil || inspector == "" {
		t.Skip("the Inspector can't be installed here:", err)
	}
	if out, err := exec.CommandContext(ctx, inspector, "--cli", "--help").CombinedOutput(); err != nil {
		t.Skipf("the Inspector can't be run here: %v: %.300s", err, out)
	}
	t.Cleanup(b.noBrowser) // when the server has ended
	server := b.share(b.launched("--confirm", "deny")...)
	address, token := b.listen()
	inspect := func(rest ...string) map[string]any {
		t.Helper()
		cmd := exec.CommandContext(ctx, inspector, append(append([]string{"--cli"}, server...), rest...)...)
		cmd.Env = b.env
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		var m map[string]any
		if bad := json.Unmarshal(out, &m); bad != nil {
			t.Fatalf("%v: %v, %v: %s\n%s", rest, err, bad, out, errs.String())
		}
		if err != nil && m["isError"] != true {
			t.Errorf("%v: %v: %s", rest, err, errs.String())
		}
		return m
	}
	call := func(tool string, a args) (structured map[string]any, text string) {
		t.Helper()
		raw, err := json.Marshal(a)
		b.must(err)
		m := inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(raw))
		structured, _ = m["structuredContent"].(map[string]any)
		content, _ := m["content"].([]any)
		for _, c := range content {
			part, _ := c.(map[string]any)
			words, _ := part["text"].(string)
			text += words
		}
		t.Logf("%s %s: %.200s", tool, raw, text)
		return structured, text
	}
	stdio := server
	for _, over := range [][]string{{address, "--transport", "http", "--header", "Authorization: Bearer " + token}, stdio} {
		server = over
		list := inspect("--method", "tools/list")
		if tools, _ := list["tools"].([]any); len(tools) < 40 {
			t.Errorf("%d tools over %s", len(tools), over[0])
		}
	}
	if nav, _ := call("browser_navigate", args{"url": b.url + "/form"}); nav["url"] != b.url+"/form" {
		t.Errorf("navigate says %v", nav)
	}
	found, text := call("browser_get_elements", args{})
	refs := map[any]any{}
	elements, _ := found["elements"].([]any)
	for _, e := range elements {
		if e, _ := e.(map[string]any); e["role"] != "" {
			refs[fmt.Sprint(e["role"], " ", e["name"])] = e["ref"]
		}
	}
	press, field := refs["button Press"], refs["searchbox Search"]
	if press == nil || field == nil {
		t.Fatalf("%v in %s", refs, text)
	}
	call("browser_click", args{"ref": press})
	if _, text := call("browser_click", args{"ref": press}); !strings.Contains(text, "Pressed 2") {
		t.Errorf("the second press says %s", text)
	}
	if at, text := call("browser_type", args{"ref": field, "text": "mugs", "submit": true}); at["url"] != b.url+"/found?q=mugs" {
		t.Errorf("after the search the page is %v: %s", at["url"], text)
	}
	stale, text := call("browser_click", args{"ref": press})
	failure, _ := stale["error"].(map[string]any)
	if failure["code"] != "stale_ref" || failure["hint"] == "" || !strings.Contains(text, "stale_ref") {
		t.Errorf("an old ref: %v: %s", failure, text)
	}
}
