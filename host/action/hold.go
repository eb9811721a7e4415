package action

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/safety"
)

// The gate's second look. If the names of a press prove nothing, the press is done, and
// requests that the page is about to send while it settles wait for a judgement: a
// button can have any name, but the request shows what it does. The user is asked while
// the request is held; after a no it is never sent.

// stoppedAfterError is the error for a held request that was stopped: the press was done,
// and the page may show it as saved, and may send the request once more. What was sent before may be saved.
func (r *run) stoppedAfterError(why string, data any) *Error {
	before := ""
	if sent := r.sentBefore.Load(); sent != nil {
		before = "; but before that the page had sent " + *sent + ", which may be saved"
	}
	return &Error{Code: StoppedAfter, Message: ActedUnsaved + before + ": " + why, Data: data}
}

// ActedUnsaved begins the message of StoppedAfter; the reason follows it.
const ActedUnsaved = "the page has acted on it already; what it was then about to send was stopped, so it was not saved, and loading the page again may send it after all"

// maxAsked bounds the requests of one act that a user is asked about; later ones
// are stopped. afterNo is how often further requests are awaited after a
// no.
const (
	maxAsked = 5
	afterNo  = 3
)

// undecidedAct is an act whose requests are judged, with its facts when it was done.
type undecidedAct struct {
	plan   gatedStep
	aim    *element
	act    safety.Act
	rules  safety.Context
	own    bool         // its requests are judged, since nothing proves the act harmless
	resend []string     // requests that were stopped before: a page may keep them where they can't be removed
	wrote  *atomic.Bool // set once it sends a request that may write, if the user has just allowed it and it may be an opener
}

// armRequestHold makes the gate judge the act's requests, unless the act's own facts
// prove it harmless or the user has just allowed it.
func (r *run) armRequestHold(p gatedStep, at assessment) {
	u := &undecidedAct{plan: p, aim: at.aim, act: at.act, rules: r.s.rules(), own: safety.HoldsRequests(at.act, at.d)}
	r.s.mu.Lock()
	if at.d.Level < safety.Confirm { // else the user has just said yes
		u.resend = slices.Clone(r.s.stopped)
	} else if r.s.allowedPress.key != "" {
		u.wrote = r.s.allowedPress.wrote
	}
	r.s.mu.Unlock()
	if !u.own && len(u.resend) == 0 && u.wrote == nil {
		u = nil
	}
	r.unproven.Store(u)
}

// asks tells whether a request must wait for an answer; q holds its judged facts.
func (u *undecidedAct) asks(h browser.Held, q safety.Request) bool {
	return (u.own || len(u.resend) > 0) && u.judge(q).Level >= safety.Confirm || u.repeats(h)
}

// repeats tells whether a request was stopped before and is sent again.
func (u *undecidedAct) repeats(h browser.Held) bool { return slices.Contains(u.resend, sameRequest(h)) }

// judge returns the gate's decision on a request.
func (u *undecidedAct) judge(q safety.Request) safety.Decision {
	return safety.JudgeRequest(q, u.act, u.rules)
}

// request returns the facts by which a held request is judged.
func request(h browser.Held) safety.Request {
	body := safety.ChangedOnly(h.Body, h.Before)
	changes := body != h.Body
	if len(body) > safety.MaxRequestBody {
		body = body[:safety.MaxRequestBody]
	}
	return safety.Request{Changes: changes, Method: h.Method, URL: h.URL, Type: strings.ToLower(h.Type), Mime: h.Mime, Body: body}
}

// hold starts to hold requests if the act is undecided.
func (w *effectRecorder) hold(ctx context.Context) {
	if w.holding || w.r.unproven.Load() == nil {
		return
	}
	w.holding = true
	w.r.sentBefore.Store(nil)
	w.keeps = w.r.unproven.Load().own
	files := w.ready
	ready := w.tab.Hold(ctx, func(h browser.Held) bool {
		u := w.r.unproven.Load()
		if u == nil {
			return false
		}
		q := request(h)
		writes := q.Method != http.MethodGet && safety.Site(q.URL) == safety.Site(u.act.Page.URL)
		if u.wrote != nil && writes {
			u.wrote.Store(true)
		}
		if !u.asks(h, q) {
			if writes && (h.Type == "XHR" || h.Type == "Fetch") {
				w.r.sentBefore.CompareAndSwap(nil, new(h.Method+" "+plainURL(h.URL)))
			}
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

// answerHeld asks the user about a held request, and sends or stops it; with show
// its target is outlined meanwhile. After a no, no further request of this act is
// sent.
func (w *effectRecorder) answerHeld(ctx context.Context, h browser.Held, show bool) {
	asked := w.doubts.take(h)
	u := asked.of
	if u != nil && u.repeats(h) { // the page itself may repeat it: the act's other requests are still asked about
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
			w.refused = w.r.stoppedAfterError("the page was about to send more than a user can be asked about", nil)
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

// answer sends a held request, or stops it.
func (w *effectRecorder) answer(ctx context.Context, h browser.Held, let bool) {
	if err := w.tab.AnswerHeld(context.WithoutCancel(ctx), h, let); err != nil {
		w.r.s.o.Log.Debug().Err(err).Str("method", h.Method).Msg("the page gave up a request that was held")
	}
}

// answerAll answers all held requests, for an act that has more to do before it
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

// doubt is a held request with its judged facts, and the act that it belongs to: when the
// user is asked, another part of that act may be under way.
type doubt struct {
	of      *undecidedAct
	request safety.Request
}

// doubts are the held requests by their ids.
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

// take returns and forgets the doubt of a held request; the zero doubt if unknown.
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
	if show && u.aim != nil && h.Type != "Document" && isAnswering(ctx, u.aim.frame) { // a page that is being left is not looked at any more
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
	return r.stoppedAfterError(err.Message, err.Data)
}

// isAnswering reports whether the page of a frame answers: a synchronous request that is held blocks it.
func isAnswering(ctx context.Context, f frame) bool {
	ctx, cancel := context.WithTimeout(ctx, stuckTime)
	defer cancel()
	_, err := page.Viewport(ctx, f)
	return err == nil
}

// maxStopped bounds the requests that a task remembers as stopped.
const maxStopped = 50

// rememberStopped remembers a stopped request: sending the same request again repeats
// the refused deed.
func (s *Session) rememberStopped(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped = append(s.stopped, key); len(s.stopped) > maxStopped {
		s.stopped = s.stopped[1:]
	}
}

// sameRequest returns a key that is the same for requests of the same content.
func sameRequest(h browser.Held) string { return h.Method + " " + h.URL + "\n" + h.Body }

// againNote tells the model that a page sent a refused request again.
var againNote = map[string]string{
	English: "The page tried once more to send what was refused before (%s). It was stopped; it is still not saved.",
	Chinese: "页面又一次试图发送之前被拒绝的内容（%s）。已拦下，仍未保存。",
}

// stuckTime is how long input may take to arrive once a request is held: a
// synchronous request blocks the page until it is answered.
const stuckTime = 300 * time.Millisecond

// answerWhileStuck returns the result of sent, and meanwhile answers a request that
// blocks the page. Chrome answers the input only after that request, and not at all if
// the user took longer than a call may.
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
