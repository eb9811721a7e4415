package agent

import (
	"context"

	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// LevelTakeover marks the pause in which the user acts in the page.
const LevelTakeover = "takeover"

// TakeOver pauses the task at once and interrupts the current turn. The channel is
// closed when the task has stopped using the page. Unpause ends the takeover.
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

// turn returns the context of one turn of the loop. end must be called after it.
func (d *UserChannel) turn(ctx context.Context) (_ context.Context, end func()) {
	ctx, cut := context.WithCancelCause(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken.cut = cut
	if d.taken.on { // the takeover came before the turn
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

// handBack closes parked and waits until the user resumes the task.
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

// leave detaches from the page and waits until the user is done with it.
func (d *UserChannel) leave(ctx context.Context, hands any, why wire.Event) error {
	if h, ok := hands.(tabReleaser); ok {
		if err := h.LetGo(ctx); err != nil {
			return err
		}
	}
	return d.handBack(ctx, why)
}

// Turn calls do as one turn of a task outside of its loop. A pause delays it, and a
// takeover cancels do's context (see TookOver). It returns when the user is done with the
// page.
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
