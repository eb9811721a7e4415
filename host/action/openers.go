package action

import (
	"slices"
	"sync"
	"sync/atomic"

	"tabwright/host/browser"
	"tabwright/safety"
)

// Openers are the controls of sites that are known to only open a question, such as "Delete" before "Delete for
// good?": the user allowed a press, which sent nothing that writes, and the next act that needed a word of theirs
// answered the question in the dialog that stood open in the same document then, or sent the form of the page that a
// link led to, and was of the same class. Such a press runs without a card from then on; the answer is asked about,
// and so is a request that the press of a button sends after all. It is for several sessions, and safe for concurrent
// use.
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
	if o == nil || key == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Contains(o.keys, key) {
		return
	}
	if o.keys = append(o.keys, key); len(o.keys) > maxOpeners {
		o.keys = o.keys[1:]
	}
}

// allowedPress is a press that the user allowed, until another act follows.
type allowedPress struct {
	key      string
	link     string // the address that it led to
	class    safety.Class
	tab      browser.TabID
	document string       // of its control
	wrote    *atomic.Bool // it sent a request that may write
}

// markOpener notes in the facts of an act that its control is a known opener. After a no all acts are judged as they
// stand.
func (s *Session) markOpener(act *safety.Act) {
	s.mu.Lock()
	denied := len(s.denials) > 0
	s.mu.Unlock()
	if !denied && s.o.Openers.has(safety.OpenerKey(*act)) {
		act.Target.OnlyAsks = true
	}
}

// boundClasses are of acts that a person has to be asked about even if they seem to be only a step.
var boundClasses = map[safety.Class]bool{safety.Purchase: true, safety.Legal: true, safety.Identity: true}

// learnOpener learns from an act that needs the user's word that the press before it only opened the question.
func (s *Session) learnOpener(at assessment) {
	s.mu.Lock()
	before := s.allowedPress
	s.mu.Unlock()
	if before.key == "" || at.aim == nil || boundClasses[before.class] || before.tab != s.Tab() || before.class != at.d.Class || before.wrote.Load() || !at.act.Answers(before.link) {
		return
	}
	if before.link != "" || before.document == at.aim.frame.Document() {
		s.o.Openers.add(before.key)
	}
}

// forgetPress forgets the allowed press, as the user may have opened what stands open now.
func (s *Session) forgetPress() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allowedPress = allowedPress{}
}

// notePress forgets the allowed press before an act is done; reads, and acts in a dialog that need no word of the
// user's, leave it. byUser says that the user has just allowed this act.
func (r *run) notePress(at assessment, byUser bool) {
	s, t := r.s, at.act.Target
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case byUser && at.aim != nil:
		s.allowedPress = allowedPress{key: safety.OpenerKey(at.act), class: at.d.Class, tab: s.current, document: at.aim.frame.Document(), wrote: new(atomic.Bool)}
		if at.act.FollowsLink() {
			s.allowedPress.link = t.Href
		}
	case byUser || at.act.Base != safety.Read && (t == nil || t.Dialog == ""):
		s.allowedPress = allowedPress{}
	}
}
