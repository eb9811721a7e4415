// Package relaytest plays the extension's service worker for tests. On one side it offers the
// native methods of host/native, on the other side it uses a DevTools WebSocket. It sends the
// same messages as the extension, and refuses what chrome.debugger refuses. So the relay
// driver is tested against a real Chromium without the extension. Start reading at Worker.
package relaytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// ExtensionID is the id of the played extension, and part of its isolated world's origin.
const ExtensionID = "tabwrighttesttabwrighttesttabwri"

// Worker is the played service worker. Attachments live in it as they do in
// Chrome: they outlive a connection (Drop, Connect).
type Worker struct {
	script string
	ws     *socket

	// SkipInject reports whether chrome.scripting does not reach frames of this address.
	SkipInject func(url string) bool

	// Bare reports whether in documents of this address another script of the extension
	// makes its world first, and wire.MethodFollow does not reach them.
	Bare func(url string) bool
	// Stale is how many further worlds without the extractor each new document of a tab
	// has, as Chrome makes for extensions that were in the frame before a reload.
	Stale int

	// NoFollow plays an extension from before wire.MethodFollow.
	NoFollow bool

	mu      sync.Mutex
	port    *rpc.Peer // to the host, nil while stopped
	next    int
	ids     map[string]int // target → tab
	tabs    map[int]*tab
	session map[string]*tab // flat session → tab

	downloads map[string]wire.DownloadEvent // by Chrome's name
	batches   int
	sent      map[string]int // commands of each method
}

type tab struct {
	id       int
	target   string
	info     target
	opener   int
	session  string // the debugger's, empty when not attached
	children map[string]bool
	known    bool   // the host was told of it
	followed bool   // each main document gets the script …
	look     string // … and begins this look
}

type target struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Subtype  string `json:"subtype"`
	OpenerID string `json:"openerId"`
}

// Start plays a service worker over the browser at the DevTools address. script is the
// extractor that it injects.
func Start(tb testing.TB, wsURL, script string) *Worker {
	tb.Helper()
	w := &Worker{script: script, ids: map[string]int{}, tabs: map[int]*tab{}, session: map[string]*tab{}, sent: map[string]int{}, next: 100}
	ws, err := dial(wsURL, w.onEvent)
	if err != nil {
		tb.Fatal(err)
	}
	w.ws = ws
	tb.Cleanup(ws.close)
	if _, err := ws.call(context.Background(), "", "Target.setDiscoverTargets", map[string]any{"discover": true}); err != nil {
		tb.Fatal(err)
	}
	return w
}

// Connect opens a port to the host and returns the host's end, whose events go to sink.
func (w *Worker) Connect(tb testing.TB, sink func(method string, params json.RawMessage)) *rpc.Peer {
	tb.Helper()
	hostEnd, workerEnd := net.Pipe()
	host := rpc.NewPeer(hostEnd, rpc.PeerOptions{Name: "host"})
	for _, ev := range wire.RelayEvents() {
		host.HandleInline(ev, func(params json.RawMessage) { sink(ev, params) })
	}
	port := rpc.NewPeer(workerEnd, rpc.PeerOptions{Name: "worker"})
	w.handle(port)
	w.mu.Lock()
	w.port = port
	w.mu.Unlock()
	host.Start()
	port.Start()
	tb.Cleanup(func() {
		_ = host.Close()
		_ = port.Close()
		host.Wait()
		port.Wait()
	})
	return host
}

// Drop plays Chrome stopping the service worker: the port closes, attachments stay, and
// events are lost from then on.
func (w *Worker) Drop() {
	w.mu.Lock()
	p := w.port
	w.port = nil
	for _, t := range w.tabs {
		t.followed = false // what it knew is gone
	}
	w.mu.Unlock()
	if p != nil {
		_ = p.Close()
	}
}

// Reload plays a reload of the extension: as Drop, but Chrome detaches all tabs.
func (w *Worker) Reload() {
	w.Drop()
	w.mu.Lock()
	var sessions []string
	for _, t := range w.tabs {
		if t.session != "" {
			sessions = append(sessions, t.session)
			w.forget(t)
		}
	}
	w.mu.Unlock()
	for _, s := range sessions {
		_, _ = w.ws.call(context.Background(), "", "Target.detachFromTarget", map[string]any{"sessionId": s})
	}
}

// Cancel plays the user closing Chrome's debugging bar.
func (w *Worker) Cancel(tabID int) {
	w.mu.Lock()
	t := w.tabs[tabID]
	s := ""
	if t != nil {
		s = t.session
		w.forget(t)
	}
	w.mu.Unlock()
	if s == "" {
		return
	}
	_, _ = w.ws.call(context.Background(), "", "Target.detachFromTarget", map[string]any{"sessionId": s})
	w.emit(wire.EventCDPDetached, wire.CDPDetached{TabID: tabID, Reason: wire.ReasonUserCancelled})
}

// forget drops a tab's sessions; w.mu is held.
func (w *Worker) forget(t *tab) {
	delete(w.session, t.session)
	for c := range t.children {
		delete(w.session, c)
	}
	t.session, t.children, t.followed = "", nil, false
}

func (w *Worker) emit(method string, params any) {
	w.mu.Lock()
	p := w.port
	w.mu.Unlock()
	if p != nil {
		_ = p.Notify(method, params) // a closed port loses it, as in Chrome
	}
}

// handle answers the host's methods on a port.
func (w *Worker) handle(p *rpc.Peer) {
	on(p, wire.MethodPing, func(context.Context, wire.Empty) (any, error) { return wire.Empty{}, nil })
	on(p, wire.MethodTabsList, w.tabsList)
	on(p, wire.MethodTabsGet, w.tabsGet)
	on(p, wire.MethodTabsCreate, w.tabsCreate)
	on(p, wire.MethodTabsActivate, w.tabsActivate)
	on(p, wire.MethodTabsRemove, w.tabsRemove)
	on(p, wire.MethodCDPAttach, w.attach)
	on(p, wire.MethodCDPDetach, w.detach)
	// As with chrome.debugger, commands are sent in the order of the calls.
	p.HandleInOrder(wire.MethodCDPSend, func(ctx context.Context, raw json.RawMessage) func() (any, error) {
		return answered(raw, func(params wire.CDPSendParams) func() (any, error) { return w.send(ctx, params) })
	})
	p.HandleInOrder(wire.MethodCDPBatch, func(ctx context.Context, raw json.RawMessage) func() (any, error) {
		return answered(raw, func(params wire.CDPBatchParams) func() (any, error) { return w.sendAll(ctx, params) })
	})
	on(p, wire.MethodCDPTargets, w.targets)
	on(p, wire.MethodInject, w.inject)
	on(p, wire.MethodFollow, w.follow)
}

func on[P any](p *rpc.Peer, method string, fn func(context.Context, P) (any, error)) {
	p.Handle(method, func(ctx context.Context, _ *rpc.Channel, raw json.RawMessage) (any, error) {
		return answered(raw, func(params P) func() (any, error) {
			return func() (any, error) { return fn(ctx, params) }
		})()
	})
}

// answered decodes the params and returns errors with the codes of the wire.
func answered[P any](raw json.RawMessage, begin func(P) func() (any, error)) func() (any, error) {
	var params P
	if err := json.Unmarshal(raw, &params); err != nil {
		return func() (any, error) { return nil, &wire.Error{Code: wire.CodeInvalidParams, Message: err.Error()} }
	}
	finish := begin(params)
	return func() (any, error) {
		res, err := finish()
		var ne *wire.Error
		if err != nil && !errors.As(err, &ne) {
			return nil, &wire.Error{Code: wire.CodeBrowser, Message: err.Error()}
		}
		return res, err
	}
}

// onEvent handles the browser's events, in order.
func (w *Worker) onEvent(session, method string, params json.RawMessage) {
	if session == "" {
		w.browserEvent(method, params)
		return
	}
	w.mu.Lock()
	t := w.session[session]
	if t == nil {
		w.mu.Unlock()
		return
	}
	var p struct {
		SessionID string `json:"sessionId"`
	}
	switch method {
	case "Target.attachedToTarget":
		_ = json.Unmarshal(params, &p)
		t.children[p.SessionID] = true
		w.session[p.SessionID] = t
	case "Target.detachedFromTarget":
		_ = json.Unmarshal(params, &p)
		delete(t.children, p.SessionID)
		delete(w.session, p.SessionID)
	case "Page.frameNavigated":
		if t.followed && session == t.session {
			go w.committed(session, t.look, params)
		}
	case "Runtime.executionContextCreated":
		params = asContentScript(params)
	}
	child := session
	if child == t.session {
		child = ""
	}
	id, away := t.id, w.port == nil
	w.mu.Unlock()
	if away && method == "Fetch.requestPaused" { // as the extension does
		var req struct {
			ID string `json:"requestId"`
		}
		_ = json.Unmarshal(params, &req)
		go func() {
			_, _ = w.ws.call(context.Background(), session, "Fetch.continueRequest", map[string]any{"requestId": req.ID})
		}()
		return
	}
	w.emit(wire.EventCDP, wire.CDPEvent{TabID: id, SessionID: child, Method: method, Params: params})
}

// asContentScript sets the origin of the world that inject made to the extension's.
func asContentScript(params json.RawMessage) json.RawMessage {
	var e struct {
		Context map[string]any `json:"context"`
	}
	if json.Unmarshal(params, &e) != nil || !strings.HasPrefix(fmt.Sprint(e.Context["name"]), ExtensionID) {
		return params
	}
	e.Context["origin"] = "chrome-extension://" + ExtensionID
	out, err := json.Marshal(e)
	if err != nil {
		return params
	}
	return out
}

func (w *Worker) browserEvent(method string, params json.RawMessage) {
	var p struct {
		Info      target `json:"targetInfo"`
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	switch method {
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		w.downloadEvent(method, params)
	case "Target.targetCreated", "Target.targetInfoChanged":
		if p.Info.Type != "page" || p.Info.Subtype != "" || strings.HasPrefix(p.Info.URL, "devtools://") {
			return
		}
		w.mu.Lock()
		t := w.tabOf(p.Info.TargetID)
		t.info = p.Info
		t.opener = w.ids[p.Info.OpenerID]
		isNew := !t.known
		t.known = true
		i := t.native()
		w.mu.Unlock()
		if isNew {
			w.emit(wire.EventTabCreated, i)
		} else {
			w.emit(wire.EventTabUpdated, i)
		}
	case "Target.targetDestroyed":
		w.mu.Lock()
		id, ok := w.ids[p.TargetID]
		t := w.tabs[id]
		var attached bool
		if ok {
			attached = t.session != ""
			w.forget(t)
			delete(w.tabs, id)
			delete(w.ids, p.TargetID)
		}
		w.mu.Unlock()
		if !ok {
			return
		}
		if attached {
			w.emit(wire.EventCDPDetached, wire.CDPDetached{TabID: id, Reason: "target_closed"})
		}
		w.emit(wire.EventTabRemoved, wire.TabParams{TabID: id})
	}
}

// tabOf returns the tab of a target, and gives it a number the first time; w.mu is held.
func (w *Worker) tabOf(targetID string) *tab {
	if id, ok := w.ids[targetID]; ok {
		return w.tabs[id]
	}
	w.next++
	t := &tab{id: w.next, target: targetID}
	w.ids[targetID], w.tabs[t.id] = t.id, t
	return t
}

func (t *tab) native() wire.TabInfo {
	return wire.TabInfo{TabID: t.id, WindowID: 1, URL: t.info.URL, Title: t.info.Title, OpenerTabID: t.opener}
}

func (w *Worker) find(id int) (*tab, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tabs[id]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("No tab with id: %d.", id) //nolint:staticcheck // Chrome's own words
}

// Target returns the DevTools target of a tab.
func (w *Worker) Target(tabID int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tabs[tabID]; t != nil {
		return t.target
	}
	return ""
}
