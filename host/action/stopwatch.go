package action

import (
	"context"
	"sync"
	"time"
)

// stopwatch is a deadline that can be paused.
type stopwatch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time
}

func newStopwatch(parent context.Context, d time.Duration) *stopwatch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &stopwatch{ctx: ctx, cancel: cancel, left: d, since: time.Now()}
	w.timer = time.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return w
}

// pause stops the clock and returns a function that starts it again.
func (w *stopwatch) pause() (resume func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.timer.Stop() {
		return func() {}
	}
	w.left -= time.Since(w.since)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.since = time.Now()
		w.timer.Reset(max(w.left, time.Second))
	}
}

func (w *stopwatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.cancel(context.Canceled)
}
