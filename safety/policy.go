package safety

import (
	"slices"
	"strings"
	"time"
)

// Setting is a policy's rule for a class: a level, or once, which asks the first
// time in a task and only shows later acts.
type Setting string

// The settings, mildest first.
const (
	SetAuto    Setting = "auto"
	SetNotify  Setting = "notify"
	SetOnce    Setting = "once"
	SetConfirm Setting = "confirm"
	SetBlock   Setting = "block"
)

// AllSettings are all settings, mildest first.
var AllSettings = []Setting{SetAuto, SetNotify, SetOnce, SetConfirm, SetBlock}

// Classes are all consequence classes, mildest first.
var Classes = []Class{
	Read, Navigate, Write, Submit, Settings, FileClass, Legal, Communicate, Identity, CodeClass, Destroy, Purchase,
}

// The presets, which apply to classes that a policy has no rule for.
const (
	Careful  = "careful"  // what the standard only shows is asked about
	Standard = "standard" // the levels of the gate itself
	Trusting = "trusting" // fewer questions about what can be undone
)

// Presets are the names of the presets, the strictest first.
var Presets = []string{Careful, Standard, Trusting}

// trusting is the preset of that name: acts that the standard preset only shows run,
// and some that it asks about are asked about once a task and site. Acts that cost
// money, delete, run code or hand over a file are still asked about each time.
var trusting = map[Class]Setting{
	Submit: SetAuto, Settings: SetOnce, Legal: SetOnce, Communicate: SetOnce, Identity: SetOnce,
}

// All stands for every class in a site's rules.
const All Class = "all"

// guardedClasses are never lowered below one question a task, and a grant can't
// be given for them.
var guardedClasses = []Class{Purchase, Destroy, Identity, CodeClass}

// Grantable tells whether "Always on this site" may be remembered for a class.
func Grantable(c Class) bool {
	return slices.Contains(Classes, c) && !slices.Contains(guardedClasses, c)
}

// Policy holds the user's rules for the gate's findings. It must not be changed once
// in use. The zero value and nil are the standard preset.
type Policy struct {
	Preset  string
	Classes map[Class]Setting
	// Sites are the rules of sites, by host; one holds for its subdomains too,
	// and the longest host that fits counts.
	Sites map[string]map[Class]Setting
	// Local are hosts and networks of this computer and its network that may be
	// opened, as Context.LocalHosts has them.
	Local  []string
	Grants []Grant
	// Fault says why the careful preset applies instead of the user's file; empty
	// if the file is in use.
	Fault string
}

// Grant is a rule for one site and class that was given by a click or a
// command, and ends by itself.
type Grant struct {
	ID      string    `json:"id"`
	Site    string    `json:"site"` // host, with its subdomains
	Class   Class     `json:"class"`
	Deny    bool      `json:"deny,omitempty"` // never, instead of without asking
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	By      string    `json:"by"` // panel, command line
}

// Consent is a class that the user allowed on a site in this task, where the
// policy wants one question a task.
type Consent struct {
	Class Class  `json:"class"`
	Sites string `json:"sites"` // hosts involved, sorted, with a space between
}

// FaultyPolicy returns the policy for a user's file that can't be used: the careful
// preset and only those grants that deny.
func FaultyPolicy(fault string, grants []Grant) *Policy {
	p := &Policy{Preset: Careful, Fault: fault}
	for _, g := range grants {
		if g.Deny {
			p.Grants = append(p.Grants, g)
		}
	}
	return p
}

// At returns the policy without the grants that have expired at now.
func (p *Policy) At(now time.Time) *Policy {
	if p == nil || !slices.ContainsFunc(p.Grants, func(g Grant) bool { return !now.Before(g.Expires) }) {
		return p
	}
	q := *p
	q.Grants = slices.DeleteFunc(slices.Clone(p.Grants), func(g Grant) bool { return !now.Before(g.Expires) })
	return &q
}

// Name is the preset's name.
func (p *Policy) Name() string {
	if p == nil || p.Preset == "" {
		return Standard
	}
	return p.Preset
}

// For gives the policy's setting for a class on a host, and its source: deny, file,
// grant or preset. The setting is empty where there is none.
func (p *Policy) For(host string, c Class) (set Setting, from string) {
	if p == nil {
		return "", "preset"
	}
	if p.hasGrant(host, c, true) {
		return SetBlock, "deny"
	}
	set, ok := p.fromSites(host, c)
	if !ok {
		set, ok = p.Classes[c]
	}
	switch {
	case set == SetBlock:
		return set, "file"
	case p.hasGrant(host, c, false):
		return SetNotify, "grant"
	case ok:
		return set, "file"
	case p.Preset == Trusting:
		return trusting[c], "preset"
	}
	return "", "preset"
}

func (p *Policy) fromSites(host string, c Class) (Setting, bool) {
	for h := host; h != ""; h = parentHost(h) {
		rules := p.Sites[h]
		if s, ok := rules[c]; ok {
			return s, true
		}
		if s, ok := rules[All]; ok {
			return s, true
		}
	}
	return "", false
}

// parentHost takes the first label off a name, and a port off a host; addresses
// have no parents but themselves without the port.
func parentHost(h string) string {
	if name, port := cutPort(h); port != "" {
		return name
	}
	if _, ip := parseIP(h); ip {
		return ""
	}
	_, rest, _ := strings.Cut(h, ".")
	return rest
}

func (p *Policy) hasGrant(host string, c Class, deny bool) bool {
	return slices.ContainsFunc(p.Grants, func(g Grant) bool {
		if g.Deny != deny || !deny && !Grantable(g.Class) || g.Class != c && !(deny && g.Class == All) {
			return false
		}
		for h := host; h != ""; h = parentHost(h) {
			if h == g.Site {
				return true
			}
		}
		return false
	})
}

// level applies the policy to a finding on one host. once says that the user is
// asked once a task.
func (p *Policy) level(host string, x part) (l Level, set Setting, from string, once bool) {
	if x.level == Block {
		return Block, "", "", false
	}
	set, from = p.For(host, x.class)
	if set == "" {
		if p.Name() == Careful && x.level == Notify {
			return Confirm, SetConfirm, "preset", false
		}
		return x.level, "", "", false
	}
	if x.level >= Confirm && set != SetBlock {
		switch {
		case fixed[x.reason.Rule], from == "preset" && set == SetAuto:
			return x.level, "", "", false
		case set == SetAuto || set == SetNotify:
			if slices.Contains(guardedClasses, x.class) || x.reason.Rule == ruleAlways {
				set = SetOnce
			}
		}
	}
	switch set {
	case SetAuto:
		return Auto, set, from, false
	case SetNotify:
		return Notify, set, from, false
	case SetOnce:
		if from == "preset" && x.level < Confirm {
			return x.level, "", "", false // a preset's once lowers, and raises nothing
		}
		return Confirm, set, from, true
	case SetConfirm:
		return Confirm, set, from, false
	default:
		return Block, set, from, false
	}
}

// ruleAlways is the rule of acts that are asked about on every page: code, uploads.
const ruleAlways = "always"

// fixed are the rules that a setting can raise but not lower. They concern acts that
// could not be judged (no_words, no_class), misleading links, the loss of typed text,
// doubts about the act itself (critic, injection), and data or secrets that go to
// another site. A user who trusts a site has not agreed to these.
var fixed = map[string]bool{
	"no_words": true, "no_class": true, "link_text_host": true, "leaves": true, "critic": true,
	"data_flow": true, "new_site": true, "vault": true, "injection": true,
}

// GrantScope gives the site and class for which the user may allow such acts for
// good. ok is false where a grant would not prevent the question, or can't be
// given.
func (d Decision) GrantScope() (site string, class Class, ok bool) {
	if d.Level != Confirm || len(d.hosts) != 1 || d.hosts[0] == "" || !Grantable(d.Class) {
		return "", "", false
	}
	for _, x := range d.parts {
		if x.level >= Notify && (x.class != d.Class && x.level >= Confirm || fixed[x.reason.Rule] || x.reason.Rule == ruleAlways) {
			return "", "", false
		}
	}
	return d.hosts[0], d.Class, true
}

// sitesOf gives the hosts that an act concerns: those of the page, the frame and
// the destination. All of them must be trusted for an act to pass, and one that is
// forbidden stops it.
func sitesOf(a Act) []string {
	var out []string
	add := func(raw string) {
		if u := readableURL(raw); raw != "" && u != nil && u.Host != "" && !slices.Contains(out, u.Host) {
			out = append(out, u.Host)
		}
	}
	if a.URL != "" {
		add(a.URL) // a navigation is the site's that it leads to
	} else {
		add(a.Page.URL)
	}
	for _, t := range []*Target{a.Target, a.Drop} {
		if t == nil {
			continue
		}
		add(t.FrameURL)
		add(t.Href)
		if t.Form != nil && t.SubmitsForm {
			add(t.Form.Action)
		}
	}
	if len(out) == 0 {
		out = append(out, "")
	}
	slices.Sort(out)
	return out
}

// apply makes a decision from the gate's findings by the policy. The strictest
// site counts.
func (p *Policy) apply(j *judgement) Decision {
	d := j.d
	d.hosts = sitesOf(j.act)
	if p == nil {
		return d
	}
	parts := d.parts
	if len(parts) == 0 {
		parts = []part{{level: Auto, class: d.Class}}
	}
	hosts := d.hosts
	out := Decision{Level: Auto, Class: d.Class, Reasons: d.Reasons, Amount: d.Amount, Details: d.Details, parts: d.parts, hosts: hosts, option: d.option}
	graded := false
	for _, x := range parts {
		best, ask, why := p.strictest(j, x, hosts)
		if best > out.Level || best == out.Level && (!graded || gravity[x.class] > gravity[out.Class]) {
			out.Class = x.class
			graded = true
		}
		out.Level = max(out.Level, best)
		if ask.Class != "" && !slices.Contains(out.Once, ask) {
			out.Once = append(out.Once, ask)
		}
		if why != nil && !slices.Contains(out.Reasons, *why) {
			out.Reasons = append(slices.Clip(out.Reasons), *why)
		}
	}
	if out.Level != Confirm {
		out.Once = nil
	}
	if p.Fault != "" && out.Level >= Confirm {
		out.hosts = nil // no grant counts
		out.Reasons = append(slices.Clip(out.Reasons), Reason{"policy_fault", j.say("The policy file can't be used, so the careful preset holds: %s", p.Fault)})
	}
	return out
}

// strictest applies the policy to a finding on all the hosts that an act concerns.
// It gives the strictest level, the consent that a yes would give for the rest of
// the task, and the reason of the rule.
func (p *Policy) strictest(j *judgement, x part, hosts []string) (best Level, ask Consent, why *Reason) {
	consent := Consent{x.class, strings.Join(hosts, " ")}
	given := slices.Contains(j.ctx.Consents, consent)
	rank := -1
	for _, h := range hosts {
		l, set, from, once := p.level(h, x)
		if once && given {
			l, once = Notify, false
		}
		r := 2 * int(l)
		if !once {
			r++ // a question each time is stricter than one a task
		}
		if r <= rank {
			continue
		}
		rank, best, ask, why = r, l, Consent{}, nil
		if once {
			ask = consent
		}
		if set != "" && (l != x.level || once) {
			why = &Reason{"policy_" + from, j.say("The policy says of %s on %s: %s", string(x.class), h, string(set))}
		}
	}
	return best, ask, why
}

// part is one finding of the gate.
type part struct {
	level  Level
	class  Class
	reason Reason
}
