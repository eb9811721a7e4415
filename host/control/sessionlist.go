package control

import (
	"cmp"
	"fmt"
	"slices"

	"tabwright/host/native"
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

func noSession(name string) error {
	return &native.Error{
		Code: CodeNoSession, Message: fmt.Sprintf("No session %q is open.", name),
		Hint: "Open one with `tabwright open URL`, in your browser, or with --launch in one of its own.",
	}
}

func (ss *sessions) list() []native.SessionInfo {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	out := make([]native.SessionInfo, 0, len(ss.open))
	for _, s := range ss.open {
		info := s.info
		info.New = false
		out = append(out, info)
	}
	slices.SortFunc(out, func(a, b native.SessionInfo) int { return cmp.Compare(a.Started, b.Started) })
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
