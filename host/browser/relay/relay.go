// Package relay drives the user's own Chrome through the extension. DevTools commands go to
// the service worker as wire.MethodCDPSend, and the service worker passes them to
// chrome.debugger. Start reading at Driver. The file events.go handles the events of the
// browser. The file reconnect.go handles the time in which the service worker was not
// connected.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// Caller calls a method of the service worker (host/native/wire/relaymsg.go) and
// decodes its result; *rpc.Peer is one.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

// Options are the options of New.
type Options struct {
	ExtensionID string // of the hello: names the isolated world
	Run         string // of the hello: names the run of the browser
	// Extractor is evaluated in frames that chrome.scripting can't reach, such as
	// Chrome's error pages, in a world named by browser.WorldName. In all other
	// frames the extension puts its own copy into its own world: only there does
	// Chrome open closed shadow roots.
	Extractor string
}

// Driver is a browser.Driver over a relay that may come and go.
type Driver struct {
	bus  *browser.Bus
	pool *browser.Pool

	mu      sync.Mutex
	link    *link // nil while the relay is gone
	opts    Options
	roots   map[browser.TabID]*browser.Root
	refused map[browser.TabID]bool // the user cancelled their debugging; until Allow
	flights map[browser.TabID]*flight
	behind  map[browser.TabID]bool // opened behind another tab, and not attached yet
	run     string                 // of the browser
	seen    map[browser.TabID]bool // numbers of tabs in this run
	void    map[browser.TabID]bool // numbers of tabs of an earlier run, which other tabs may have now; until Take
}

var (
	_ browser.Driver   = (*Driver)(nil)
	_ browser.Numbered = (*Driver)(nil)
)

// link is one connection of the service worker.
type link struct {
	caller Caller
	gone   chan struct{}
}

// New returns a driver over a connected relay. The reader of the connection must
// hand the events of the service worker to Event.
func New(c Caller, o Options) *Driver {
	d := &Driver{
		bus: browser.NewBus(), opts: o,
		link:    &link{caller: c, gone: make(chan struct{})},
		roots:   map[browser.TabID]*browser.Root{},
		refused: map[browser.TabID]bool{},
		flights: map[browser.TabID]*flight{},
		behind:  map[browser.TabID]bool{},
		run:     o.Run,
		seen:    map[browser.TabID]bool{},
		void:    map[browser.TabID]bool{},
	}
	d.pool = browser.NewPool(transport{d}, d.bus)
	return d
}

// Kind returns "relay".
func (d *Driver) Kind() string { return "relay" }

// call calls a method of the service worker. If the connection is lost meanwhile,
// it returns browser.ErrGone; result must not be read then, since an answer may
// still be written to it.
func (d *Driver) call(ctx context.Context, method string, params, result any) error {
	d.mu.Lock()
	l := d.link
	d.mu.Unlock()
	if l == nil {
		return browser.ErrGone
	}
	ch := make(chan error, 1)
	go func() { ch <- l.caller.Call(ctx, method, params, result) }()
	select {
	case err := <-ch:
		return browserError(method, err)
	case <-l.gone:
		return fmt.Errorf("%s: %w", method, browser.ErrGone)
	}
}

// browserError turns errors of the service worker into those of package browser.
func browserError(method string, err error) error {
	var ne *wire.Error
	if err == nil || !errors.As(err, &ne) {
		return err
	}
	switch ne.Code {
	case wire.CodeClosed:
		return fmt.Errorf("%s: %w: %w", method, browser.ErrGone, err)
	case wire.CodeBrowser:
		return chromeError(method, ne)
	}
	return err
}

// chromeError returns the error for the message of a failed chrome.* call. For
// chrome.debugger the message is the DevTools error as JSON. The other texts are
// Chrome's (extensions/browser/api/debugger/debugger_api.cc, tabs_constants.cc).
func chromeError(method string, ne *wire.Error) error {
	var inner struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    string `json:"data"`
	}
	if json.Unmarshal([]byte(ne.Message), &inner) == nil && inner.Message != "" {
		if inner.Data != "" {
			inner.Message += " (" + inner.Data + ")"
		}
		return &browser.CDPError{Method: method, Code: inner.Code, Message: inner.Message}
	}
	switch {
	case strings.Contains(ne.Message, "Debugger is not attached"), strings.Contains(ne.Message, "Detached while handling command"):
		return fmt.Errorf("%w: %w", browser.ErrDetached, ne)
	case strings.Contains(ne.Message, "Cannot attach to this target"):
		return fmt.Errorf("%w: %w", browser.ErrOwnPage, ne)
	case strings.Contains(ne.Message, "No tab with"), strings.Contains(ne.Message, "No target with given id"):
		return fmt.Errorf("%w: %w", browser.ErrNoTab, ne)
	}
	return &browser.CDPError{Method: method, Message: ne.Message}
}

// Tabs lists the tabs of all windows; each window has an active one.
func (d *Driver) Tabs(ctx context.Context) ([]browser.TabInfo, error) {
	var list []wire.TabInfo
	if err := d.call(ctx, wire.MethodTabsList, wire.Empty{}, &list); err != nil {
		return nil, fmt.Errorf("list tabs: %w", err)
	}
	tabs := make([]browser.TabInfo, 0, len(list))
	for _, t := range list {
		tabs = append(tabs, tabInfo(t))
	}
	d.saw(tabs...)
	return tabs, nil
}

func tabInfo(t wire.TabInfo) browser.TabInfo {
	i := browser.TabInfo{ID: tabID(t.TabID), URL: t.URL, Title: t.Title, Active: t.Active}
	if t.OpenerTabID != 0 {
		i.Opener = tabID(t.OpenerTabID)
	}
	return i
}

func tabID(n int) browser.TabID { return browser.TabID(strconv.Itoa(n)) }

func params(id browser.TabID) (wire.TabParams, error) {
	n, err := strconv.Atoi(string(id))
	if err != nil {
		return wire.TabParams{}, fmt.Errorf("%q: %w", id, browser.ErrNoTab)
	}
	return wire.TabParams{TabID: n}, nil
}

// Attach returns the tab, attached and ready. For a tab whose debugging the user
// cancelled the error is browser.ErrUserCancelled until Allow.
func (d *Driver) Attach(ctx context.Context, id browser.TabID) (*browser.Tab, error) {
	t, err := d.pool.Attach(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("attach tab: %w", err)
	}
	d.mu.Lock()
	behind := d.behind[id]
	delete(d.behind, id)
	d.mu.Unlock()
	if behind {
		t.Undrawn() // it is covered; its first act need not find that out
	}
	return t, nil
}

// Allow allows a tab whose debugging the user cancelled to be attached again.
func (d *Driver) Allow(id browser.TabID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.refused, id)
}

// group is the tab group of the tabs that were opened here, so that the user
// recognizes them. A tab that the user drags out of it stays outside.
var group = wire.TabGroup{Title: "Tabwright", Color: "orange"}

// Open opens a tab.
func (d *Driver) Open(ctx context.Context, url string, active bool, opener browser.TabID) (browser.TabInfo, error) {
	if url == "" {
		url = "about:blank"
	}
	clean, err := browser.CheckURL(url)
	if err != nil {
		return browser.TabInfo{}, err
	}
	p := wire.TabsCreateParams{URL: clean, Active: active, Group: &group}
	if opener != "" {
		o, err := d.params(opener)
		if err != nil {
			return browser.TabInfo{}, err
		}
		p.OpenerTabID = o.TabID
	}
	var t wire.TabInfo
	if err := d.call(ctx, wire.MethodTabsCreate, p, &t); err != nil {
		return browser.TabInfo{}, fmt.Errorf("open tab: %w", err)
	}
	info := tabInfo(t)
	d.saw(info)
	d.Take(info.ID)
	if !info.Active {
		d.mu.Lock()
		d.behind[info.ID] = true
		d.mu.Unlock()
	}
	return info, nil
}

// Activate brings the tab to the front of its window.
func (d *Driver) Activate(ctx context.Context, id browser.TabID) error {
	return d.tabCall(ctx, "activate tab", wire.MethodTabsActivate, id)
}

// CloseTab closes the tab.
func (d *Driver) CloseTab(ctx context.Context, id browser.TabID) error {
	return d.tabCall(ctx, "close tab", wire.MethodTabsRemove, id)
}

func (d *Driver) tabCall(ctx context.Context, what, method string, id browser.TabID) error {
	p, err := d.params(id)
	if err == nil {
		err = d.call(ctx, method, p, nil)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Release detaches the tab.
func (d *Driver) Release(ctx context.Context, id browser.TabID) error {
	return d.pool.Release(ctx, id)
}

// Subscribe delivers tab events.
func (d *Driver) Subscribe() (<-chan browser.TabEvent, func()) { return d.bus.Subscribe() }

// Close releases every tab, so that Chrome's bar goes away.
func (d *Driver) Close() error {
	var errs []error
	for _, t := range d.pool.Attached() {
		ctx, cancel := context.WithTimeout(context.Background(), browser.CallTimeout)
		err := d.Release(ctx, t.ID())
		cancel()
		if !errors.Is(err, browser.ErrGone) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// transport is the browser.Transport of a Driver.
type transport struct{ d *Driver }

func (t transport) Session(ctx context.Context, id browser.TabID) (browser.RootSession, error) {
	d := t.d
	p, err := d.params(id)
	if err != nil {
		return nil, err
	}
	root := browser.NewRoot(d.sendTo(p.TabID))
	root.Together(d.sendAllTo(p.TabID))
	d.mu.Lock()
	if d.refused[id] {
		d.mu.Unlock()
		return nil, browser.ErrUserCancelled
	}
	d.seen[id] = true
	d.roots[id] = root // before attaching: the first events follow at once
	d.mu.Unlock()
	if err := d.attachAnew(ctx, p, root); err != nil {
		d.mu.Lock()
		if d.roots[id] == root {
			delete(d.roots, id)
		}
		d.mu.Unlock()
		return nil, err
	}
	return root, nil
}

// attach attaches the debugger. After a stop of the service worker Chrome still
// has our attachments and refuses another one; attach then checks that the one
// that exists is ours.
func (d *Driver) attach(ctx context.Context, p wire.TabParams, root *browser.Root) error {
	err := d.call(ctx, wire.MethodCDPAttach, p, nil)
	if err == nil || !strings.Contains(err.Error(), "already attached") {
		return err
	}
	return ours(ctx, root, err)
}

// ours returns nil if a tab that is attached already is attached by this
// extension. If another extension has attached it, ours returns held, which is
// the error of our attaching.
func ours(ctx context.Context, root *browser.Root, held error) error {
	err := root.Call(ctx, "Page.getNavigationHistory", nil, nil)
	if err != nil && strings.Contains(err.Error(), "Debugger is not attached") {
		return held
	}
	return err // the browser or the tab may have gone just now
}

// attachAnew is attach for a tab that this driver has not attached. If the tab is
// attached all the same, an earlier host left it so, perhaps with a paused
// navigation that would wait forever. So attachAnew detaches it first, which
// continues what is paused.
func (d *Driver) attachAnew(ctx context.Context, p wire.TabParams, root *browser.Root) error {
	err := d.call(ctx, wire.MethodCDPAttach, p, nil)
	if err == nil || !strings.Contains(err.Error(), "already attached") {
		return err
	}
	if err := ours(ctx, root, err); err != nil {
		return err
	}
	if err := d.call(ctx, wire.MethodCDPDetach, p, nil); err != nil {
		return err
	}
	return d.call(ctx, wire.MethodCDPAttach, p, nil)
}

func (d *Driver) sendTo(tab int) browser.Send {
	return func(ctx context.Context, sessionID, method string, params jsonv2.Value) (jsonv2.Value, error) {
		var raw json.RawMessage
		err := d.call(ctx, wire.MethodCDPSend, wire.CDPSendParams{
			TabID: tab, SessionID: sessionID, Method: method, Params: json.RawMessage(params),
		}, &raw)
		if err != nil { // raw may still be written to, see call
			var ce *browser.CDPError
			if errors.As(err, &ce) {
				ce.Method = method
			}
			return nil, err
		}
		return jsonv2.Value(raw), nil
	}
}

// sendAllTo returns a function that sends several commands to a tab in one
// message. With an older extension, which does not have that method, it returns
// browser.ErrOneByOne.
func (d *Driver) sendAllTo(tab int) browser.SendAll {
	return func(ctx context.Context, commands []browser.Command) error {
		p := wire.CDPBatchParams{TabID: tab, Commands: make([]wire.CDPCommand, len(commands))}
		for i, c := range commands {
			raw, err := jsonv2.Marshal(c.Params, jsonv2.AllowInvalidUTF8(true))
			if err != nil {
				return fmt.Errorf("%s: encode params: %w", c.Method, err)
			}
			p.Commands[i] = wire.CDPCommand{Method: c.Method, Params: raw}
		}
		var res wire.CDPBatchResult
		if err := d.call(ctx, wire.MethodCDPBatch, p, &res); err != nil {
			var ne *wire.Error
			if errors.As(err, &ne) && ne.Code == wire.CodeUnknownMethod {
				return browser.ErrOneByOne
			}
			return err
		}
		for i, text := range res.Errors {
			if text != "" && i < len(commands) {
				return browserError(commands[i].Method, &wire.Error{Code: wire.CodeBrowser, Message: text})
			}
		}
		return nil
	}
}

// Tabs returns the driver's tabs without asking their pages.
func (t transport) Tabs(ctx context.Context) ([]browser.TabInfo, error) { return t.d.Tabs(ctx) }

func (t transport) Detach(ctx context.Context, id browser.TabID) error {
	p, err := params(id)
	if err != nil {
		return err
	}
	t.d.mu.Lock()
	_, ok := t.d.roots[id]
	delete(t.d.roots, id)
	t.d.mu.Unlock()
	if !ok {
		return nil
	}
	return t.d.call(ctx, wire.MethodCDPDetach, p, nil)
}
