// Package clientsession is the session of a program without a model of ours (MCP,
// HTTP, the command line): a Session holds one action.Session, records its steps, and turns
// the gate's question into an answer that a program can wait for. It may import
// host/agent, host/action, host/journal and host/native. Start reading at
// Session.Do.
package clientsession

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// What happens to what needs a confirmation.
const (
	Ask   = "ask"
	Deny  = "deny"
	Allow = "allow"
)

// answerTime is how long a question of a program stays open; no answer is no. One
// of a task waits as long as the task may.
const answerTime = 120 * time.Second

// Options is what a Session is made of.
type Options struct {
	// Action is the session to act with; its Confirmer and Watcher are set here.
	Action  action.Options
	Confirm string       // Ask, Deny or Allow
	Person  UserPlace    // where they are
	Record  agent.Record // nil: nothing is kept
	Log     zerolog.Logger
}

// Session is one program's hold on a browser. Its methods may be called from
// several goroutines; calls take turns.
type Session struct {
	act    *action.Session
	desk   *agent.UserChannel
	rec    *record
	log    zerolog.Logger
	lang   string
	deny   bool
	person UserPlace

	ctx    context.Context // ends with the session; what outlives a call hangs on it
	cancel context.CancelCauseFunc
	turn   chan struct{} // holds one token while a call runs
	wg     sync.WaitGroup

	mu    sync.Mutex
	steps int
	now   *pending // the act that runs, or waits for an answer
	hand  *handed  // while the user has the tab
}

// pending is an act under way. It outlives the call that began it while its
// question is open.
type pending struct {
	call   action.Call
	cancel context.CancelCauseFunc
	asked  chan struct{} // closed when a question is open
	again  chan struct{} // holds one token when the question was asked anew
	done   chan struct{} // closed when res stands

	card *wire.ConfirmInfo // set before asked is closed
	res  wire.SessionResult
}

var (
	errWithdrawn = errors.New("another call came before the answer")
	// ErrBrowserAway is the cause of a question's end when its browser went away.
	ErrBrowserAway = errors.New("the browser went away while the question was open")
	// ErrClosed is the cause of what ends because the session was closed.
	ErrClosed = errors.New("the session was closed")
)

// New starts a session.
func New(o Options) (*Session, error) {
	s := &Session{log: o.Log, lang: o.Action.Lang, person: o.Person, turn: make(chan struct{}, 1)}
	s.rec = &record{s: s, next: o.Record}
	s.desk = agent.NewUserChannel(s.rec)
	switch o.Confirm {
	case Ask:
	case Allow, Deny:
		s.deny = o.Confirm == Deny
		allow := o.Confirm == Allow
		s.desk.Ask = func(context.Context, wire.ConfirmInfo) action.Answer {
			return action.Answer{Allow: allow, By: "policy"}
		}
	default:
		return nil, fmt.Errorf("confirm is ask, deny or allow, not %q", o.Confirm)
	}
	o.Action.Confirmer, o.Action.Watcher = confirmer{s}, watcher{s}
	var err error
	if s.act, err = action.NewSession(o.Action); err != nil {
		return nil, err
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s, nil
}

// Action is the session acted with.
func (s *Session) Action() *action.Session { return s.act }

// User is where the session's questions are answered.
func (s *Session) User() *agent.UserChannel { return s.desk }

// Do does one action. When it needs a confirmation that somebody may give, the
// result is needs_confirmation with the question, and the act waits; the same
// call with the question's id then waits for the act's end. Any other call
// withdraws it.
func (s *Session) Do(ctx context.Context, c action.Call, confirmation string) wire.SessionResult {
	r, h, wait := s.inTurn(ctx, c, confirmation)
	if h == nil {
		return r
	}
	return s.awaitBack(ctx, c.Name, h, wait) // out of turn: other calls are told at once
}

// inTurn does one action when its turn has come. What it gives besides is a tab
// that the user has, and how long this call waits for it.
func (s *Session) inTurn(ctx context.Context, c action.Call, confirmation string) (wire.SessionResult, *handed, time.Duration) {
	c.Params = canonical(c.Params)
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return failure(c.Name, action.Timeout, "stopped before its turn came", "Call it again."), nil, 0
	case <-s.ctx.Done():
		return s.closedResult(c.Name), nil, 0
	}
	over := sync.OnceFunc(func() { <-s.turn })
	defer over()
	if s.ctx.Err() != nil {
		return s.closedResult(c.Name), nil, 0
	}
	if c.Name == RequestLogin {
		s.mu.Lock()
		p := s.now
		s.mu.Unlock()
		if p != nil {
			s.withdraw(p) // an act that asks holds the tab
		}
		return s.login(ctx, c)
	}
	if r, held := s.withheld(c.Name); held {
		return r, nil, 0
	}
	return s.doTurn(ctx, c, confirmation, over), nil, 0
}

// doTurn does an action whose turn it is; over ends the turn early.
func (s *Session) doTurn(ctx context.Context, c action.Call, confirmation string, over func()) wire.SessionResult {
	s.mu.Lock()
	p := s.now
	s.mu.Unlock()
	switch {
	case confirmation != "":
		if p == nil || p.card == nil || p.card.ID != confirmation {
			return failure(c.Name, action.InvalidParams, "no question with that confirmation_id is open", "Call it without confirmation_id.")
		}
		if p.call.Name != c.Name || !bytes.Equal(p.call.Params, c.Params) {
			return failure(c.Name, action.InvalidParams, "confirmation_id belongs to another call", "Repeat the very call that needed the confirmation.")
		}
		over() // who waits for a user keeps nobody from withdrawing the question
		return s.result(ctx, p)
	case p != nil && p.call.Name == c.Name && bytes.Equal(p.call.Params, c.Params):
		select {
		case <-p.done: // answered meanwhile
			return s.take(p)
		default:
			return s.question(p)
		}
	case p != nil:
		s.withdraw(p)
	}
	return s.start(ctx, c)
}

// start begins an act, and waits for its end or its question.
func (s *Session) start(ctx context.Context, c action.Call) wire.SessionResult {
	p := s.begin(c)
	select {
	case <-p.done:
		return s.take(p)
	case <-p.asked:
		return s.question(p)
	case <-ctx.Done():
		p.cancel(context.Cause(ctx))
		<-p.done
		return s.take(p)
	}
}

// Withdraw ends the wait for an answer, where a question is open: whoever waits
// for it gets the reason.
func (s *Session) Withdraw(why error) {
	s.mu.Lock()
	p := s.now
	s.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case <-p.asked:
		p.cancel(why)
	default: // it acts, and is told by its own calls
	}
}

// withdraw ends an act whose question is open, or whose end nobody has seen.
func (s *Session) withdraw(p *pending) {
	p.cancel(errWithdrawn)
	<-p.done
	s.take(p)
}

// begin starts an act in a goroutine of its own.
func (s *Session) begin(c action.Call) *pending {
	ctx, cancel := context.WithCancelCause(s.ctx)
	p := &pending{call: c, cancel: cancel, asked: make(chan struct{}), again: make(chan struct{}, 1), done: make(chan struct{})}
	s.mu.Lock()
	s.now = p
	s.steps++
	n := s.steps
	s.mu.Unlock()
	s.wg.Go(func() {
		defer close(p.done)
		defer cancel(nil)
		p.res = s.do(ctx, n, c)
	})
	return p
}

// do does the act and records it before and after.
func (s *Session) do(ctx context.Context, n int, c action.Call) wire.SessionResult {
	step := wire.StepInfo{N: n, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params)))}
	step.Line, step.In = agent.StepBefore(c, s.lang)
	s.rec.begin(wire.Event{Type: wire.EvToolCall, Step: &step})
	if r, ok := s.waitUnpaused(ctx, c.Name); !ok {
		return r
	}
	began := time.Now()
	res := s.act.Do(ctx, c)
	looked := !res.Sent && !s.rec.did()
	if !looked {
		if err := s.rec.waitWritten(); err != nil { // then nothing was sent either
			return failure(c.Name, action.Unsupported, "the step could not be recorded: "+err.Error(), "")
		}
	}
	if s.deny && res.Err != nil && (res.Err.Code == action.Denied || res.Err.Code == action.StoppedAfter) {
		// Nobody said no: whoever started this may say so next time.
		what := "this"
		if res.Err.Code == action.Denied {
			res.Err.Hint = "Go on without it, or tell the user that it takes --confirm ask, or their own hand."
		} else {
			what = "sending it"
		}
		res.Err.Message = action.Because(res.Err.Message, what+" needs a user's confirmation, and the session was started with --confirm deny")
		res.Text = res.Err.Text()
	}
	out := s.wire(res)
	if errors.Is(context.Cause(ctx), errWithdrawn) && out.Error != nil {
		out.Error.Message = "withdrawn: " + errWithdrawn.Error()
	}
	if errors.Is(context.Cause(ctx), ErrBrowserAway) && out.Error != nil {
		out.Error.Code, out.Error.Message = wire.Code(action.Detached), ErrBrowserAway.Error()+"; nothing was done"
		out.Error.Hint = "When the browser is back, look at the page and call it again."
		out.Text = "ERROR detached: " + out.Error.Message + ". " + out.Error.Hint
	}
	done := agent.StepDone(step, res, time.Since(began))
	if ended := (wire.Event{Type: wire.EvToolResult, Step: &done}); looked {
		s.rec.emitLook(ended)
	} else {
		s.recordEnd(ended)
	}
	if res.Handover != "" && res.Err == nil {
		if err := s.handOver(res.Handover); err != nil {
			return failure(c.Name, action.Unsupported, "the request could not be recorded: "+err.Error(), "")
		}
	}
	return out
}

// recordEnd has the end of an act on disk before anybody is told of it.
func (s *Session) recordEnd(ev wire.Event) {
	if err := s.rec.Emit(ev); err != nil {
		s.log.Error().Err(err).Msg("step not recorded")
	}
	if ev.Step.Outcome == "unknown" {
		return
	}
	if err := s.rec.ActFinished(); err != nil {
		s.log.Error().Err(err).Msg("act not recorded as finished")
	}
}

// Observe looks at the page. It waits for its turn, and withdraws an open
// question as any other call does: the act that asks holds the page.
func (s *Session) Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return failure("observe", action.Timeout, "stopped before its turn came", "Call it again.")
	case <-s.ctx.Done():
		return s.closedResult("observe")
	}
	defer func() { <-s.turn }()
	if r, held := s.withheld("observe"); held {
		return r
	}
	s.mu.Lock()
	p := s.now
	s.mu.Unlock()
	if p != nil {
		s.withdraw(p)
	}
	obs, err := s.act.Observe(ctx, o)
	if err != nil {
		var ae *action.Error
		if !errors.As(err, &ae) {
			ae = &action.Error{Code: action.Unsupported, Message: err.Error(), Hint: "Try again."}
		}
		return s.wire(action.Result{Action: "observe", Text: ae.Text(), Err: ae})
	}
	return WireLook(obs, o.Full)
}

// WireLook gives a look at the page the shape that travels; full has the list of
// elements in it.
func WireLook(obs action.Observation, full bool) wire.SessionResult {
	out := wire.SessionResult{Action: "observe", Text: obs.Text, Line: obs.URL, PageRev: obs.PageRev, URL: obs.URL}
	var data any = obs.Summary
	switch {
	case obs.Dialog != nil:
		data = map[string]any{"url": obs.URL, "pageRev": obs.PageRev, "dialog": obs.Dialog.Message, "dialogKind": obs.Dialog.Kind}
	case full:
		data = map[string]any{"summary": obs.Summary, "elements": obs.Elements}
	}
	if raw, err := json.Marshal(data); err == nil {
		out.Data = raw
	}
	return out
}

// Answer answers the open question in the user's place; note says why, where that is no.
func (s *Session) Answer(id string, allow bool, note string) error {
	return s.desk.Answer(wire.ConfirmAnswer{ID: id, Allow: allow, Note: note})
}

// Close ends what is under way and lets go of the tabs.
func (s *Session) Close(ctx context.Context) error {
	s.Stop(ErrClosed)
	return s.act.Close(ctx)
}

// Stop ends what is under way; nothing can be done after it.
func (s *Session) Stop(why error) {
	s.cancel(why)
	s.wg.Wait()
}
