package browser

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// ScreenshotTimeout bounds one picture.
const ScreenshotTimeout = 8 * time.Second

// nudgeAfter is how long a capture may take before nudge has the tab drawn.
const nudgeAfter = 250 * time.Millisecond

// Screenshot takes a picture of the tab (Page.captureScreenshot) and returns it
// with its MIME type. It does not activate the tab. In a background tab, where
// no frames are drawn and the capture would hang, it runs a screencast, which
// makes Chrome draw.
func (t *Tab) Screenshot(ctx context.Context, o ScreenshotOptions) (data []byte, mime string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ScreenshotTimeout)
	defer cancel()
	var res page.CaptureScreenshotResult
	err = t.race(ctx, func(ctx context.Context) error {
		p, err := t.captureParams(ctx, o)
		if err != nil {
			return err
		}
		defer t.needDrawn(false)()
		defer t.nudge(ctx)()
		res, err = cdp.Call(ctx, t.root, page.CaptureScreenshot, p)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("screenshot: %w", err)
	}
	if len(res.Data) == 0 {
		return nil, "", fmt.Errorf("screenshot: Chrome gave an empty picture")
	}
	switch {
	case o.PNG:
		return res.Data, "image/png", nil
	case o.WebP:
		return res.Data, "image/webp", nil
	}
	return res.Data, "image/jpeg", nil
}

func (t *Tab) captureParams(ctx context.Context, o ScreenshotOptions) (page.CaptureScreenshotParams, error) {
	p := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatJpeg}
	if o.PNG {
		p.Format = page.CaptureScreenshotFormatPng
	} else {
		if o.WebP {
			p.Format = page.CaptureScreenshotFormatWebp
		}
		q := int64(80)
		if o.Quality > 0 {
			q = int64(min(o.Quality, 100))
		}
		p.Quality = &q
	}
	m, err := cdp.Call(ctx, t.root, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return p, err
	}
	ratio := 1.0
	if !o.DevicePixels {
		if ratio, err = t.pixelRatio(ctx); err != nil {
			return p, err
		}
	}
	clip := page.Viewport{Scale: 1 / ratio}
	switch {
	case o.Clip != nil:
		clip.X, clip.Y, clip.Width, clip.Height = o.Clip.X, o.Clip.Y, o.Clip.Width, o.Clip.Height
	case o.FullPage && m.CSSContentSize != nil:
		clip.Width, clip.Height = m.CSSContentSize.Width, min(m.CSSContentSize.Height, MaxPagePixels/ratio)
	case m.CSSLayoutViewport != nil && ratio != 1:
		v := m.CSSLayoutViewport
		clip.X, clip.Y = float64(v.PageX), float64(v.PageY)
		clip.Width, clip.Height = float64(v.ClientWidth), float64(v.ClientHeight)
	default:
		return p, nil // the viewport as it is
	}
	p.Clip = &clip
	if o.FullPage || o.Clip != nil {
		yes := true
		p.CaptureBeyondViewport = &yes
	}
	return p, nil
}

func (t *Tab) pixelRatio(ctx context.Context) (float64, error) {
	yes := true
	res, err := cdp.Call(ctx, t.root, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "devicePixelRatio", ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return 0, err
	}
	if res.Result != nil {
		if ratio, err := strconv.ParseFloat(string(res.Result.Value), 64); err == nil && ratio > 0 {
			return ratio, nil
		}
	}
	return 1, nil // a page may have put anything in its place
}

// nudge has the tab drawn if the capture takes longer than nudgeAfter, until
// stop is called.
func (t *Tab) nudge(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(nudgeAfter)
		defer timer.Stop()
		select {
		case <-timer.C:
			t.Undrawn()
			defer t.needDrawn(true)()
			<-ctx.Done()
		case <-ctx.Done():
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
