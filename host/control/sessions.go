package control

import (
	"context"
	"errors"
	"slices"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

func (c *conn) handleSessions() {
	on(c, wire.MethodSessionOpen, c.onSessionOpen)
	on(c, wire.MethodSessionDo, func(ctx context.Context, _ *rpc.Channel, p wire.SessionDoParams) (wire.SessionResult, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return wire.SessionResult{}, err
		}
		defer s.startCall()()
		if err := s.ready(ctx); err != nil {
			return wire.SessionResult{}, err
		}
		call := action.Call{Name: p.Action, Params: p.Params}
		if p.Explain {
			return s.client.Explain(ctx, call), nil
		}
		return s.client.Do(ctx, call, p.ConfirmationID), nil
	})
	on(c, wire.MethodSessionObserve, func(ctx context.Context, _ *rpc.Channel, p wire.SessionObserveParams) (wire.SessionResult, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return wire.SessionResult{}, err
		}
		defer s.startCall()()
		if err := s.ready(ctx); err != nil {
			return wire.SessionResult{}, err
		}
		return s.client.Observe(ctx, action.ObserveOptions{Full: p.Full, Budget: p.Budget}), nil
	})
	on(c, wire.MethodSessionAnswer, func(_ context.Context, _ *rpc.Channel, p wire.SessionAnswerParams) (wire.Empty, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return wire.Empty{}, err
		}
		if !s.own || s.cdp != "" || !s.asks {
			return wire.Empty{}, &wire.Error{
				Code: wire.CodePanelOnly, Message: "Only the side panel answers this.", Hint: "Open the Tabwright side panel.",
			}
		}
		if err := s.client.Answer(p.ConfirmationID, p.Allow, p.Note); err != nil {
			return wire.Empty{}, &wire.Error{Code: wire.CodeNoCard, Message: "This question is not open any more."}
		}
		return wire.Empty{}, nil
	})
	on(c, wire.MethodSessionClose, func(ctx context.Context, _ *rpc.Channel, p wire.SessionCloseParams) (wire.Empty, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return wire.Empty{}, err
		}
		// The program must not close a tab that the user shared with it.
		tabs := slices.DeleteFunc(s.client.Action().Tabs(), func(t browser.TabInfo) bool { return s.client.Action().IsShared(t.ID) })
		s.end(clientsession.ErrClosed)
		select {
		case <-s.live.done:
		case <-ctx.Done():
			return wire.Empty{}, ctx.Err()
		}
		if p.Tabs && !s.own {
			for _, t := range tabs {
				err = errors.Join(err, ignoreGone(s.live.place.Driver.CloseTab(ctx, t.ID)))
			}
		}
		return wire.Empty{}, err
	})
	on(c, wire.MethodSessionList, func(_ context.Context, from *rpc.Channel, _ wire.Empty) (wire.SessionList, error) {
		link, _ := c.panel(from) // no link, and so all sessions, for other clients
		return wire.SessionList{Sessions: c.b.sessions.list(link)}, nil
	})
	on(c, wire.MethodSessionHand, c.onSessionHand)
	on(c, wire.MethodSessionTake, c.onSessionTake)
	on(c, wire.MethodProfileList, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.ProfileList, error) {
		return c.b.profiles(ctx), nil
	})
	on(c, wire.MethodProfileRemove, func(_ context.Context, _ *rpc.Channel, p wire.ProfileRemoveParams) (wire.Empty, error) {
		return wire.Empty{}, c.b.removeProfile(p.Profile)
	})
}

// onSessionOpen joins the open session of that name, or opens one.
func (c *conn) onSessionOpen(ctx context.Context, _ *rpc.Channel, p wire.SessionOpenParams) (wire.SessionInfo, error) {
	b := c.b
	b.sessions.opening.Lock()
	defer b.sessions.opening.Unlock()
	if p.Name != "" {
		if s, err := b.sessions.get(p.Name); err == nil {
			if err := s.checkMatch(p); err != nil {
				return wire.SessionInfo{}, err
			}
			info := s.info
			info.New = false
			return info, nil
		}
	}
	if p.Join {
		return wire.SessionInfo{}, noSession(p.Name)
	}
	s, err := c.openSession(ctx, p)
	if err != nil {
		return wire.SessionInfo{}, err
	}
	return s.info, nil
}
