package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/browser"
)

// patience is how long something in the panel may take.
const patience = 20 * time.Second

// pupil passes the test of a model and takes the turns of tasks from a script
// that changes; dull, it only talks.
type pupil struct {
	mu     sync.Mutex
	script *standin.Script
	dull   bool
	// pictures counts those it was shown: the first is red, the next blue.
	pictures atomic.Int32
}

func (b *pupil) learn(steps ...standin.Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.script = standin.NewScript(steps...)
}

func (b *pupil) bore(dull bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dull = dull
}

// Next is standin.Brain's.
func (b *pupil) Next(c standin.Conversation) standin.Turn {
	b.mu.Lock()
	script, dull := b.script, b.dull
	b.mu.Unlock()
	newest := c.Newest()
	switch {
	case dull:
		return standin.Turn{Text: "I like mugs."}
	case strings.Contains(newest, "number 42"):
		return standin.Turn{Calls: []standin.Call{{Name: "report", Args: map[string]any{"number": 42}}}}
	case strings.Contains(newest, "Which colour is this picture?"):
		return standin.Turn{Text: []string{"Blue.", "Red."}[b.pictures.Add(1)%2]}
	case strings.Contains(newest, "the one word: ready") || script == nil:
		return standin.Turn{Text: "ready"}
	}
	return script.Next(c)
}

// partly is the step that ends a task of which something was not done.
func partly(answer, notDone string) standin.Step {
	return standin.Do("done", map[string]any{"success": true, "answer": answer, "not_done": notDone})
}

// finished is the step that ends a task with an answer.
func finished(answer string) standin.Step {
	return standin.Tell(answer)
}

// desk is a world with the real side panel beside a page of its own, and a model
// that the panel finds by itself.
type desk struct {
	*world
	p     *rig.Panel
	brain *pupil
	site  *site
}

// site is a page with a form that sends a message and a field for a file, a
// search engine, and a document, all under form.test.
type site struct {
	url string

	mu       sync.Mutex
	searched []string
	sent     int
}

const formPage = `<!doctype html><title>Form</title><h1>Words of the page</h1>
<form method="post" action="/send"><label>Message <textarea name="message">Thursday at ten</textarea></label><button>Send message</button></form>
<label>Your file <input type="file" id="file"></label>
<div id="papers" ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.title = [...event.dataTransfer.files].map(f => f.name).join()">Drop papers here</div>`

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	mux := http.NewServeMux()
	html := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, text) // the reader may be gone
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { html(w, formPage) })
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.searched = append(s.searched, r.URL.Query().Get("q"))
		s.mu.Unlock()
		html(w, `<!doctype html><title>Results</title><h1>Results</h1>`)
	})
	mux.HandleFunc("POST /send", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		s.sent++
		s.mu.Unlock()
		html(w, `<!doctype html><title>Sent</title><h1>Your message was sent</h1>`)
	})
	mux.HandleFunc("GET /paper", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, emptyPDF)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://form.test:" + port + "/"
	return s
}

// emptyPDF is a document of one empty page.
const emptyPDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

func (s *site) searches() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.searched...)
}

func (s *site) messages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// byItself leaves it to Tabwright to find the model: nothing is set but what
// Ollama itself is told where to listen.
func byItself(s *standin.Server) []string { return []string{"OLLAMA_HOST=" + s.URL()} }

func newDesk(t *testing.T) *desk {
	t.Helper()
	brain := &pupil{}
	d := &desk{brain: brain, world: newWorldTold(t, nil, standin.Options{Format: standin.OllamaTools, Brain: brain}, byItself)}
	t.Cleanup(func() { d.model.Close() }) // it may be another by then
	d.site = newSite(t)
	d.visit(d.site.url)
	p, err := d.rig.OpenSidePanel(d.ctx, d.page)
	d.must(err)
	d.p = p
	d.must(p.Await(d.ctx, `document.querySelector('[data-testid=first-skip]')`))
	d.press("first-skip")
	return d
}

// part runs one clause; a clause that fails leaves the others their turn.
func (d *desk) part(name string, f func()) {
	d.t.Run(name, func(t *testing.T) {
		all := d.t
		d.t = t
		defer func() { d.t = all }()
		f()
	})
}

// visit has the user's tab show a page.
func (d *desk) visit(url string) {
	d.t.Helper()
	_, err := cdp.Call(d.ctx, d.page.Session(), page.Navigate, page.NavigateParams{URL: url})
	d.must(err)
	d.must(rig.Await(d.ctx, d.page, `document.readyState === 'complete' && location.href === '`+url+`'`))
}

// el is a JavaScript expression for an element of the panel.
func el(testid string) string { return `document.querySelector('[data-testid="` + testid + `"]')` }

// until waits until an expression on the panel's page is true.
func (d *desk) until(js string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	if err := d.p.Await(ctx, js); err != nil {
		d.t.Fatalf("%v\nthe panel shows %s", err, d.evaluated(`document.body.innerText`))
	}
}

// press clicks an element of the panel, once it can be clicked.
func (d *desk) press(testid string) {
	d.t.Helper()
	d.until(el(testid) + `.disabled !== true`)
	d.must(d.p.Click(d.ctx, `"`+testid+`"`))
}

// pick presses what a label stands over, such as a radio button.
func (d *desk) pick(testid string) {
	d.t.Helper()
	d.until(el(testid))
	d.must(d.p.Eval(d.ctx, el(testid)+`.click()`, nil))
}

// choose takes a value of a list.
func (d *desk) choose(testid, value string) {
	d.t.Helper()
	d.until(el(testid))
	d.must(d.p.Eval(d.ctx, fmt.Sprintf(`(() => { const e = %s; e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})) })()`, el(testid), value), nil))
}

// fill writes into a field and leaves it.
func (d *desk) fill(testid, text string) {
	d.t.Helper()
	d.until(el(testid) + `.disabled === false`)
	d.must(d.p.Eval(d.ctx, el(testid)+`.focus(), `+el(testid)+`.select()`, nil))
	if text == "" {
		key := browser.KeyEvent{Key: "Backspace", Code: "Backspace", KeyCode: 8}
		d.must(d.p.Tab.Key(d.ctx, key))
		key.Up = true
		d.must(d.p.Tab.Key(d.ctx, key))
	} else {
		d.must(d.p.Tab.InsertText(d.ctx, text))
	}
	d.must(d.p.Eval(d.ctx, el(testid)+`?.blur()`, nil))
}

// settings shows a part of the settings.
func (d *desk) settings(part string) {
	d.t.Helper()
	var shown bool
	d.must(d.p.Eval(d.ctx, `!!`+el("settings"), &shown))
	if !shown {
		d.press("open-settings")
	}
	d.press("tab-" + part)
	d.until(`document.querySelector('[data-part=` + part + `] > :nth-child(2)')`)
}

// shows waits until an element of the panel says all of it.
func (d *desk) shows(testid string, want ...string) {
	d.t.Helper()
	for _, s := range want {
		ctx, cancel := context.WithTimeout(d.ctx, patience)
		err := d.p.Await(ctx, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"]')].some(e => e.innerText.includes(%q))`, testid, s))
		cancel()
		if err != nil {
			d.t.Fatalf("%s does not show %q; the panel shows %s", testid, s, d.evaluated(`document.body.innerText`))
		}
	}
}

// begin sends a task of a new conversation, whose turns are known.
func (d *desk) begin(words string, steps ...standin.Step) {
	d.t.Helper()
	d.fresh()
	d.brain.learn(steps...)
	d.send(words)
}

// send puts words into the box and sends them.
func (d *desk) send(words string) {
	d.t.Helper()
	d.until(el("composer") + `?.disabled === false`)
	d.must(d.p.Send(d.ctx, words))
}

// fresh shows an empty chat.
func (d *desk) fresh() {
	d.t.Helper()
	d.must(d.p.Eval(d.ctx, el("new-chat")+`.click()`, nil))
	d.until(`!` + el("settings") + ` && !` + el("conversations") + ` && ` + el("status") + `.dataset.state === 'idle'`)
}

// done waits for the end of a task, with an answer.
func (d *desk) done(answer string) {
	d.t.Helper()
	d.ended(d.p)
	d.shows("message-agent", answer)
}

// run is begin for a task that ends without a question.
func (d *desk) run(words, answer string, steps ...standin.Step) {
	d.t.Helper()
	d.begin(words, append(steps, finished(answer))...)
	d.done(answer)
}

// config is the settings file as it is.
func (d *desk) config() string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.rig.Dir, "config", "tabwright", "config.yaml"))
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	return string(b)
}

// kept waits until the settings file has a line.
func (d *desk) kept(line string) {
	d.t.Helper()
	d.soon("the settings file has "+line, func() bool { return strings.Contains(d.config(), line) })
}

// soon looks at something outside the browser until it is so.
func (d *desk) soon(what string, ok func() bool) {
	d.t.Helper()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			d.t.Fatalf("never: %s\n%s", what, d.config())
		}
	}
}

// onDisk gives the files of a folder of the rig's that hold some words.
func (d *desk) onDisk(words string, under ...string) (found []string) {
	d.t.Helper()
	for _, dir := range under {
		_ = filepath.WalkDir(filepath.Join(d.rig.Dir, dir), func(path string, e os.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // files come and go
			}
			if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), words) {
				found = append(found, path)
			}
			return nil
		})
	}
	return found
}

// ours are the folders that Tabwright's program writes into.
var ours = []string{"config", "data", "state", "cache", "run"}

// gone waits until nothing on disk has the words any more.
func (d *desk) gone(words string) {
	d.t.Helper()
	d.soon(words+" is gone", func() bool { return len(d.onDisk(words, ours...)) == 0 })
}

// evaluated gives the value of an expression on the panel's page as text.
func (d *desk) evaluated(js string) string {
	d.t.Helper()
	var raw json.RawMessage
	d.must(d.p.Eval(d.ctx, js, &raw))
	var text string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return quotedJSON(text) // in one form, whatever the browser escapes
	}
	return string(raw)
}
