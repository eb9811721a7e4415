package action

import (
	"cmp"
	"net"
	"net/url"
	"strings"

	"tabwright/safety"
)

// An address is parsed once, judged in that form, and opened in that form only: a
// gate that parses it differently than the browser can be passed. A session's acts
// are judged by run.withGate; addresses opened before there is a session, by MayOpen.

// address reads an address as the gate judges it.
func address(raw string) (string, *Error) {
	to, bad := normalURL(raw)
	if bad != nil {
		return "", &Error{Code: InvalidParams, Message: bad.Error(), Hint: "Give a full address such as https://example.com/page."}
	}
	if judged, _ := safety.CheckURL(to, safety.Context{}); judged != "" {
		to = judged
	}
	return to, nil
}

// MayOpen asks the gate about the address of a tab that is opened for a session
// with options o. It returns the judged form, and whether the user must be asked
// first: then the session opens it, by navigate.
func MayOpen(o Options, raw string) (to string, asks bool, err *Error) {
	if raw == "" {
		return "about:blank", false, nil
	}
	if to, err = address(raw); err != nil {
		return "", false, err
	}
	rules := o.rules(o.Policy)
	d := safety.Judge(safety.Act{Action: "openTab", Base: safety.Navigate, URL: to}, rules)
	if d.Level < safety.Block {
		return to, d.Level == safety.Confirm, nil
	}
	if o.Audit != nil {
		if bad := o.Audit(Audited{Kind: "blocked", Action: "openTab", Target: plainURL(to), Decision: d, Preset: rules.Policy.Name()}); bad != nil {
			o.Log.Error().Err(bad).Msg("audit log")
		}
	}
	return "", false, notAllowed(d)
}

// notAllowed returns the error for an act that the gate blocks.
func notAllowed(d safety.Decision) *Error {
	hint := blockedHint(d)
	if hint == "" {
		hint = Blocked.Hint()
	}
	return &Error{Code: Blocked, Message: "not allowed: " + reasons(d), Hint: hint, Data: d}
}

// rules returns what the gate knows, with the user's current policy.
func (o Options) rules(c safety.Context) safety.Context {
	if c.Lang == "" {
		c.Lang = o.Lang
	}
	if o.Rules == nil {
		return c
	}
	if c.Policy = o.Rules(); c.Policy != nil && len(c.Policy.Local) > 0 {
		c.LocalHosts = append(append([]string{}, c.LocalHosts...), c.Policy.Local...)
	}
	return c
}

// engineHost returns the host and port of a search engine: the user has allowed it by
// configuring it, even on their own computer.
func engineHost(engine string) []string {
	u, err := url.Parse(strings.NewReplacer("{query}", "", "%s", "").Replace(engine))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return []string{net.JoinHostPort(u.Hostname(), port)} // a host without a port stands for all of its ports
}
