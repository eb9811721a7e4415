package agent

import (
	"context"

	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// LevelTakeover marks the pause in which the user acts themselves.
const LevelTakeover = "takeover"

// TakeOver pauses the task at once: what is under way is cut short, and the
// page is let go of. The channel is closed when nothing of the task looks at it
// any more. Resume ends it.
func (d *UserChannel) TakeOver() (parked <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.taken.on {
		d.taken.on, d.taken.parked = true, make(chan struct{})
		if d.taken.cut != nil {
			d.taken.cut(errTakenOver)
		}
	}
	d.paused = true
	d.wake()
	return d.taken.parked
}

// turn is the context of one turn of the loop; end must be called after it.
func (d *UserChannel) turn(ctx context.Context) (_ context.Context, end func()) {
	ctx, cut := context.WithCancelCause(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken.cut = cut
	if d.taken.on { // it came before the turn
		cut(errTakenOver)
	}
	return ctx, func() {
		d.mu.Lock()
		d.taken.cut = nil
		d.mu.Unlock()
		cut(nil)
	}
}

// inTakeover reports whether the user has taken over.
func (d *UserChannel) inTakeover() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken.on
}

// InTakeover reports whether the user acts in the task's tab.
func (d *UserChannel) InTakeover() bool { return d.inTakeover() }

// handBack waits until the user lets the task go on.
func (d *UserChannel) handBack(ctx context.Context, why wire.Event) error {
	d.mu.Lock()
	close(d.taken.parked)
	d.mu.Unlock()
	why.Level = LevelTakeover
	err := d.pausedUntil(ctx, why)
	d.mu.Lock()
	d.taken.on = false
	d.mu.Unlock()
	return err
}

// leave lets go of the page until the user is done with it.
func (d *UserChannel) leave(ctx context.Context, hands any, why wire.Event) error {
	if h, ok := hands.(tabReleaser); ok {
		if err := h.LetGo(ctx); err != nil {
			return err
		}
	}
	return d.handBack(ctx, why)
}

// Turn does something of a task that is outside of its loop as one turn of that:
// a pause holds it, and a takeover cuts it short (TookOver tells of the context
// that do is given). It returns when the user is done with the page.
func (d *UserChannel) Turn(ctx context.Context, hands any, lang string, do func(context.Context) error) error {
	back := func() error {
		if !d.inTakeover() {
			return nil
		}
		return d.leave(ctx, hands, Says(wire.Event{Type: wire.EvPaused}, lang, prompts.TakenOver))
	}
	if err := back(); err != nil {
		return err
	}
	if err := d.waitUnpaused(ctx, Says(wire.Event{Type: wire.EvPaused}, lang, prompts.Paused)); err != nil {
		return err
	}
	turn, end := d.turn(ctx)
	err := do(turn)
	end()
	if err != nil {
		return err
	}
	return back()
}
