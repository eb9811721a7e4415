package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// What a page holds that may not be saved is thrown away by loading the page again. Until the
// next document is there nothing that writes leaves the tab, not even what is sent as the page
// is left, and the next document begins with what the page had kept in the browser before.

// quarantine is such a tab's; Tab.mu guards it.
type quarantine struct {
	left   int                   // documents that may not write yet; 0 where there is none
	script page.ScriptIdentifier // that puts back what was kept, in those that come
}

// quarantineTime bounds the calls by which it begins and ends.
const quarantineTime = 2 * time.Second

// Quarantine stops what the tab's document, and the frames in it, would send that writes.
func (t *Tab) Quarantine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, quarantineTime)
	defer cancel()
	t.mu.Lock()
	if t.quarantine.left > 0 {
		t.mu.Unlock()
		return
	}
	t.quarantine = quarantine{left: 1}
	t.wide.users++
	ready := t.use(ctx, &t.wide, t.liveSessions())
	t.mu.Unlock()
	ready()
}

// Prepare has a quarantine last until Release, over the next two documents: what is sent while the
// first one is left arrives only then, and what was kept where it can't be put back is sent as
// the second one loads. It has a script evaluated in the documents that come before their own, in an
// isolated world.
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

// Release ends a quarantine whose documents have come: the last one is at rest.
func (t *Tab) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.quarantine.left == 1 {
		t.endQuarantine()
	}
}

// endQuarantine is for when another document is shown; t.mu is held.
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

// keepsBack reports a request that may not leave.
func (t *Tab) keepsBack(p paused) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch p.Request.Method {
	case "GET", "HEAD", "OPTIONS":
		return t.quarantine.left > 0 && p.Type == "Ping"
	}
	return t.quarantine.left > 0
}
