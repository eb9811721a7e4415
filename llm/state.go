package llm

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// callState is in the context of one request, for the code below langchaingo.
// It carries what langchaingo can't carry down (the schema) and what it loses
// on the way up (deltas by kind, typed errors, the exact text of arguments).
type callState struct {
	schema     json.RawMessage // constrain the output to this
	schemaName string
	// noTemperature leaves the temperature out: there is none, or the server
	// refused it.
	noTemperature bool
	// jsonObject sends the schema with the type json_object.
	jsonObject bool

	mu      sync.Mutex
	sink    func(Delta)
	shaper  *shaper
	answer  AnswerParam
	touch   func() // called when the server gives a sign of life
	begun   func() // called when the reply begins
	emitted bool
	err     *Error
	args    map[string]string // exact arguments by call id
	cost    *float64          // as the provider reports it
	times   [2]time.Duration  // how long reading and writing took, as the server says
	closed  bool
}

type stateKey struct{}

func withState(ctx context.Context, s *callState) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

// stateFrom returns the state in ctx, or an empty one, so that the models below
// also work alone.
func stateFrom(ctx context.Context) *callState {
	if s, ok := ctx.Value(stateKey{}).(*callState); ok {
		return s
	}
	return &callState{}
}

// emit hands a delta to the sink. langchaingo reads the body on a goroutine
// that may outlive a cancelled call, so emit does nothing once Chat has
// returned.
func (s *callState) emit(kind, text string) {
	if text == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.emitted = true
	if kind == DeltaText && s.shaper != nil {
		s.shaper.feed(text)
		return
	}
	s.give(kind, text)
}

// call emits a piece of a call's arguments, and the part of the answer that it
// has.
func (s *callState) call(c *callReader, piece string) {
	s.emit(DeltaCall, piece)
	_, answer := c.feed(piece)
	s.emit(DeltaAnswer, answer)
}

// note hands the sink a delta that is no part of a reply.
func (s *callState) note(kind, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.give(kind, text)
	}
}

func (s *callState) give(kind, text string) {
	if s.sink != nil {
		s.sink(Delta{Kind: kind, Text: text})
	}
}

// shape has the streamed text sorted by kind, for a way.
func (s *callState) shape(way Way, answer AnswerParam) {
	s.answer, s.shaper = answer, &shaper{way: way, want: answer, out: s.give}
}

// finish emits what the shaper held back.
func (s *callState) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shaper != nil && !s.closed {
		s.shaper.end()
	}
}

// alive resets the watchdog.
func (s *callState) alive() {
	if s.touch != nil {
		s.touch()
	}
}

// begin notes that the reply begins: silence after this is not due to loading.
func (s *callState) begin() {
	if s.begun != nil {
		s.begun()
	}
}

// fail keeps the first typed error and returns it: langchaingo turns some into
// plain text.
func (s *callState) fail(err *Error) *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return s.err
}

func (s *callState) failure() *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// keepArgs remembers the exact text of a call's arguments.
func (s *callState) keepArgs(id, args string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.args == nil {
		s.args = map[string]string{}
	}
	s.args[id] = args
}

func (s *callState) exactArgs(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.args[id]
	return a, ok
}

// keepCost remembers what the provider says the request cost.
func (s *callState) keepCost(cost *float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cost = cost
}

// keepTimes remembers how long the server says that reading and writing took.
func (s *callState) keepTimes(input, output time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = [2]time.Duration{input, output}
}

func (s *callState) reportedTimes() (input, output time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.times[0], s.times[1]
}

func (s *callState) reportedCost() *float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cost
}

// reset prepares the state for another try.
func (s *callState) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.args, s.cost = nil, nil, nil
}

func (s *callState) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *callState) started() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emitted
}

// watchdog cancels a request if the server is silent for limit. It returns the
// context to use, a function to call at each sign of life, and one to stop the
// watchdog.
func watchdog(ctx context.Context, limit time.Duration, label string) (context.Context, func(), func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() {
		cancel(&Error{
			Code: CodeTimeout, Message: label + " sent nothing for " + limit.String(),
			Hint: "is the model too large for this machine, or the server stuck?",
		})
	})
	stop := func() { timer.Stop(); cancel(nil) }
	return ctx, func() { timer.Reset(limit) }, stop
}
