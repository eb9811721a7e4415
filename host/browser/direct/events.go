package direct

import (
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	host "tabwright/host/browser"
)

// onEvent turns the browser's own events into tab events. It runs on the
// goroutine that reads the connection.
func (d *Driver) onEvent(e host.Event) {
	switch e.Method {
	case target.TargetCreated.Method:
		var p target.EventTargetCreated
		if decode(e, &p) && isTab(p.TargetInfo) {
			d.mu.Lock()
			d.known[host.TabID(p.TargetInfo.TargetID)] = true
			d.mu.Unlock()
			d.bus.Publish(host.TabEvent{Kind: host.TabCreated, Tab: tabInfo(p.TargetInfo)})
		}
	case target.TargetInfoChanged.Method:
		var p target.EventTargetInfoChanged
		if decode(e, &p) && isTab(p.TargetInfo) {
			d.bus.Publish(host.TabEvent{Kind: host.TabUpdated, Tab: tabInfo(p.TargetInfo)})
		}
	case target.TargetDestroyed.Method:
		var p target.EventTargetDestroyed
		if decode(e, &p) {
			d.removed(host.TabID(p.TargetID))
		}
	case browser.DownloadWillBegin.Method:
		var p browser.EventDownloadWillBegin
		if decode(e, &p) {
			d.downloadBegins(p)
		}
	case browser.DownloadProgress.Method:
		var p browser.EventDownloadProgress
		if decode(e, &p) {
			d.downloadProgress(p)
		}
	}
}

func decode(e host.Event, p any) bool {
	return jsonv2.Unmarshal(e.Params, p, jsonv2.AllowInvalidUTF8(true)) == nil
}

func (d *Driver) removed(id host.TabID) {
	d.mu.Lock()
	if d.active == id {
		d.active = ""
	}
	delete(d.sessions, id)
	known := d.known[id]
	delete(d.known, id)
	d.mu.Unlock()
	if !known {
		return // a frame, a worker
	}
	d.pool.Forget(id)
	d.bus.Publish(host.TabEvent{Kind: host.TabRemoved, Tab: host.TabInfo{ID: id}})
}

func (d *Driver) downloadBegins(p browser.EventDownloadWillBegin) {
	e := host.TabEvent{
		Kind: host.Downloaded, GUID: p.GUID, URL: p.URL, File: p.SuggestedFilename,
		State: "in_progress",
	}
	e.Tab.ID = d.pool.TabOfFrame(p.FrameID)
	d.mu.Lock()
	d.downloads[p.GUID] = e
	d.mu.Unlock()
	d.bus.Publish(e)
}

// downloadProgress publishes the end of a download, and no progress before it.
func (d *Driver) downloadProgress(p browser.EventDownloadProgress) {
	var state string
	switch p.State {
	case browser.DownloadProgressStateCompleted:
		state = "complete"
	case browser.DownloadProgressStateCanceled:
		state = "interrupted"
	default:
		return
	}
	d.mu.Lock()
	e, ok := d.downloads[p.GUID]
	delete(d.downloads, p.GUID)
	d.mu.Unlock()
	if !ok {
		return
	}
	e.State = state
	if p.FilePath != "" {
		e.File = p.FilePath
	}
	d.bus.Publish(e)
}
