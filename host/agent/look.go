package agent

import (
	"context"
	"errors"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// observe looks at the page; a browser that went is waited for.
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
			continue // what it did before counts on: its model is shown the error page
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

// flag tells the model and the user of page text that speaks to the model.
func (r *run) flag(obs action.Observation) error {
	if len(obs.Signals) == 0 {
		return nil
	}
	text := prompts.Notice(prompts.Injection, r.Lang, obs.Signals[0].Text)
	r.notices = append(r.notices, text)
	return r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.InjectionSeen, obs.Signals[0].Text))
}

// recover waits for a browser that was lost, or for the user who closed
// Chrome's debugging bar; any other error comes back as it is.
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

// sees keeps the picture that the model asked for with an action; it goes with
// the next request and no further.
func (r *run) sees(res action.Result) {
	if r.caps.Vision && len(res.Image) > 0 && res.Err == nil {
		r.picked = llm.Part{Image: res.Image, MIME: res.MIME}
	}
}

// poorList says that the elements tell too little of a page: a canvas, a map,
// a picture with nothing to press.
func poorList(o action.Observation) bool {
	if o.Dialog != nil || o.Summary == nil {
		return false
	}
	c := o.Summary.Elements
	const few = 3
	return c.Buttons+c.Inputs+c.Links+c.Selects <= few
}

// lookOptions say how a page is looked at.
func (r *run) lookOptions() action.ObserveOptions {
	o := action.ObserveOptions{Budget: r.pageBudget(), Image: r.caps.Vision && r.wantPicture, Full: true, NoText: !decisionText && r.decides()}
	if r.point != nil {
		// It is shown none of the text, against which its answer is checked all the same.
		o.Image, o.Fit, o.Budget = true, r.point.family.Size, pointerLook
	}
	return o
}
