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

// Because gives the message of a refusal with another reason in the place of that
// somebody, or --confirm, said no; what the act had done before it stays, and so does
// any other reason.
func Because(message, why string) string {
	for _, reason := range []string{saidBefore, saidNo, saidByPolicy} {
		if at := strings.LastIndex(message, reason); at >= 0 {
			return message[:at] + why
		}
	}
	return message
}

// wouldDo says of each class what an act of it does.
var wouldDo = map[safety.Class]string{
	safety.Read: "read this", safety.Navigate: "open an address", safety.Write: "change this", safety.Submit: "send a form",
	safety.Communicate: "send or publish something", safety.Purchase: "pay or order something", safety.Destroy: "delete or end something",
	safety.Identity: "sign in or change who may do what", safety.Legal: "agree to something", safety.FileClass: "hand over or write a file",
	safety.CodeClass: "run code", safety.Settings: "change a setting",
}

func deniedError(d safety.Deed, why string) *Error {
	return &Error{Code: Denied, Message: why, Data: map[string]string{"class": string(d.Class), "site": d.Site, "target": d.Name}}
}

// deedOf is what an act would commit: of a form that the page was about to send with
// it, sending that.
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

// remember keeps a deed that the user refused; word says that they said why.
func (s *Session) remember(deed safety.Deed, word bool) {
	deed.Word = word
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.denials = append(s.denials, deed); len(s.denials) > maxDenials {
		s.denials = s.denials[1:]
	}
}

// refusalOf says whether the user refused a deed before, or one that is like it.
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

// weigh has what is like a refused deed asked about, and gives what was refused where
// it is that very deed.
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

// NoteRefusal tells a session what the user said no to before it began, in the
// same task: it is not asked again.
func (s *Session) NoteRefusal(class safety.Class, pageURL, name string) {
	s.remember(safety.Deed{Class: class, Site: hostOf(pageURL), Name: strings.Join(strings.Fields(strings.ToLower(name)), " ")}, false)
}
