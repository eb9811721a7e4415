package agent

import (
	"context"
	"errors"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// observe looks at the page, and waits for a browser that was lost.
func (r *run) observe(ctx context.Context) (action.Observation, error) {
	o := r.lookOptions()
	r.wantPicture = false
	for seen := false; ; {
		obs, err := r.Executor.Observe(ctx, o)
		if err == nil {
			r.away = false
			return obs, r.flag(obs)
		}
		if r.Past != nil && !seen && errors.Is(err, &action.Error{Code: action.NavigationFailed}) {
			seen = true
			continue // a task taken up again does not fail here: look at the error page
		}
		if r.away && errors.Is(err, &action.Error{Code: action.TabClosed}) {
			return obs, TabLost(r.Lang)
		}
		if errors.Is(err, &action.Error{Code: action.TabClosed}) && r.Leaving != nil && r.Leaving(ctx) {
			err = action.ErrBrowserGone
		}
		if err := r.recover(ctx, err); err != nil {
			return obs, err
		}
	}
}

// flag tells the model and the user of page text that is addressed to the model.
func (r *run) flag(obs action.Observation) error {
	if len(obs.Signals) == 0 {
		return nil
	}
	text := prompts.Notice(prompts.Injection, r.Lang, obs.Signals[0].Text)
	r.notices = append(r.notices, text)
	return r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.InjectionSeen, obs.Signals[0].Text))
}

// recover waits for a lost browser, or for the user who closed Chrome's
// debugging bar; it returns any other error as it is.
func (r *run) recover(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, action.ErrUserCancelled):
		r.User.Pause()
		return r.User.waitUnpaused(ctx, r.pause(prompts.BarClosed))
	case errors.Is(err, action.ErrBrowserGone) && r.WaitBrowser != nil:
		if e := r.Record.Emit(Says(wire.Event{Type: wire.EvProgress}, r.Lang, "browser_lost")); e != nil {
			return e
		}
		if e := r.WaitBrowser(ctx); e != nil {
			return &wire.Error{Code: CodeBrowserGone, Message: "The browser went away and did not come back: " + e.Error()}
		}
		r.away = true
		r.notices = append(r.notices, prompts.Notice("browser_back", r.Lang))
		return nil
	default:
		return err
	}
}

// picture looks again with a screenshot where the first look, without one,
// shows that the list alone won't do.
func (r *run) picture(ctx context.Context, obs action.Observation) (action.Observation, error) {
	if !r.caps.Vision || len(obs.Image) > 0 || !poorList(obs) {
		return obs, nil
	}
	r.wantPicture = true
	return r.observe(ctx)
}

// sees keeps the picture that the model asked for with an action, for the next
// request only.
func (r *run) sees(res action.Result) {
	if r.caps.Vision && len(res.Image) > 0 && res.Err == nil {
		r.picked = llm.Part{Image: res.Image, MIME: res.MIME}
	}
}

// poorList tells whether the page has too few elements for the list alone, as a
// canvas, a map or a picture has.
func poorList(o action.Observation) bool {
	if o.Dialog != nil || o.Summary == nil {
		return false
	}
	c := o.Summary.Elements
	const few = 3
	return c.Buttons+c.Inputs+c.Links+c.Selects <= few
}

// lookOptions returns the options of the next look.
func (r *run) lookOptions() action.ObserveOptions {
	o := action.ObserveOptions{Budget: r.pageBudget(), Image: r.caps.Vision && r.wantPicture, Full: true, NoText: !decisionText && r.decides()}
	if r.point != nil {
		// A model that points is not shown the text, but its answer is checked against it.
		o.Image, o.Fit, o.Budget = true, r.point.family.Size, pointerLook
	}
	return o
}
