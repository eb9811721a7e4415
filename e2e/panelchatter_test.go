package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/extension"
	"tabwright/host/action/keyboard"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// acts is a site of buttons that say what they do, under acts.test: some of them
// are asked about, one page never comes, and what it was asked for is counted.
type acts struct {
	url string

	mu   sync.Mutex
	hits map[string]int // by path
	slow chan struct{}  // closed once the slow page was asked for
}

const actsPage = `<!doctype html><title>Acts</title><h1>Acts</h1>
<p><a href="/second">Second page</a></p>
<p><button onclick="say('Blue')">Blue</button> <button onclick="say('Green')">Green</button> <output></output></p>
<p><button onclick="fetch('/paid', {method: 'POST'})">Pay $12.90</button></p>
<p><button onclick="fetch('/deleted', {method: 'POST'})">Delete account</button></p>
<form method="post" action="/send"><label>Message <textarea name="message">Thursday at ten</textarea></label><button>Send message</button></form>
<p style="background:#c00;height:200px"></p>
<script>function say(what) { document.querySelector('output').textContent = 'Chosen: ' + what }</script>`

func newActs(t *testing.T) *acts {
	t.Helper()
	a := &acts{hits: map[string]int{}, slow: make(chan struct{})}
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.hits[r.URL.Path]++
		n := a.hits[r.URL.Path]
		a.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/slow":
			if n == 1 {
				close(a.slow)
			}
			select {
			case <-r.Context().Done():
			case <-over:
			}
		case "/second":
			_, _ = io.WriteString(w, `<!doctype html><title>Second</title><h1>The second page</h1>`)
		case "/send":
			fmt.Fprintf(w, `%s<p>Message %d was sent.</p>`, actsPage, n)
		default:
			_, _ = io.WriteString(w, actsPage) // the reader may be gone
		}
	}))
	t.Cleanup(func() { close(over); server.Close() })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	a.url = "http://acts.test:" + port + "/"
	return a
}

func (a *acts) count(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hits[path]
}

// chatter is a desk with that site in the user's tab, beside a model that
// streams slowly enough to be seen, and says when nobody listens any more.
type chatter struct {
	*desk
	acts *acts
	gone chan time.Time
	// other is a page of the extension that is no panel, in a tab that nobody looks at.
	other *browser.Tab
}

// chatTime bounds the whole of the test, which has many parts.
const chatTime = 2 * limit

func newChatter(t *testing.T) *chatter {
	t.Helper()
	brain := &pupil{}
	c := &chatter{gone: make(chan time.Time, 16)}
	model := standin.Options{
		Format: standin.OllamaTools, Delay: 2 * time.Millisecond,
		Brain: standin.BrainFunc(func(conv standin.Conversation) standin.Turn {
			if strings.Contains(conv.Newest(), "budget of this task is used up") { // no turn of a task
				return standin.Turn{Text: "Nobody answered."}
			}
			return brain.Next(conv)
		}),
		Gone: func() {
			select {
			case c.gone <- time.Now():
			default:
			}
		},
	}
	c.desk = &desk{brain: brain, world: newWorldTold(t, nil, model, provider)}
	ctx, cancel := context.WithTimeout(t.Context(), chatTime)
	t.Cleanup(cancel)
	c.ctx = ctx
	c.acts = newActs(t)
	c.visit(c.acts.url)
	p, err := c.rig.OpenSidePanel(c.ctx, c.page)
	c.must(err)
	c.p = p
	c.other = c.behind("chrome-extension://" + extension.ID + "/manifest.json")
	return c
}

// part is desk's; of a part that fails no task is left that the others would wait
// for.
func (c *chatter) part(name string, f func()) {
	c.desk.part(name, func() {
		defer func() {
			if !c.t.Failed() {
				return
			}
			var all wire.TaskList
			c.must(c.p.Call(c.ctx, wire.MethodTaskList, map[string]any{}, &all))
			for _, t := range all.Tasks {
				if t.Text != unanswered {
					_ = c.p.Call(c.ctx, wire.MethodTaskStop, wire.TaskParams{Task: t.Task}, nil) // most have ended
				}
			}
		}()
		f()
	})
}

// behind opens a tab that is not brought to the front.
func (c *chatter) behind(url string) *browser.Tab {
	c.t.Helper()
	info, err := c.rig.Open(c.ctx, url)
	c.must(err)
	c.must(c.rig.Driver.Activate(c.ctx, c.page.ID()))
	return info
}

// asks gives what chrome.* says to a page of the extension that is no panel.
func (c *chatter) asks(js string) string {
	c.t.Helper()
	raw, err := c.other.Evaluate(c.ctx, js)
	c.must(err)
	var s string
	c.must(json.Unmarshal(raw, &s))
	return s
}

// until waits until chrome.* says so.
func (c *chatter) until(js, want string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	got := ""
	for ctx.Err() == nil {
		if got = c.asks(js); got == want {
			return
		}
		c.nap(30)
	}
	c.t.Fatalf("%s is %q, not %q", js, got, want)
}

// nap looks away for some milliseconds.
func (c *chatter) nap(millis int) {
	c.t.Helper()
	_, err := c.page.Evaluate(c.ctx, fmt.Sprintf(`new Promise(done => setTimeout(done, %d))`, millis))
	c.must(err)
}

// soon is Await with patience, for what is a finding where it does not come.
func (c *chatter) soon(js string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if err := c.p.Await(ctx, js); err != nil {
		c.t.Fatalf("%v; the panel shows %s", err, c.shown())
	}
}

// shown is all that the panel says.
func (c *chatter) shown() string {
	c.t.Helper()
	return c.evaluated(`document.querySelector('#app').innerText`)
}

func (c *chatter) inPage(js string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if err := rig.Await(ctx, c.page, js); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chatter) state(want string) {
	c.t.Helper()
	c.soon(el("status") + `.dataset.state === '` + want + `'`)
}

// key presses a key where the panel has the keyboard.
func (c *chatter) key(name string, modifiers int) {
	c.t.Helper()
	chord, err := keyboard.Parse(name, nil)
	c.must(err)
	k := chord.Event(false)
	k.Modifiers = modifiers
	c.must(c.p.Tab.Key(c.ctx, k))
	k.Up = true
	c.must(c.p.Tab.Key(c.ctx, k))
}

// held is a step before which the model thinks until it is let go.
func held(then standin.Step) (step standin.Step, thinks, goOn chan struct{}) {
	thinks, goOn = make(chan struct{}), make(chan struct{})
	return func(o standin.Observation, conv standin.Conversation) standin.Turn {
		close(thinks)
		select {
		case <-goOn:
		case <-time.After(patience):
		}
		return then(o, conv)
	}, thinks, goOn
}

func (c *chatter) reached(ch <-chan struct{}) {
	c.t.Helper()
	select {
	case <-ch:
	case <-time.After(patience):
		c.t.Fatalf("it was not reached; the panel shows %s", c.shown())
	}
}

// heard gives the last message to the model of each request so far.
func (c *chatter) heard() []string {
	var out []string
	for _, r := range c.model.Requests() {
		out = append(out, r.Conversation.Newest())
	}
	return out
}

// look is a step that only looks.
func look() standin.Step { return standin.Do("getElements", map[string]any{}) }
