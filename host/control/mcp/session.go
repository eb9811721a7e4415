package mcp

import (
	"context"
	"errors"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// beginnings are the actions that can be the first of a session.
var beginnings = []string{"navigate", "webSearch", "openTab"}

// errEnded is the error of a call that relies on a session that has ended. In a new
// session it would act on an empty page.
func errEnded() error {
	return &wire.Error{
		Code: wire.Code(action.Detached), Message: "the session has ended since the last call, and its tabs with it: its browser was closed, or it was stopped, or an hour passed without a call; nothing was done",
		Hint: "Go on with browser_navigate, in a new one.",
	}
}

// openSession returns the session, and opens it at its first use. If it has ended, only an
// action of beginnings opens a new one; others get errEnded.
func (s *server) openSession(ctx context.Context, req *sdk.CallToolRequest, name string) (control.SessionClient, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		select {
		case <-s.session.Done():
			if err := s.session.Close(); err != nil {
				s.o.Log.Warn().Err(err).Msg("end of the session")
			}
			s.session = nil
			if !slices.Contains(beginnings, name) {
				return nil, errEnded()
			}
		default:
			return s.session, nil
		}
	}
	client := "MCP client"
	if i := req.ClientInfo(); i != nil && i.Name != "" {
		client = "MCP: " + i.Name
	}
	h, err := s.o.Open(ctx, client)
	if err != nil {
		return nil, err
	}
	s.session = h
	return h, nil
}

// goneTime is how much later than the error it causes the end of a browser may be
// noticed.
const goneTime = 500 * time.Millisecond

// checkLost checks whether an error means that the browser has ended. If so, it drops
// the session and says so in the result, so that the next call opens a new one.
func (s *server) checkLost(hand control.SessionClient, r wire.SessionResult) wire.SessionResult {
	switch {
	case r.Error != nil && r.Error.Code == wire.CodeNoSession:
		s.leave(hand)
		return control.ResultOf(r.Action, errEnded())
	case r.Error == nil || r.Error.Code != wire.Code(action.Detached) || r.Error.Message == control.ErrBrokerGone.Message:
		return r
	}
	wait := time.NewTimer(goneTime)
	defer wait.Stop()
	select {
	case <-hand.Done():
	case <-wait.C:
		return r
	}
	s.leave(hand)
	e := *r.Error
	e.Hint = "The browser has ended. Go on with browser_navigate, in a new one."
	r.Text = string(e.Code) + ": " + e.Message + "\n" + e.Hint
	r.Error = &e
	return r
}

// leave drops a session whose end was reported.
func (s *server) leave(hand control.SessionClient) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != hand {
		return // another call found it first
	}
	s.session = nil
	if err := hand.Close(); err != nil {
		s.o.Log.Warn().Err(err).Msg("end of the session")
	}
}

// openError gives an error of Open a code that models know.
func openError(err error) error {
	var ne *wire.Error
	if errors.As(err, &ne) {
		return ne
	}
	return &wire.Error{
		Code: wire.Code(action.Detached), Message: "the browser can't be reached: " + err.Error(),
		Hint: "Tell the user; `tabwright doctor` says what is missing.",
	}
}
