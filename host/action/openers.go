package action

import (
	"slices"
	"sync"

	"tabwright/host/browser"
	"tabwright/safety"
)

// Openers are the controls of sites that are known to only open a question, such as "Delete" before "Delete for
// good?": a press was allowed, and the next act that needed a word of the user's was in the dialog that stood open
// then, and of the same class. Such a press runs without a card from then on; the dialog's own button is asked about,
// and so is a request that the press sends after all. It is for several sessions, and safe for concurrent use.
type Openers struct {
	mu   sync.Mutex
	keys []string // of safety.OpenerKey, the oldest first
}

// maxOpeners bounds the openers that are known.
const maxOpeners = 1000

func (o *Openers) has(key string) bool {
	if o == nil || key == "" {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Contains(o.keys, key)
}

func (o *Openers) add(key string) {
	if o == nil || key == "" || o.has(key) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.keys = append(o.keys, key); len(o.keys) > maxOpeners {
		o.keys = o.keys[1:]
	}
}

// lastAsked is a press that the user allowed, until another act follows.
type lastAsked struct {
	key   string
	link  string // the address that it led to
	class safety.Class
	tab   browser.TabID
}

// markOpener notes in the facts of an act that its control is a known opener.
func (s *Session) markOpener(act *safety.Act) {
	if s.o.Openers.has(safety.OpenerKey(*act)) {
		act.Target.Opens, act.Target.OnlyAsks = true, true
	}
}

// learnOpener learns from a question about an act in a dialog that the press before it only opened the dialog.
func (s *Session) learnOpener(tab browser.TabID, act safety.Act, d safety.Decision) {
	s.mu.Lock()
	before := s.lastAsked
	s.mu.Unlock()
	if before.tab == tab && before.class == d.Class && act.Answers(before.link) {
		s.o.Openers.add(before.key)
	}
}

// noteAsked notes an act that was done as the last that the user allowed, or that there is none. Acts in a dialog
// that need no word of the user's change nothing: the dialog is still the one that was opened.
func (s *Session) noteAsked(tab browser.TabID, act safety.Act, d safety.Decision, asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case asked:
		s.lastAsked = lastAsked{key: safety.OpenerKey(act), class: d.Class, tab: tab}
		if t := act.Target; t != nil && t.Tag == "a" && t.Href != "" && !t.HasHandler {
			s.lastAsked.link = t.Href
		}
	case act.Base != safety.Read && (act.Target == nil || act.Target.Dialog == ""):
		s.lastAsked = lastAsked{}
	}
}
