package action

import (
	"cmp"
	"net"
	"net/url"
	"strings"

	"tabwright/safety"
)

// An address is read once, judged in that form, and opened in no other: two
// readings of one address are how gates are passed. A session's acts are judged
// by run.withGate; what is opened before there is a session, by MayOpen.

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

// MayOpen asks the gate about an address at which a tab is to be opened for a
// session that is made of o. It gives the form that was judged, and whether the
// user is to be asked first: then the session opens it, by navigate.
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

// notAllowed is the error for what the gate blocks.
func notAllowed(d safety.Decision) *Error {
	hint := blockedHint(d)
	if hint == "" {
		hint = Blocked.Hint()
	}
	return &Error{Code: Blocked, Message: "not allowed: " + reasons(d), Hint: hint, Data: d}
}

// rules is what the gate knows, with the user's policy as it stands now.
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

// engineHost is the host of a search engine's address: the user has named it by
// configuring it, on their own computer too.
func engineHost(engine string) []string {
	u, err := url.Parse(strings.NewReplacer("{query}", "", "%s", "").Replace(engine))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return []string{net.JoinHostPort(u.Hostname(), port)} // a host without a port stands for all of its ports
}
