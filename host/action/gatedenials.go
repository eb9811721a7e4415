package action

import (
	"slices"
	"strings"

	"tabwright/safety"
)

// denial is a consequence that the person refused.
type denial struct {
	class safety.Class
	site  string
	name  string // what would have been pressed, in plain small letters
	dest  string // where it would have led: form action, link or URL
	sends bool   // dest is where a form with a body goes
	flows string // the site that data of another would have gone to
}

func denied(d denial, why string) *Error {
	return &Error{Code: Denied, Message: why, Data: map[string]string{"class": string(d.class), "site": d.site, "target": d.name}}
}

// consequence says what an act would do, whatever road it takes: Enter in a
// form is its default button.
func consequence(act safety.Act, d safety.Decision) denial {
	out := denial{class: d.Class, site: hostOf(act.Page.URL), dest: act.URL}
	if t := act.Target; t != nil {
		out.name = t.Name
		if (act.Key != "" || act.Submit) && t.DefaultButton != "" {
			out.name = t.DefaultButton
		}
		if host := hostOf(t.FrameURL); host != "" {
			out.site = host
		}
		switch {
		case t.Href != "":
			out.dest = t.Href
		case t.Form != nil && (t.SubmitsForm || act.Key != "" || act.Submit):
			out.dest = t.Form.Action
			out.sends = t.Form.Method != "get" && bare(out.dest) != bare(act.Page.URL)
		}
	}
	out.name = strings.Join(strings.Fields(strings.ToLower(out.name)), " ")
	if d.Flows() {
		out.flows = safety.Leaves(act).Site
	}
	return out
}

func (s *Session) remember(act safety.Act, d safety.Decision) denial {
	den := consequence(act, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.denials, den) {
		s.denials = append(s.denials, den)
	}
	return den
}

// final are the classes of which a no covers every other way to the same end
// on that site: another button, Enter, a URL.
var final = []safety.Class{safety.Purchase, safety.Identity, safety.Legal}

// wasDenied tells whether the person refused this consequence before.
func (s *Session) wasDenied(act safety.Act, d safety.Decision) (denial, bool) {
	now := consequence(act, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, old := range s.denials {
		sameSite := old.site == now.site
		switch {
		case now.flows != "" && now.flows == old.flows:
			// Data of another site, by whatever road.
			return old, true
		case sameSite && now.class == safety.CodeClass:
			// Code can press the very button that was refused.
			return old, true
		case old.dest != "" && old.dest == now.dest && old.class != safety.Read && (act.URL != "" || act.Target != nil && act.Target.Href == now.dest):
			return old, true
		case sameSite && old.sends && now.sends && old.dest == now.dest:
			// Another button of the form that was refused.
			return old, true
		case !sameSite || old.class != now.class:
		case old.name == now.name && old.dest == now.dest, old.name != "" && old.name == now.name:
			return old, true
		case slices.Contains(final, now.class):
			return old, true
		}
	}
	return denial{}, false
}

// bare is a URL without its fragment.
func bare(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return u
}
