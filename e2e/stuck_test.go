package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

// doorCode is what the model of the test types into a field for passwords.
const doorCode = "hunter2-pass"

// stubborn presses what does nothing until its user has a word.
type stubborn struct {
	mu    sync.Mutex
	turns []string // what was asked: the first message and the newest of each request
	word  int      // requests that held the user's word
	edits *hold    // at the third request
	shown *hold    // when the other list is shown: a picture of it is taken while the model thinks
}

// hold keeps a model thinking until the test lets it go on.
type hold struct{ thinks, goOn chan struct{} }

func newHold() *hold { return &hold{thinks: make(chan struct{}), goOn: make(chan struct{})} }

func (h *hold) here() {
	close(h.thinks)
	select {
	case <-h.goOn:
	case <-time.After(limit):
	}
}

// reached waits until the model thinks.
func (h *hold) reached(w *world) {
	w.t.Helper()
	select {
	case <-h.thinks:
	case <-w.ctx.Done():
		w.t.Fatal("the model was not asked that often")
	}
}

func (b *stubborn) Next(conv standin.Conversation) standin.Turn {
	b.mu.Lock()
	b.turns = append(b.turns, conv.Messages[0].Text+"\n"+conv.Newest())
	n, later := len(b.turns), 0
	if strings.Contains(b.turns[n-1], "Use the other list.") {
		b.word++
		later = b.word
	}
	b.mu.Unlock()
	o := standin.Observe(conv)
	switch later {
	case 1:
		return standin.Click("button", "Show the other list")(o, conv)
	case 2:
		b.shown.here()
		return standin.On("type", map[string]any{"text": doorCode}, "textbox", "Door code")(o, conv)
	case 3:
		return standin.Click("button", "Delete the list")(o, conv)
	case 4:
		return standin.Do("done", map[string]any{"success": true, "answer": "The plate is the cheapest.", "not_done": "deleting the list: you denied it"})(o, conv)
	}
	press := standin.Click("button", "Refresh prices")
	with := func(text string, plan ...string) standin.Turn {
		turn := press(o, conv)
		turn.Text, turn.Plan = text+turn.Text, plan
		return turn
	}
	switch n {
	case 1:
		return with("", "refresh the prices", "tell the cheapest")
	case 2:
		return with("There are no prices here. ", "look at the archive", "tell the cheapest")
	case 3:
		b.edits.here()
	}
	return with("")
}

// turn is what the nth request said.
func (b *stubborn) turn(n int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > len(b.turns) {
		return ""
	}
	return b.turns[n-1]
}

// taken is how many requests there were.
func (b *stubborn) taken() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.turns)
}

const pricesPage = `<!doctype html><title>Prices</title><h1>Prices</h1>
	<button>Refresh prices</button><button onclick="document.querySelector('output').textContent='Plate, cup, mug'">Show the other list</button><output></output>
	<label>Door code <input type="password"></label>
	<form method="post" action="/delete"><button>Delete the list</button></form>
	<p style="background:#06c;height:300px"></p>`

// A plan is revised by what the page shows and edited by the user in the panel,
// which the model reads with its next request. A model that does the same again
// and again is pointed to other ways, then the user is asked in the panel; with
// their word it goes on to the end. The trace tells all of it on one page.
func TestAStuckTaskAsksAndItsTraceTells(t *testing.T) {
	brain := &stubborn{edits: newHold(), shown: newHold()}
	w := newWorld(t, standin.OllamaTools, brain)
	deleted := false
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		deleted = deleted || r.Method == http.MethodPost
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, pricesPage)
	}))
	t.Cleanup(site.Close)
	url := strings.Replace(site.URL, "127.0.0.1", "prices.test", 1)
	p := w.panel()
	_, err := cdp.Call(w.ctx, w.page.Session(), page.Navigate, page.NavigateParams{URL: url + "/"})
	w.must(err)
	w.must(rig.Await(w.ctx, w.page, `document.title === 'Prices'`))
	w.must(p.Send(w.ctx, "Which thing is the cheapest here?"))

	// Revised: what the page proved wrong is struck out. Then edited by the user.
	const plan = `[...document.querySelectorAll('[data-testid=plan-step]')].map(e => e.dataset.state + ' ' + e.textContent).join('|')`
	w.must(p.Await(w.ctx, `/^dropped .*refresh the prices.*\|doing .*look at the archive.*\|todo .*tell the cheapest/.test(`+plan+`)`))
	brain.edits.reached(w)
	w.must(p.Click(w.ctx, "plan-edit"))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=plan-editor]')`))
	w.must(p.Click(w.ctx, "plan-add"))
	const line = `[...document.querySelectorAll('[data-testid=plan-line]')].at(-1)`
	w.must(p.Await(w.ctx, line+`.value === ''`))
	w.must(p.Eval(w.ctx, line+`.focus()`, nil))
	w.must(p.Tab.InsertText(w.ctx, "ask for a bill"))
	w.must(p.Click(w.ctx, "plan-save"))
	w.must(p.Await(w.ctx, `/todo .*ask for a bill/.test(`+plan+`)`))
	close(brain.edits.goOn)

	// Stuck: another way is named first, then the user is asked.
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=ask]')`))
	w.hasText(p, "ask", "I'm stuck", "Refresh prices")
	asked := brain.taken()
	if asked < 6 || asked > 8 { // the first look is at a page without the focus on its button
		t.Errorf("the user was asked after %d turns", asked)
	}
	if got := brain.turn(4); !strings.Contains(got, "The user changed the plan") || !strings.Contains(got, "ask for a bill") {
		t.Errorf("the next request does not tell of the edit:\n%s", got)
	}
	named := false
	for n := range asked {
		named = named || strings.Contains(brain.turn(n+1), "Try another way; not tried here yet: scroll")
	}
	if !named {
		t.Errorf("no other way is named:\n%s", brain.turn(asked))
	}
	w.shots("stuck")
	w.must(p.Send(w.ctx, "Use the other list."))
	brain.shown.reached(w)
	client, err := joinBroker(w.ctx, w.rig)
	w.must(err)
	t.Cleanup(func() { _ = client.Close() })
	var list wire.TaskList
	w.must(client.Call(w.ctx, wire.MethodTaskList, wire.Empty{}, &list))
	w.picture(p, wire.StepRef{Task: list.Tasks[0].Task, Step: asked + 1})
	close(brain.shown.goOn)
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=confirm-card]')?.innerText.includes('Door code')`))
	w.must(p.Allow(w.ctx))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=confirm-card]')?.innerText.includes('Delete the list')`))
	w.must(p.Deny(w.ctx))
	w.ended(p)
	w.hasText(p, "message-agent", "The plate is the cheapest.")
	if n := brain.taken(); n != asked+4 { // it stays with the model: else it goes back to what it did
		t.Errorf("%d turns, %d of them before the user's word", n, asked)
	}
	if deleted {
		t.Error("what was denied was done")
	}
	w.trace(list.Tasks[0].Task, brain.taken())
}

// trace has the command write a task's trace, opens that in the browser and looks
// for all that it is to tell.
func (w *world) trace(task string, turns int) {
	w.t.Helper()
	file := filepath.Join(out(w.t), w.t.Name()+"-trace.html")
	if said, err := w.rig.Command(w.ctx, "trace", task, "--html", file).CombinedOutput(); err != nil {
		w.t.Fatalf("%v %s", err, said)
	}
	html := read(w.t, file)
	for _, secret := range []string{doorCode, "not-a-real-key"} {
		if strings.Contains(html, secret) {
			w.t.Errorf("the trace has the secret %q", secret)
		}
	}
	shown, err := w.rig.Open(w.ctx, "file://"+file)
	w.must(err)
	w.must(rig.Await(w.ctx, shown, `document.readyState === 'complete' && document.querySelector('.item')`))
	raw, err := shown.Evaluate(w.ctx, `(() => {
		const text = (q) => [...document.querySelectorAll(q)].map(e => e.textContent.replace(/\s+/g, ' ').trim());
		return {Facts: text('.facts')[0], Steps: text('.tool_result .line'), Kinds: text('.tool_result .kind'), Saw: text('.saw'), Said: text('.said'), Calls: text('.calls'),
			Gate: text('tbody tr'), Asked: text('.ask .text, .said .text'), Plans: text('.plan'), Title: text('h1')[0],
			Pictures: [...document.images].map(i => i.src.slice(0, 11) + (i.naturalWidth > 0)),
			Outside: [...document.querySelectorAll('[src], [href], script, link, iframe, object')].filter(e => !(e.getAttribute('src') ?? '').startsWith('data:image/')).length,
			Fetched: performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).map(e => e.name)};
	})()`)
	w.must(err)
	var got struct {
		Facts, Title                                string
		Steps, Kinds, Saw, Said, Calls, Gate, Plans []string
		Asked, Pictures, Fetched                    []string
		Outside                                     int
	}
	w.must(json.Unmarshal(raw, &got))
	if got.Outside != 0 || len(got.Fetched) != 0 {
		w.t.Errorf("%d elements lead outside, fetched %v", got.Outside, got.Fetched)
	}
	if !regexp.MustCompile(`done.*[1-9]\d* steps ?[0-9hm.]+s .*[1-9]\d* tokens read, [1-9]\d* written`).MatchString(got.Facts) || !strings.Contains(got.Title, "the cheapest here") {
		w.t.Errorf("%s: %s", got.Title, got.Facts)
	}
	if len(got.Steps) != turns || len(got.Saw) != turns || len(got.Calls) != turns || len(got.Pictures) == 0 {
		w.t.Errorf("%d turns, %d steps, %d looks, %d calls, %d pictures", turns, len(got.Steps), len(got.Saw), len(got.Calls), len(got.Pictures))
	}
	for _, picture := range got.Pictures {
		if picture != "data:image/true" {
			w.t.Errorf("a picture %q", picture)
		}
	}
	for what, c := range map[string]struct {
		in   []string
		want []string
	}{
		"steps":          {got.Steps, []string{`Clicked "Refresh prices"`, `Clicked "Show the other list"`, "Door code"}},
		"time of steps":  {got.Kinds, []string{" ms", "gate: confirm", "denied"}},
		"what it saw":    {got.Saw, []string{`button "Refresh prices"`, "Plate, cup, mug", "not tried here yet"}},
		"what it said":   {got.Said, []string{"I use button Refresh prices.", "There are no prices here."}},
		"what it called": {got.Calls, []string{"click", "Door code|type", "The plate is the cheapest."}},
		"the gate":       {got.Gate, []string{"Door code.*allow \\(panel\\)", "Delete the list.*deny \\(panel\\)"}},
		"plans":          {got.Plans, []string{"dropped ?refresh the prices", "ask for a bill"}},
		"the user asked": {got.Asked, []string{"I'm stuck", "Use the other list\\."}},
	} {
		all := strings.Join(c.in, "\n")
		for _, want := range c.want {
			if !regexp.MustCompile(want).MatchString(all) {
				w.t.Errorf("%s: no %q in\n%s", what, want, all)
			}
		}
	}
}
