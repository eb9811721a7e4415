package action

import (
	"strings"

	"tabwright/safety"
)

// maxDenials bounds the deeds that a task remembers as refused.
const maxDenials = 200

// Reasons of a refusal.
const (
	saidNo       = "the user said no"
	saidBefore   = saidNo + " to this before"
	saidByPolicy = "the policy says no"
)

// Because replaces the reason in the message of a refusal, if that is that the user, or
// --confirm, said no. The text before the reason stays, and messages with another reason
// are returned unchanged.
func Because(message, why string) string {
	for _, reason := range []string{saidBefore, saidNo, saidByPolicy} {
		if at := strings.LastIndex(message, reason); at >= 0 {
			return message[:at] + why
		}
	}
	return message
}

// wouldDo says what an act of each class does.
var wouldDo = map[safety.Class]string{
	safety.Read: "read this", safety.Navigate: "open an address", safety.Write: "change this", safety.Submit: "send a form",
	safety.Communicate: "send or publish something", safety.Purchase: "pay or order something", safety.Destroy: "delete or end something",
	safety.Identity: "sign in or change who may do what", safety.Legal: "agree to something", safety.FileClass: "hand over or write a file",
	safety.CodeClass: "run code", safety.Settings: "change a setting",
}

func deniedError(d safety.Deed, why string) *Error {
	return &Error{Code: Denied, Message: why, Data: map[string]string{"class": string(d.Class), "site": d.Site, "target": d.Name}}
}

// deedOf returns the deed that an act would commit; if the page was about to send a form
// with it, the deed of sending that form.
func (r *run) deedOf(act safety.Act, d safety.Decision) safety.Deed {
	if r.sending != nil {
		act = actOfSending(act, *r.sending)
	}
	out := safety.DeedOf(act, d)
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	out.Filled, out.Acted = r.s.texts, r.s.acted
	return out
}

// remember keeps a deed that the user refused; word says that they gave a reason.
func (s *Session) remember(deed safety.Deed, word bool) {
	deed.Word = word
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.denials = append(s.denials, deed); len(s.denials) > maxDenials {
		s.denials = s.denials[1:]
	}
}

// refusalOf returns the refused deed that is most like this one, and how like it is.
func (s *Session) refusalOf(deed safety.Deed) (how safety.Likeness, old safety.Deed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.denials {
		if now := deed.Against(d); now > how {
			how, old = now, d
		}
	}
	return how, old
}

// weigh raises an act that is like a refused deed to a question, and sets refused if it
// is the same deed.
func (r *run) weigh(at *assessment) {
	how, old := r.s.refusalOf(at.deed)
	switch how {
	case safety.Like:
		at.d.RaiseForRefusal(r.s.rules(), old)
	case safety.Same:
		at.refused = &old
	case safety.Unlike:
	}
}

// NoteRefusal tells a session of a refusal in the same task before the session
// began: the user is not asked again.
func (s *Session) NoteRefusal(class safety.Class, pageURL, name string) {
	s.remember(safety.Deed{Class: class, Site: hostOf(pageURL), Name: strings.Join(strings.Fields(strings.ToLower(name)), " ")}, false)
}
