package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// DialogUnknown is the Kind of a dialog that opened before the tab was attached.
const DialogUnknown = "unknown"

type openDialog struct {
	Dialog
	session cdp.Session
}

func (t *Tab) dialogOpening(session string, p page.EventJavascriptDialogOpening) bool {
	d := Dialog{Kind: string(p.Type), Message: p.Message, Default: p.DefaultPrompt, URL: p.URL}
	t.setDialog(&openDialog{Dialog: d, session: t.sessions[session].cdp})
	t.note(func(w *Watch) { w.state.Dialogs = append(w.state.Dialogs, d) })
	return true
}

func (t *Tab) dialogClosing(_ string, p page.EventJavascriptDialogClosed) bool {
	if t.dialog != nil && t.dialog.Kind == string(page.DialogTypeBeforeunload) {
		// A navigation that was asked for waited for the dialog. It begins now, or
		// never.
		for _, f := range t.frames {
			switch {
			case !p.Result:
				f.asked = time.Time{}
			case !f.asked.IsZero():
				f.asked = time.Now()
			}
		}
	}
	t.setDialog(nil)
	t.note(nil)
	return true
}

// setDialog sets the open dialog and updates the channels up and down; t.mu is held.
func (t *Tab) setDialog(d *openDialog) {
	was := t.dialog
	t.dialog = d
	switch {
	case was == nil && d != nil:
		close(t.up)
		t.down = make(chan struct{})
	case was != nil && d == nil:
		close(t.down)
		t.up = make(chan struct{})
	}
}

// Dialog returns the native dialog that is open now, or nil. While it is open the page
// stands still. Only HandleDialog answers it.
func (t *Tab) Dialog() *Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	d := t.dialog.Dialog
	return &d
}

// DialogOpened returns a channel that is closed as soon as a dialog is open, which may
// be at once. After a dialog was answered, ask for a new channel.
func (t *Tab) DialogOpened() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.up
}

func (t *Tab) dialogClosed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.down
}

// HandleDialog answers the open dialog; text is the answer to a prompt. It returns
// when Chrome has closed the dialog.
func (t *Tab) HandleDialog(ctx context.Context, accept bool, text string) error {
	t.mu.Lock()
	d, down := t.dialog, t.down
	t.mu.Unlock()
	if d == nil {
		return fmt.Errorf("no dialog is open")
	}
	_, err := cdp.Call(ctx, d.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
	if says(err, []string{"No dialog is showing"}) {
		t.mu.Lock()
		if t.dialog == d {
			t.setDialog(nil)
		}
		t.mu.Unlock()
		return err
	}
	if err != nil {
		return err
	}
	// It is not certain that Chrome reports the closing of an unknown dialog.
	limit := time.NewTimer(time.Second)
	defer limit.Stop()
	select {
	case <-down:
	case <-limit.C:
		t.mu.Lock()
		if t.dialog == d {
			t.setDialog(nil)
		}
		t.mu.Unlock()
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// race runs fn and returns its error. If a dialog opens, the page crashes or the tab
// is detached before that, the renderer may never answer. race then ends fn's context
// and returns ErrDialogOpen, ErrCrashed or why the tab was detached. fn need not wait
// for a command of the tab: the extension's injection into a tab that closes may never
// be answered either.
func (t *Tab) race(ctx context.Context, fn func(context.Context) error) error {
	t.mu.Lock()
	crashed := t.crashed
	t.mu.Unlock()
	return t.raceWith(ctx, crashed, fn)
}

// underCrash is how long a navigation may still take after the page crashed during it.
// Chrome continues it in another process, or drops it and reports that if it keeps
// pages (back/forward cache). If the answer came with the crash, Chrome was seen to
// forget the navigation without a report (Chromium 156).
const underCrash = 2 * time.Second

// raceDialog is race for a navigation, which brings a crashed page back. crashed is
// what stands returned before it began. If the page crashes during fn, raceDialog
// returns ErrCrashed after underCrash.
func (t *Tab) raceDialog(ctx context.Context, crashed <-chan struct{}, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	go func() {
		select {
		case <-crashed:
		case <-ctx.Done():
			return
		}
		limit := time.NewTimer(underCrash)
		defer limit.Stop()
		select {
		case <-limit.C:
			close(over)
		case <-ctx.Done():
		}
	}()
	err := t.raceWith(ctx, over, fn)
	if errors.Is(err, ErrCrashed) {
		t.stopLoading(ctx) // nobody waits for it any more
	}
	return err
}

// stands returns a channel that is closed when the page crashes, or nil if it has
// crashed already.
func (t *Tab) stands() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.crashed:
		return nil
	default:
		return t.crashed
	}
}

func (t *Tab) raceWith(ctx context.Context, crashed <-chan struct{}, fn func(context.Context) error) error {
	up := t.DialogOpened()
	select {
	case <-up:
		return ErrDialogOpen
	case <-crashed:
		return ErrCrashed
	default:
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	ch := make(chan error, 1)
	go func() { ch <- fn(inner) }()
	select {
	case err := <-ch:
		return err
	case <-up:
		return ErrDialogOpen
	case <-crashed:
		return ErrCrashed
	case <-t.root.Done():
		return t.root.Err()
	}
}
