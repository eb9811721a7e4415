package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gorilla/websocket"

	"tabwright/host/browser/launch"
)

// bare is a Chromium and one DevTools connection to a page of it, with nothing
// between: what a step takes here, no program that drives the same browser can
// go below. It sends one command at a time.
type bare struct {
	browser *launch.Browser
	sock    *websocket.Conn
	session string
	next    int
}

// frame is what comes over the connection.
type frame struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func bareChromium(chromium string) *contender {
	b := &bare{}
	return &contender{
		name: "Chromium itself", kind: floor, round: b.round, close: b.close,
		start: func(ctx context.Context) error { return b.start(ctx, chromium) },
	}
}

func (b *bare) start(ctx context.Context, chromium string) error {
	var err error
	if b.browser, err = launch.Start(ctx, launch.Options{Binary: chromium, Headless: true}); err != nil {
		return err
	}
	if b.sock, _, err = websocket.DefaultDialer.DialContext(ctx, b.browser.URL(), nil); err != nil { //nolint:bodyclose // it has none when it succeeds
		return err
	}
	var made struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	if err := b.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return err
	}
	if err := b.ask("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made); err != nil {
		return err
	}
	b.session = made.SessionID
	return b.ask("Page.enable", nil, nil)
}

func (b *bare) close() error {
	var err error
	if b.sock != nil {
		err = b.sock.Close()
	}
	if b.browser != nil {
		err = errors.Join(err, b.browser.Close())
	}
	return err
}

// send sends a command and returns its number.
func (b *bare) send(method string, params any) (int, error) {
	b.next++
	if params == nil {
		params = struct{}{}
	}
	if err := b.sock.SetWriteDeadline(time.Now().Add(callTime)); err != nil {
		return 0, err
	}
	return b.next, b.sock.WriteJSON(map[string]any{"id": b.next, "method": method, "params": params, "sessionId": b.session})
}

// until reads frames until one for which is returns true, and returns that.
func (b *bare) until(is func(frame) bool) (frame, error) {
	if err := b.sock.SetReadDeadline(time.Now().Add(callTime)); err != nil {
		return frame{}, err
	}
	for {
		var f frame
		if err := b.sock.ReadJSON(&f); err != nil {
			return f, err
		}
		if f.Error != nil {
			return f, errors.New(f.Error.Message)
		}
		if is(f) {
			return f, nil
		}
	}
}

// ask sends a command and waits for its answer.
func (b *bare) ask(method string, params, result any) error {
	id, err := b.send(method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	f, err := b.until(func(f frame) bool { return f.ID == id })
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(f.Result, result)
}

// value evaluates an expression in the page.
func (b *bare) value(expression string, into any) error {
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
	}
	if err := b.ask("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r); err != nil {
		return err
	}
	return json.Unmarshal(r.Result.Value, into)
}

// navigate sends the page to an address and waits for its load event.
func (b *bare) navigate(url string) error {
	if _, err := b.send("Page.navigate", map[string]any{"url": url}); err != nil {
		return err
	}
	_, err := b.until(func(f frame) bool { return f.Method == "Page.loadEventFired" })
	return err
}

// click sends the input of a click on an element, whose place is known already.
func (b *bare) click(x, y float64) error {
	for _, what := range []map[string]any{
		{"type": "mouseMoved"}, {"type": "mousePressed", "button": "left", "clickCount": 1}, {"type": "mouseReleased", "button": "left", "clickCount": 1},
	} {
		what["x"], what["y"] = x, y
		if err := b.ask("Input.dispatchMouseEvent", what, nil); err != nil {
			return err
		}
	}
	return nil
}

// keys presses and releases the keys of the text, one after another.
func (b *bare) keys() error {
	for _, r := range word {
		for _, what := range []map[string]any{{"type": "keyDown", "text": string(r), "key": string(r)}, {"type": "keyUp", "key": string(r)}} {
			if err := b.ask("Input.dispatchKeyEvent", what, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// round takes the steps that have a floor: a snapshot has none, since each
// program makes up its own.
func (b *bare) round(_ context.Context, url string) (map[string]time.Duration, error) {
	took := map[string]time.Duration{}
	step := func(name string, do func() error) error {
		began := time.Now()
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		took[name] = time.Since(began)
		var shown string
		if err := b.value("document.body.innerText", &shown); err != nil {
			return err
		}
		return said(name, shown)
	}
	if err := step("navigate", func() error { return b.navigate(url) }); err != nil {
		return nil, err
	}
	var at struct{ X, Y float64 }
	if err := b.value(`(() => { const r = document.getElementById("count").getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()`, &at); err != nil {
		return nil, err
	}
	if err := step("click", func() error { return b.click(at.X, at.Y) }); err != nil {
		return nil, err
	}
	empty := func() error {
		var ok bool
		return b.value(`(() => { const f = document.getElementById("note"); f.focus(); f.select(); return true; })()`, &ok)
	}
	for name, do := range map[string]func() error{
		"fill":         func() error { return b.ask("Input.insertText", map[string]any{"text": word}, nil) },
		"type by keys": b.keys,
	} {
		if err := empty(); err != nil {
			return nil, err
		}
		if err := step(name, do); err != nil {
			return nil, err
		}
	}
	return took, nil
}
