package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/extension"
	"tabwright/host/browser"
)

// window is a world with a window on a screen, used with a keyboard and a mouse
// that are outside the browser: nothing of it goes through DevTools.
type window struct {
	*world
	screen *rig.Screen
}

func newWindow(t *testing.T, brain standin.Brain) *window {
	t.Helper()
	s := rig.TestScreen(t)
	w := &window{newWorldOn(t, s, standin.Options{Format: standin.OllamaTools, Brain: brain}), s}
	w.must(rig.Await(w.ctx, w.page, `document.hasFocus()`))
	return w
}

// picture saves the whole screen where TABWRIGHT_SHOTS names a folder, to be
// looked at: no DevTools shows menus and notifications.
func (w *window) picture(name string) {
	w.t.Helper()
	if dir := os.Getenv("TABWRIGHT_SHOTS"); dir != "" {
		w.must(w.screen.Picture(w.ctx, filepath.Join(dir, w.t.Name()+"-"+name+".png")))
	}
}

// at is the middle of the words in an element of the user's page, on the screen.
func (w *window) at(selector string) (x, y float64) {
	w.t.Helper()
	raw, err := w.page.Evaluate(w.ctx, `(() => { const s = document.createRange(); s.selectNodeContents(document.querySelector('`+selector+`'));
		const r = s.getBoundingClientRect(); return [screenX + r.x + r.width / 2, screenY + outerHeight - innerHeight + r.y + r.height / 2] })()`)
	w.must(err)
	var p [2]float64
	w.must(json.Unmarshal(raw, &p))
	return p[0], p[1]
}

// closed waits until no side panel is there any more.
func (w *window) closed(p *rig.Panel) {
	w.t.Helper()
	w.wait("the panel closes", func(ctx context.Context) bool {
		_, err := p.Tab.Evaluate(ctx, `1`)
		return err != nil
	})
}

// wait looks again until it is so.
func (w *window) wait(what string, ok func(context.Context) bool) {
	w.t.Helper()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		if ok(w.ctx) {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-w.ctx.Done():
			w.t.Fatal("never: " + what)
		}
	}
}

// ask asks chrome.* from a page of the extension that is no panel.
func (w *window) ask(page *browser.Tab, js string) string {
	w.t.Helper()
	raw, err := page.Evaluate(w.ctx, js)
	w.must(err)
	var s string
	w.must(json.Unmarshal(raw, &s))
	return s
}

// A user's keyboard and mouse: the shortcut opens the panel and closes it; the
// page's context menu brings what is selected; Enter sends; with the panel
// closed the toolbar's button counts the question and a notification says it,
// and a click on that leads to the card; Tab and Space allow it.
func TestKeyboardAndMouse(t *testing.T) {
	g := newGate(3)
	w := newWindow(t, g)
	shortcut := func() { t.Helper(); w.must(w.screen.Key(w.ctx, "ctrl+shift+y")) }
	// A page of the extension that is no panel, behind the shop.
	other, err := w.rig.Open(w.ctx, "chrome-extension://"+extension.ID+"/manifest.json")
	w.must(err)
	const opens = `chrome.sidePanel.getPanelBehavior().then(b => String(b.openPanelOnActionClick))`
	w.wait("the button opens the panel", func(context.Context) bool { return w.ask(other, opens) == "true" })
	w.must(w.rig.Driver.Activate(w.ctx, w.page.ID()))
	w.must(rig.Await(w.ctx, w.page, `document.hasFocus()`))

	shortcut()
	p, err := w.rig.AwaitSidePanel(w.ctx)
	w.must(err)
	w.must(p.Await(w.ctx, `document.activeElement.matches('[data-testid=composer]')`))
	w.picture("shortcut")
	shortcut()
	w.closed(p)

	x, y := w.at("h1")
	w.must(w.screen.Click(w.ctx, x, y, 1, 3))
	w.must(rig.Await(w.ctx, w.page, `getSelection().toString().trim() === 'All our things'`))
	w.must(w.screen.Click(w.ctx, x, y, 3, 1))
	// The menu is a window of its own; its entry is the one that begins with A.
	_, _, err = w.screen.Popup(w.ctx, 600)
	w.must(err)
	w.picture("menu")
	w.must(w.screen.Key(w.ctx, "a"))
	p, err = w.rig.AwaitSidePanel(w.ctx)
	w.must(err)
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=chip]') && document.activeElement.matches('[data-testid=composer]:enabled')`))
	w.hasText(p, "chip", "All our things")
	w.must(w.screen.Type(w.ctx, task))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=composer]').value === '`+task+`'`))
	w.must(w.screen.Key(w.ctx, "Return"))
	w.await(g)
	shortcut()
	w.closed(p)

	// Another tab is in front when the question comes.
	w.must(w.rig.Driver.Activate(w.ctx, other.ID()))
	close(g.open)
	const badge = `chrome.action.getBadgeText({})`
	w.wait("a badge", func(context.Context) bool { return w.ask(other, badge) == "1" })
	w.nothingBought()
	w.picture("notified")
	p = w.clickNotification()
	w.card(p)
	w.must(rig.Await(w.ctx, w.page, `document.visibilityState === 'visible'`))
	w.wait("no badge", func(context.Context) bool { return w.ask(other, badge) == "" })
	w.must(p.Await(w.ctx, `document.activeElement.matches('[data-testid=confirm-card][data-armed=true]')`))
	w.picture("card")
	w.must(w.screen.Key(w.ctx, "Return")) // allows nothing
	w.must(w.screen.Key(w.ctx, "Tab"))
	w.must(p.Await(w.ctx, `document.activeElement.matches('[data-testid=confirm-card] button')`))
	w.nothingBought()
	for n := 0; n < 4 && !w.allowFocused(p); n++ {
		w.must(w.screen.Key(w.ctx, "Tab"))
	}
	w.must(w.screen.Key(w.ctx, "space"))
	w.ended(p)
	w.paid()
}

// clickNotification clicks the notification that shows until a panel opens: one
// that is just sliding in hears no click.
func (w *window) clickNotification() *rig.Panel {
	w.t.Helper()
	for {
		x, y, err := w.screen.Popup(w.ctx, 500)
		w.must(err)
		w.must(w.screen.Click(w.ctx, x, y, 1, 1))
		look, cancel := context.WithTimeout(w.ctx, 3*time.Second)
		p, err := w.rig.AwaitSidePanel(look)
		cancel()
		if err == nil {
			return p
		}
		w.t.Log("once more:", err)
	}
}

func (w *window) allowFocused(p *rig.Panel) (yes bool) {
	w.t.Helper()
	w.must(p.Eval(w.ctx, `document.activeElement.matches('[data-testid=confirm-allow]')`, &yes))
	return yes
}
