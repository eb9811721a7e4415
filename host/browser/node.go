package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"
)

// SetFiles sets the files of a file input (DOM.setFileInputFiles). Paths are on
// the browser's computer.
func (t *Tab) SetFiles(ctx context.Context, f *Frame, localID int, paths []string) error {
	object, err := f.NodeObject(ctx, localID)
	if err != nil {
		return err
	}
	defer f.Release(context.WithoutCancel(ctx), object)
	if err := f.enableDOM(ctx); err != nil {
		return f.explain(err)
	}
	if _, err := cdp.Call(ctx, f.Session(), dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: object}); err != nil {
		return fmt.Errorf("set the files of a field: %w", f.explain(err))
	}
	return nil
}

// Highlight draws an outline over an element with Overlay.highlightNode, which
// does not change the page's DOM. There is one outline at a time; HideHighlight
// removes it.
func (t *Tab) Highlight(ctx context.Context, f *Frame, localID int) error {
	object, err := f.NodeObject(ctx, localID)
	if err != nil {
		return err
	}
	defer f.Release(context.WithoutCancel(ctx), object)
	if err := f.enableDOM(ctx); err != nil {
		return f.explain(err)
	}
	s := f.Session()
	// Overlay refuses to draw before it is enabled. Enabling it twice does no
	// harm.
	if _, err := cdp.Call(ctx, s, overlay.Enable, cdp.Empty{}); err != nil {
		return f.explain(err)
	}
	_, err = cdp.Call(ctx, s, overlay.HighlightNode, overlay.HighlightNodeParams{
		ObjectID: object,
		HighlightConfig: &overlay.HighlightConfig{
			BorderColor:  &cdp.RGBA{R: 230, G: 92, B: 0, A: 0.9},
			ContentColor: &cdp.RGBA{R: 230, G: 92, B: 0, A: 0.15},
		},
	})
	return f.explain(err)
}

// HideHighlight removes the outline, whichever frame it is in.
func (t *Tab) HideHighlight(ctx context.Context) error {
	t.mu.Lock()
	sessions := make([]cdp.Session, 0, len(t.sessions))
	for _, s := range t.sessions {
		sessions = append(sessions, s.cdp)
	}
	t.mu.Unlock()
	for _, s := range sessions {
		// A session without an enabled overlay has nothing to hide.
		if _, err := cdp.Call(ctx, s, overlay.HideHighlight, cdp.Empty{}); err != nil && t.root.Err() != nil {
			return t.root.Err()
		}
	}
	return ctx.Err()
}
