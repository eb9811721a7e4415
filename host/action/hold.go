package action

import (
	"context"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

// The gate's second look. A press whose names prove nothing is done, and what the
// page is about to send while it settles waits until it was judged too: a button
// may be called anything, and a request is what it does. The person is asked with
// the request held; after a no it never leaves.

// maxAsked bounds the requests of one act that a person is asked about; what
// comes after them is stopped.
const maxAsked = 5

// unproven is an act whose requests are judged, as it was when it was done.
type unproven struct {
	plan  plan
	aim   *aim
	act   safety.Act
	rules safety.Context
}

// watchOver has what the act makes the page send judged, unless its own facts
// prove it harmless or the person has just allowed it.
func (r *run) watchOver(p plan, at sight) {
	rules := r.s.rules()
	if !safety.HoldsRequests(at.act, at.d) {
		r.unproven.Store(nil)
		return
	}
	r.unproven.Store(&unproven{plan: p, aim: at.aim, act: at.act, rules: rules})
}

// judge gives what the gate says of a request.
func (u *unproven) judge(h browser.Held) safety.Decision {
	kind := strings.ToLower(h.Type)
	body := h.Body
	if len(body) > safety.MaxRequestBody {
		body = body[:safety.MaxRequestBody]
	}
	return safety.JudgeRequest(safety.Request{Method: h.Method, URL: h.URL, Type: kind, Mime: h.Mime, Body: body}, u.act, u.rules)
}

// hold begins to hold requests, if the act is one whose names prove nothing.
func (w *watching) hold(ctx context.Context) {
	if w.holding || w.r.unproven.Load() == nil {
		return
	}
	w.holding = true
	files := w.ready
	ready := w.tab.Hold(ctx, func(h browser.Held) bool {
		u := w.r.unproven.Load()
		return u != nil && u.judge(h).Level >= safety.Confirm
	})
	w.ready = func() {
		if files != nil {
			files()
		}
		ready()
	}
}

// answerHeld asks the person about a request that waits, and lets it go or stops
// it; with show its target is outlined meanwhile. After a no none of this act goes
// any more.
func (w *watching) answerHeld(ctx context.Context, h browser.Held, show bool) {
	u := w.r.unproven.Load()
	if w.refused == nil && u != nil {
		if w.asked++; w.asked > maxAsked {
			w.refused = &Error{Code: Denied, Message: "the page was about to send more than a person can be asked about", Hint: "Look at the page, and tell the person what it does."}
		} else {
			w.refused = w.r.askAbout(ctx, u, h, show)
		}
	}
	if ctx.Err() != nil && w.refused == nil {
		w.refused = &Error{Code: Timeout, Message: "stopped before what the page was about to send had left", Err: ctx.Err()}
	}
	let := w.refused == nil && u != nil
	if err := w.tab.AnswerHeld(context.WithoutCancel(ctx), h, let); err != nil {
		w.r.s.o.Log.Debug().Err(err).Str("method", h.Method).Msg("the page gave up a request that was held")
	}
}

// askAbout takes a request through the gate; an error is a no.
func (r *run) askAbout(ctx context.Context, u *unproven, h browser.Held, show bool) *Error {
	at := sight{act: u.act, d: u.judge(h)}
	if show {
		at.aim = u.aim
	}
	_, err := r.permitted(ctx, &passage{plan: u.plan}, at)
	if err != nil {
		told := *err
		told.Message = "it was done, and what the page was then about to send was stopped: " + err.Message
		if told.Hint == "" {
			told.Hint = "The page may say that it failed. Look at it, and do not try another way to the same end."
		}
		r.res.Sent = true
		return &told
	}
	return nil
}

// stuckTime is how long input may take to arrive once a request is held: a script
// that waits for the answer on the spot lets nothing arrive until it has it.
const stuckTime = 300 * time.Millisecond

// stuck gives what sent gives, and asks about a request on which the page stands
// still meanwhile. Chrome answers the input only after it, and not at all where the
// person took longer than a call may.
func (w *watching) stuck(ctx context.Context, sent chan *Error) chan *Error {
	if !w.holding {
		return sent
	}
	out := make(chan *Error, 1)
	go func() {
		hctx, cancel := context.WithCancel(ctx)
		defer cancel()
		held := make(chan struct{})
		go func() {
			if w.tab.AwaitHeld(hctx) {
				close(held)
			}
		}()
		select {
		case err := <-sent:
			out <- err
			return
		case <-held:
		}
		late := time.NewTimer(stuckTime)
		defer late.Stop()
		select {
		case err := <-sent:
			out <- err
			return
		case <-late.C:
		}
		for _, h := range w.tab.Snapshot().Held {
			w.answerHeld(ctx, h, false)
		}
		err := <-sent
		if err != nil && err.Code == Timeout && ctx.Err() == nil {
			err = nil
		}
		out <- err
	}()
	return out
}
