package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// A tab that another one covers is drawn three times, and then once a second
// (Viz counts the frames that nobody was shown), whatever focus emulation makes
// the page believe: so long do a hover, a scroll, and what a page does in its
// next frame take there. While a screencast runs Chrome draws as in front
// (Chromium 156: a click took 920 ms, and takes 30). It is a picture of 16
// pixels of which every thousandth would be sent, but each is taken, so it runs
// only while something is done.

const (
	// DrawnAfter is how long after the last act a tab goes on being drawn.
	DrawnAfter = 2 * time.Second
	// seldomFor is how long a tab is taken to be covered after it was seen to be.
	seldomFor = time.Minute
	// drawnWithin is how soon after its begin a screencast has Chrome draw.
	drawnWithin = 300 * time.Millisecond
	// vainly is how often a page must be late all the same before a screencast is
	// taken to be of no help: a busy machine is late now and then.
	vainly = 5
)

// drawing is who needs a tab to be drawn, and whether a screencast sees to it.
type drawing struct {
	mu      sync.Mutex
	needs   int       // under way: acts, and pictures
	forced  int       // of them, those that need it whatever was seen
	seldom  time.Time // until then the tab is taken to be covered
	useless time.Time // until then a screencast is taken to be of no help
	vain    int       // how often the page was late while it ran
	began   time.Time // of the screencast that is wanted; zero: none is
	rest    *time.Timer
	sending sync.Mutex // taken by who tells Chrome
	runs    bool       // what Chrome was told last; under sending
}

// needDrawn has the tab drawn until release, if it is known to be covered or if
// whatever was seen so far (force). It does not wait for Chrome.
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

// drawIfNeeded begins the screencast; d.mu is held.
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

// tellDrawing brings Chrome to what is wanted now. One goroutine at a time does
// so, and the last one tells the last wish.
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

// Undrawn says that a page was not drawn when it should have been: the tab is
// taken to be covered for a while, unless a screencast did not help. It tells
// whether the tab is drawn from now on, and was not just before.
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

// NeedsDrawing says that a new document was not painted yet: the tab is taken to
// be covered for a while. Nothing is said of whether a screencast helps, since a
// document may have nothing to paint.
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

// drawAnew ends a screencast that may have outlived the connection over which it
// was asked for; whether one is needed is learned anew.
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
