package relay

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// Event handles an event of the service worker (wire.RelayEvents). It ignores
// unknown and malformed ones. It must be called in the order in which events
// came and before later answers are handed out, as rpc.Peer.HandleInline does.
// It does not block.
func (d *Driver) Event(method string, params json.RawMessage) {
	switch method {
	case wire.EventCDP:
		take(params, d.cdpEvent)
	case wire.EventCDPDetached:
		take(params, d.detached)
	case wire.EventTabCreated:
		take(params, func(t wire.TabInfo) {
			d.saw(tabInfo(t))
			d.Take(tabID(t.TabID))
			d.publish(browser.TabCreated, tabInfo(t))
		})
	case wire.EventTabUpdated:
		take(params, func(t wire.TabInfo) { d.publish(browser.TabUpdated, tabInfo(t)) })
	case wire.EventTabReplaced:
		take(params, d.replaced)
	case wire.EventTabActivated:
		take(params, func(p wire.TabParams) {
			d.publish(browser.TabActivated, browser.TabInfo{ID: tabID(p.TabID), Active: true})
		})
	case wire.EventTabRemoved:
		take(params, d.removed)
	case wire.EventDownload:
		take(params, d.download)
	}
}

func take[P any](raw json.RawMessage, fn func(P)) {
	var p P
	if json.Unmarshal(raw, &p) == nil {
		fn(p)
	}
}

func (d *Driver) publish(kind browser.TabEventKind, t browser.TabInfo) {
	d.bus.Publish(browser.TabEvent{Kind: kind, Tab: t})
}

func (d *Driver) root(id browser.TabID) *browser.Root {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.roots[id]
}

func (d *Driver) cdpEvent(e wire.CDPEvent) {
	if r := d.root(tabID(e.TabID)); r != nil {
		r.Deliver(browser.Event{SessionID: e.SessionID, Method: e.Method, Params: jsonv2.Value(e.Params)})
	}
}

// detached ends a tab's session. If the user closed Chrome's debugging bar,
// Attach refuses the tab until Allow.
func (d *Driver) detached(p wire.CDPDetached) {
	id := tabID(p.TabID)
	err := fmt.Errorf("%w: %s", browser.ErrDetached, p.Reason)
	d.mu.Lock()
	if p.Reason == wire.ReasonUserCancelled {
		err = browser.ErrUserCancelled
		d.refused[id] = true
	}
	r := d.roots[id]
	delete(d.roots, id)
	d.mu.Unlock()
	if r != nil {
		r.Close(err)
	}
}

func (d *Driver) removed(p wire.TabParams) {
	id := tabID(p.TabID)
	d.mu.Lock()
	r := d.roots[id]
	delete(d.roots, id)
	delete(d.refused, id)
	delete(d.behind, id)
	delete(d.void, id)
	d.mu.Unlock()
	if r != nil {
		r.Close(browser.ErrNoTab)
	}
	d.pool.Forget(id)
	d.publish(browser.TabRemoved, browser.TabInfo{ID: id})
}

// replaced ends the session of a tab whose place another tab took. If the user
// had refused the old tab, the new one is refused too.
func (d *Driver) replaced(p wire.TabReplaced) {
	id, was := tabID(p.TabID), tabID(p.Was)
	d.mu.Lock()
	r := d.roots[was]
	delete(d.roots, was)
	if d.refused[was] {
		d.refused[id] = true
		delete(d.refused, was)
	}
	d.seen[id] = true
	delete(d.void, id)
	d.mu.Unlock()
	d.pool.Replace(id, was)
	// Publish this before the session ends, so that tasks can go on in the new
	// tab.
	d.bus.Publish(browser.TabEvent{Kind: browser.TabReplaced, Tab: browser.TabInfo{ID: id}, Was: was})
	if r != nil {
		r.Close(fmt.Errorf("%w: Chrome put another tab in its place", browser.ErrDetached))
	}
}

func (d *Driver) download(e wire.DownloadEvent) {
	d.bus.Publish(browser.TabEvent{
		Kind: browser.Downloaded, GUID: strconv.Itoa(e.ID), URL: e.URL, File: e.Filename, State: e.State, Reason: e.Error,
	})
}
