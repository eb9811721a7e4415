package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Chrome draws a tab that another tab covers three times, and then once a second
// (Viz counts the frames that were not shown), whatever focus emulation tells the
// page. A hover, a scroll or anything that a page does in its next frame then
// takes up to a second. While a screencast runs, Chrome draws the tab as if it
// were in front (Chromium 156: a click took 920 ms, and takes 30). The
// screencast's pictures are 16 pixels wide and only every thousandth is sent, but
// Chrome takes each, so the screencast runs only while something is done.

const (
	// DrawnAfter is how long the screencast of a tab runs on after the last act.
	DrawnAfter = 2 * time.Second
	// seldomFor is how long a tab counts as covered after it was found to be.
	seldomFor = time.Minute
	// drawnWithin is how long after its start a screencast may take to make
	// Chrome draw.
	drawnWithin = 300 * time.Millisecond
	// vainly is how often a page must be late during a screencast before that
	// counts as no help: on a busy machine a page is late now and then.
	vainly = 5
)

// drawing says what needs a tab to be drawn, and whether a screencast runs for it.
type drawing struct {
	mu      sync.Mutex
	needs   int       // acts and pictures under way
	forced  int       // those of needs that need the screencast in any case
	seldom  time.Time // until then the tab counts as covered
	useless time.Time // until then a screencast counts as no help
	vain    int       // how often the page was late while the screencast ran
	began   time.Time // when the screencast was wanted; zero: none is
	rest    *time.Timer
	sending sync.Mutex // held while Chrome is told
	runs    bool       // what Chrome was told last; under sending
}

// needDrawn has the tab drawn until release is called, if the tab counts as
// covered or force is true. It does not wait for Chrome.
func (t *Tab) needDrawn(force bool) (release func()) {
	d := &t.drawing
	d.mu.Lock()
	d.needs++
	if force {
		d.forced++
	}
	t.drawIfNeeded()
	d.mu.Unlock()
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.needs--
		if force {
			d.forced--
		}
		if d.needs == 0 && !d.began.IsZero() {
			d.rest = time.AfterFunc(DrawnAfter, t.drawNoMore)
		}
	})
}

// drawIfNeeded starts the screencast if it is needed; d.mu is held.
func (t *Tab) drawIfNeeded() {
	d := &t.drawing
	if d.rest != nil {
		d.rest.Stop()
		d.rest = nil
	}
	if d.began.IsZero() && (d.forced > 0 || d.needs > 0 && time.Now().Before(d.seldom)) {
		d.began, d.vain = time.Now(), 0
		go t.tellDrawing()
	}
}

func (t *Tab) drawNoMore() {
	d := &t.drawing
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.needs == 0 && !d.began.IsZero() {
		d.began, d.rest = time.Time{}, nil
		go t.tellDrawing()
	}
}

// tellDrawing starts or stops the screencast, as is wanted now. One goroutine at a
// time does so, so that the last one tells Chrome the newest state.
func (t *Tab) tellDrawing() {
	d := &t.drawing
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	want := !d.began.IsZero()
	d.mu.Unlock()
	if want == d.runs {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), DrawnAfter)
	defer cancel()
	d.runs = true // also where the answer is late: the browser begins it, and the page answers
	if want {
		quality, every := int64(1), int64(1000)
		_, _ = cdp.Call(ctx, t.root, page.StartScreencast, page.StartScreencastParams{
			Format: page.StartScreencastFormatJpeg, Quality: &quality, MaxWidth: 16, MaxHeight: 16, EveryNthFrame: every,
		})
		return
	}
	_, err := cdp.Call(ctx, t.root, page.StopScreencast, cdp.Empty{})
	d.runs = err != nil && t.root.Err() == nil
}

// Undrawn notes that a page was not drawn when it should have been. The tab
// counts as covered for a minute, unless a screencast did not help. Undrawn
// reports whether the tab is drawn from now on and was not before, or only since
// a moment ago.
func (t *Tab) Undrawn() (drawn bool) {
	d := &t.drawing
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.began.IsZero() {
		if time.Since(d.began) <= drawnWithin {
			return true
		}
		if d.vain++; d.forced == 0 && d.vain >= vainly { // the page is busy
			d.seldom, d.useless = time.Time{}, time.Now().Add(seldomFor)
		}
		return false
	}
	if time.Now().Before(d.useless) {
		return false
	}
	d.seldom = time.Now().Add(seldomFor)
	t.drawIfNeeded()
	return !d.began.IsZero()
}

// NeedsDrawing notes that a new document has not been painted yet. The tab counts
// as covered for a minute. Unlike Undrawn it does not judge whether a screencast
// helps, since a document may have nothing to paint.
func (t *Tab) NeedsDrawing() {
	d := &t.drawing
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Now().Before(d.useless) {
		return
	}
	d.seldom = time.Now().Add(seldomFor)
	t.drawIfNeeded()
}

// drawAnew stops a screencast that may have outlived the connection over which it
// was started. The next act that needs one starts it again.
func (t *Tab) drawAnew() {
	d := &t.drawing
	d.sending.Lock()
	d.runs = true
	d.sending.Unlock()
	d.mu.Lock()
	d.began = time.Time{}
	d.mu.Unlock()
	go t.tellDrawing()
}
