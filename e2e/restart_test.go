package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

// The ways a browser ends under a task.
func (w *world) killBrowser() {
	w.t.Helper()
	w.must(syscall.Kill(-w.rig.Browser.PID(), syscall.SIGKILL))
	<-w.rig.Browser.Done() // the kernel sees to it
}

func (w *world) quitBrowser() {
	w.t.Helper()
	w.must(w.rig.Quit(w.ctx))
}

// again starts the browser anew and gives a panel in it, which shows the task of
// before as interrupted.
func (w *world) again() *rig.Panel {
	w.t.Helper()
	w.must(w.rig.Again(w.ctx))
	p := w.panel()
	w.must(p.Await(w.ctx, interrupted+` && document.querySelector('[data-testid=resume]:enabled')`))
	return p
}

// turnstile lets a gate be put before a brain again and again.
type turnstile struct {
	mu   sync.Mutex
	now  standin.Brain
	last standin.Brain
}

// Next is standin.Brain's.
func (b *turnstile) Next(c standin.Conversation) standin.Turn {
	b.mu.Lock()
	now := b.now
	b.mu.Unlock()
	return now.Next(c)
}

func (b *turnstile) hold(n int) *gate {
	g := newGate(n)
	g.Brain = b.last
	b.mu.Lock()
	b.now = g
	b.mu.Unlock()
	return g
}

// The browser ends under a task, is started again with the same profile, and the
// task is offered in the panel and goes on: killed in the middle, quit while the
// user has it paused, and both while a card is open, which is void afterwards.
// One order comes of it all.
func TestBrowserStartedAgain(t *testing.T) {
	brain := &turnstile{last: standin.NewShopper()}
	g := brain.hold(4)
	w := newWorld(t, standin.OllamaTools, brain)
	p := w.panel()
	w.must(p.Send(w.ctx, task))
	paused := func() {
		w.must(p.Click(w.ctx, "pause"))
		close(g.open)
		w.must(p.Await(w.ctx, `document.querySelector('[data-testid=status]').dataset.state === 'paused'`))
		w.quitBrowser()
	}
	for _, end := range []func(){func() { w.killBrowser(); close(g.open) }, paused} {
		w.await(g)
		shown, at := len(w.texts(p, "step")), w.pages()
		end()
		first := brain.hold(1)
		p = w.again()
		w.steps(p, shown)
		w.must(p.Click(w.ctx, "resume"))
		w.await(first)
		if now := w.pages(); !slices.Equal(now, at) {
			t.Errorf("the task was at %q and goes on at %q", at, now)
		}
		g = brain.hold(3)
		close(first.open)
	}
	close(g.open)
	for i, end := range []func(){w.quitBrowser, w.killBrowser} {
		w.card(p)
		shown := len(w.texts(p, "step"))
		end()
		p = w.again()
		w.steps(p, shown)
		w.voidCards(p, i+1)
		w.nothingBought()
		w.must(p.Click(w.ctx, "resume"))
	}
	w.buys(p)
	w.voidCards(p, 2)

	var told []string
	for _, e := range w.record() {
		switch e.Type {
		case wire.EvInterrupted, wire.EvResumed, wire.EvComplete:
			told = append(told, string(e.Type))
		case wire.EvConfirmResult:
			told = append(told, e.Confirm.Answer+" by "+e.Confirm.By)
		default:
		}
	}
	want := []string{
		"interrupted", "resumed", "interrupted", "resumed", "void by restart", "interrupted", "resumed",
		"void by restart", "interrupted", "resumed", "allow by panel", "complete",
	}
	if !slices.Equal(told, want) {
		t.Errorf("the journal has %q", told)
	}
}

// pages are the addresses of the site's pages in the browser's tabs.
func (w *world) pages() (urls []string) {
	w.t.Helper()
	tabs, err := w.rig.Driver.Tabs(w.ctx)
	w.must(err)
	for _, tab := range tabs {
		if strings.HasPrefix(tab.URL, "http") {
			urls = append(urls, tab.URL)
		}
	}
	slices.Sort(urls)
	return urls
}

// steps waits until as many steps as were shown before stand there again.
func (w *world) steps(p *rig.Panel, shown int) {
	w.t.Helper()
	if shown == 0 {
		w.t.Error("no step was shown")
	}
	w.must(p.Await(w.ctx, `document.querySelectorAll('[data-testid=step]').length >= `+strconv.Itoa(shown)))
}

// voidCards checks that so many cards are void, and none of them can be answered.
func (w *world) voidCards(p *rig.Panel, n int) {
	w.t.Helper()
	var void, open int
	w.must(p.Eval(w.ctx, `document.querySelectorAll('[data-testid=confirm-answered][data-answer=void]').length`, &void))
	w.must(p.Eval(w.ctx, `document.querySelectorAll('[data-testid=confirm-allow]').length`, &open))
	if void != n || open != 0 {
		w.t.Errorf("%d cards are void, want %d; %d can be answered", void, n, open)
	}
}

// record gives the events of the newest task, which is done.
func (w *world) record() (all []wire.Event) {
	w.t.Helper()
	c, err := joinBroker(w.ctx, w.rig)
	w.must(err)
	defer c.Close()
	var list wire.TaskList
	w.must(c.Call(w.ctx, wire.MethodTaskList, wire.Empty{}, &list))
	from := wire.SubscribeParams{Task: list.Tasks[0].Task}
	for len(all) == 0 || all[len(all)-1].Type != wire.EvComplete {
		_, err := c.FollowFrom(w.ctx, from, func(e wire.Event) {
			if e.Seq > from.Seq {
				all, from.Seq = append(all, e), e.Seq
			}
		}, nil)
		w.must(err)
	}
	return all
}

// The browser ends while it sends a form, so that nobody hears what came of
// it. When the task is resumed the page is looked at first: what it shows as
// done is not done again, and where it shows nothing the user is asked.
func TestBrowserEndsAroundASubmit(t *testing.T) {
	t.Setenv("TABWRIGHT_VALIDATOR", "off")
	w := newWorld(t, standin.OllamaTools, &hasty{clerk{done: map[string]bool{}}, map[string]int{}})
	site := &deadly{ledger: &ledger{sent: map[string]int{}}}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	w.must(err)
	for _, c := range []struct {
		kind, run string
		end       func()
	}{{tells, "0", w.killBrowser}, {silent, "1", w.killBrowser}, {silent, "2", w.quitBrowser}} {
		from := entry{c.kind, c.run, entries - 1}
		url := "http://ledger.test:" + port + from.path()
		page, err := w.rig.Open(w.ctx, url)
		w.must(err)
		w.must(rig.Await(w.ctx, page, `document.querySelector('form')`))
		p := w.panel()
		_ = p.Click(w.ctx, "new-chat")
		site.arm(c.end)
		w.must(p.Send(w.ctx, "Save each of the entries at "+url+", one after the other."))
		select {
		case <-w.rig.Browser.Done():
		case <-w.ctx.Done():
			t.Fatal("no form was sent")
		}
		p = w.again()
		w.must(p.Click(w.ctx, "resume"))
		if c.kind == silent {
			w.must(p.Await(w.ctx, cardOpen))
			w.hasText(p, "confirm-card", "Save entry 9")
			w.must(p.Deny(w.ctx))
			// The next entry is like the one in doubt, so it is asked once more.
			w.must(p.Await(w.ctx, `document.querySelector('[data-testid=confirm-card]')?.innerText.includes('/`+c.run+`/10')`))
			w.must(p.Allow(w.ctx))
		}
		w.ended(p)
		for n := entries - 1; n <= entries; n++ {
			if got := site.ledger.count(entry{c.kind, c.run, n}.path()); got != 1 {
				t.Errorf("%s %s, entry %d was sent %d times", c.kind, c.run, n, got)
			}
		}
	}
}

// hasty is a clerk that sends a silent entry once more when it is resumed,
// whatever it was told, and heeds the user's no only.
type hasty struct {
	clerk
	sent map[string]int // by run
}

// Next is standin.Brain's.
func (h *hasty) Next(c standin.Conversation) standin.Turn {
	o := standin.Observe(c)
	_, path, _ := strings.Cut(strings.TrimPrefix(o.URL, "http://"), "/")
	e, at := entryOf(path)
	if b, ok := o.Find("button", "Save entry"); ok && at && slices.Contains(c.Tools, "browser_action") && e.kind == silent && e.n < entries {
		if h.sent[e.run]++; h.sent[e.run] <= 2 {
			return call("click", map[string]any{"index": b.Index})
		}
		h.done[e.path()] = true
	}
	return h.clerk.Next(c)
}

// deadly is a ledger that ends the browser once, when a form has arrived.
type deadly struct {
	ledger *ledger

	mu  sync.Mutex
	end func()
}

func (d *deadly) arm(end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.end = end
}

func (d *deadly) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var end func()
	if r.Method == http.MethodPost {
		d.mu.Lock()
		end, d.end = d.end, nil
		d.mu.Unlock()
	}
	if end == nil {
		d.ledger.ServeHTTP(rw, r)
		return
	}
	d.ledger.ServeHTTP(httptest.NewRecorder(), r) // it counts, and nobody hears of it
	end()
	<-r.Context().Done()
}
