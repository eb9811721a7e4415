package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// If a page holds changes that must not be saved, they are discarded by loading the page
// again. Until the next document is there, no request that writes leaves the tab, not even
// one that is sent as the page is left. The next document begins with what the page had
// stored in the browser before.

// quarantine is the state of a tab in which requests that write are stopped; Tab.mu guards
// it.
type quarantine struct {
	left   int // documents that may not write yet; 0: no quarantine
	began  time.Time
	script page.ScriptIdentifier // restores what was stored, in new documents
}

// quarantineTime bounds the calls that begin and end a quarantine.
const quarantineTime = 2 * time.Second

// Quarantine stops the requests that write of the tab's document and its frames, until
// the next document or Release.
func (t *Tab) Quarantine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, quarantineTime)
	defer cancel()
	t.mu.Lock()
	if t.quarantine.left > 0 {
		t.mu.Unlock()
		return
	}
	t.quarantine = quarantine{left: 1, began: time.Now()}
	t.wide.users++
	ready := t.use(ctx, &t.wide, t.liveSessions())
	t.mu.Unlock()
	ready()
}

// Prepare extends a quarantine over the next two documents and until Release. Requests that
// are sent as the first document is left arrive only after that, and what was stored where
// it can't be restored is sent as the second one loads. script runs in new documents before
// their own scripts, in an isolated world.
func (t *Tab) Prepare(ctx context.Context, script string) error {
	ctx, cancel := context.WithTimeout(ctx, quarantineTime)
	defer cancel()
	t.mu.Lock()
	if t.quarantine.left > 0 {
		t.quarantine.left += 2
	}
	t.mu.Unlock()
	got, err := cdp.Call(ctx, t.root, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: script, WorldName: "tabwright-restore",
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.quarantine.left == 0 {
		t.removeScript(got.Identifier)
		return nil
	}
	t.quarantine.script = got.Identifier
	return nil
}

// Release ends the quarantine if its last document has come. Call it when that is at rest.
func (t *Tab) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.quarantine.left == 1 {
		t.endQuarantine()
	}
}

// endQuarantine counts a document, and ends the quarantine after the last one; t.mu is held.
func (t *Tab) endQuarantine() {
	if t.quarantine.left == 0 {
		return
	}
	if t.quarantine.left--; t.quarantine.left > 0 {
		return
	}
	if t.quarantine.script != "" {
		t.removeScript(t.quarantine.script)
	}
	t.quarantine = quarantine{}
	t.leave(&t.wide)
}

func (t *Tab) removeScript(id page.ScriptIdentifier) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), quarantineTime)
		defer cancel()
		_ = t.root.Call(ctx, "Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": id}, nil) // it ends with the session in any case
	}()
}

// keepsBack reports whether the quarantine stops a request: one that writes, or a beacon.
func (t *Tab) keepsBack(p paused) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch p.Request.Method {
	case "GET", "HEAD", "OPTIONS":
		return t.quarantine.left > 0 && p.Type == "Ping"
	}
	return t.quarantine.left > 0
}
