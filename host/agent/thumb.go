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

// album is a Record that keeps pictures of steps if Thumbs returns true.
type album interface {
	Thumbs() bool
	KeepThumb(step int, jpeg []byte) error
}

// thumbs takes a picture after each step that changed something: while the model
// thinks or, if it answers sooner, before the next act. step is the step to take a
// picture of, 0 for none.
type thumbs struct {
	step int
	stop context.CancelFunc
	wg   sync.WaitGroup
	late atomic.Bool // the last one took too long: no act waits for the next
}

// willThumb tells whether a step gets a picture, and notes it for startThumb.
func (r *run) willThumb(s wire.StepInfo) bool {
	a, keeps := r.Record.(album)
	_, can := r.Executor.(camera)
	if !keeps || !can || !a.Thumbs() || s.Outcome != outcomeOK || s.Effect == "" || s.Effect == action.NoEffect {
		return false
	}
	r.thumb.step = s.N
	return true
}

// startThumb starts to take the noted picture.
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
			_ = r.Record.(album).KeepThumb(step, jpeg) // a lost picture does no harm
		}
		if late := errors.Is(ctx.Err(), context.DeadlineExceeded); late || err == nil {
			r.thumb.late.Store(late)
		}
	})
}

// stopThumb cancels a picture that is not taken yet.
func (r *run) stopThumb() {
	r.thumb.step = 0
	if r.thumb.stop != nil {
		r.thumb.stop()
		r.thumb.stop = nil
	}
}

// finishThumb takes the noted picture before the page changes, unless the last one was late.
func (r *run) finishThumb(ctx context.Context) {
	if !r.thumb.late.Load() {
		r.startThumb(ctx)
		r.thumb.wg.Wait()
	}
	r.stopThumb()
}

// endThumbs takes the last picture, and waits until it is kept.
func (r *run) endThumbs(ctx context.Context) {
	r.finishThumb(ctx)
	r.thumb.wg.Wait()
}
