package agent

import (
	"context"

	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// sharing is an Executor whose tab the user may use at the same time; *action.Session
// is one.
type sharing interface {
	// AwaitUserIdle calls waiting when the user has used the tab since the last
	// look at it, waits until they are still, and reports true.
	AwaitUserIdle(ctx context.Context, waiting func()) (bool, error)
}

// waitForUserIdle pauses while the user uses the tab, and tells whether they did.
// The caller then drops its decision and looks at the page again.
func (r *run) waitForUserIdle(ctx context.Context) (used bool, err error) {
	hands, ok := r.Executor.(sharing)
	if !ok {
		return false, nil
	}
	var saved error
	used, err = hands.AwaitUserIdle(ctx, func() {
		saved = r.Record.Emit(Says(wire.Event{Type: wire.EvPaused}, r.Lang, prompts.UserUsesTab))
	})
	switch {
	case saved != nil:
		return used, saved
	case ctx.Err() != nil:
		return used, context.Cause(ctx)
	case err != nil || !used:
		return used, err
	}
	r.notices = append(r.notices, prompts.Notice(prompts.UserUsedTab, r.Lang))
	return true, r.Record.Emit(wire.Event{Type: wire.EvResumed})
}

// yieldForTakeover lets go of the page while the user acts on it, and has the model
// told when they are done.
func (r *run) yieldForTakeover(ctx context.Context) error {
	if !r.User.inTakeover() {
		return nil
	}
	r.stopThumb()
	if err := r.User.leave(ctx, r.Executor, r.pause(prompts.TakenOver)); err != nil {
		return err
	}
	r.notices = append(r.notices, prompts.Notice(prompts.TookOver, r.Lang))
	r.wantPicture = true
	return nil
}
