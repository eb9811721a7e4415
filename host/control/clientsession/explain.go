package clientsession

import (
	"context"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// Explain returns how the gate would judge an action, and does nothing. It waits
// for its turn and leaves an open question open.
func (s *Session) Explain(ctx context.Context, c action.Call) wire.SessionResult {
	c.Params = canonical(c.Params)
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return failure(c.Name, action.Timeout, "stopped before its turn came", "Call it again.")
	case <-s.ctx.Done():
		return s.closedResult(c.Name)
	}
	defer func() { <-s.turn }()
	if r, held := s.refuseInHandover(c.Name); held {
		return r
	}
	s.mu.Lock()
	p := s.now
	s.mu.Unlock()
	if p != nil {
		return s.question(p) // the question holds the page until it is answered
	}
	return s.wire(s.act.Explain(ctx, c))
}
