package relaytest

import (
	"context"
	"encoding/json"
	"testing"

	"tabwright/host/native/wire"
)

// WatchDownloads plays chrome.downloads: files go to a folder of the test, and
// the host is told of each as the service worker would.
func (w *Worker) WatchDownloads(tb testing.TB) {
	tb.Helper()
	_, err := w.ws.call(context.Background(), "", "Browser.setDownloadBehavior", map[string]any{
		"behavior": "allow", "downloadPath": tb.TempDir(), "eventsEnabled": true,
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// downloadEvent tells the host of a download in the words of chrome.downloads.
func (w *Worker) downloadEvent(method string, params json.RawMessage) {
	var p struct {
		GUID     string `json:"guid"`
		URL      string `json:"url"`
		Name     string `json:"suggestedFilename"`
		State    string `json:"state"`
		FilePath string `json:"filePath"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	w.mu.Lock()
	if w.downloads == nil {
		w.downloads = map[string]wire.DownloadEvent{}
	}
	e, known := w.downloads[p.GUID]
	switch {
	case method == "Browser.downloadWillBegin":
		e = wire.DownloadEvent{ID: len(w.downloads) + 1, URL: p.URL, Filename: p.Name, State: "in_progress"}
	case !known:
		w.mu.Unlock()
		return
	case p.State == "completed":
		e.State, e.Filename = "complete", p.FilePath
	case p.State == "canceled":
		e.State = "interrupted"
	default:
		w.mu.Unlock()
		return
	}
	w.downloads[p.GUID] = e
	w.mu.Unlock()
	w.emit(wire.EventDownload, e)
}
