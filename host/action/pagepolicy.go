package action

import (
	"errors"
	"fmt"

	"tabwright/host/browser"
	"tabwright/safety"
)

// A navigation is judged by its address before it begins, but a redirect or the
// page's own script may lead the tab to this computer or its network. Such a page is
// neither read nor acted on; only leaving it is
// allowed.

// closedGround returns an error if the page in a tab is closed to the task.
func (s *Session) closedGround(t tab) *Error {
	if bad := t.Refused(); bad != nil {
		return refusedError(bad)
	}
	u := t.MainURL()
	_, d := safety.CheckURL(u, s.rules())
	if d.Level != safety.Block {
		return nil
	}
	for _, r := range d.Reasons {
		if r.Rule == "private_address" {
			return &Error{Code: Blocked, Message: "the tab shows " + siteOf(u) + ": " + r.Text, Hint: "Use goBack or navigate to go elsewhere.", Data: d}
		}
	}
	return nil
}

// groundError says why a document may not be opened.
type groundError struct{ d safety.Decision }

func (e *groundError) Error() string { return reasons(e.d) }

// ground judges the documents that redirects and scripts lead a tab to: by the address
// before the request, and by the IP address that served it.
func (s *Session) ground(address, ip string) error {
	var d safety.Decision
	if ip == "" {
		_, d = safety.CheckURL(address, s.rules())
	} else {
		d = safety.CheckAddress(address, ip, s.rules())
	}
	for _, r := range d.Reasons {
		if d.Level == safety.Block && r.Rule == "private_address" {
			return &groundError{d}
		}
	}
	return nil
}

// refusedError is the error for a document that ground refused.
func refusedError(r *browser.Refusal) *Error {
	e := &Error{Code: Blocked, Message: "not allowed: " + r.Err.Error(), Hint: "Use goBack or navigate to go elsewhere.", Err: r}
	if r.IP != "" {
		e.Message += ". It was stopped and blanked, and nothing of it was read"
	}
	var g *groundError
	if errors.As(r.Err, &g) {
		e.Data = g.d
	}
	return e
}

// onOpenGround returns an error for an action on a page that is closed to the task.
func (r *run) onOpenGround() *Error {
	if r.spec.Family == "navigation" || r.spec.Class == safety.Navigate {
		return nil
	}
	return r.s.closedGround(r.tab)
}

// groundSeen removes the content of such a page from an observation.
func (s *Session) groundSeen(h *held, out *Observation) bool {
	bad := s.closedGround(h.tab)
	if bad == nil {
		return false
	}
	out.URL, out.Title = h.tab.MainURL(), ""
	out.Summary, out.Elements, out.Image = nil, nil, nil
	out.Text = fmt.Sprintf("Nothing of this page is shown: %s. %s", bad.Message, bad.Hint)
	return true
}

// hideClosedPage removes from a result the title and content of a page that the act led
// to and that is closed to the task.
func (r *run) hideClosedPage() {
	if r.tab == nil || r.res.Err != nil {
		return
	}
	if bad := r.s.closedGround(r.tab); bad != nil {
		r.res.Text = "Done, and nothing more can be said of it: " + bad.Message + ". " + bad.Hint
		r.res.Effect, r.res.Destination, r.res.Data, r.res.Image = "navigated to "+siteOf(r.tab.MainURL()), "", nil, nil
	}
}
