package control

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// sessionIdle is how long a session stays without a call, and updateIdle how
// long it must have gone without one for a new version to end it.
const (
	sessionIdle = time.Hour
	updateIdle  = 30 * time.Second
)

// sessions are the open sessions of a broker's clients.
type sessions struct {
	opening sync.Mutex // one at a time: a name is taken once

	mu   sync.Mutex
	open map[string]*session
}

// session is one of them. It stands among the running tasks, so that the panel
// shows its cards and can stop it.
type session struct {
	info   wire.SessionInfo
	client *clientsession.Session
	live   *live
	owner  *conn  // whose end ends it; nil for a named one
	own    bool   // a browser of its own: launched, or joined by its address
	cdp    string // that address
	asked  wire.SessionOpenParams
	asks   bool
	lang   string

	patience time.Duration // without a call
	idle     *time.Timer
	busy     sync.WaitGroup

	mu    sync.Mutex
	calls int       // under way
	last  time.Time // when the last of them ended
}

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
		// The user's own tab, which they let the program use, is not its to close.
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
		link, _ := c.panel(from) // all of them, for anybody else
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

func ignoreGone(err error) error {
	if errors.Is(err, browser.ErrNoTab) {
		return nil
	}
	return err
}

// onSessionOpen joins the session of that name, or opens one.
func (c *conn) onSessionOpen(ctx context.Context, _ *rpc.Channel, p wire.SessionOpenParams) (wire.SessionInfo, error) {
	b := c.b
	b.sessions.opening.Lock()
	defer b.sessions.opening.Unlock()
	if p.Name != "" {
		if s, err := b.sessions.get(p.Name); err == nil {
			if err := s.fits(p); err != nil {
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

// run puts a session among the running tasks until it ends.
func (b *Broker) run(s *session, place Place, tab browser.TabID) error {
	m := b.Manager
	ctx, cancel := context.WithCancelCause(context.Background())
	l := &live{id: s.info.Task, place: place, tab: tab, desk: s.client.User(), session: s.client.Action(), cancel: cancel, done: make(chan struct{})}
	if err := m.join(l); err != nil {
		cancel(err)
		return errors.Join(err, s.client.Close(context.WithoutCancel(ctx)))
	}
	s.live = l
	s.last = time.Now()
	s.idle = time.AfterFunc(s.patience, s.endIfIdle)
	b.sessions.add(s)
	missed := make(chan struct{})
	go func() {
		defer close(missed)
		if !s.own {
			s.missBrowser(ctx)
		}
	}()
	go func() {
		defer m.leave(l)
		select {
		case <-ctx.Done():
		case <-browserEnd(place.Driver, s.own):
			cancel(errBrowserEnded)
		}
		b.endSession(s, context.Cause(ctx))
		<-missed
	}()
	return nil
}

// browserGrace is how long a question stays open while its browser is away: a
// service worker that Chrome stops, or an extension that is loaded anew, is back
// sooner.
const browserGrace = 3 * time.Second

// missBrowser ends the wait for an answer when the browser that shows the
// question went and did not come back. It returns with the session.
func (s *session) missBrowser(ctx context.Context) {
	events, stop := s.live.place.Driver.Subscribe()
	defer stop()
	away := time.NewTimer(time.Hour)
	defer away.Stop()
	away.Stop()
	for {
		select {
		case e, ok := <-events:
			switch {
			case !ok:
				return
			case e.Kind == browser.DriverGone:
				away.Reset(browserGrace)
			case e.Kind == browser.DriverBack:
				away.Stop()
			}
		case <-away.C:
			s.client.Withdraw(clientsession.ErrBrowserAway)
		case <-ctx.Done():
			return
		}
	}
}

// endSession gives back what a session held, and ends a browser of its own.
func (b *Broker) endSession(s *session, why error) {
	m, l := b.Manager, s.live
	b.sessions.remove(s)
	s.idle.Stop()
	s.client.Stop(why)
	s.busy.Wait()
	ev := wire.Event{Task: l.id, Type: wire.EvComplete, Text: endText(why)}
	if errors.Is(why, agent.ErrStopped) {
		ev.Type = wire.EvCancelled
	}
	if _, err := m.Journal.Append(ev); err != nil {
		b.Log.Error().Err(err).Str("task", l.id).Msg("the session's end could not be recorded")
	}
	if !s.own {
		b.tidy(s)
		m.finish(l)
		return
	}
	if p, ok := l.place.Driver.(*part); ok && p.shared {
		b.closeTabs(s) // others go on in that browser
	}
	m.release(l.place.Profile, l.id)
	n := m.remove(l)
	if err := l.place.Driver.Close(); err != nil {
		b.Log.Warn().Err(err).Str("task", l.id).Msg("end of the launched browser")
	}
	detachTabs(l, closeTime, b.Log)
	m.notifyRunning(n)
	m.History().Forget()
}

// closeTabs closes the tabs of a session whose browser others use too.
func (b *Broker) closeTabs(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	for _, t := range s.client.Action().Tabs() {
		if err := ignoreGone(s.live.place.Driver.CloseTab(ctx, t.ID)); err != nil {
			b.Log.Debug().Err(err).Str("task", s.live.id).Msg("close a tab")
		}
	}
}

// tidy closes what nobody wants to see: the tab of a session that never went
// anywhere.
func (b *Broker) tidy(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := closeBlank(ctx, s.live.place.Driver, s.client.Action()); err != nil {
		b.Log.Debug().Err(err).Str("task", s.live.id).Msg("close the empty tab")
	}
}

var (
	errSessionIdle  = errors.New("nothing was asked for a long while")
	errReplaced     = errors.New("Tabwright was updated") //nolint:revive,staticcheck // a sentence for people
	errBrowserEnded = errors.New("the browser ended")
	errClientGone   = errors.New("the program ended")
)

func endText(why error) string {
	switch {
	case errors.Is(why, clientsession.ErrClosed):
		return "Closed."
	case errors.Is(why, agent.ErrStopped):
		return "Stopped by the user."
	default:
		s := why.Error()
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
}

// browserEnd is closed when a launched browser ended.
func browserEnd(d browser.Driver, own bool) <-chan struct{} {
	if l, ok := d.(interface{ Ended() <-chan struct{} }); ok && own {
		return l.Ended()
	}
	return nil
}

// startCall notes a call; the session is not idle until its end.
func (s *session) startCall() (done func()) {
	s.busy.Add(1)
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		s.calls--
		s.last = time.Now()
		s.mu.Unlock()
		s.idle.Reset(s.patience)
		s.busy.Done()
	}
}

// endIfIdle ends a session whose time without a call ran out. A call that runs
// winds the clock up again at its end.
func (s *session) endIfIdle() {
	if s.idleFor() >= s.patience {
		s.end(errSessionIdle)
	}
}

// idleFor is how long nothing was asked; 0 while a call runs.
func (s *session) idleFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls > 0 {
		return 0
	}
	return time.Since(s.last)
}

// ready waits a moment for a relay that is on its way back.
func (s *session) ready(ctx context.Context) error {
	if s.live.place.Wait == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := s.live.place.Wait(ctx); err != nil {
		return &wire.Error{Code: wire.CodeNoBrowser, Message: "The browser is not connected just now.", Hint: "Open it, or reload the extension; then call again."}
	}
	return nil
}

func (s *session) end(why error) { s.live.cancel(why) }

// ResultOf gives a call of session.do that failed as a whole the shape of a
// failed action.
func ResultOf(name string, err error) wire.SessionResult {
	e := wire.AsError(err)
	text := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return wire.SessionResult{Action: name, Text: text, Line: e.Message, Error: e}
}
