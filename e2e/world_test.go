// Package e2e drives the whole product as a user does: a real Chromium with
// the real extension, the host started by the browser through native
// messaging, the fixture shop, and stand-in model servers that speak the
// providers' wire formats. Start reading at world.
package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/e2e/rig"
	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/host/browser"
	"tabwright/host/control/client"
)

const (
	task = "find the cheapest blue mug and buy it"
	seed = 4711
)

// limit bounds a whole test; within it everything waits for events.
const limit = 2 * time.Minute

// world is a browser with Tabwright, a shop, and a stand-in model.
type world struct {
	t     *testing.T
	ctx   context.Context
	rig   *rig.Rig
	shop  *shop.Shop
	url   string // of the shop, under a name: http://shop.test:port/
	model *standin.Server
	page  *browser.Tab // the user's tab, in the shop
}

// provider is how Tabwright is told of a stand-in server.
func provider(s *standin.Server) []string {
	return []string{
		"TABWRIGHT_PROVIDER=" + s.Provider(), "TABWRIGHT_BASE_URL=" + s.URL(),
		"TABWRIGHT_MODEL=" + s.Model(), "TABWRIGHT_API_KEY=not-a-real-key",
	}
}

// newWorld starts everything and opens the shop in the user's tab.
func newWorld(t *testing.T, f standin.Format, brain standin.Brain) *world {
	t.Helper()
	return newWorldOf(t, standin.Options{Format: f, Brain: brain})
}

// newWorldOf is newWorld with a model of any kind.
func newWorldOf(t *testing.T, model standin.Options) *world {
	t.Helper()
	return newWorldOn(t, nil, model)
}

// newWorldOn is the same with a window, on a screen.
func newWorldOn(t *testing.T, screen *rig.Screen, model standin.Options) *world {
	t.Helper()
	return newWorldTold(t, screen, model, provider)
}

// newWorldTold is the same where Tabwright is told of the model in another way.
func newWorldTold(t *testing.T, screen *rig.Screen, model standin.Options, tell func(*standin.Server) []string) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, shop: shop.New(seed)}
	server := httptest.NewServer(w.shop.Handler())
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	w.url = "http://shop.test:" + port + "/"
	w.model = standin.New(model)
	w.must(w.model.Err())
	t.Cleanup(w.model.Close)
	env := tell(w.model)
	if screen != nil {
		env = append(env, screen.Env()...)
	}
	w.rig, err = rig.Start(ctx, rig.Options{
		Headless: screen == nil, Env: env,
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.rig.Logs())
			w.shots("failed")
		}
		if err := w.rig.Close(); err != nil {
			t.Error(err)
		}
	})
	w.page, err = w.rig.Open(ctx, w.url)
	w.must(err)
	w.must(rig.Await(ctx, w.page, `document.readyState === 'complete' && location.href !== 'about:blank'`))
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// panel opens the side panel's page.
func (w *world) panel() *rig.Panel {
	w.t.Helper()
	p, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	return p
}

// out is where the pictures of a test go.
func out(t *testing.T) string {
	dir := filepath.Join(rig.Root(), "e2e", "out")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shots saves what a user would see now.
func (w *world) shots(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	base := filepath.Join(out(w.t), strings.ReplaceAll(w.t.Name(), "/", "-")+"-"+name)
	tabs, err := w.rig.Driver.Tabs(ctx)
	if err != nil {
		w.t.Log("tabs:", err)
		return
	}
	for i, info := range tabs {
		tab, err := w.rig.Driver.Attach(ctx, info.ID)
		if err == nil {
			err = rig.Screenshot(ctx, tab, fmt.Sprintf("%s-%d.png", base, i))
		}
		w.t.Log(i, info.URL, err)
	}
}

// paid checks the verdict: the shop's own record of orders.
func (w *world) paid() {
	w.t.Helper()
	orders := w.shop.Orders()
	if len(orders) != 1 {
		w.t.Fatalf("%d orders, want one: %+v", len(orders), orders)
	}
	o, want := orders[0], w.shop.Cheapest()
	if o.Status != shop.StatusPaid || len(o.Lines) != 1 || o.Lines[0].ProductID != want.ID || o.Lines[0].Quantity != 1 {
		w.t.Errorf("bought %+v, want one %q", o, want.Name)
	}
}

func (w *world) nothingBought() {
	w.t.Helper()
	if orders := w.shop.Orders(); len(orders) != 0 {
		w.t.Errorf("something was bought: %+v", orders)
	}
}

// gate lets a brain answer until its nth turn, then holds it until opened: the
// tests stop, close and reload things exactly there.
type gate struct {
	standin.Brain
	at      int
	reached chan struct{}
	open    chan struct{}

	mu    sync.Mutex
	turns int
}

func newGate(at int) *gate {
	return &gate{Brain: standin.NewShopper(), at: at, reached: make(chan struct{}), open: make(chan struct{})}
}

// Next is standin.Brain's.
func (g *gate) Next(c standin.Conversation) standin.Turn {
	g.mu.Lock()
	g.turns++
	n := g.turns
	g.mu.Unlock()
	if n == g.at {
		close(g.reached)
		select {
		case <-g.open:
		case <-time.After(limit):
		}
	}
	return g.Brain.Next(c)
}

func (w *world) await(g *gate) {
	w.t.Helper()
	select {
	case <-g.reached:
	case <-w.ctx.Done():
		w.t.Fatal("the model was not asked that often")
	}
}

// joinBroker connects to the broker of a rig as a program does.
func joinBroker(ctx context.Context, r *rig.Rig) (*client.Client, error) {
	nc, err := net.Dial("unix", filepath.Join(r.Dir, "run", "broker.sock"))
	if err != nil {
		return nil, err
	}
	return client.New(ctx, nc, "test", zerolog.Nop())
}

// inTheMiddle begins the task in the panel of a new world, and holds the model
// at its nth request.
func inTheMiddle(t *testing.T, n int) (*world, *gate, *rig.Panel) {
	t.Helper()
	g := newGate(n)
	w := newWorld(t, standin.OllamaTools, g)
	p := w.panel()
	w.must(p.Send(w.ctx, task))
	w.await(g)
	return w, g, p
}

// buys allows the card that comes, and sees to it that one order came of it.
func (w *world) buys(p *rig.Panel) {
	w.t.Helper()
	w.card(p)
	w.must(p.Allow(w.ctx))
	w.ended(p)
	w.paid()
}

// Expressions on the panel's page.
const (
	cardOpen = `document.querySelector('[data-testid=confirm-card] [data-testid=confirm-allow], [data-testid=confirm-allow]')`
	over     = `['done', 'failed', 'cancelled'].includes(document.querySelector('[data-testid=status]').dataset.state)`
)

// ended waits until the panel shows a task that has ended.
func (w *world) ended(p *rig.Panel) {
	w.t.Helper()
	w.must(p.Await(w.ctx, over))
}

// texts gives what the panel shows under a data-testid.
func (w *world) texts(p *rig.Panel, testid string) []string {
	w.t.Helper()
	ts, err := p.Text(w.ctx, testid)
	w.must(err)
	return ts
}

func (w *world) hasText(p *rig.Panel, testid string, want ...string) {
	w.t.Helper()
	got := strings.Join(w.texts(p, testid), "\n")
	for _, s := range want {
		if !strings.Contains(got, s) {
			w.t.Errorf("%s does not show %q; it shows:\n%s", testid, s, got)
		}
	}
}
