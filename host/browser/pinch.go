package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// Unpinch undoes a pinch zoom (Emulation.setPageScaleFactor) and reports
// whether there was one. While there is, points of DevTools are relative to the
// visual viewport, and those of the page to the layout viewport.
func (t *Tab) Unpinch(ctx context.Context) (was bool, err error) {
	m, err := cdp.Call(ctx, t.root, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return false, err
	}
	v := m.CSSVisualViewport
	if v == nil || v.Scale <= 1 && v.OffsetX == 0 && v.OffsetY == 0 {
		return false, nil
	}
	_, err = cdp.Call(ctx, t.root, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{PageScaleFactor: 1})
	return err == nil, err
}
