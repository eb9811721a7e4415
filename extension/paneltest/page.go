package paneltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tabwright/extension"
)

// Page is a tab of the browser, driven with real input.
type Page struct {
	c       *conn
	session string
	Target  string
	script  string // of OpenWith, by the browser's name for it
}

// PanelURL is the side panel's page.
const PanelURL = "chrome-extension://" + extension.ID + "/panel.html"

// Open opens url in a new tab with a viewport of the given size.
func (b *Browser) Open(ctx context.Context, url string, width, height int) (*Page, error) {
	return b.OpenWith(ctx, url, width, height, "")
}

// OpenWith is Open with a script that runs before those of the page.
func (b *Browser) OpenWith(ctx context.Context, url string, width, height int, script string) (*Page, error) {
	var made struct{ TargetID string }
	if err := b.conn.call(ctx, "", "Target.createTarget", obj{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	p, err := b.join(ctx, made.TargetID, width, height)
	if err != nil {
		return nil, err
	}
	// Counted from here on, in the main thread's own time: see Busy.
	if err := p.Call(ctx, "Performance.enable", obj{"timeDomain": "threadTicks"}, nil); err != nil {
		return nil, err
	}
	return p, p.Go(ctx, url, script)
}

// Go opens url in the tab, with another script, or none, in the place of the one
// that ran before the page's own.
func (p *Page) Go(ctx context.Context, url, script string) error {
	if p.script != "" {
		if err := p.Call(ctx, "Page.removeScriptToEvaluateOnNewDocument", obj{"identifier": p.script}, nil); err != nil {
			return err
		}
		p.script = ""
	}
	if script != "" {
		if err := p.Call(ctx, "Page.enable", nil, nil); err != nil {
			return err
		}
		var added struct{ Identifier string }
		if err := p.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", obj{"source": script}, &added); err != nil {
			return err
		}
		p.script = added.Identifier
	}
	// Unlike createTarget, navigate answers when the page has begun.
	return p.Call(ctx, "Page.navigate", obj{"url": url}, nil)
}

// Resize gives the page a viewport of the given size, in CSS pixels, and so many
// pixels of the screen for each of them.
func (p *Page) Resize(ctx context.Context, width, height int, scale float64) error {
	return p.Call(ctx, "Emulation.setDeviceMetricsOverride", obj{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": false}, nil)
}

// Worker waits for the service worker.
func (b *Browser) Worker(ctx context.Context) (*Page, error) {
	return b.find(ctx, "service_worker", "chrome-extension://"+extension.ID+"/")
}

// OpenSidePanel clicks the extension's button in the toolbar while p is in
// front, and gives the side panel that opens.
func (b *Browser) OpenSidePanel(ctx context.Context, p *Page) (*Page, error) {
	// The button belongs to a tab, which is a target of its own around the page.
	var tabs struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	if err := b.conn.call(ctx, "", "Target.getTargets", obj{"filter": []obj{{"type": "tab"}}}, &tabs); err != nil {
		return nil, err
	}
	var url string
	if err := p.Eval(ctx, "location.href", &url); err != nil {
		return nil, err
	}
	for _, t := range tabs.TargetInfos {
		if t.URL != url {
			continue
		}
		if err := b.conn.call(ctx, "", "Extensions.triggerAction", obj{"id": extension.ID, "targetId": t.TargetID}, nil); err != nil {
			return nil, err
		}
		return b.find(ctx, "page", PanelURL)
	}
	return nil, fmt.Errorf("no tab shows %s", url)
}

// find waits until there is a target of that type and address.
func (b *Browser) find(ctx context.Context, kind, url string) (*Page, error) {
	for ctx.Err() == nil {
		var all struct {
			TargetInfos []struct{ TargetID, Type, URL string }
		}
		if err := b.conn.call(ctx, "", "Target.getTargets", nil, &all); err != nil {
			return nil, err
		}
		for _, t := range all.TargetInfos {
			if t.Type == kind && strings.HasPrefix(t.URL, url) {
				return b.join(ctx, t.TargetID, 0, 0)
			}
		}
	}
	return nil, ctx.Err()
}

func (b *Browser) join(ctx context.Context, target string, width, height int) (*Page, error) {
	var s struct{ SessionID string }
	if err := b.conn.call(ctx, "", "Target.attachToTarget", obj{"targetId": target, "flatten": true}, &s); err != nil {
		return nil, err
	}
	p := &Page{c: b.conn, session: s.SessionID, Target: target}
	if width == 0 {
		return p, nil
	}
	return p, p.Resize(ctx, width, height, 2)
}

type obj = map[string]any

// Call sends a DevTools command to the page.
func (p *Page) Call(ctx context.Context, method string, params, out any) error {
	return p.c.call(ctx, p.session, method, params, out)
}

// Close closes the tab.
func (p *Page) Close(ctx context.Context) error {
	return p.c.call(ctx, "", "Target.closeTarget", obj{"targetId": p.Target}, nil)
}

// Media sets the colour scheme (light or dark), without motion; with pairs of
// further media features, such as "forced-colors", "active".
func (p *Page) Media(ctx context.Context, scheme string, more ...string) error {
	features := []obj{{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}}
	for i := 0; i+1 < len(more); i += 2 {
		features = append(features, obj{"name": more[i], "value": more[i+1]})
	}
	return p.Call(ctx, "Emulation.setEmulatedMedia", obj{"features": features}, nil)
}

// Eval evaluates an expression, waits for it if it is a promise, and decodes
// its value into out.
func (p *Page) Eval(ctx context.Context, expr string, out any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.Call(ctx, "Runtime.evaluate", obj{"expression": expr, "awaitPromise": true, "returnByValue": true}, &r)
	if err != nil {
		return err
	}
	if e := r.ExceptionDetails; e != nil {
		return fmt.Errorf("%s: %s %s", expr, e.Text, e.Exception.Description)
	}
	if out == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, out)
}

// Until waits until an expression over the page's DOM is true; when the page
// is replaced meanwhile, in the new one.
func (p *Page) Until(ctx context.Context, expr string) error {
	err := p.until(ctx, expr)
	for err != nil && ctx.Err() == nil && (strings.Contains(err.Error(), "context was destroyed") || strings.Contains(err.Error(), "target navigated")) {
		err = p.until(ctx, expr)
	}
	if err == nil {
		return nil
	}
	text := "(nothing: the page does not answer)"
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = p.Eval(ask, "document.body.innerText", &text)
	return fmt.Errorf("until %s: %w\nthe page shows:\n%s", expr, err, text)
}

func (p *Page) until(ctx context.Context, expr string) error {
	return p.Eval(ctx, `new Promise((done) => {
	  const look = () => { let ok = false; try { ok = !!(`+expr+`) } catch {} if (ok) { watch.disconnect(); clearInterval(tick); done() } };
	  const watch = new MutationObserver(look);
	  const tick = setInterval(look, 50); // values and focus change without a mutation
	  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	  look();
	})`, nil)
}

// ByTestID is a JavaScript expression for the newest element with that data-testid.
func ByTestID(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('[data-testid=%q]')].at(-1)`, id)
}

// Click clicks the newest element with that data-testid as a mouse would.
func (p *Page) Click(ctx context.Context, testID string) error {
	el := ByTestID(testID)
	if err := p.Until(ctx, el+" && !"+el+".disabled"); err != nil {
		return err
	}
	var at struct{ X, Y float64 }
	err := p.Eval(ctx, `(() => { const e = `+el+`; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2} })()`, &at)
	if err != nil {
		return err
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		if err := p.Call(ctx, "Input.dispatchMouseEvent", obj{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Type focuses the element with that data-testid and types text into it.
func (p *Page) Type(ctx context.Context, testID, text string) error {
	if err := p.Until(ctx, ByTestID(testID)+"?.disabled === false"); err != nil {
		return err
	}
	if err := p.Eval(ctx, ByTestID(testID)+".focus()", nil); err != nil {
		return err
	}
	return p.Call(ctx, "Input.insertText", obj{"text": text}, nil)
}

// Press presses and releases a key on whatever has the focus.
func (p *Page) Press(ctx context.Context, key string, code int, text string) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := obj{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		if err := p.Call(ctx, "Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// Busy is the processor time in milliseconds that a page that was opened by Open
// or OpenWith has taken on its main thread. Other programs on the computer do not
// count.
func (p *Page) Busy(ctx context.Context) (float64, error) {
	var m struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	if err := p.Call(ctx, "Performance.getMetrics", nil, &m); err != nil {
		return 0, err
	}
	for _, x := range m.Metrics {
		if x.Name == "TaskDuration" {
			return x.Value * 1000, nil
		}
	}
	return 0, errors.New("the page counts no TaskDuration")
}

// Screenshot gives the page as PNG.
func (p *Page) Screenshot(ctx context.Context) ([]byte, error) {
	var r struct{ Data []byte }
	err := p.Call(ctx, "Page.captureScreenshot", obj{"format": "png"}, &r)
	return r.Data, err
}
