package action

import (
	"net/url"
	"regexp"
	"strings"

	"tabwright/safety"
)

// Audited is an entry of the audit log: a decision of the gate, an answer of the
// user, or an act. It has no parameters, because typed text may be a secret.
type Audited struct {
	Kind   string // blocked, asked, answer, act, result
	Action string
	Target string
	Site   string
	URL    string // of the page, without query and fragment
	// Decision is the gate's; the log keeps its level, class, amount and rules.
	Decision safety.Decision
	Answer   Answer // with Kind answer
	Outcome  string // with Kind result: ok, unknown, or the error's code
	Preset   string // of the policy in force
}

// audit completes an entry and writes it. It does nothing without an audit log.
func (r *run) audit(e Audited, p gatedStep, act safety.Act) *Error {
	if r.s.o.Audit == nil {
		return nil
	}
	e.Action, e.Target, e.Site = r.spec.Name, r.res.Target, r.res.Site
	if e.Target == "" {
		e.Target = p.what
	}
	if act.URL != "" && e.Target == act.URL {
		e.Target = plainURL(act.URL)
	}
	e.Target = safety.Redact(short(e.Target, 200))
	e.URL = plainURL(act.Page.URL)
	e.Preset = r.s.rules().Policy.Name()
	if err := r.s.o.Audit(e); err != nil {
		return wrap("record this in the audit log before it is done", err)
	}
	if e.Kind == "act" {
		r.audited = &e
	}
	return nil
}

// auditOr writes an entry for an event that happens anyway: a failed write is only logged.
func (r *run) auditOr(e Audited, p gatedStep, act safety.Act) {
	if err := r.audit(e, p, act); err != nil {
		r.s.o.Log.Error().Err(err).Msg("audit log")
	}
}

// auditAct writes an entry for an act that may change something, before its input is sent.
func (r *run) auditAct(p gatedStep, act safety.Act, d safety.Decision) *Error {
	if !r.spec.MayChange {
		return nil
	}
	return r.audit(Audited{Kind: "act", Decision: d}, p, act)
}

// auditEnd writes the result of the act that was written last; ended is false if
// the action panicked.
func (r *run) auditEnd(ended bool) {
	if r.audited == nil {
		return
	}
	e := *r.audited
	e.Kind, e.Outcome, e.Site = "result", "ok", r.res.Site
	switch {
	case !ended:
		e.Outcome = "unknown"
	case r.res.Err != nil:
		e.Outcome = string(r.res.Err.Code)
	}
	if err := r.s.o.Audit(e); err != nil {
		r.s.o.Log.Error().Err(err).Msg("audit log")
	}
}

// token matches a segment of a path that may be a secret, as in links that sign in
// or reset a password.
var token = regexp.MustCompile(`[A-Za-z0-9_\-.~%]*\d[A-Za-z0-9_\-.~%]*`)

// plainURL returns an address for logs: without user name and password, query and
// fragment, and with possible tokens in its path masked.
func plainURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return u.Scheme + ":"
	}
	parts := strings.Split(u.Path, "/")
	for i, p := range parts {
		if len(p) >= 16 && token.FindString(p) == p {
			parts[i] = "•••"
		}
	}
	return u.Scheme + "://" + u.Host + safety.Redact(short(strings.Join(parts, "/"), 120))
}
