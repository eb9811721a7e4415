package rig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/extensions"
	"github.com/chromedp/cdproto/target"

	"tabwright/extension"
	"tabwright/host/browser"
)

// Panel is the side panel's page, driven as a user would: by real clicks and
// keys.
type Panel struct {
	Tab *browser.Tab
	rig *Rig
}

// PanelURL is the side panel's page. With a tab's id the panel works in that
// tab instead of the one beside it.
func PanelURL(tab string) string {
	u := "chrome-extension://" + extension.ID + "/panel.html"
	if tab != "" {
		u += "?tab=" + tab
	}
	return u
}

// OpenPanel opens the panel's page in a tab, 360 px wide, and waits until it
// is connected.
func (r *Rig) OpenPanel(ctx context.Context) (*Panel, error) {
	p, err := r.OpenPanelPage(ctx)
	if err != nil {
		return nil, err
	}
	return p, p.Await(ctx, connected)
}

// OpenPanelPage is OpenPanel without the wait for the host.
func (r *Rig) OpenPanelPage(ctx context.Context) (*Panel, error) {
	t, err := r.panelTab(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the panel: %w", err)
	}
	p := &Panel{Tab: t, rig: r}
	return p, p.Resize(ctx, 360, 800)
}

// panelTab opens the panel's page; while the extension reloads itself, Chrome
// blocks its pages, and it is opened again.
func (r *Rig) panelTab(ctx context.Context) (*browser.Tab, error) {
	for {
		t, err := r.Open(ctx, PanelURL(""))
		if err != nil {
			return nil, err
		}
		look, cancel := context.WithTimeout(ctx, time.Second)
		err = Await(look, t, `document.querySelector('#app')`)
		cancel()
		if err == nil || ctx.Err() != nil {
			return t, err
		}
		if err := r.Driver.CloseTab(ctx, t.ID()); err != nil {
			return nil, err
		}
	}
}

// OpenSidePanel clicks Tabwright's button in the toolbar while page is in
// front, as a user does, and gives the real side panel that opens.
func (r *Rig) OpenSidePanel(ctx context.Context, page *browser.Tab) (*Panel, error) {
	b := r.Driver.Browser()
	// The button belongs to a tab, which is a target of its own around the page.
	tabs, err := cdp.Call(ctx, b, target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{Type: "tab"}}})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(tabs.TargetInfos, func(t *target.Info) bool { return t.URL == page.URL() })
	if i < 0 {
		return nil, fmt.Errorf("no tab shows %s", page.URL())
	}
	// The same page in a tab, which may be closing just now, is not it.
	old, err := r.panelTargets(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, panelTime)
	defer cancel()
	// A click before the service worker has said that the button opens the panel
	// does nothing, so it is clicked again; one after it is open closes it, so that
	// each look takes longer than the one before.
	for wait := 2 * time.Second; ctx.Err() == nil; wait *= 2 {
		_, err = cdp.Call(ctx, b, extensions.TriggerAction, extensions.TriggerActionParams{
			ID: extension.ID, TargetID: string(tabs.TargetInfos[i].TargetID),
		})
		if err != nil {
			return nil, fmt.Errorf("click the toolbar button: %w", err)
		}
		look, cancel := context.WithTimeout(ctx, wait)
		tab := r.sidePanel(look, old)
		cancel()
		if tab != nil {
			p := &Panel{Tab: tab, rig: r}
			return p, p.Await(ctx, connected)
		}
	}
	return nil, fmt.Errorf("the side panel did not open: %w", ctx.Err())
}

// panelTime bounds how long the side panel may take to open and connect.
const panelTime = time.Minute

// AwaitSidePanel returns the real side panel, once it is connected, if the test opened it
// in another way than OpenSidePanel.
func (r *Rig) AwaitSidePanel(ctx context.Context) (*Panel, error) {
	look, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	tab := r.sidePanel(look, nil)
	if tab == nil {
		return nil, fmt.Errorf("the side panel did not open: %w", look.Err())
	}
	p := &Panel{Tab: tab, rig: r}
	return p, p.Await(ctx, connected)
}

// panelTargets are the pages that show the panel.
func (r *Rig) panelTargets(ctx context.Context) ([]browser.TabID, error) {
	pages, err := cdp.Call(ctx, r.Driver.Browser(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, err
	}
	var out []browser.TabID
	for _, t := range pages.TargetInfos {
		if t.Type == "page" && t.URL == PanelURL("") {
			out = append(out, browser.TabID(t.TargetID))
		}
	}
	return out, nil
}

// sidePanel waits for a panel that is not among the old ones until ctx ends.
func (r *Rig) sidePanel(ctx context.Context, old []browser.TabID) *browser.Tab {
	for {
		all, err := r.panelTargets(ctx)
		if err != nil {
			return nil
		}
		for _, id := range all {
			if slices.Contains(old, id) {
				continue
			}
			if tab, err := r.Driver.Attach(ctx, id); err == nil {
				return tab
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil
		}
	}
}

const connected = `document.querySelector('[data-testid=status]')?.dataset.phase === 'ready'`

// Resize gives the page a size in CSS pixels, whatever the window's is.
func (p *Panel) Resize(ctx context.Context, width, height int64) error {
	_, err := cdp.Call(ctx, p.Tab.Session(), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 2,
	})
	return err
}

// Dark shows the page in dark colours, or light ones.
func (p *Panel) Dark(ctx context.Context, dark bool) error {
	value := "light"
	if dark {
		value = "dark"
	}
	_, err := cdp.Call(ctx, p.Tab.Session(), emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}},
	})
	return err
}

// Close closes the panel.
func (p *Panel) Close(ctx context.Context) error { return p.rig.Driver.CloseTab(ctx, p.Tab.ID()) }

// Eval evaluates an expression in the panel's page into out.
func (p *Panel) Eval(ctx context.Context, js string, out any) error {
	raw, err := p.Tab.Evaluate(ctx, js)
	if err != nil {
		return fmt.Errorf("%s: %w", js, err)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// Await waits until an expression is true; ctx bounds it.
func (p *Panel) Await(ctx context.Context, js string) error {
	return Await(ctx, p.Tab, js)
}

// Await waits until an expression is true in a tab's page. The page itself
// looks at every animation frame, or every 50 ms where frames stand still.
func Await(ctx context.Context, t *browser.Tab, js string) error {
	wait := fmt.Sprintf(`new Promise(done => {
		const look = () => { let ok = false; try { ok = !!(%s) } catch {} if (ok) { clearInterval(t); done(true) } };
		const t = setInterval(look, 50); look();
		setTimeout(() => { clearInterval(t); done(false) }, 2000);
	})`, js)
	last := ""
	for ctx.Err() == nil {
		raw, err := t.Evaluate(ctx, wait)
		if err == nil && string(raw) == "true" {
			return nil
		}
		if errors.Is(err, browser.ErrNoTab) {
			return fmt.Errorf("waiting for %s: %w", js, err) // the page is gone, and nothing in it comes any more
		}
		if err != nil { // navigating just now: look again
			last = err.Error()
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}
	return fmt.Errorf("waiting for %s: %w %s", js, ctx.Err(), last)
}

// Click clicks the element with a data-testid with a real mouse event.
func (p *Panel) Click(ctx context.Context, testid string) error {
	var at struct{ X, Y float64 }
	// The panel may still be drawing: the place counts once it is the same in
	// two frames and nothing lies over it, or after a second.
	js := fmt.Sprintf(`(async () => { let was; for (let n = 0; ; n++) {
		const e = document.querySelector('[data-testid=%s]'); e.scrollIntoView({block: 'center'});
		const r = e.getBoundingClientRect(), at = {X: r.x + r.width / 2, Y: r.y + r.height / 2};
		if (n > 60 || was?.X === at.X && was.Y === at.Y && e.contains(document.elementFromPoint(at.X, at.Y))) return at;
		was = at; await new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100) }) } })()`, testid)
	if err := p.Eval(ctx, js, &at); err != nil {
		return err
	}
	for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
		button, clicks := "left", 1
		if kind == browser.MouseMove {
			button, clicks = "none", 0
		}
		if err := p.Tab.Mouse(ctx, kind, at.X, at.Y, button, clicks, 0); err != nil {
			return fmt.Errorf("click %s: %w", testid, err)
		}
	}
	return nil
}

// Send types a task into the composer and sends it.
func (p *Panel) Send(ctx context.Context, text string) error {
	if err := p.Await(ctx, `document.querySelector('[data-testid=composer]:enabled')`); err != nil {
		return err
	}
	if err := p.Click(ctx, "composer"); err != nil {
		return err
	}
	if err := p.Tab.InsertText(ctx, text); err != nil {
		return err
	}
	if err := p.Await(ctx, `!document.querySelector('[data-testid=send]').disabled`); err != nil {
		return err
	}
	return p.Click(ctx, "send")
}

// Text returns the text of every element with a data-testid, in order.
func (p *Panel) Text(ctx context.Context, testid string) ([]string, error) {
	var out []string
	err := p.Eval(ctx, fmt.Sprintf(`[...document.querySelectorAll('[data-testid=%s]')].map(e => e.innerText)`, testid), &out)
	return out, err
}

// Allow answers an open card with yes, once its button is armed.
func (p *Panel) Allow(ctx context.Context) error {
	if err := p.Await(ctx, `document.querySelector('[data-testid=confirm-allow]:enabled')`); err != nil {
		return err
	}
	return p.Click(ctx, "confirm-allow")
}

// Deny answers an open card with no.
func (p *Panel) Deny(ctx context.Context) error {
	if err := p.Await(ctx, `document.querySelector('[data-testid=confirm-deny]')`); err != nil {
		return err
	}
	return p.Click(ctx, "confirm-deny")
}

// Screenshot saves the panel as a PNG.
func (p *Panel) Screenshot(ctx context.Context, path string) error {
	return Screenshot(ctx, p.Tab, path)
}

// Screenshot saves a tab's viewport as a PNG.
func Screenshot(ctx context.Context, t *browser.Tab, path string) error {
	img, _, err := t.Screenshot(ctx, browser.ScreenshotOptions{PNG: true, DevicePixels: true})
	if err != nil {
		return err
	}
	return os.WriteFile(path, img, 0o600)
}
