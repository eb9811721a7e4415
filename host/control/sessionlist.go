package control

import (
	"context"
	"errors"
	"fmt"
	"sort"
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

// byTask returns the session of a task, or nil.
func (ss *sessions) byTask(task string) *session {
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

// list returns the open sessions; with a link, only those that work in that
// browser.
func (ss *sessions) list(link *relayLink) []wire.SessionInfo {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	out := make([]wire.SessionInfo, 0, len(ss.open))
	for _, s := range ss.open {
		if link != nil && (s.own || s.live.place.Profile != link.profile) {
			continue
		}
		out = append(out, s.currentInfo())
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Started < out[j].Started })
	return out
}

// currentInfo returns the current state of the session.
func (s *session) currentInfo() wire.SessionInfo {
	info := s.info
	info.New, info.Paused = false, s.live.desk.IsPaused()
	for _, t := range s.client.Action().Tabs() {
		if id, err := strconv.Atoi(string(t.ID)); err == nil { // a launched browser's tab id is not a number
			info.Tabs = append(info.Tabs, id)
		}
	}
	return info
}

// idleSince returns the sessions that have had no call for at least since.
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

// leave ends the sessions of a closed connection.
func (ss *sessions) leave(c *conn) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if s.owner == c {
			s.end(errClientGone)
		}
	}
}

// sessionIdle is how long a session stays open without a call. updateIdle is how
// long it must be idle before a new version may end it.
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
	opening sync.Mutex // held while a session is opened, so that a name is used once

	mu   sync.Mutex
	open map[string]*session
}

// session is an open session of a client. It is listed among the running tasks, so
// that the panel shows its cards and can stop it.
type session struct {
	info   wire.SessionInfo
	client *clientsession.Session
	live   *live
	owner  *conn  // the session ends with it; nil if the session has a name
	own    bool   // works in a browser that was launched, or joined by its address
	cdp    string // that address; empty if launched
	asked  wire.SessionOpenParams
	asks   bool
	lang   string

	patience time.Duration // how long it stays open without a call
	idle     *time.Timer
	busy     sync.WaitGroup

	mu    sync.Mutex
	calls int       // running now
	last  time.Time // when the last of them ended
}

// startCall notes a running call. The session is not idle until done is called.
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

// endIfIdle ends a session that was idle too long. A running call restarts the timer
// at its end.
func (s *session) endIfIdle() {
	if s.idleFor() >= s.patience {
		s.end(errSessionIdle)
	}
}

// idleFor returns the time since the last call ended; 0 while one runs.
func (s *session) idleFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls > 0 {
		return 0
	}
	return time.Since(s.last)
}

// ready waits a few seconds for a relay that is reconnecting.
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
