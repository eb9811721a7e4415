package action

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tabwright/pagecontext"
)

// guardReport is GuardReport of the extractor.
type guardReport struct {
	Arrived int `json:"arrived"`
	Stopped []struct {
		Type string `json:"type"`
		Why  string `json:"why"`
		On   string `json:"on"`
	} `json:"stopped"`
}

// guard is Guard of the extractor.
type guard struct {
	Token       string `json:"token"`
	ID          int    `json:"id"`
	IframeID    int    `json:"iframeId,omitempty"`
	DropID      int    `json:"dropId,omitempty"`
	Fingerprint string `json:"fingerprint"`
	Kind        string `json:"kind"`
	MS          int64  `json:"ms"`
}

// guarded sends input while the extractor listens in the target's frame and
// in every frame above it: an event that reaches another node, or that would
// do something else than what was judged, is stopped there.
func (r *run) guarded(ctx context.Context, w *watching, a *aim, kind string, send func(context.Context) *Error) *Error {
	return r.guardedDrop(ctx, w, a, nil, kind, send)
}

// guardedDrop is guarded for a drag, which has a second end.
func (r *run) guardedDrop(ctx context.Context, w *watching, a, drop *aim, kind string, send func(context.Context) *Error) *Error {
	disarm, err := r.arm(ctx, a, drop, kind)
	if err != nil {
		return err
	}
	sent := w.race(ctx, send)
	if w.dialog() != nil {
		return nil // the page stands still; the guard runs out by itself
	}
	if ctx.Err() != nil {
		// Stopped in the middle of a busy page: it is not waited for, but the
		// guard must go, or the person's own clicks would be stopped by it.
		r.s.loose.Go(func() { disarm(ctx, guardTime) })
		return sent
	}
	report := disarm(ctx, frameTime)
	if err := r.verdict(ctx, a, report); err != nil {
		return err
	}
	return sent
}

// verdict turns what the guards stopped into an error.
func (r *run) verdict(ctx context.Context, a *aim, report guardReport) *Error {
	if len(report.Stopped) == 0 {
		return nil
	}
	if report.Arrived == 0 {
		r.res.Sent = false
	}
	r.s.o.Log.Debug().Interface("stopped", report.Stopped).Int("arrived", report.Arrived).Str("target", a.String()).Msg("the guard stopped input")
	// The first stop is the reason; what follows a stopped press is stopped with it.
	if first := report.Stopped[0]; first.Why == "other_node" {
		why := "at the last moment the input would have reached something else"
		if first.On != "" {
			why += ": " + short(pagecontext.Flatten(first.On), 80)
		}
		return r.moved(ctx, a, why)
	}
	return errMoved
}

// arm puts guards into the target's frame and its ancestors; disarm takes them
// away and gives what they saw.
func (r *run) arm(ctx context.Context, a, drop *aim, kind string) (disarm func(context.Context, time.Duration) guardReport, bad *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return nil, bad
	}
	token := fmt.Sprintf("g%d", time.Now().UnixNano())
	type armed struct {
		f frame
		g guard
	}
	all := []armed{{a.frame, guard{Token: token, ID: a.id, Fingerprint: a.facts.Fingerprint, Kind: kind, MS: guardTime.Milliseconds()}}}
	if drop != nil && drop.frame.ID() == a.frame.ID() {
		all[0].g.DropID = drop.id
	}
	for f := a.frame; f.ParentID() != ""; {
		parent := frameOf(fs, f.ParentID())
		if parent == nil {
			return nil, &Error{Code: StaleRef, Message: "the frame of " + a.String() + " is gone"}
		}
		id, err := f.Owner(ctx)
		if err != nil {
			return nil, wrap("find the frame of "+a.String(), err)
		}
		all = append(all, armed{parent, guard{Token: token, IframeID: id, Kind: kind, MS: guardTime.Milliseconds()}})
		f = parent
	}
	for _, x := range all {
		if err := x.f.Call(ctx, "arm", x.g, nil); err != nil {
			return nil, wrap("guard "+a.String(), err)
		}
	}
	return func(ctx context.Context, limit time.Duration) guardReport {
		dctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		defer cancel()
		reports := make([]guardReport, len(all))
		var wg sync.WaitGroup
		for i, x := range all {
			wg.Go(func() {
				// A frame that the act navigated away has nothing to say, and
				// let the event through.
				_ = x.f.Call(dctx, "disarm", map[string]string{"token": token}, &reports[i])
			})
		}
		wg.Wait()
		out := reports[0] // only the target's own frame sees the input arrive
		for _, more := range reports[1:] {
			out.Stopped = append(out.Stopped, more.Stopped...)
		}
		return out
	}, nil
}

func frameOf(fs []frame, id string) frame {
	for _, f := range fs {
		if f.ID() == id {
			return f
		}
	}
	return nil
}
