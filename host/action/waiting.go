package action

import (
	"context"
	"fmt"
	"time"

	"tabwright/safety"
)

// WaitParams are the parameters of wait.
type WaitParams struct {
	MS float64 `json:"ms" jsonschema:"milliseconds, at most 30000"`
}

// maxWait caps wait; a longer wait is shortened, not refused.
const maxWait = 30 * time.Second

func waitingActions() []declared {
	return []declared{
		declare(Spec{Name: "wait", Family: "waiting", Class: safety.Read, ModelVisible: true, WithDialog: true}, wait),
	}
}

// wait does nothing for a while.
func wait(ctx context.Context, r *run, p WaitParams) *Error {
	d := min(max(time.Duration(p.MS*float64(time.Millisecond)), 0), maxWait)
	resume := r.bound.pause()
	defer resume()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return &Error{Code: Timeout, Message: "the wait was stopped", Err: ctx.Err()}
	case <-t.C:
	}
	*r.object = fmt.Sprintf("%g s", d.Seconds())
	r.res.Text = fmt.Sprintf("OK: waited %d ms.", d.Milliseconds())
	return nil
}
