package action

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// guardReport is GuardReport of the extractor.
type guardReport struct {
	Arrived int `json:"arrived"`
	Stopped []struct {
		Type string `json:"type"`
		Why  string `json:"why"`
		On   string `json:"on"`
	} `json:"stopped"`
	Sending *sending `json:"sending,omitempty"`
}

// sending is a form that a script of the page was about to send.
type sending struct {
	Form   safety.Form `json:"form"`
	Button string      `json:"button"`
}

// errSends is what sending input gives when the guard stopped a form that the
// page's script was about to send with it: that is to be judged as well.
var errSends = &Error{Code: StaleRef, Message: "the page was about to send a form with this"}

// guard is Guard of the extractor.
type guard struct {
	Token       string `json:"token"`
	ID          int    `json:"id"`
	IframeID    int    `json:"iframeId,omitempty"`
	DropID      int    `json:"dropId,omitempty"`
	Fingerprint string `json:"fingerprint"`
	Kind        string `json:"kind"`
	MS          int64  `json:"ms"`
	Submits     bool   `json:"submits,omitempty"`
	SendsTo     string `json:"sendsTo,omitempty"`
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
	if report.Arrived == 0 && report.Sending == nil {
		r.res.Sent = false
	}
	r.s.o.Log.Debug().Interface("stopped", report.Stopped).Int("arrived", report.Arrived).Str("target", a.String()).Msg("the guard stopped input")
	if report.Sending != nil {
		r.sending = report.Sending
		return errSends
	}
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

// arm puts guards into every frame: into the target's and its ancestors, where
// the input must pass as it was judged, and into all others, where none may
// arrive (a frame can come over the target at the last moment). disarm takes
// them away and gives what they saw.
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
	all := []armed{{a.frame, guard{
		Token: token, ID: a.id, Fingerprint: a.facts.Fingerprint, Kind: kind, MS: guardTime.Milliseconds(),
		Submits: r.enters, SendsTo: r.mayCome(a),
	}}}
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
	var off sync.WaitGroup
	for _, f := range fs {
		if slices.ContainsFunc(all, func(x armed) bool { return x.f.ID() == f.ID() }) {
			continue
		}
		x := armed{f, guard{Token: token, Kind: kind, MS: guardTime.Milliseconds()}}
		if drop != nil && drop.frame.ID() == f.ID() {
			x.g.DropID = drop.id
		}
		all = append(all, x)
		off.Go(func() {
			// Best effort: a frame that is just going away, or whose page is busy
			// for longer, does not keep the act from being done.
			actx, cancel := context.WithTimeout(ctx, otherFrameTime)
			defer cancel()
			if err := x.f.Call(actx, "arm", x.g, nil); err != nil {
				r.s.o.Log.Debug().Err(err).Str("frame", x.f.URL()).Msg("another frame could not be guarded")
			}
		})
	}
	off.Wait()
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

// otherFrameTime bounds the arming of a frame that is no part of the act.
const otherFrameTime = 500 * time.Millisecond

// String is what a person's yes to it is bound to.
func (s *sending) String() string {
	if s == nil {
		return ""
	}
	b, _ := json.Marshal(s) // plain strings
	return string(b)
}

// mayCome names the form that the page's script may send with this act, since
// the gate lets it pass or the person allowed it: method, space, address.
func (r *run) mayCome(a *aim) string {
	if s := r.sending; s != nil {
		return s.Form.Method + " " + s.Form.Action
	}
	f := a.facts.Form
	if f == nil {
		return ""
	}
	act := safety.Act{Page: safety.Page{URL: r.tab.MainURL()}, Target: &a.facts}
	if safety.Judge(sent(act, sending{*f, a.facts.DefaultButton}), r.s.policy).Level >= safety.Confirm {
		return ""
	}
	return f.Method + " " + f.Action
}

// sent is the act of sending a form, as pressing Enter in it.
func sent(act safety.Act, s sending) safety.Act {
	frame := ""
	if act.Target != nil {
		frame = act.Target.FrameURL
	}
	act.Action, act.Key, act.Params, act.Text = "pressKey", "Enter", nil, ""
	act.Target = &safety.Target{
		Tag: "input", Role: "textbox", Type: "text", Editable: true, SubmitsForm: true,
		Form: &s.Form, DefaultButton: s.Button, FrameURL: frame,
	}
	return act
}

func frameOf(fs []frame, id string) frame {
	for _, f := range fs {
		if f.ID() == id {
			return f
		}
	}
	return nil
}
