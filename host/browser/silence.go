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

// A page does not answer while one of its scripts runs without end, nor while the
// tab waits for the answer of a server. The first call into such a page waits for
// CallTimeout, later ones for silentTime, until the page answers again.

const silentTime = 3 * time.Second

// SilentError is the error for a page that does not answer. It is also ErrTimeout.
type SilentError struct {
	// Leaving is the address that the tab is going to, if the server there has not
	// answered yet. If it is empty, a script of the page is busy or hangs.
	Leaving string
}

// Error returns a sentence with the reason.
func (e *SilentError) Error() string {
	if e.Leaving != "" {
		return fmt.Sprintf("the tab is on its way to %s, and the server there has not answered", e.Leaving)
	}
	return "the page does not answer: one of its scripts is busy or hangs"
}

// Unwrap returns ErrTimeout.
func (e *SilentError) Unwrap() error { return ErrTimeout }

// patience bounds a call by silentTime if the page did not answer before.
func (t *Tab) patience(ctx context.Context) context.Context {
	t.mu.Lock()
	silent := t.silent
	t.mu.Unlock()
	if d, ok := ctx.Value(timeoutKey{}).(time.Duration); !silent || ok && d <= silentTime {
		return ctx
	}
	return WithCallTimeout(ctx, silentTime)
}

// heard notes whether the page answered. It returns a *SilentError for a time-out,
// and any other err as it is.
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

// leavingFor returns the address that the main frame is going to, or ""; t.mu is
// held.
func (t *Tab) leavingFor() string {
	if f := t.frames[t.main]; f != nil && f.navigating {
		return f.to
	}
	return ""
}

// rouse ends the script of a page that does not answer, before a navigation: Chrome
// shows another page of the same process only when the script has returned.
func (t *Tab) rouse(ctx context.Context) {
	t.mu.Lock()
	hangs := t.silent && t.leavingFor() == ""
	t.mu.Unlock()
	if hangs {
		// It may not help: through chrome.debugger this command waits for the
		// page's main thread like any other, Page.crash included.
		_, _ = cdp.Call(WithCallTimeout(ctx, silentTime), t.root, runtime.TerminateExecution, cdp.Empty{})
	}
}

// giveUp ends a pending navigation, so that the page before it can be used again:
// while a navigation is pending, Chrome answers no command to the page.
func (t *Tab) giveUp(ctx context.Context) {
	if t.Dialog() != nil {
		return // the answer to the dialog decides whether the page is left
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*silentTime)
	defer cancel()
	ctx = WithCallTimeout(ctx, silentTime)
	t.stopLoading(ctx) // the command below shows whether it helped
	_, err := cdp.Call(ctx, t.root, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	_ = t.heard(err)
}

// stopLoading cancels a navigation. The browser process does that, so it also works
// if the page's process is gone.
func (t *Tab) stopLoading(ctx context.Context) {
	_, _ = cdp.Call(WithCallTimeout(context.WithoutCancel(ctx), silentTime), t.root, page.StopLoading, cdp.Empty{})
}
