package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// realDriver and realTab make the interfaces of seam.go of a real browser.
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
func (t realTab) Mouse(ctx context.Context, m mouse) error {
	return t.Tab.Mouse(ctx, m.kind, m.x, m.y, m.button, m.clicks, m.mods)
}

// Wheel turns the mouse wheel.
func (t realTab) Wheel(ctx context.Context, x, y, dx, dy float64) error {
	return t.Tab.Wheel(ctx, x, y, dx, dy, 0)
}

// Watch collects what happens from now on.
func (t realTab) Watch() watch { return t.Tab.Watch() }

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

// Highlight outlines an element until hide is called. The outline is taken
// away with a context of its own: it must go even when the task was stopped.
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

// Screenshot gives a JPEG of the viewport, scaled down to the longer side.
func (t realTab) Screenshot(ctx context.Context, long int) (data []byte, mime string, err error) {
	data, mime, err = t.Tab.Screenshot(ctx, browser.ScreenshotOptions{})
	if err != nil {
		return nil, "", err
	}
	small, err := shrink(data, long)
	if err != nil || small == nil {
		return data, mime, err
	}
	return small, "image/jpeg", nil
}

// shrink gives the picture with its longer side at most long, or nil when it
// is small enough as it is.
func shrink(data []byte, long int) ([]byte, error) {
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	if max(cfg.Width, cfg.Height) <= long {
		return nil, nil
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	k := float64(long) / float64(max(cfg.Width, cfg.Height))
	dst := image.NewRGBA(image.Rect(0, 0, int(float64(cfg.Width)*k), int(float64(cfg.Height)*k)))
	draw.ApproxBiLinear.Scale(dst, dst.Bounds(), img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, dst, &jpeg.Options{Quality: 80}); err != nil {
		return nil, fmt.Errorf("write the picture: %w", err)
	}
	return b.Bytes(), nil
}

// browserError gives a browser's error its code, or nil for one it has no code for.
func browserError(err error) *Error {
	if err == nil {
		return nil
	}
	e := &Error{Message: err.Error(), Err: err}
	var js *browser.JSError
	switch {
	case errors.Is(err, browser.ErrNoTab):
		e.Code, e.Message = TabClosed, "the tab was closed"
	case errors.Is(err, browser.ErrUserCancelled):
		e.Code, e.Message, e.Err = Detached, "the person took the tab back", errors.Join(ErrUserCancelled, err)
	case errors.Is(err, browser.ErrGone):
		e.Code, e.Err = Detached, errors.Join(ErrBrowserGone, err)
	case errors.Is(err, browser.ErrDetached):
		e.Code = Detached
	case errors.Is(err, browser.ErrDialogOpen):
		e.Code = DialogOpen
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
