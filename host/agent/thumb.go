package agent

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// thumbTime bounds the picture of a step, and so how long the next act waits for it.
const thumbTime = 3 * time.Second

// camera is an Executor that can take a small picture of the page; *action.Session
// is one.
type camera interface {
	Thumb(ctx context.Context) (jpeg []byte, err error)
}

// album is a Record that keeps pictures of steps, where it is to.
type album interface {
	Thumbs() bool
	KeepThumb(step int, jpeg []byte) error
}

// thumbs takes a picture after each step that changed something: while the model
// thinks, and where it answers sooner, before the next act. The step it is of is
// zero when there is nothing to take.
type thumbs struct {
	step int
	stop context.CancelFunc
	wg   sync.WaitGroup
	late atomic.Bool // the last one took too long: no act waits for the next
}

// willThumb notes that a picture of a step is wanted, and says so.
func (r *run) willThumb(s wire.StepInfo) bool {
	a, keeps := r.Record.(album)
	_, can := r.Executor.(camera)
	if !keeps || !can || !a.Thumbs() || s.Outcome != outcomeOK || s.Effect == "" || s.Effect == action.NoEffect {
		return false
	}
	r.thumb.step = s.N
	return true
}

// startThumb begins to take the picture that is wanted.
func (r *run) startThumb(ctx context.Context) {
	step := r.thumb.step
	if step == 0 {
		return
	}
	r.thumb.step = 0
	ctx, r.thumb.stop = context.WithTimeout(ctx, thumbTime)
	r.thumb.wg.Go(func() {
		jpeg, err := r.Executor.(camera).Thumb(ctx)
		if err == nil {
			_ = r.Record.(album).KeepThumb(step, jpeg) // else a picture less: the act that comes next matters more
		}
		if late := errors.Is(ctx.Err(), context.DeadlineExceeded); late || err == nil {
			r.thumb.late.Store(late)
		}
	})
}

// stopThumb gives up what is not taken yet.
func (r *run) stopThumb() {
	r.thumb.step = 0
	if r.thumb.stop != nil {
		r.thumb.stop()
		r.thumb.stop = nil
	}
}

// finishThumb has the picture that is wanted taken before the page changes.
func (r *run) finishThumb(ctx context.Context) {
	if !r.thumb.late.Load() {
		r.startThumb(ctx)
		r.thumb.wg.Wait()
	}
	r.stopThumb()
}

// endThumbs takes what is wanted yet, and waits for what is being kept.
func (r *run) endThumbs(ctx context.Context) {
	r.finishThumb(ctx)
	r.thumb.wg.Wait()
}
