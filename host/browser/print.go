package browser

import (
	"time"

	"github.com/chromedp/cdproto/runtime"
)

// DialogPrint is the Kind of the browser's own print window, opened by a script of
// the page with window.print(). The page stands still until it is closed, and
// DevTools has no command for that: only the person can, or a navigation.
const DialogPrint = "print"

// What the extractor says of it through personBinding (extension/src/extractor/print.ts).
const (
	printBegins = "print"
	printEnds   = "printed"
)

// printTime is how long printing may take without a window: a headless browser
// opens none, and says at once that it is over.
const printTime = 50 * time.Millisecond

// printing is a print window that a page opened.
type printing struct {
	session string
	context runtime.ExecutionContextID
	dialog  *openDialog // nil until it took printTime
}

// printTold notes that a page's script prints, or has; t.mu is held.
func (t *Tab) printTold(session string, p runtime.EventBindingCalled) bool {
	if p.Payload == printEnds {
		return t.printGone(session, p.ExecutionContextID)
	}
	w := &printing{session: session, context: p.ExecutionContextID}
	t.printing = w
	time.AfterFunc(printTime, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.printing != w || t.dialog != nil || t.sessions[session] == nil {
			return
		}
		d := Dialog{Kind: DialogPrint}
		w.dialog = &openDialog{Dialog: d, session: t.sessions[session].cdp}
		t.setDialog(w.dialog)
		t.note(func(w *Watch) { w.state.Dialogs = append(w.state.Dialogs, d) })
	})
	return false
}

// printGone notes that the print window of a context was closed, or went with its
// document; 0 is any context of the session. t.mu is held.
func (t *Tab) printGone(session string, context runtime.ExecutionContextID) bool {
	w := t.printing
	if w == nil || w.session != session || context != 0 && context != w.context {
		return false
	}
	t.printing = nil
	if w.dialog == nil || t.dialog != w.dialog {
		return false
	}
	t.setDialog(nil)
	t.note(nil)
	return true
}
