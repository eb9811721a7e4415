// Package clientsession is the session of a client that needs no model of Tabwright: an MCP
// client, an HTTP client or the command line. A Session holds one action.Session and records
// its steps. It turns a question of the gate into an answer that a program can wait for. The
// package may import host/agent, host/action, host/journal and host/native. Start reading at
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

// How acts that need a confirmation are handled.
const (
	Ask   = "ask"
	Deny  = "deny"
	Allow = "allow"
)

// answerTime is how long a program's question stays open; no answer means no. A
// task's question stays open as long as the task may run.
const answerTime = 120 * time.Second

// Options are the options of a Session.
type Options struct {
	// Action is the session to act with; its Confirmer and Watcher are set here.
	Action    action.Options
	Confirm   string       // Ask, Deny or Allow
	UserPlace UserPlace    // where the user is
	Record    agent.Record // nil: nothing is recorded
	Log       zerolog.Logger
}

// Session is one program's session in a browser. Its methods are safe for concurrent
// use; calls take turns.
type Session struct {
	act   *action.Session
	desk  *agent.UserChannel
	rec   *record
	log   zerolog.Logger
	lang  string
	deny  bool
	place UserPlace

	ctx    context.Context // ends with the session; parent of what outlives a call
	cancel context.CancelCauseFunc
	turn   chan struct{} // holds one token while a call runs
	wg     sync.WaitGroup

	mu       sync.Mutex
	steps    int
	now      *pending  // the act that runs, or waits for an answer
	handover *handover // while the user has the tab
}

// pending is a running act. While its question is open, it outlives the call that
// began it.
type pending struct {
	call   action.Call
	cancel context.CancelCauseFunc
	asked  chan struct{} // closed when a question is opened
	again  chan struct{} // holds one token if the question was asked anew
	done   chan struct{} // closed when res is set

	card *wire.ConfirmInfo // set before asked is closed
	res  wire.SessionResult
}

var (
	errWithdrawn = errors.New("another call came before the answer")
	// ErrBrowserAway ends a question whose browser was disconnected.
	ErrBrowserAway = errors.New("the browser went away while the question was open")
	// ErrClosed is the cause when the session was closed.
	ErrClosed = errors.New("the session was closed")
)

// New starts a session.
func New(o Options) (*Session, error) {
	s := &Session{log: o.Log, lang: o.Action.Lang, place: o.UserPlace, turn: make(chan struct{}, 1)}
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

// Action returns the session that does the acts.
func (s *Session) Action() *action.Session { return s.act }

// User returns the channel on which the session's questions are answered.
func (s *Session) User() *agent.UserChannel { return s.desk }

// Do does one action. If it needs a confirmation, the result is needs_confirmation
// with the question, and the act waits. The same call with the question's id waits
// for the end of the act. Any other call withdraws the question.
func (s *Session) Do(ctx context.Context, c action.Call, confirmation string) wire.SessionResult {
	r, h, wait := s.inTurn(ctx, c, confirmation)
	if h == nil {
		return r
	}
	return s.awaitBack(ctx, c.Name, h, wait) // not within the turn, so that other calls are refused at once
}

// inTurn does one action when its turn has come. If the user has the tab, it also
// returns that and how long this call waits for it.
func (s *Session) inTurn(ctx context.Context, c action.Call, confirmation string) (wire.SessionResult, *handover, time.Duration) {
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
			s.withdraw(p) // an act with an open question holds the tab
		}
		return s.login(ctx, c)
	}
	if r, held := s.refuseInHandover(c.Name); held {
		return r, nil, 0
	}
	return s.doTurn(ctx, c, confirmation, over), nil, 0
}

// doTurn does an action in its turn; over ends the turn early.
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
		over() // so that another call can withdraw the question meanwhile
		return s.result(ctx, p)
	case p != nil && p.call.Name == c.Name && bytes.Equal(p.call.Params, c.Params):
		select {
		case <-p.done: // the question was answered meanwhile
			return s.take(p)
		default:
			return s.question(p)
		}
	case p != nil:
		s.withdraw(p)
	}
	return s.start(ctx, c)
}

// start begins an act and waits for its end or its question.
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

// Withdraw ends an open question. The call that waits for the answer gets why.
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
	default: // no question is open: the act's own calls fail
	}
}

// withdraw ends an act whose question is open or whose result was not yet returned.
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

// do does an act and records its start and its end.
func (s *Session) do(ctx context.Context, n int, c action.Call) wire.SessionResult {
	step := wire.StepInfo{N: n, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params)))}
	step.Line, step.In = agent.StepBefore(c, s.lang)
	s.rec.begin(wire.Event{Type: wire.EvToolCall, Step: &step})
	if r, ok := s.waitUnpaused(ctx, c.Name); !ok {
		return r
	}
	began := time.Now()
	res := s.act.Do(ctx, c)
	looked := !res.Sent && !s.rec.hasActed()
	if !looked {
		if err := s.rec.waitWritten(); err != nil { // in that case nothing was sent
			return failure(c.Name, action.Unsupported, "the step could not be recorded: "+err.Error(), "")
		}
	}
	if s.deny && res.Err != nil && (res.Err.Code == action.Denied || res.Err.Code == action.StoppedAfter) {
		// No user has denied it: tell how to let a user decide next time.
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

// recordEnd writes the end of an act to disk before its result is returned.
func (s *Session) recordEnd(ev wire.Event) {
	if err := s.rec.Emit(ev); err != nil {
		s.log.Error().Err(err).Msg("step not recorded")
	}
	if ev.Step.Outcome == "unknown" {
		return
	}
	if err := s.rec.FinishAct(); err != nil {
		s.log.Error().Err(err).Msg("act not recorded as finished")
	}
}

// Observe observes the page. It waits for its turn and withdraws an open question,
// as any other call does, because the waiting act holds the page.
func (s *Session) Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return failure("observe", action.Timeout, "stopped before its turn came", "Call it again.")
	case <-s.ctx.Done():
		return s.closedResult("observe")
	}
	defer func() { <-s.turn }()
	if r, held := s.refuseInHandover("observe"); held {
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

// WireLook returns an observation in wire form; with full, it has the list of
// elements.
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

// Answer answers the open question for the user; note says why if allow is false.
func (s *Session) Answer(id string, allow bool, note string) error {
	return s.desk.Answer(wire.ConfirmAnswer{ID: id, Allow: allow, Note: note})
}

// Close stops the session and detaches its tabs.
func (s *Session) Close(ctx context.Context) error {
	s.Stop(ErrClosed)
	return s.act.Close(ctx)
}

// Stop ends the running act. The session can't be used afterwards.
func (s *Session) Stop(why error) {
	s.cancel(why)
	s.wg.Wait()
}
