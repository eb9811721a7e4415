package clientsession

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
)

// RequestLogin is the action that hands the tab to the user.
const RequestLogin = "requestLogin"

// handTime is how long one call waits for the user to hand the tab back. Programs
// give up on a call after a minute, so they call again.
const handTime = 45 * time.Second

// pausedTime is how long a call waits for a user who paused the session.
const pausedTime = 45 * time.Second

// UserPlace is where the user of a session signs in and answers questions.
type UserPlace int

// Places of the user.
const (
	UserInPanel  UserPlace = iota // in their own browser; they hand the tab back in its side panel
	UserAtWindow                  // at a launched browser's window; the program reports when they are done
	NoUser                        // the browser has no window, so nobody can sign in
)

// handover is a tab while the user has it.
type handover struct {
	text string
	back chan struct{} // closed when the user hands it back
	said string        // the user's message; set before back is closed
}

// handOver gives the tab to the user. The session does and reads nothing until the
// user hands it back.
func (s *Session) handOver(text string) error {
	s.desk.DropSaid()
	if err := s.rec.Emit(wire.Event{Type: wire.EvAsk, Text: text, Level: agent.LevelHandover}); err != nil {
		return err
	}
	h := &handover{text: text, back: make(chan struct{})}
	s.mu.Lock()
	s.handover = h
	s.mu.Unlock()
	s.wg.Go(func() {
		said, err := s.desk.WaitSaid(s.ctx)
		if err == nil {
			s.endTakeover(h, said[len(said)-1])
		}
	})
	return nil
}

// endTakeover takes the tab back from the user.
func (s *Session) endTakeover(h *handover, said string) {
	s.mu.Lock()
	if s.handover != h {
		s.mu.Unlock()
		return
	}
	s.handover = nil
	h.said = said
	s.mu.Unlock()
	if err := s.rec.Emit(wire.Event{Type: wire.EvSaid, Text: said}); err != nil {
		s.log.Error().Err(err).Msg("the tab's return not recorded")
	}
	close(h.back)
}

func (s *Session) handedTab() *handover {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handover
}

// login handles a call of requestLogin. The first call hands the tab over; each call
// then waits for its return, as long as the returned duration. With done the program
// reports that its user is done. That is refused in the user's own browser, where the
// panel reports it.
func (s *Session) login(ctx context.Context, c action.Call) (wire.SessionResult, *handover, time.Duration) {
	var p map[string]json.RawMessage
	_ = json.Unmarshal(c.Params, &p) // the registry reports what is wrong with it
	done := string(bytes.TrimSpace(p["done"])) == "true"
	delete(p, "done")
	c.Params, _ = json.Marshal(p) // can't fail: it was JSON
	h := s.handedTab()
	wait := handTime
	if s.place == UserAtWindow && !done {
		wait = 0 // there is no panel: the program reports when its user is done
	}
	switch {
	case h == nil && done:
		return failure(c.Name, action.InvalidParams, "the user does not have the tab", "Call it without done to hand it over."), nil, 0
	case h == nil && s.place == NoUser:
		return failure(c.Name, action.Unsupported, "this browser has no window, so nobody can sign in there",
			"Start it without --headless, or use a profile that is signed in already."), nil, 0
	case h == nil:
		return s.start(ctx, c), s.handedTab(), wait // nil if start failed
	case done && s.place == UserInPanel:
		return failure(c.Name, action.Denied, "only the user hands the tab back, in the side panel", "Call it again without done to wait for them."), nil, 0
	case done:
		s.desk.Say("Done.")
	}
	return wire.SessionResult{}, h, wait
}

// awaitBack waits at most limit for the user to hand the tab back.
func (s *Session) awaitBack(ctx context.Context, name string, h *handover, limit time.Duration) wire.SessionResult {
	wait := time.NewTimer(limit)
	defer wait.Stop()
	select {
	case <-h.back:
		return wire.SessionResult{
			Action: name, Text: "OK: the user handed the tab back, saying: " + h.said + "\nLook at the page now.",
			Line: "The user handed the tab back", Effect: "the user used the tab", Data: json.RawMessage(`{"state":"done"}`),
		}
	case <-wait.C:
	case <-ctx.Done():
	case <-s.ctx.Done():
		return s.closedResult(name)
	}
	return s.waitingResult(name, h)
}

// waitingResult returns the result of a call while the user has the tab.
func (s *Session) waitingResult(name string, h *handover) wire.SessionResult {
	how := "They hand it back in the Tabwright side panel. Call it again to wait for that."
	if s.place == UserAtWindow {
		how = "Ask them to do so in the browser's window. When they say that they are done, call it again with done: true."
	}
	data, _ := json.Marshal(map[string]string{"state": "waiting", "request": h.text}) // can't fail: only strings
	return wire.SessionResult{
		Action: name, Text: "The user has the tab: " + h.text + "\n" + how, Line: h.text, Data: data,
	}
}

// refuseInHandover refuses a call while the user has the tab.
func (s *Session) refuseInHandover(name string) (wire.SessionResult, bool) {
	h := s.handedTab()
	if h == nil {
		return wire.SessionResult{}, false
	}
	return failure(name, action.TabBusy, fmt.Sprintf("the user has the tab (%s)", h.text),
		"Nothing is done or read until they hand it back: call requestLogin again to wait for that."), true
}

// waitUnpaused waits up to pausedTime while the session is paused. It returns false
// with the result of the call if the session stays paused or has ended.
func (s *Session) waitUnpaused(ctx context.Context, name string) (wire.SessionResult, bool) {
	wait, cancel := context.WithTimeoutCause(ctx, pausedTime, errPaused)
	defer cancel()
	err := s.desk.WaitUnpaused(wait, "Paused; the program waits.")
	if err == nil {
		return wire.SessionResult{}, true
	}
	if s.ctx.Err() != nil {
		return s.closedResult(name), false
	}
	if errors.Is(err, errPaused) || ctx.Err() != nil {
		return failure(name, action.TabBusy, errPaused.Error(), "Wait until they resume it in the side panel, then call again."), false
	}
	return failure(name, action.Unsupported, "the pause could not be recorded: "+err.Error(), ""), false
}

var errPaused = errors.New("the user paused this session")
