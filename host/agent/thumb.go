package agent

import (
	"context"
	"sync"
	"time"

	"tabwright/host/action"
	"tabwright/host/native"
)

// thumbTime bounds the picture of a step.
const thumbTime = 3 * time.Second

// camera are Hands that can take a small picture of the page; *action.Session
// is one.
type camera interface {
	Thumb(ctx context.Context) (jpeg []byte, err error)
}

// album is a Record that keeps pictures of steps, where it is to.
type album interface {
	Thumbs() bool
	KeepThumb(step int, jpeg []byte) error
}

// thumbs takes a picture after each step that changed something, while the
// model thinks. The step it is of is zero when there is nothing to take.
type thumbs struct {
	step int
	stop context.CancelFunc
	wg   sync.WaitGroup
}

// willThumb notes that a picture of a step is wanted, and says so.
func (r *run) willThumb(s native.StepInfo) bool {
	a, keeps := r.Record.(album)
	_, can := r.Hands.(camera)
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
		jpeg, err := r.Hands.(camera).Thumb(ctx)
		if err != nil {
			return // a picture less; the act that comes next matters more
		}
		_ = r.Record.(album).KeepThumb(step, jpeg) // as above
	})
}

// stopThumb gives up what is not taken yet, so that no act waits for it.
func (r *run) stopThumb() {
	if r.thumb.stop != nil {
		r.thumb.stop()
		r.thumb.stop = nil
	}
}

// endThumbs waits for what is being kept.
func (r *run) endThumbs() {
	r.stopThumb()
	r.thumb.wg.Wait()
}
