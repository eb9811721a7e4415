package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

func (ss *sessions) add(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.open == nil {
		ss.open = map[string]*session{}
	}
	ss.open[s.info.Session] = s
}

func (ss *sessions) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.open[s.info.Session] == s {
		delete(ss.open, s.info.Session)
	}
}

func (ss *sessions) get(name string) (*session, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s, ok := ss.open[name]; ok {
		return s, nil
	}
	return nil, noSession(name)
}

// of gives the session of a task, or nil.
func (ss *sessions) of(task string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if s.info.Task == task {
			return s
		}
	}
	return nil
}

func noSession(name string) error {
	return &wire.Error{
		Code: wire.CodeNoSession, Message: fmt.Sprintf("No session %q is open.", name),
		Hint: "Open one with `tabwright open URL`, in your browser, or with --launch in one of its own.",
	}
}

// list gives the open sessions; with a link, those that work in that browser of
// the user's.
func (ss *sessions) list(link *relayLink) []wire.SessionInfo {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	out := make([]wire.SessionInfo, 0, len(ss.open))
	for _, s := range ss.open {
		if link != nil && (s.own || s.live.place.Profile != link.profile) {
			continue
		}
		out = append(out, s.now())
	}
	slices.SortFunc(out, func(a, b wire.SessionInfo) int { return cmp.Compare(a.Started, b.Started) })
	return out
}

// now is the session as it stands.
func (s *session) now() wire.SessionInfo {
	info := s.info
	info.New, info.Paused = false, s.live.desk.IsPaused()
	for _, t := range s.client.Action().Tabs() {
		if id, err := strconv.Atoi(string(t.ID)); err == nil { // a launched browser's is no number
			info.Tabs = append(info.Tabs, id)
		}
	}
	return info
}

// idleSince gives the sessions that nothing was asked of for so long.
func (ss *sessions) idleSince(since time.Duration) []*session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	var out []*session
	for _, s := range ss.open {
		if s.idleFor() >= since {
			out = append(out, s)
		}
	}
	return out
}

// leave ends the sessions of a connection that is gone.
func (ss *sessions) leave(c *conn) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if s.owner == c {
			s.end(errClientGone)
		}
	}
}

// sessionIdle is how long a session stays without a call, and updateIdle how
// long it must have gone without one for a new version to end it.
const (
	sessionIdle = time.Hour
	updateIdle  = 30 * time.Second
)

// Reasons for a session's end.
var (
	errSessionIdle  = errors.New("nothing was asked for a long while")
	errReplaced     = errors.New("Tabwright was updated") //nolint:revive,staticcheck // a sentence for people
	errClientGone   = errors.New("the program ended")
	errBrowserEnded = errors.New("the browser ended")
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
