package agent

import (
	"context"
	"time"

	"tabwright/host/action"
	"tabwright/host/native"
)

// StepDone fills in what came of a step, for doors that act without a model.
func StepDone(s native.StepInfo, res action.Result, took time.Duration) native.StepInfo {
	return finish(s, res, took)
}

// StepBefore is the line of a step before it is done.
func StepBefore(c action.Call, lang string) string { return beforehand(c, lang) }

// WaitUnpaused returns at once when nothing is paused; else it records the
// pause, waits for its end and records that.
func (d *Desk) WaitUnpaused(ctx context.Context, why string) error { return d.waitUnpaused(ctx, why) }
