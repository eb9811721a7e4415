// Package doors drives the doors without a model, MCP and the command line, as
// programs do: the built binary as a process of its own, a real Chromium, the
// official MCP SDK as the client. Start reading at TestFlow.
package doors

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/e2e/rig"
)

const (
	limit = 90 * time.Second // of a whole test
	// leftover is how long a process may live on after who needed it has gone.
	leftover = 5 * time.Second
)

// bench is a binary with an environment of its own, and the fixture pages.
type bench struct {
	t      *testing.T
	ctx    context.Context
	binary string
	env    []string
	url    string // of the pages
	mark   string // in the command line of every browser that is launched
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	binary, err := rig.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tw-") // short: a Unix socket's path is at most 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	// A broker outlives who starts it, for an hour with a session: a test that
	// is killed must not leave one behind, nor its folder.
	tie, err := rig.Tie(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tie.Close() })
	server := httptest.NewServer(pages())
	t.Cleanup(server.Close)
	b := &bench{t: t, ctx: ctx, binary: binary, url: server.URL, mark: "--tabwright-test=" + filepath.Base(dir)}
	b.env = append(os.Environ(), "TABWRIGHT_SOCKET="+filepath.Join(dir, "run", "b.sock"))
	for _, name := range []string{"CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME"} {
		b.env = append(b.env, "XDG_"+name+"="+filepath.Join(dir, name))
	}
	return b
}

// share is how much a test does of what it can do over and over: some, or all with
// TABWRIGHT_ALL=1.
func share(some, all int) int {
	if os.Getenv("TABWRIGHT_ALL") != "" {
		return all
	}
	return some
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// command is the binary with these arguments.
func (b *bench) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.ctx, b.binary, args...)
	cmd.Env = b.env
	return cmd
}

// launched are the arguments of a browser that can be told from others.
func (b *bench) launched(args ...string) []string {
	return append([]string{"mcp", "--launch", "--headless", "--browser-arg", b.mark}, args...)
}

// browsers are the processes of launched browsers, by their command lines.
func (b *bench) browsers() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is constant
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil || !strings.Contains(string(raw), b.mark) || !strings.Contains(string(raw), "--user-data-dir") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// noBrowser waits until no launched browser is left.
func (b *bench) noBrowser() {
	b.t.Helper()
	began := time.Now()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		left := b.browsers()
		if len(left) == 0 {
			return
		}
		if time.Since(began) > leftover {
			b.t.Fatalf("after %s these are left: %v", leftover, left)
		}
	}
}

// mcpClient is a connected MCP client.
type mcpClient struct {
	b   *bench
	cmd *exec.Cmd
	*sdk.ClientSession
}

// connect starts the binary as an MCP server and connects to it.
func (b *bench) connect(o *sdk.ClientOptions, args ...string) *mcpClient {
	b.t.Helper()
	cmd := b.command(args...)
	cmd.Stderr = os.Stderr
	c := sdk.NewClient(&sdk.Implementation{Name: "doors-test", Version: "1"}, o)
	s, err := c.Connect(b.ctx, &sdk.CommandTransport{Command: cmd}, nil)
	b.must(err)
	b.t.Cleanup(func() { _ = s.Close() })
	return &mcpClient{b: b, cmd: cmd, ClientSession: s}
}

// answer is the structured content of a result.
type answer struct {
	Text  string
	IsErr bool
	All   map[string]any
	Error struct {
		Code           string         `json:"code"`
		Message        string         `json:"message"`
		Hint           string         `json:"hint"`
		ConfirmationID string         `json:"confirmation_id"`
		Data           map[string]any `json:"data"`
	} `json:"error"`
	Elements []struct {
		Index int    `json:"index"`
		Ref   string `json:"ref"`
		Role  string `json:"role"`
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"elements"`
	Total      int    `json:"total"`
	NextCursor string `json:"nextCursor"`
	PageRev    int    `json:"pageRev"`
	SnapshotID string `json:"snapshotId"`
	URL        string `json:"url"`
	Effect     string `json:"effect"`
}

type args = map[string]any

// try calls a tool. A protocol error fails the test: tools fail in results.
func (c *mcpClient) try(tool string, a args) answer {
	c.b.t.Helper()
	r, err := c.CallTool(c.b.ctx, &sdk.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		c.b.t.Fatalf("%s %v: %v", tool, a, err)
	}
	var out answer
	raw, err := json.Marshal(r.StructuredContent)
	c.b.must(err)
	if err := json.Unmarshal(raw, &out.All); err != nil {
		c.b.t.Fatalf("%s: structured content is no object: %s", tool, raw)
	}
	// The page summary has counts where lists have elements.
	if tool == "browser_page_summary" && !r.IsError {
		return answer{All: out.All, IsErr: r.IsError, Text: text(r)}
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		c.b.t.Fatalf("%s: %v\n%s", tool, err, raw)
	}
	out.IsErr, out.Text = r.IsError, text(r)
	return out
}

func text(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, p := range r.Content {
		if t, ok := p.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// do calls a tool that must not fail.
func (c *mcpClient) do(tool string, a args) answer {
	c.b.t.Helper()
	r := c.try(tool, a)
	if r.IsErr {
		c.b.t.Fatalf("%s %v: %s", tool, a, r.Text)
	}
	if r.Text == "" {
		c.b.t.Errorf("%s has no text", tool)
	}
	return r
}

// refuses calls a tool that must fail with a code, and reads the failure as a
// model would: a sentence, and what to do.
func (c *mcpClient) refuses(code, tool string, a args) answer {
	c.b.t.Helper()
	r := c.try(tool, a)
	if !r.IsErr || r.Error.Code != code {
		c.b.t.Fatalf("%s %v: want %s, got error %v: %s", tool, a, code, r.IsErr, r.Text)
	}
	if !strings.Contains(r.Text, code) || r.Error.Message == "" || r.Error.Hint == "" || !strings.Contains(r.Text, r.Error.Hint) {
		c.b.t.Errorf("%s: a model reads %q; message %q, hint %q", code, r.Text, r.Error.Message, r.Error.Hint)
	}
	return r
}

// ref finds an element by its name.
func (c *mcpClient) ref(name string) string {
	c.b.t.Helper()
	r := c.do("browser_get_elements", args{})
	for _, e := range r.Elements {
		if e.Name == name {
			return e.Ref
		}
	}
	c.b.t.Fatalf("no element %q:\n%s", name, r.Text)
	return ""
}

// pages are the fixture pages.
func pages() http.Handler {
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><title>%s</title><body>%s", strings.Trim(path, "/{$}"), body)
		})
	}
	page("/{$}", `<h1>Home</h1><a href="/form">Form</a>`)
	page("/form", `<h1>Form</h1><form action="/found"><label>Search <input name="q" type="search"></label><button>Search</button></form>
		<button type="button" onclick="document.querySelector('output').textContent='Pressed '+(++n)">Press</button><output></output><script>n=0</script>`)
	mux.HandleFunc("GET /found", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>found</title><p>You looked for <b>%q</b></p>", r.FormValue("q"))
	})
	page("/hard", `<style>#under{position:absolute;top:60px;left:10px;width:120px;height:30px}#over{position:absolute;top:50px;left:0;width:300px;height:60px;background:#ccc;z-index:9}</style>
		<button disabled>Frozen</button> <button style="visibility:hidden" id="ghost">Ghost</button>
		<button id="under">Under</button><div id="over">A banner</div>
		<div style="margin-top:120px"><button onclick="this.replaceWith(Object.assign(document.createElement('button'),{textContent:'Other words'}))">Gone soon</button>
		<button onclick="setTimeout(()=>confirm('Really?'),0)">Ask me</button><p id="plain">plain</p></div>`)
	page("/count", `<h1>Count</h1><button onclick="this.nextElementSibling.textContent='Pressed '+(++n)">Press</button><output></output><a href="/list.csv" download>The list</a>
		<label>Note <input name="note"></label><script>n=0</script>`)
	page("/json", `<h1>All sorts</h1><label>Search <input id="q" name="q"></label><button type="button" id="press">Press</button> <label><input type="checkbox" id="tick">Tick</label>
		<label>Size <select id="size"><option>Small<option>Large</select></label> <a id="list" href="/list.csv" download>The list</a> <label>Photo <input id="file" type="file"></label><p id="end" style="margin-top:2000px">The end`)
	mux.HandleFunc("GET /list.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="list.csv"`)
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "mug,12.50\n")
	})
	mux.HandleFunc("GET /agent", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>agent</title><p>%s</p>", r.UserAgent())
	})
	mux.HandleFunc("GET /cookie", func(w http.ResponseWriter, r *http.Request) {
		if v := r.FormValue("set"); v != "" {
			http.SetCookie(w, &http.Cookie{Name: "who", Value: v, MaxAge: 3600})
		}
		who := "nobody"
		if c, err := r.Cookie("who"); err == nil {
			who = c.Value
		}
		fmt.Fprintf(w, "<!doctype html><title>cookie</title><p id=who>%s</p>", who)
	})
	var deleted atomic.Int64
	page("/danger", `<h1>Account</h1><form method="post" action="/delete"><button>Delete account</button></form>`)
	mux.HandleFunc("POST /delete", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>deleted</title><p>Deleted %d", deleted.Add(1))
	})
	mux.HandleFunc("GET /deleted", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, deleted.Load()) })
	return mux
}

// deleted asks the fixture what really happened.
func (b *bench) deleted() string {
	b.t.Helper()
	res, err := http.Get(b.url + "/deleted")
	b.must(err)
	defer res.Body.Close()
	var n [8]byte
	k, _ := res.Body.Read(n[:]) // a short body, with its end
	return string(n[:k])
}
