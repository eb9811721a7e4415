package clientsession

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// result waits for the end of an act with an open question.
func (s *Session) result(ctx context.Context, p *pending) wire.SessionResult {
	select {
	case <-p.done:
		return s.take(p)
	case <-p.again:
		return s.question(p) // the page has changed, and so has the question
	case <-ctx.Done():
		return s.question(p) // still open
	}
}

// take returns the result of an ended act and forgets the act.
func (s *Session) take(p *pending) wire.SessionResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == p {
		s.now = nil
	}
	return p.res
}

// question returns the result of a call that waits for a confirmation.
func (s *Session) question(p *pending) wire.SessionResult {
	s.mu.Lock()
	card := *p.card
	s.mu.Unlock()
	what := card.Action
	if card.Target != "" {
		what += " " + card.Target
	}
	who := "The side panel asks them now."
	if s.place != UserInPanel {
		who = "Whoever opened the session gives the answer (over HTTP: POST …/answer)."
	}
	e := &wire.Error{
		Code:    wire.Code(action.NeedsConfirmation),
		Message: fmt.Sprintf("%s on %s needs a user's confirmation", what, card.Site),
		Hint:    who + " Make the same call again with confirmation_id " + card.ID + " to wait for the answer; any other call withdraws the question.",
	}
	if raw, err := json.Marshal(map[string]any{"confirmation_id": card.ID, "class": card.Class, "amount": card.Amount, "reasons": card.Reasons}); err == nil {
		e.Data = raw
	}
	return wire.SessionResult{
		Action: p.call.Name, Text: "needs_confirmation: " + e.Message + ".\n" + e.Hint, Line: e.Message,
		Target: card.Target, Site: card.Site, URL: card.URL, PageRev: s.act.PageRev(), Error: e, Confirm: &card,
	}
}

func (s *Session) closedResult(name string) wire.SessionResult {
	return failure(name, action.TabClosed, "the session has ended", "Start again; a new session begins.")
}

// wire returns a result in wire form.
func (s *Session) wire(r action.Result) wire.SessionResult { return Wire(r, s.act.Tabs(), s.log) }

// Wire returns a result in wire form, with the address of the active tab.
func Wire(r action.Result, tabs []browser.TabInfo, log zerolog.Logger) wire.SessionResult {
	out := wire.SessionResult{
		Action: r.Action, Text: r.Text, Line: r.Line, Target: r.Target, Site: r.Site, Effect: r.Effect, Destination: string(r.Destination), Part: r.Part,
		Image: r.Image, MIME: r.MIME, PageRev: r.PageRev, Notes: r.Notes,
	}
	for _, t := range tabs {
		if t.Active {
			out.URL = safety.HideInAddresses(t.URL)
		}
	}
	if r.Data != nil {
		if raw, err := json.Marshal(r.Data); err == nil {
			out.Data = raw
		} else {
			log.Error().Err(err).Str("action", r.Action).Msg("data of a result")
		}
	}
	if r.Err != nil {
		out.Error = &wire.Error{Code: wire.Code(r.Err.Code), Message: r.Err.Message, Hint: r.Err.Hint}
		if r.Err.Data != nil {
			if raw, err := json.Marshal(r.Err.Data); err == nil {
				out.Error.Data = raw
			}
		}
	}
	return out
}

func failure(name string, code action.Code, message, hint string) wire.SessionResult {
	return wire.SessionResult{
		Action: name, Text: string(code) + ": " + message + ". " + hint, Line: message,
		Error: &wire.Error{Code: wire.Code(code), Message: message, Hint: hint},
	}
}

// canonical writes params so that equal params are equal bytes.
func canonical(raw json.RawMessage) json.RawMessage {
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("{}")
	}
	if dec.Decode(&v) != nil {
		return raw
	}
	b, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return b
}
