package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// Unpinch takes back a pinch zoom (Emulation.setPageScaleFactor) and tells
// whether there was one: DevTools takes points from where the window begins,
// and what the page knows is from where its layout does.
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
