package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

// The gate's second look. A press whose names prove nothing is done, and what the
// page is about to send while it settles waits until it was judged too: a button
// may be called anything, and a request is what it does. The user is asked with
// the request held; after a no it never leaves.

// stoppedAfterError is the error for what was held and did not go: the press has been done,
// and the page may show it as saved, and may send it once more.
func stoppedAfterError(why string, data any) *Error {
	return &Error{Code: StoppedAfter, Message: ActedUnsaved + ": " + why, Data: data}
}

// ActedUnsaved begins the message of StoppedAfter; the reason follows it.
const ActedUnsaved = "the page has acted on it already; what it was then about to send was stopped, so it was not saved, and loading the page again may send it after all"

// maxAsked bounds the requests of one act that a user is asked about; what
// comes after them is stopped. afterNo is how often more is waited for after a
// no.
const (
	maxAsked = 5
	afterNo  = 3
)

// undecidedAct is an act whose requests are judged, as it was when it was done.
type undecidedAct struct {
	plan   gatedStep
	aim    *element
	act    safety.Act
	rules  safety.Context
	own    bool     // what it sends is judged, since nothing proves the act harmless
	resend []string // what was stopped before, and is sent once more: a page may keep it where it can't be put back
}

// armRequestHold has what the act makes the page send judged, unless its own facts
// prove it harmless or the user has just allowed it.
func (r *run) armRequestHold(p gatedStep, at assessment) {
	u := &undecidedAct{plan: p, aim: at.aim, act: at.act, rules: r.s.rules(), own: safety.HoldsRequests(at.act, at.d)}
	if at.d.Level < safety.Confirm { // else the user has just said yes
		r.s.mu.Lock()
		u.resend = slices.Clone(r.s.stopped)
		r.s.mu.Unlock()
	}
	if !u.own && len(u.resend) == 0 {
		u = nil
	}
	r.unproven.Store(u)
}

// asks tells whether a request waits for a word; q is what is judged of it.
func (u *undecidedAct) asks(h browser.Held, q safety.Request) bool {
	return (u.own || len(u.resend) > 0) && u.judge(q).Level >= safety.Confirm || u.repeats(h)
}

// repeats reports what was stopped before and is sent again.
func (u *undecidedAct) repeats(h browser.Held) bool { return slices.Contains(u.resend, sameRequest(h)) }

// judge gives what the gate says of a request.
func (u *undecidedAct) judge(q safety.Request) safety.Decision {
	return safety.JudgeRequest(q, u.act, u.rules)
}

// request is what is judged of a request that is held.
func request(h browser.Held) safety.Request {
	body := safety.ChangedOnly(h.Body, h.Before)
	changes := body != h.Body
	if len(body) > safety.MaxRequestBody {
		body = body[:safety.MaxRequestBody]
	}
	return safety.Request{Changes: changes, Method: h.Method, URL: h.URL, Type: strings.ToLower(h.Type), Mime: h.Mime, Body: body}
}

// hold begins to hold requests, if the act is one whose names prove nothing.
func (w *effectRecorder) hold(ctx context.Context) {
	if w.holding || w.r.unproven.Load() == nil {
		return
	}
	w.holding = true
	w.keeps = w.r.unproven.Load().own
	files := w.ready
	ready := w.tab.Hold(ctx, func(h browser.Held) bool {
		u := w.r.unproven.Load()
		if u == nil {
			return false
		}
		q := request(h)
		if !u.asks(h, q) {
			return false
		}
		w.doubts.add(h, doubt{u, q})
		return true
	})
	w.ready = func() {
		if files != nil {
			files()
		}
		ready()
	}
}

// answerHeld asks the user about a request that waits, and lets it go or stops
// it; with show its target is outlined meanwhile. After a no none of this act goes
// any more.
func (w *effectRecorder) answerHeld(ctx context.Context, h browser.Held, show bool) {
	asked := w.doubts.take(h)
	u := asked.of
	if u != nil && u.repeats(h) { // it may be the page's own doing: the act's other requests are asked about as ever
		w.r.s.noteNext(fmt.Sprintf(againNote[w.r.s.o.Lang], h.Method+" "+plainURL(h.URL)))
		w.resent = w.resent || u.own
		if u.own && h.Type != "Document" {
			w.r.quarantine(ctx)
		}
		w.answer(ctx, h, false)
		return
	}
	if w.refused == nil && u != nil {
		if w.asked++; w.asked > maxAsked {
			w.refused = stoppedAfterError("the page was about to send more than a user can be asked about", nil)
		} else {
			w.refused = w.r.askAbout(ctx, asked, h, show)
		}
	}
	if ctx.Err() != nil && w.refused == nil {
		w.refused = &Error{Code: Timeout, Message: "stopped before what the page was about to send had left", Err: ctx.Err()}
	}
	if w.refused != nil && w.refused.Code == StoppedAfter {
		w.r.s.rememberStopped(sameRequest(h)) // what stood beside it is no more wanted
		if h.Type != "Document" {             // a form that was stopped has changed nothing
			w.r.quarantine(ctx)
		}
	}
	w.answer(ctx, h, w.refused == nil && u != nil)
}

// answer lets a request go, or stops it.
func (w *effectRecorder) answer(ctx context.Context, h browser.Held, let bool) {
	if err := w.tab.AnswerHeld(context.WithoutCancel(ctx), h, let); err != nil {
		w.r.s.o.Log.Debug().Err(err).Str("method", h.Method).Msg("the page gave up a request that was held")
	}
}

// answerAll answers what waits now, for an act that has more to do before it
// settles; an error is a no.
func (w *effectRecorder) answerAll(ctx context.Context) *Error {
	if w.tab == nil || !w.holding {
		return nil
	}
	for _, h := range w.tab.Snapshot().Held {
		w.answerHeld(ctx, h, true)
	}
	return w.refused
}

// doubt is a request that waits: the act that it belongs to, as by the time of the
// question another part of that may be under way, and what is judged of it.
type doubt struct {
	of      *undecidedAct
	request safety.Request
}

// doubts are those by the ids of what is held.
type doubts struct {
	mu  sync.Mutex
	all map[string]doubt
}

func (d *doubts) add(h browser.Held, x doubt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all = map[string]doubt{}
	}
	d.all[h.ID] = x
}

// take gives one that waits, and forgets it; of none where it is not known.
func (d *doubts) take(h browser.Held) doubt {
	d.mu.Lock()
	defer d.mu.Unlock()
	x := d.all[h.ID]
	delete(d.all, h.ID)
	return x
}

// askAbout takes a request through the gate; an error is a no.
func (r *run) askAbout(ctx context.Context, asked doubt, h browser.Held, show bool) *Error {
	u := asked.of
	d := u.judge(asked.request)
	at := assessment{act: u.act, d: d, deed: r.deedOf(u.act, d).WithRequest(asked.request)}
	r.weigh(&at)
	if show && h.Type != "Document" { // a page that is being left is not looked at any more
		at.aim = u.aim
	}
	_, err := r.authorize(ctx, &attempt{gatedStep: u.plan}, at)
	if err == nil {
		return nil
	}
	r.res.Sent = true
	if ctx.Err() != nil {
		return &Error{Code: Timeout, Message: ActedUnsaved + ": " + err.Message, Err: err}
	}
	return stoppedAfterError(err.Message, err.Data)
}

// maxStopped bounds the requests that a task remembers as stopped.
const maxStopped = 50

// rememberStopped remembers a request that was stopped: whatever sends the same again does the
// deed that was refused.
func (s *Session) rememberStopped(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped = append(s.stopped, key); len(s.stopped) > maxStopped {
		s.stopped = s.stopped[1:]
	}
}

// sameRequest tells requests of the same content.
func sameRequest(h browser.Held) string { return h.Method + " " + h.URL + "\n" + h.Body }

// againNote tells that a page sent once more what was refused.
var againNote = map[string]string{
	English: "The page tried once more to send what was refused before (%s). It was stopped; it is still not saved.",
	Chinese: "页面又一次试图发送之前被拒绝的内容（%s）。已拦下，仍未保存。",
}

// stuckTime is how long input may take to arrive once a request is held: a script
// that waits for the answer on the spot lets nothing arrive until it has it.
const stuckTime = 300 * time.Millisecond

// answerWhileStuck gives what sent gives, and asks about a request on which the page stands
// still meanwhile. Chrome answers the input only after it, and not at all where the
// user took longer than a call may.
func (w *effectRecorder) answerWhileStuck(ctx context.Context, sent chan *Error) chan *Error {
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
		err := w.unstick(ctx, sent)
		if err != nil && err.Code == Timeout && ctx.Err() == nil {
			err = nil
		}
		out <- err
	}()
	return out
}

// unstick answers requests, one after the other, until the input has arrived.
func (w *effectRecorder) unstick(ctx context.Context, sent <-chan *Error) *Error {
	hctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for {
		for _, h := range w.tab.Snapshot().Held {
			w.answerHeld(ctx, h, false)
		}
		more := make(chan bool, 1)
		go func() { more <- w.tab.AwaitHeld(hctx) }()
		select {
		case err := <-sent:
			return err
		case again := <-more:
			if !again {
				return <-sent
			}
		}
	}
}
