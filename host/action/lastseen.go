package action

import (
	"encoding/json"

	"tabwright/pagecontext"
)

// Shown returns a call's target as it was last shown, from memory; the page is not
// asked. It is false if the call names no element, or names it by a selector or a
// point.
func (s *Session) Shown(params json.RawMessage) (pagecontext.Entry, bool) {
	var t Target
	if json.Unmarshal(params, &t) != nil {
		return pagecontext.Entry{}, false
	}
	var index int
	var snapshot string
	switch {
	case t.Ref != "":
		var err error
		if index, snapshot, err = pagecontext.ParseRef(t.Ref); err != nil {
			return pagecontext.Entry{}, false
		}
	case t.Index != nil:
		index = *t.Index
	default:
		return pagecontext.Entry{}, false
	}
	s.mu.Lock()
	h := s.tabs[s.current]
	s.mu.Unlock()
	if h == nil || h.page == nil {
		return pagecontext.Entry{}, false
	}
	return h.page.Shown(index, snapshot)
}

// Address returns the last known address of the current tab; empty before the tab
// was used.
func (s *Session) Address() string {
	s.mu.Lock()
	h := s.tabs[s.current]
	s.mu.Unlock()
	if h == nil {
		return ""
	}
	if h.tab != nil {
		return h.tab.MainURL()
	}
	return h.info.URL
}
