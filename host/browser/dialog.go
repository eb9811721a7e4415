package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// DialogUnknown is the Kind of a dialog that opened while nobody listened.
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
		// What was asked for stood still with the question, and goes on now or never.
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

// setDialog keeps up and down in step with the dialog; t.mu is held.
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

// Dialog is the native dialog that is open now, or nil. The page stands still
// under it; nothing here ever answers one unasked.
func (t *Tab) Dialog() *Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	d := t.dialog.Dialog
	return &d
}

// DialogOpened gives a channel that is closed as soon as a dialog is open: at
// once when one is. Ask for it again after a dialog was answered.
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

// HandleDialog answers the open dialog; text is a prompt's answer. It returns
// when Chrome closed it.
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
	// An unknown dialog closes without an event that we could be sure of.
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

// race runs fn until a dialog opens or the page crashes, after which the
// renderer answers nothing, or until the tab is gone. It gives ErrDialogOpen,
// ErrCrashed or why the tab detached then, and fn's context ends. What fn waits
// for need not be a command of the tab: the extension's injection into a tab
// that closes may never be answered.
func (t *Tab) race(ctx context.Context, fn func(context.Context) error) error {
	t.mu.Lock()
	crashed := t.crashed
	t.mu.Unlock()
	return t.raceWith(ctx, crashed, fn)
}

// underCrash is how long a navigation is waited for whose page crashed under it.
// Chrome goes on with it in another process, drops it and says so where it keeps
// pages, and was seen to forget it without a word where the answer came with the
// crash (Chromium 156).
const underCrash = 2 * time.Second

// raceDialog is race for what brings a crashed page back; crashed is from stands, at
// the beginning: a page that crashes in the middle of it ends it a moment later.
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

// stands is closed when the page crashes from now on; nil where it has crashed,
// and is to be brought back.
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
