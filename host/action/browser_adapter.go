package action

import (
	"context"
	"errors"
	"fmt"

	"tabwright/host/action/hittarget"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// realDriver and realTab implement the interfaces of interfaces.go with a real browser.
type realDriver struct{ browser.Driver }

func (d realDriver) Attach(ctx context.Context, id browser.TabID) (tab, error) {
	t, err := d.Driver.Attach(ctx, id)
	if err != nil {
		return nil, err
	}
	return realTab{t}, nil
}

type realTab struct{ *browser.Tab }

type realFrame struct{ *browser.Frame }

// Owner gives the extractor id of the frame's <iframe>.
func (f realFrame) Owner(ctx context.Context) (int, error) {
	_, id, err := f.Frame.Owner(ctx)
	return id, err
}

// MainURL is the address of the main frame.
func (t realTab) MainURL() string { return t.URL() }

// Frames gives the tab's frames, the main frame first.
func (t realTab) Frames(ctx context.Context) ([]pagecontext.Frame, error) {
	fs, err := t.Tab.Frames(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]pagecontext.Frame, len(fs))
	for i, f := range fs {
		out[i] = realFrame{f}
	}
	return out, nil
}

// Mouse sends one mouse event.
func (t realTab) Mouse(ctx context.Context, l hittarget.Lease, m mouse) error {
	if err := l.Renew(ctx); err != nil {
		return err
	}
	return t.Tab.Mouse(ctx, m.kind, m.x, m.y, m.button, m.clicks, m.mods)
}

// Send sends events in their order.
func (t realTab) Send(ctx context.Context, l hittarget.Lease, list []input) error {
	if err := l.Renew(ctx); err != nil {
		return err
	}
	out := make([]browser.Input, len(list))
	for i, in := range list {
		out[i] = browser.Input{Key: in.key, Text: in.text}
		if m := in.mouse; m != nil {
			out[i].Mouse = &browser.MouseEvent{Kind: m.kind, X: m.x, Y: m.y, Button: m.button, Clicks: m.clicks, Modifiers: m.mods}
		}
	}
	return t.Tab.Send(ctx, out)
}

// Key sends one key event.
func (t realTab) Key(ctx context.Context, l hittarget.Lease, e browser.KeyEvent) error {
	if err := l.Renew(ctx); err != nil {
		return err
	}
	return t.Tab.Key(ctx, e)
}

// Wheel turns the mouse wheel.
func (t realTab) Wheel(ctx context.Context, x, y, dx, dy float64) error {
	return t.Tab.Wheel(ctx, x, y, dx, dy, 0)
}

// Watch collects what happens from now on.
func (t realTab) Watch() watch { return realWatch{t.Tab.Watch()} }

type realWatch struct{ *browser.Watch }

// SuppressFileDialogs keeps the system's file dialogs closed.
func (w realWatch) SuppressFileDialogs(ctx context.Context, f pagecontext.Frame) (ready func()) {
	rf, ok := f.(realFrame)
	if !ok {
		return w.Watch.SuppressFileDialogs(ctx, nil)
	}
	return w.Watch.SuppressFileDialogs(ctx, rf.Frame)
}

// Asker returns the file input that asked for a file.
func (t realTab) Asker(ctx context.Context, c browser.FileChooser) (f pagecontext.Frame, id int, err error) {
	bf, ok := t.Tab.Frame(c.Frame)
	if !ok {
		return nil, 0, browser.ErrDocumentGone
	}
	id, err = bf.AdoptNode(ctx, c.Node)
	return realFrame{bf}, id, err
}

func (t realTab) frame(f pagecontext.Frame) (*browser.Frame, error) {
	rf, ok := f.(realFrame)
	if !ok {
		return nil, fmt.Errorf("frame of type %T is not of this browser", f)
	}
	return rf.Frame, nil
}

// SetFiles gives files to a file input.
func (t realTab) SetFiles(ctx context.Context, f pagecontext.Frame, id int, files []string) error {
	rf, err := t.frame(f)
	if err != nil {
		return err
	}
	return t.Tab.SetFiles(ctx, rf, id, files)
}

// DropFiles drags files over a point, and drops them there if the page accepts them.
func (t realTab) DropFiles(ctx context.Context, l hittarget.Lease, x, y float64, files []string, takes func() bool) error {
	if err := l.Renew(ctx); err != nil {
		return err
	}
	return t.Tab.DropFiles(ctx, x, y, files, takes)
}

// Highlight outlines an element until hide is called. hide has a context of its
// own, so that it works even after the task was stopped.
func (t realTab) Highlight(ctx context.Context, f pagecontext.Frame, id int) (hide func(), err error) {
	rf, err := t.frame(f)
	if err != nil {
		return nil, err
	}
	if err := t.Tab.Highlight(ctx, rf, id); err != nil {
		return nil, err
	}
	return func() {
		hctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTime)
		defer cancel()
		_ = t.HideHighlight(hctx)
	}, nil
}

// browserError returns a browser's error as an *Error with a code, or nil if none fits.
func browserError(err error) *Error {
	if err == nil {
		return nil
	}
	e := &Error{Message: err.Error(), Err: err}
	var js *browser.JSError
	var silent *browser.SilentError
	switch {
	case errors.Is(err, browser.ErrNoTab):
		e.Code, e.Message = TabClosed, "the tab was closed"
	case errors.Is(err, browser.ErrUserCancelled):
		e.Code, e.Message, e.Err = Detached, "the user took the tab back", errors.Join(ErrUserCancelled, err)
	case errors.Is(err, browser.ErrGone):
		e.Code, e.Err = Detached, errors.Join(ErrBrowserGone, err)
		e.Hint = "The browser has ended, or its extension was reloaded. Look again in a moment; if it stays so, tell the user."
	case errors.Is(err, browser.ErrOwnPage):
		e.Code, e.Message = Detached, "the tab shows a page of Chrome's own, such as a warning about a certificate, which can't be driven or left"
		e.Hint = "Go on in a new tab with openTab; the user can close this one."
	case errors.Is(err, browser.ErrDetached):
		e.Code = Detached
	case errors.Is(err, browser.ErrDialogOpen):
		e.Code = DialogOpen
	case errors.Is(err, browser.ErrCrashed):
		e.Code, e.Message = Detached, "the page has crashed: its process ended"
		e.Hint = "Load it again with refresh, or go elsewhere with navigate."
	case errors.As(err, &silent):
		e.Code, e.Message = Timeout, silent.Error()
		e.Hint = "Load it again with refresh; if that does not help, go on in a new tab with openTab. Other tabs still work."
		if silent.Leaving != "" {
			e.Hint = "Wait for it with waitFor, or give it up with navigate or refresh."
		}
	case errors.Is(err, browser.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = Timeout, "the browser did not answer in time"
	case errors.Is(err, browser.ErrDocumentGone), errors.Is(err, browser.ErrNoNode):
		e.Code, e.Message = StaleRef, "the page changed in the middle"
	case errors.As(err, &js):
		e.Code, e.Message = Unsupported, "the script failed: "+js.Error()
		e.Hint = "Mend the code, or do it with another action."
	default:
		return nil
	}
	return e
}
