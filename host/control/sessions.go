package control

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/door"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/safety"
)

// CodeNoSession is the error for a name that no open session has.
const CodeNoSession native.Code = "no_session"

// KindSession is TaskInfo.Kind of a session.
const KindSession = "session"

// sessionIdle is how long a session stays without a call.
const sessionIdle = time.Hour

// sessions are the open sessions of a broker's clients.
type sessions struct {
	opening sync.Mutex // one at a time: a name is taken once

	mu   sync.Mutex
	open map[string]*session
}

// session is one of them. It stands among the running tasks, so that the panel
// shows its cards and can stop it.
type session struct {
	info  native.SessionInfo
	door  *door.Session
	live  *live
	owner *conn // whose end ends it; nil for a named one
	own   bool  // a launched browser
	asks  bool

	idle *time.Timer
	busy sync.WaitGroup
}

func (c *conn) handleSessions() {
	on(c, native.MethodSessionOpen, c.onSessionOpen)
	on(c, native.MethodSessionDo, func(ctx context.Context, _ *native.Channel, p native.SessionDoParams) (native.SessionResult, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return native.SessionResult{}, err
		}
		defer s.used()()
		if err := s.ready(ctx); err != nil {
			return native.SessionResult{}, err
		}
		return s.door.Do(ctx, action.Call{Name: p.Action, Params: p.Params}, p.ConfirmationID), nil
	})
	on(c, native.MethodSessionObserve, func(ctx context.Context, _ *native.Channel, p native.SessionObserveParams) (native.SessionResult, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return native.SessionResult{}, err
		}
		defer s.used()()
		if err := s.ready(ctx); err != nil {
			return native.SessionResult{}, err
		}
		return s.door.Observe(ctx, action.ObserveOptions{Full: p.Full, Budget: p.Budget}), nil
	})
	on(c, native.MethodSessionAnswer, func(_ context.Context, _ *native.Channel, p native.SessionAnswerParams) (native.Empty, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return native.Empty{}, err
		}
		if !s.own || !s.asks {
			return native.Empty{}, &native.Error{
				Code: CodePanelOnly, Message: "Only the side panel answers this.", Hint: "Open the Tabwright side panel.",
			}
		}
		if err := s.door.Answer(p.ConfirmationID, p.Allow); err != nil {
			return native.Empty{}, &native.Error{Code: CodeNoCard, Message: "This question is not open any more."}
		}
		return native.Empty{}, nil
	})
	on(c, native.MethodSessionClose, func(ctx context.Context, _ *native.Channel, p native.SessionCloseParams) (native.Empty, error) {
		s, err := c.b.sessions.get(p.Session)
		if err != nil {
			return native.Empty{}, err
		}
		tabs := s.door.Action().Tabs()
		s.end(door.ErrClosed)
		select {
		case <-s.live.done:
		case <-ctx.Done():
			return native.Empty{}, ctx.Err()
		}
		if p.Tabs && !s.own {
			for _, t := range tabs {
				err = errors.Join(err, ignoreGone(s.live.place.Driver.CloseTab(ctx, t.ID)))
			}
		}
		return native.Empty{}, err
	})
	on(c, native.MethodSessionList, func(context.Context, *native.Channel, native.Empty) (native.SessionList, error) {
		return native.SessionList{Sessions: c.b.sessions.list()}, nil
	})
}

func ignoreGone(err error) error {
	if errors.Is(err, browser.ErrNoTab) {
		return nil
	}
	return err
}

// onSessionOpen joins the session of that name, or opens one.
func (c *conn) onSessionOpen(ctx context.Context, _ *native.Channel, p native.SessionOpenParams) (native.SessionInfo, error) {
	b := c.b
	b.sessions.opening.Lock()
	defer b.sessions.opening.Unlock()
	if p.Name != "" {
		if s, err := b.sessions.get(p.Name); err == nil {
			if p.Launch != nil && !s.own {
				return native.SessionInfo{}, &native.Error{
					Code: native.CodeInvalidParams, Message: fmt.Sprintf("Session %q works in your own browser.", p.Name),
					Hint: "Close it first, or name another session.",
				}
			}
			info := s.info
			info.New = false
			return info, nil
		}
	}
	if p.Join {
		return native.SessionInfo{}, noSession(p.Name)
	}
	s, err := c.openSession(ctx, p)
	if err != nil {
		return native.SessionInfo{}, err
	}
	return s.info, nil
}

// openSession opens a session in a tab of its own.
func (c *conn) openSession(ctx context.Context, p native.SessionOpenParams) (*session, error) {
	b, m := c.b, c.b.Manager
	if p.Confirm == "" {
		p.Confirm = door.Ask
	}
	if p.Confirm == door.Allow && p.Launch == nil {
		return nil, &native.Error{
			Code: native.CodeInvalidParams, Message: "Confirm allow goes with a launched browser only.", Hint: "In your own browser the side panel answers.",
		}
	}
	id := newID()
	s := &session{asks: p.Confirm == door.Ask, own: p.Launch != nil, info: native.SessionInfo{
		Session: p.Name, Task: id, Client: cmp.Or(p.Client, "A program"), New: true, Started: time.Now().UnixMilli(),
	}}
	if p.Name == "" {
		s.owner, s.info.Session = c, "s"+strings.ToLower(rand.Text()[:10])
	}
	place, err := c.sessionPlace(ctx, p, s)
	if err != nil {
		return nil, err
	}
	undo := func(err error) (*session, error) {
		if s.own {
			err = errors.Join(err, place.Driver.Close())
		}
		return nil, err
	}
	tab, err := firstTab(ctx, place.Driver, s.own)
	if err != nil {
		return undo(err)
	}
	if err := m.ended.between(func() error { return m.lease(place.Profile, tab.ID, id) }); err != nil {
		return undo(err)
	}
	info := native.TaskInfo{Task: id, Text: s.info.Client, Kind: KindSession, State: native.TaskRunning, Started: s.info.Started}
	info.TabID, _ = strconv.Atoi(string(tab.ID)) // a launched browser's is no number
	err = m.Journal.Create(journal.Task{TaskInfo: info, Lang: p.Lang, Profile: place.Profile})
	if err == nil {
		_, err = m.Journal.Append(native.Event{Task: id, Type: native.EvStarted, Text: s.info.Client})
	}
	if err == nil {
		s.door, err = door.New(door.Options{
			Confirm: p.Confirm, Record: &record{m: m, task: id}, Log: b.Log,
			Action: action.Options{
				Driver: place.Driver, Tab: tab.ID, UploadDirs: m.UploadDirs, Lang: cmp.Or(p.Lang, b.Lang),
				Policy: SessionPolicy(s.own, p.Hosts, m.UploadDirs), Log: b.Log.With().Str("task", id).Logger(),
				HighWater: func(tab browser.TabID) int { return m.highWater(place.Profile, tab) },
				OwnTab:    true, TaskDir: m.taskDir(id),
			},
		})
	}
	if err != nil {
		m.release(place.Profile, id)
		return undo(err)
	}
	if err := b.run(s, place, tab.ID); err != nil {
		m.release(place.Profile, id)
		ended := native.Event{Task: id, Type: native.EvFailed, Text: err.Error(), Error: native.AsError(err)}
		_, saved := m.Journal.Append(ended)
		return undo(errors.Join(err, saved))
	}
	return s, nil
}

// sessionPlace is the connected browser, or one that is launched.
func (c *conn) sessionPlace(ctx context.Context, p native.SessionOpenParams, s *session) (Place, error) {
	if p.Launch != nil {
		d, err := Launch(ctx, LaunchOptions{
			Headless: p.Launch.Headless, Browser: p.Launch.Browser, Args: p.Launch.Args, Env: p.Launch.Env,
			Extractor: c.b.Extractor, NoEnvArgs: true,
		})
		if err != nil {
			return Place{}, &native.Error{Code: CodeNoBrowser, Message: "The browser did not start: " + err.Error(), Hint: "Name one with --browser."}
		}
		s.info.Launched = true
		return Place{Driver: d, NoPerson: true}, nil
	}
	place, err := c.b.placeOf(ctx, p.Profile)
	if err != nil {
		return Place{}, err
	}
	s.info.Profile = place.Profile
	for _, r := range c.b.status(ctx).Relays {
		if r.Profile == place.Profile {
			s.info.Browser = strings.TrimSpace(r.Browser.Name + " " + r.Browser.Version)
		}
	}
	return place, nil
}

// placeOf gives a connected profile by its id or the beginning of it.
func (b *Broker) placeOf(ctx context.Context, profile string) (Place, error) {
	if profile == "" {
		return b.Place(ctx)
	}
	b.mu.Lock()
	var found []*relayLink
	for id, l := range b.relays {
		if id == profile {
			found = []*relayLink{l}
			break
		}
		if strings.HasPrefix(id, profile) {
			found = append(found, l)
		}
	}
	b.mu.Unlock()
	if len(found) != 1 {
		return Place{}, &native.Error{
			Code: CodeNoBrowser, Message: fmt.Sprintf("%d connected profiles are called %q.", len(found), profile), Hint: "`tabwright profiles` lists them.",
		}
	}
	return found[0].ready(ctx)
}

// firstTab is the tab a session begins in: one it opens, or the empty one that
// a launched browser has.
func firstTab(ctx context.Context, d browser.Driver, own bool) (browser.TabInfo, error) {
	if own {
		tabs, err := d.Tabs(ctx)
		if err != nil {
			return browser.TabInfo{}, err
		}
		if len(tabs) > 0 {
			return tabs[0], nil
		}
	}
	return d.Open(ctx, "about:blank", true, "")
}

// loopback is what a launched browser may open besides the web: it knows no
// person's network, and pages under development are what it is for.
var loopback = []string{"127.0.0.0/8", "::1/128", "localhost", ".localhost", ".test"}

// SessionPolicy is what the gate knows of a session: the hosts that were named
// when it was opened, and this computer's own in a launched browser.
func SessionPolicy(launched bool, hosts, uploads []string) safety.Context {
	c := safety.Context{UploadDirs: slices.Clone(uploads), LocalHosts: slices.Clone(hosts), Sites: slices.Clone(hosts)}
	if launched {
		c.LocalHosts = append(c.LocalHosts, loopback...)
	}
	return c
}

// run puts a session among the running tasks until it ends.
func (b *Broker) run(s *session, place Place, tab browser.TabID) error {
	m := b.Manager
	ctx, cancel := context.WithCancelCause(context.Background())
	l := &live{id: s.info.Task, place: place, tab: tab, desk: s.door.Desk(), session: s.door.Action(), cancel: cancel, done: make(chan struct{})}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		cancel(errClosing)
		return errors.Join(errClosing, s.door.Close(context.WithoutCancel(ctx)))
	}
	if m.live == nil {
		m.live = map[string]*live{}
	}
	m.live[l.id] = l
	n := len(m.live)
	m.wg.Add(1) // under mu: Close waits only for what began before it
	m.mu.Unlock()
	s.live = l
	s.idle = time.AfterFunc(sessionIdle, func() { s.end(errSessionIdle) })
	b.sessions.add(s)
	m.changed(n)
	go func() {
		defer m.wg.Done()
		defer close(l.done)
		select {
		case <-ctx.Done():
		case <-gone(place.Driver, s.own):
			cancel(errBrowserEnded)
		}
		b.ended(s, context.Cause(ctx))
	}()
	return nil
}

// ended gives back what a session held, and ends a browser of its own.
func (b *Broker) ended(s *session, why error) {
	m, l := b.Manager, s.live
	b.sessions.remove(s)
	s.idle.Stop()
	s.door.Stop(why)
	s.busy.Wait()
	ev := native.Event{Task: l.id, Type: native.EvComplete, Text: endText(why)}
	if errors.Is(why, agent.ErrStopped) {
		ev.Type = native.EvCancelled
	}
	if _, err := m.Journal.Append(ev); err != nil {
		b.Log.Error().Err(err).Str("task", l.id).Msg("the session's end could not be recorded")
	}
	if !s.own {
		b.tidy(s)
		m.finish(l)
		return
	}
	m.release(l.place.Profile, l.id)
	m.mu.Lock()
	delete(m.live, l.id)
	n := len(m.live)
	m.mu.Unlock()
	if err := l.place.Driver.Close(); err != nil {
		b.Log.Warn().Err(err).Str("task", l.id).Msg("end of the launched browser")
	}
	letGo(l, closeTime, b.Log)
	m.changed(n)
}

// tidy closes what nobody wants to see: the tab of a session that never went
// anywhere.
func (b *Broker) tidy(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := closeBlank(ctx, s.live.place.Driver, s.door.Action()); err != nil {
		b.Log.Debug().Err(err).Str("task", s.live.id).Msg("close the empty tab")
	}
}

var (
	errSessionIdle  = errors.New("nothing was asked for an hour")
	errBrowserEnded = errors.New("the browser ended")
	errClientGone   = errors.New("the program ended")
)

func endText(why error) string {
	switch {
	case errors.Is(why, door.ErrClosed):
		return "Closed."
	case errors.Is(why, agent.ErrStopped):
		return "Stopped by the person."
	default:
		s := why.Error()
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
}

// gone is closed when a launched browser ended.
func gone(d browser.Driver, own bool) <-chan struct{} {
	if l, ok := d.(*Launched); ok && own {
		return l.Ended()
	}
	return nil
}

// used notes a call; the session is not idle until its end.
func (s *session) used() (done func()) {
	s.busy.Add(1)
	s.idle.Reset(sessionIdle)
	return func() { s.idle.Reset(sessionIdle); s.busy.Done() }
}

// ready waits a moment for a relay that is on its way back.
func (s *session) ready(ctx context.Context) error {
	if s.live.place.Wait == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := s.live.place.Wait(ctx); err != nil {
		return &native.Error{Code: CodeNoBrowser, Message: "The browser is not connected just now.", Hint: "Open it, or reload the extension; then call again."}
	}
	return nil
}

func (s *session) end(why error) { s.live.cancel(why) }

// ResultOf gives a call of session.do that failed as a whole the shape of a
// failed action.
func ResultOf(name string, err error) native.SessionResult {
	e := native.AsError(err)
	text := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return native.SessionResult{Action: name, Text: text, Line: e.Message, Error: e}
}
