package doors

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tabwright/host/action/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// codes are what a tool may fail with: docs/mcp.md has the same list.
var codes = []string{
	"stale_ref", "not_found", "covered", "disabled", "not_visible", "not_editable", "timeout", "needs_confirmation",
	"denied", "blocked", "stopped_after", "navigation_failed", "dialog_open", "tab_closed", "tab_busy", "detached", "invalid_params",
	"unsupported", "no_browser",
}

// codePages are the pages on which everything goes wrong.
func codePages() http.Handler {
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><title>%s</title><body>%s", strings.Trim(path, "/"), body)
		})
	}
	page("/desk", `<style>#under{position:absolute;top:10px;left:500px;width:120px;height:30px}#over{position:absolute;top:0;left:480px;width:300px;height:60px;background:#ccc;z-index:9}</style>
		<button id="under">Under</button><div id="over" role="dialog" aria-label="We use cookies"><button>Accept</button></div>
		<form action="/desk"><label>E-mail <input name="mail" required></label><label>Notes <input name="notes"></label><button disabled>Send</button></form>
		<button style="visibility:hidden" id="ghost">Ghost</button>
		<nav><a href="/desk?checkout">Go to checkout</a> <a href="/desk?help">Help</a></nav>
		<ul id="list"><li><button onclick="swap()">Archive</button></li></ul>
		<input type="file" aria-label="Photo">
		<button onclick="setTimeout(()=>confirm('Delete 3 drafts?'),0)">Clean up</button>
		<button onclick="window.open('/popup')">Open window</button>
		<p id="plain">plain</p>
		<div id="apart"></div>
		<script>function swap(){document.getElementById('list').innerHTML='<li><button>Archive all</button></li>';document.getElementById('apart').innerHTML='<button>Archive</button>'}</script>`)
	page("/popup", `<h1>Popup</h1><button onclick="setTimeout(()=>window.close(),0)">Finish</button>`)
	page("/quiet", `<h1>Row 7</h1><button onclick="fetch('/api/orders/17',{method:'DELETE'});this.nextSibling.textContent='Saved'">Frobnicate</button><output></output>`)
	page("/danger", `<h1>Account</h1><form method="post" action="/delete"><button>Delete account</button></form>`)
	mux.HandleFunc("GET /vault", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="Vault"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	return mux
}

// golden is what a model read of each code, for a user to review.
type golden struct {
	t     *testing.T
	seen  []string
	text  strings.Builder
	plain *strings.Replacer
}

var changing = []struct {
	pattern *regexp.Regexp
	as      string
}{
	{regexp.MustCompile(`snap_[0-9a-z]{6}`), "snap_xxxxxx"},
	{regexp.MustCompile(`"(x|y|width|height)": [0-9.]+`), `"$1": 0`},
}

// keep writes a failure down: the call, the text, and the structured error.
func (g *golden) keep(code, what, tool string, a args, r answer) {
	g.t.Helper()
	g.seen = append(g.seen, code)
	call, err := json.Marshal(a)
	if err != nil {
		g.t.Fatal(err)
	}
	structured, err := json.MarshalIndent(r.All["error"], "", "  ")
	if err != nil {
		g.t.Fatal(err)
	}
	out := fmt.Sprintf("== %s: %s\n%s %s\n-- text\n%s\n-- structuredContent.error\n%s\n\n", code, what, tool, call, r.Text, structured)
	for _, c := range changing {
		out = c.pattern.ReplaceAllString(out, c.as)
	}
	g.text.WriteString(g.plain.Replace(out))
}

// compare holds what was kept against the golden file.
func (g *golden) compare(name string) {
	g.t.Helper()
	path := filepath.Join("testdata", name)
	got := strings.ReplaceAll(g.text.String(), `\u003c`, "<")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			g.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			g.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		g.t.Fatal(err)
	}
	w, h := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(h)) {
		if w[i] != h[i] {
			g.t.Errorf("%s:%d: go test ./e2e/doors -run Codes -update, if it should be so\n got %s\nwant %s", path, i+1, h[i], w[i])
			return
		}
	}
	if len(w) != len(h) {
		g.t.Errorf("%s has %d lines, it should have %d", path, len(w), len(h))
	}
}

// TestCodes provokes every code through MCP and reads it as a model would: it
// says what happened and what to do next, and carries what is needed for that.
func TestCodes(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(codePages())
	t.Cleanup(server.Close)
	site := server.URL
	g := &golden{t: t, plain: strings.NewReplacer(site, "http://site", strings.TrimPrefix(site, "http://"), "site")}
	c := b.connect(nil, b.launched("--confirm", "deny")...)

	// must provokes a code and checks what the text says and the data holds.
	must := func(code, what, tool string, a args, says []string, data ...string) answer {
		t.Helper()
		r := c.refuses(code, tool, a)
		g.keep(code, what, tool, a, r)
		for _, word := range says {
			if !strings.Contains(r.Text, word) {
				t.Errorf("%s (%s): the text lacks %q:\n%s", code, what, word, r.Text)
			}
		}
		for _, field := range data {
			if _, ok := r.Error.Data[field]; !ok {
				t.Errorf("%s (%s): the data lacks %s: %v", code, what, field, r.Error.Data)
			}
		}
		return r
	}
	to := func(path string) { t.Helper(); c.do("browser_navigate", args{"url": site + path}) }

	to("/desk")
	must("not_found", "an index before any list", "browser_click", args{"index": 4711}, []string{"4711", "browser_get_elements"})
	list := c.do("browser_get_elements", nil)
	must("not_found", "an index that was never given", "browser_click", args{"index": 4711},
		[]string{"4711", "highest index so far is " + strconv.Itoa(len(list.Elements))}, "highest")
	must("not_found", "a selector", "browser_click", args{"selector": "#checkout-button"}, []string{"#checkout-button", `link "Go to checkout"`}, "nearest")
	must("not_found", "a name with a slip", "browser_find", args{"role": "button", "name": "Acept"}, []string{`button "Accept"`}, "nearest")
	must("not_found", "words like nothing there", "browser_find", args{"text": "zebra quux"}, []string{"browser_get_elements"})
	must("not_found", "a file", "browser_upload_file", args{"selector": "input[type=file]", "filePath": "/nowhere/cat.png"}, []string{"/nowhere/cat.png"})
	must("covered", "by a banner", "browser_click", args{"selector": "#under"}, []string{"We use cookies", "["}, "index", "ref", "what")
	must("disabled", "a button of a form that is not filled in", "browser_click", args{"ref": c.ref("Send")}, []string{"Send", `"E-mail"`}, "missing")
	must("not_visible", "a hidden button", "browser_click", args{"selector": "#ghost"}, []string{"Ghost", "Scroll"})
	must("not_editable", "a paragraph", "browser_type", args{"selector": "#plain", "text": "x"}, []string{`textbox "E-mail"`, `textbox "Notes"`}, "fields")
	must("timeout", "a text that never comes", "browser_wait_for", args{"text": "never to be seen", "timeoutMs": 300}, []string{"never to be seen", "300 ms"})
	must("unsupported", "a click on a file input", "browser_click", args{"selector": "input[type=file]"}, []string{"browser_upload_file", "index"})
	must("invalid_params", "everything at once", "browser_scroll", args{"direction": "sideways", "amount": "much", "colour": "red"},
		[]string{"direction", "amount", "colour", "Call it again as"})
	must("invalid_params", "no target", "browser_click", nil, []string{"ref, index, selector"})
	must("invalid_params", "a selector that is none", "browser_click", args{"selector": "###"}, []string{"###"})
	must("blocked", "a page of the browser", "browser_navigate", args{"url": "chrome://settings"}, []string{"chrome:"})
	must("blocked", "a metadata address", "browser_navigate", args{"url": "http://169.254.169.254/latest"}, []string{"169.254.169.254"})
	must("denied", "a script", "browser_execute_js", args{"code": "1"}, []string{"--confirm"})

	archive := c.ref("Archive")
	c.do("browser_click", args{"ref": archive})
	stale := must("stale_ref", "a list that was drawn anew", "browser_click", args{"ref": archive}, []string{`button "Archive"`, "Use one of the candidates"},
		"ref", "snapshot_page_rev", "current_page_rev", "url", "was", "candidates")
	if list, _ := stale.Error.Data["candidates"].([]any); !slices.ContainsFunc(list, func(c any) bool { m, _ := c.(map[string]any); return m["name"] == "Archive" && m["ref"] != "" }) {
		t.Errorf("it is not among the candidates: %v", list)
	}

	c.try("browser_click", args{"ref": c.ref("Clean up")}) // the dialog may open in its wake
	must("dialog_open", "a confirm", "browser_get_elements", nil, []string{"Delete 3 drafts?", "browser_handle_dialog", "accept false"}, "kind", "message")
	c.do("browser_handle_dialog", args{"accept": false})

	c.do("browser_click", args{"ref": c.ref("Open window")})
	c.do("browser_tabs", args{"action": "switch", "index": 2})
	c.do("browser_click", args{"ref": c.ref("Finish")})
	must("tab_closed", "a window that closed itself", "browser_get_elements", nil, []string{"browser_tabs"})
	c.do("browser_tabs", args{"action": "switch", "index": 1})

	must("navigation_failed", "nothing listens", "browser_navigate", args{"url": "http://127.0.0.1:9/"}, []string{"ERR_"})
	must("navigation_failed", "the site wants a password", "browser_navigate", args{"url": site + "/vault"}, []string{"name and a password"})
	must("navigation_failed", "no such host", "browser_navigate", args{"url": "http://no-such-host.invalid/"}, []string{"no host of that name"})
	must("navigation_failed", "no page before this one", "browser_go_forward", nil, []string{"history"})

	to("/danger")
	must("denied", "a deletion", "browser_click", args{"ref": c.ref("Delete account")}, []string{"--confirm", "Go on without it"})

	to("/quiet")
	must("stopped_after", "a request behind the press", "browser_click", args{"ref": c.ref("Frobnicate")}, []string{"--confirm", "had acted", "nothing of it is saved", "loaded again"}, "class", "site", "target")

	to("/desk")
	for _, pid := range b.renderers() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // one that ends by itself is as dead
	}
	must("detached", "the page has crashed", "browser_get_elements", nil, []string{"crashed", "refresh"})
	c.do("browser_refresh", nil)

	lone := b.connect(nil, "mcp")
	defer b.stopBroker()
	r := lone.refuses("no_browser", "browser_navigate", args{"url": site})
	g.keep("no_browser", "nothing is connected", "browser_navigate", args{"url": site}, r)
	g.compare("codes.golden")

	for _, code := range codes {
		// Two need the user's own browser: TestCodesOfUsersBrowser.
		if code != "needs_confirmation" && code != "tab_busy" && !slices.Contains(g.seen, code) {
			t.Errorf("nothing provoked %s", code)
		}
	}
	for _, code := range spec.Codes() {
		if !slices.Contains(codes, string(code)) {
			t.Errorf("%s is not in the list", code)
		}
	}
}

// renderers are the processes of pages of the launched browsers.
func (b *bench) renderers() (pids []int) {
	ours := map[int]bool{}
	for _, pid := range b.browsers() {
		ours[pid] = true
	}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is constant
	parents := map[int]int{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f))) // the pattern has digits only
		if _, rest, ok := strings.Cut(string(raw), ") "); ok {
			if fields := strings.Fields(rest); len(fields) > 1 {
				parents[pid], _ = strconv.Atoi(fields[1]) // the kernel's own number
			}
		}
	}
	for pid := range parents {
		above := pid
		for above > 1 && !ours[above] {
			above = parents[above]
		}
		raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err == nil && ours[above] && strings.Contains(string(raw), "--type=renderer") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestCodesOfUsersBrowser provokes what only the user's own browser has: a
// question that waits in the side panel.
func TestCodesOfUsersBrowser(t *testing.T) {
	w := newChrome(t)
	server := httptest.NewServer(codePages())
	t.Cleanup(server.Close)
	c := w.connect(nil, "mcp", "--confirm", "ask", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": server.URL + "/danger"})
	a := args{"ref": c.ref("Delete account")}
	r := c.refuses("needs_confirmation", "browser_click", a)
	id := r.Error.ConfirmationID
	g := &golden{t: t, plain: strings.NewReplacer(server.URL, "http://site", strings.TrimPrefix(server.URL, "http://"), "site", id, "c0000000000")}
	g.keep("needs_confirmation", "a deletion", "browser_click", a, r)
	if id == "" || r.PageRev == 0 || !strings.Contains(r.Text, id) {
		t.Errorf("a model can't go on from this: %s", r.Text)
	}
	for _, word := range []string{"side panel", "again"} {
		if !strings.Contains(r.Text, word) {
			t.Errorf("the text lacks %q:\n%s", word, r.Text)
		}
	}
	// Any other call withdraws the question, this one too.
	done := make(chan answer, 1)
	go func() { done <- c.try("browser_request_login", args{"reason": "Please sign in."}) }()
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=hand-back]')`))
	busy := args{"selector": "h1"}
	r = c.refuses("tab_busy", "browser_click", busy)
	g.keep("tab_busy", "the user has the tab", "browser_click", busy, r)
	for _, word := range []string{"the user has the tab", "Please sign in.", "hand it back"} {
		if !strings.Contains(r.Text, word) {
			t.Errorf("the text lacks %q:\n%s", word, r.Text)
		}
	}
	w.must(panel.Click(w.ctx, "hand-back"))
	if r := <-done; r.IsErr {
		t.Errorf("after it was handed back: %s", r.Text)
	}
	g.compare("codes-user.golden")
}
