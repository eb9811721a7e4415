package control

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

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
