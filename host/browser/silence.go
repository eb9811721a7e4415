package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// A page answers nothing while one of its scripts runs without end, and none
// of Chrome's either while the tab is on its way to a server that has not
// answered. Whoever asks it waits CallTimeout once; after that silentTime is
// enough, until the page is heard of again.

const silentTime = 3 * time.Second

// SilentError is a page that does not answer. It is also ErrTimeout.
type SilentError struct {
	// Leaving is where the tab is going, when the server there has not answered
	// yet; otherwise a script of the page is busy or hangs.
	Leaving string
}

// Error says which of the two it is.
func (e *SilentError) Error() string {
	if e.Leaving != "" {
		return fmt.Sprintf("the tab is on its way to %s, and the server there has not answered", e.Leaving)
	}
	return "the page does not answer: one of its scripts is busy or hangs"
}

// Unwrap is ErrTimeout.
func (e *SilentError) Unwrap() error { return ErrTimeout }

// patience bounds a call into a page that was silent before.
func (t *Tab) patience(ctx context.Context) context.Context {
	t.mu.Lock()
	silent := t.silent
	t.mu.Unlock()
	if d, ok := ctx.Value(timeoutKey{}).(time.Duration); !silent || ok && d <= silentTime {
		return ctx
	}
	return WithCallTimeout(ctx, silentTime)
}

// heard notes whether the page answered, and says why where it did not.
func (t *Tab) heard(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err == nil:
		t.silent = false
	case errors.Is(err, ErrTimeout):
		t.silent = true
		return &SilentError{Leaving: t.leavingFor()}
	}
	return err
}

// leavingFor is where the main frame is going, or nothing; t.mu is held.
func (t *Tab) leavingFor() string {
	if f := t.frames[t.main]; f != nil && f.navigating {
		return f.to
	}
	return ""
}

// rouse ends the script of a page that was silent, which can't be left
// otherwise: Chrome lets a page of the same process come only when it returns.
func (t *Tab) rouse(ctx context.Context) {
	t.mu.Lock()
	hangs := t.silent && t.leavingFor() == ""
	t.mu.Unlock()
	if hangs {
		// Best effort: through chrome.debugger it waits for the page's main thread
		// like all else, and Page.crash does so too.
		_, _ = cdp.Call(WithCallTimeout(ctx, silentTime), t.root, runtime.TerminateExecution, cdp.Empty{})
	}
}

// giveUp ends a navigation that did not come, so that the page before it can be
// used again: while it is pending, Chrome answers nothing of it.
func (t *Tab) giveUp(ctx context.Context) {
	if t.Dialog() != nil {
		return // its answer says whether the page is left
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*silentTime)
	defer cancel()
	ctx = WithCallTimeout(ctx, silentTime)
	t.stopLoading(ctx) // what follows shows whether it helped
	_, err := cdp.Call(ctx, t.root, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	_ = t.heard(err)
}

// stopLoading breaks a navigation off; the browser itself does that, also where the
// page's process is gone.
func (t *Tab) stopLoading(ctx context.Context) {
	_, _ = cdp.Call(WithCallTimeout(context.WithoutCancel(ctx), silentTime), t.root, page.StopLoading, cdp.Empty{})
}
