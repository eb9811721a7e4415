package action

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"tabwright/host/browser"
	"tabwright/safety"
)

// handedNote tells a program that it may use another tab.
var handedNote = map[string]string{
	English: "The user lets you use a tab of theirs: [%d] %q %s. Switch to it to work there.",
	Chinese: "用户允许你使用其标签页：[%d] %q %s。切换过去即可操作。",
}

// Receive lets the session see and use a tab that the user hands over. The tab does
// not become the current one: indices belong to a tab, and the next act might
// otherwise hit another element.
func (s *Session) Receive(info browser.TabInfo) {
	s.mu.Lock()
	if s.tabs[info.ID] == nil {
		s.join(info)
		s.tabs[info.ID].handed = true
	}
	if u, err := url.Parse(info.URL); err == nil && u.Hostname() != "" && s.tabs[info.ID].granted == "" {
		// The user is there themselves, and lets the session act there.
		s.tabs[info.ID].granted = u.Hostname()
		s.policy.Sites = append(slices.Clone(s.policy.Sites), u.Hostname())
		s.policy.LocalHosts = append(slices.Clone(s.policy.LocalHosts), u.Hostname())
	}
	s.mu.Unlock()
	for i, t := range s.Tabs() {
		if t.ID == info.ID {
			s.noteNext(fmt.Sprintf(handedNote[s.o.Lang], i+1, short(info.Title, 60), info.URL))
		}
	}
}

// GiveBack takes a tab from the session, even in the middle of an act: it belongs to
// the user.
func (s *Session) GiveBack(ctx context.Context, id browser.TabID) error {
	s.mu.Lock()
	h := s.tabs[id]
	delete(s.tabs, id)
	if s.current == id {
		s.tookBack = true // don't act in another tab instead: nobody asked for that
	}
	if h != nil && h.granted != "" {
		s.policy.Sites = without(s.policy.Sites, h.granted)
		s.policy.LocalHosts = without(s.policy.LocalHosts, h.granted)
	}
	s.mu.Unlock()
	if h == nil || !h.attached {
		return nil
	}
	s.releaseHeldInput(ctx, h)
	return s.b.Release(ctx, id)
}

// without returns a list without the last entry of that name.
func without(list []string, name string) []string {
	for i, x := range slices.Backward(list) {
		if x == name {
			return slices.Delete(slices.Clone(list), i, i+1)
		}
	}
	return list
}

// IsShared tells whether a tab is the user's, who let the session use it.
func (s *Session) IsShared(id browser.TabID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.tabs[id]
	return h != nil && h.handed
}

// rules returns what the gate knows of the session; it changes when a tab changes hands.
func (s *Session) rules() safety.Context {
	s.mu.Lock()
	c := s.policy
	c.Consents = slices.Clip(s.consents)
	s.mu.Unlock()
	return s.o.rules(c)
}

var errTookBack = errors.New("the user took the tab back")

// goneTab returns why there is no current tab; s.mu is held.
func (s *Session) goneTab() *Error {
	if !s.tookBack {
		return &Error{Code: TabClosed, Message: "the tab was closed"}
	}
	return &Error{
		Code: TabClosed, Message: errTookBack.Error(), Err: errTookBack,
		Hint: "Work in another one: listTabs shows the tabs left, openTab opens one.",
	}
}
