package doors

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// web is a client of the HTTP door.
type web struct {
	b     *bench
	c     *http.Client
	at    string
	token string
}

// http starts the HTTP door and gives a client of it, and what it said of where
// it listens.
func (b *bench) http(args ...string) (*web, string) {
	b.t.Helper()
	cmd := b.command(append([]string{"http"}, args...)...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = leftover
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	// The test's context ends before its cleanups run: an interrupt, then, and an
	// orderly end. A second one would end it at once.
	b.t.Cleanup(func() {
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 0 {
			b.t.Errorf("tabwright http ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	b.must(err)
	where := strings.TrimPrefix(strings.TrimSpace(line), "Listening on ")
	w := &web{b: b, c: &http.Client{}, at: where}
	if path, ok := strings.CutPrefix(where, "unix:"); ok {
		w.at = "http://tabwright"
		w.c.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", path)
		}}
	}
	return w, where
}

// send sends a request; the caller closes the answer's body.
func (w *web) send(method, path, body string, head ...string) *http.Response {
	w.b.t.Helper()
	r, err := http.NewRequestWithContext(w.b.ctx, method, w.at+path, strings.NewReader(body))
	w.b.must(err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	for i := 0; i+1 < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	res, err := w.c.Do(r)
	w.b.must(err)
	return res
}

// call sends a request that must be answered with a status.
func (w *web) call(status int, method, path, body string) answer {
	w.b.t.Helper()
	res := w.send(method, path, body)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	w.b.must(err)
	if res.StatusCode != status {
		w.b.t.Fatalf("%s %s %s: %d, want %d: %s", method, path, body, res.StatusCode, status, raw)
	}
	var out answer
	if len(raw) == 0 {
		return out
	}
	w.b.must(json.Unmarshal(raw, &out.All))
	var e struct{ Error json.RawMessage }
	w.b.must(json.Unmarshal(raw, &e))
	if len(e.Error) > 0 {
		w.b.must(json.Unmarshal(e.Error, &out.Error))
	}
	return out
}

const api = "/api/v1/browser/session"

// TestHTTP drives a page over HTTP: a question is 202, its answer lets the act
// through, and the events of the session go on after the last one that was seen.
func TestHTTP(t *testing.T) {
	b := newBench(t)
	w, _ := b.http()
	w.call(201, "POST", api, `{"name":"web","launch":{"headless":true},"client":"http-test"}`)
	w.call(200, "POST", api+"/web/action", fmt.Sprintf(`{"action":"navigate","params":{"url":%q}}`, b.url+"/danger"))
	if got := fmt.Sprint(w.call(200, "POST", api+"/web/observe", `{"full":true}`).All); !strings.Contains(got, "Delete account") {
		t.Errorf("the look is %s", got)
	}
	click := `{"action":"click","params":{"selector":"button"}%s}`
	if got := w.call(200, "POST", api+"/web/action", fmt.Sprintf(click, `,"explain":true`)).All; got["level"] != "confirm" {
		t.Errorf("explained as %v", got)
	}
	q := w.call(202, "POST", api+"/web/action", fmt.Sprintf(click, ""))
	if q.Error.ConfirmationID == "" || q.Error.Code != "needs_confirmation" || b.deleted() != "0" {
		t.Fatalf("deleted %s times; %v", b.deleted(), q.All)
	}
	if hint := fmt.Sprint(q.All["error"]); !strings.Contains(hint, "/answer") || strings.Contains(hint, "side panel") {
		t.Errorf("it does not say who answers in a launched browser: %s", hint)
	}
	w.call(404, "POST", api+"/web/answer", `{"confirmation_id":"another","allow":true}`)
	w.call(204, "POST", api+"/web/answer", fmt.Sprintf(`{"confirmation_id":%q,"allow":true}`, q.Error.ConfirmationID))
	w.call(200, "POST", api+"/web/action", fmt.Sprintf(click, fmt.Sprintf(`,"confirmation_id":%q`, q.Error.ConfirmationID)))
	if n := b.deleted(); n != "1" {
		t.Errorf("deleted %s times", n)
	}
	seen := w.events("", 3)
	more := w.events(seen[2], 2)
	if fmt.Sprint(append(seen, more...)) != "[1 2 3 4 5]" {
		t.Errorf("the events are %v, then %v", seen, more)
	}
	if got := b.ok("sessions"); !strings.Contains(got, "http-test") {
		t.Errorf("the command line does not see the session: %q", got)
	}
	b.tcp()
	w.call(204, "DELETE", api+"/web", "")
	w.call(404, "POST", api+"/web/observe", "{}")
}

// events reads n numbered events after the last one that was seen.
func (w *web) events(last string, n int) (ids []string) {
	w.b.t.Helper()
	res := w.send("GET", api+"/web/events", "", "Last-Event-ID", last)
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for len(ids) < n && lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
	}
	w.b.must(lines.Err())
	return ids
}

// tcp serves TCP on request: with a token that lies in a file of one's own, and
// not for a page of the very browser that is driven.
func (b *bench) tcp() {
	b.t.Helper()
	w, where := b.http("--listen", "127.0.0.1:0")
	url, file, ok := strings.Cut(where, ", token in ")
	if !ok {
		b.t.Fatalf("it listens on %q", where)
	}
	w.at = url
	st, err := os.Stat(file)
	b.must(err)
	raw, err := os.ReadFile(file)
	b.must(err)
	if st.Mode().Perm() != 0o600 {
		b.t.Errorf("the token's file is %s", st.Mode())
	}
	w.call(401, "GET", "/api/v1/status", "")
	w.token = strings.TrimSpace(string(raw))
	w.call(200, "GET", api+"/web", "")
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(rw, `<!doctype html><title>page</title><p>asking</p><script>
fetch(%q, {headers: {Authorization: "Bearer %s"}}).then((r) => r.status, () => "nothing").then((s) => { document.querySelector("p").textContent = "It was told " + s; });
</script>`, url+"/api/v1/status", w.token)
	}))
	defer page.Close()
	w.call(200, "POST", api+"/web/action", fmt.Sprintf(`{"action":"navigate","params":{"url":%q}}`, page.URL))
	w.call(200, "POST", api+"/web/action", `{"action":"waitFor","params":{"text":"It was told nothing"}}`)
	b.fails(2, "is not a loopback address", "http", "--listen", "0.0.0.0:0")
}
