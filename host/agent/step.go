package agent

import (
	"context"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// StepDone returns a step with its result, for clients that act without a model.
func StepDone(s wire.StepInfo, res action.Result, took time.Duration) wire.StepInfo {
	return finish(s, res, took)
}

// StepBefore returns the line of a step before it is done, and in the line in each
// language.
func StepBefore(c action.Call, lang string) (line string, in map[string]string) {
	in = map[string]string{action.English: beforehand(c, action.English), action.Chinese: beforehand(c, action.Chinese)}
	return beforehand(c, lang), in
}

// WaitUnpaused returns at once when nothing is paused; else it records the
// pause, waits for its end and records that.
func (d *UserChannel) WaitUnpaused(ctx context.Context, why string) error {
	return d.waitUnpaused(ctx, wire.Event{Type: wire.EvPaused, Text: why})
}

// DropSaid forgets what was said before a question, which is no answer to it.
func (d *UserChannel) DropSaid() { d.takeSaid() }

// WaitSaid waits until the user has said something, and returns it.
func (d *UserChannel) WaitSaid(ctx context.Context) ([]string, error) {
	said, err := d.waitSaid(ctx)
	out := make([]string, len(said))
	for i, s := range said {
		out[i] = s.text
	}
	return out, err
}

// IsPaused reports whether the user has asked for a pause.
func (d *UserChannel) IsPaused() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.paused
}
