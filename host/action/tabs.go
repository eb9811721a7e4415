package action

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// onTab updates the set of tabs that the task may see: a tab opened by one of them joins
// it, a closed one leaves it. Nothing is kept of other tabs.
func (s *Session) onTab(e browser.TabEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case browser.TabCreated, browser.TabUpdated, browser.TabActivated:
		if browsersOwn(e.Tab.URL) && s.alien(e.Tab.ID) || s.aliens[e.Tab.ID] {
			return
		}
		if h, ok := s.tabs[e.Tab.ID]; ok {
			if e.Kind != browser.TabActivated {
				h.info.URL, h.info.Title = e.Tab.URL, e.Tab.Title
			}
			return
		}
		if _, ok := s.tabs[e.Tab.Opener]; ok && e.Tab.Opener != "" {
			s.join(e.Tab)
		}
	case browser.TabRemoved:
		delete(s.tabs, e.Tab.ID)
		delete(s.aliens, e.Tab.ID)
	case browser.TabReplaced:
		if h, ok := s.tabs[e.Was]; ok {
			// It is the same tab for the user: the task goes on there.
			delete(s.tabs, e.Was)
			h.info.ID, h.lost = e.Tab.ID, true
			s.tabs[e.Tab.ID] = h
			if s.current == e.Was {
				s.current = e.Tab.ID
			}
		}
	case browser.TabDetached:
		if h, ok := s.tabs[e.Tab.ID]; ok {
			// It is not removed: an act that is under way still holds it, and learns of it
			// from its calls.
			h.lost = true
		}
	}
}

// browsersOwn tells whether an address is of the browser itself or of an extension.
func browsersOwn(url string) bool {
	scheme, _, ok := strings.Cut(url, ":")
	if !ok {
		return false
	}
	switch scheme {
	case "http", "https", "about", "file", "blob", "data", "ftp":
		return false
	}
	return true
}

// alien excludes a tab that shows a page of the browser's own from the task for good: a
// tab that the user opened beside the task's (Chrome reports that one as its opener)
// begins with such a page. Tabs that the task opened or uses are not
// excluded. s.mu is held.
func (s *Session) alien(id browser.TabID) bool {
	if h := s.tabs[id]; h != nil && (h.own || h.handed || h.attached || id == s.current) {
		return false
	}
	delete(s.tabs, id)
	if s.aliens == nil {
		s.aliens = map[browser.TabID]bool{}
	}
	s.aliens[id] = true
	return true
}

// adopt lets the task see a tab that an act of the task opened.
func (s *Session) adopt(id browser.TabID, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tabs[id]; !ok && id != "" {
		s.join(browser.TabInfo{ID: id, URL: url})
	}
	if h := s.tabs[id]; h != nil {
		h.own = true // an act of the task opened it; one that the user opened from its page is theirs
	}
}

// join adds a tab to the task's tabs; s.mu is held.
func (s *Session) join(info browser.TabInfo) {
	s.joined++
	s.tabs[info.ID] = &held{info: info, seq: s.joined}
}

// Tab returns the current tab.
func (s *Session) Tab() browser.TabID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// PageRev returns how many documents the current tab has shown; 0 before the tab was
// used.
func (s *Session) PageRev() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.tabs[s.current]; h != nil && h.tab != nil {
		return h.tab.PageRev()
	}
	return 0
}

// Tabs returns the tabs that the task may see, in the order in which they joined.
func (s *Session) Tabs() []browser.TabInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]browser.TabInfo, 0, len(s.tabs))
	for _, h := range slices.SortedFunc(maps.Values(s.tabs), func(a, b *held) int { return a.seq - b.seq }) {
		info := h.info
		info.Active = info.ID == s.current
		out = append(out, info)
	}
	return out
}

// HighWater returns the highest index given in the current tab; the journal keeps it,
// so that no index is given twice.
func (s *Session) HighWater() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.tabs[s.current]; h != nil && h.page != nil {
		return h.page.HighWater()
	}
	return 0
}

// HighWaters returns the same for every tab of the task that was looked at.
func (s *Session) HighWaters() map[browser.TabID]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[browser.TabID]int{}
	for id, h := range s.tabs {
		if h.page != nil {
			out[id] = h.page.HighWater()
		}
	}
	return out
}

// here returns the current tab, attached.
func (s *Session) here(ctx context.Context) (*held, *Error) {
	s.mu.Lock()
	id := s.current
	h := s.tabs[id]
	if h == nil {
		err := s.goneTab()
		s.mu.Unlock()
		return nil, err
	}
	s.tookBack = false
	if h.tab != nil && !h.lost {
		select {
		case <-h.tab.Done():
		default:
			s.mu.Unlock()
			return h, nil
		}
	}
	s.mu.Unlock()
	t, err := s.b.Attach(ctx, id)
	if err != nil {
		if e := asError(err); e != nil {
			return nil, e
		}
		return nil, &Error{Code: Detached, Message: "the tab can't be reached: " + err.Error(), Err: err}
	}
	s.mu.Lock()
	if s.tabs[id] != h { // taken back while it was being attached
		gone := s.goneTab()
		s.mu.Unlock()
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTime)
		defer cancel()
		if err := s.b.Release(rctx, id); err != nil {
			s.o.Log.Warn().Err(err).Msg("let go of a tab that was taken back")
		}
		return nil, gone
	}
	defer s.mu.Unlock()
	t.SetGround(s.ground)
	h.tab, h.attached, h.lost = t, true, false
	if h.userSeen.IsZero() {
		h.userSeen = time.Now() // earlier input does not matter
	}
	if h.page == nil {
		start := 0
		if s.o.HighWater != nil {
			start = s.o.HighWater(id)
		}
		h.page = pagecontext.New(&source{h: h, s: s}, start)
	}
	return h, nil
}

// source lets a tab's page memory outlive an attachment: refs stay valid when the tab
// is attached again to the same documents.
type source struct {
	h *held
	s *Session
}

func (s *source) now() (tab, error) {
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	if s.h.tab == nil || s.h.lost {
		return nil, &Error{Code: Detached, Message: "the tab is detached"}
	}
	return s.h.tab, nil
}

func (s *source) PageRev() int {
	t, err := s.now()
	if err != nil {
		return 0
	}
	return t.PageRev()
}

func (s *source) Frames(ctx context.Context) ([]pagecontext.Frame, error) {
	t, err := s.now()
	if err != nil {
		return nil, err
	}
	return t.Frames(ctx)
}

func tabList(tabs []browser.TabInfo) string {
	parts := make([]string, len(tabs))
	for i, t := range tabs {
		mark := ""
		if t.Active {
			mark = " (current)"
		}
		parts[i] = fmt.Sprintf("%d: %q %s%s", i+1, short(pagecontext.Flatten(t.Title), 40), short(t.URL, 80), mark)
	}
	return strings.Join(parts, "; ")
}
