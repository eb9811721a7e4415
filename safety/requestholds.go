package safety

import (
	"slices"
	"strings"
)

// HoldsRequests reports whether the requests that an act causes must be judged before
// they leave. d is the gate's decision on the act. They must unless facts or lists
// prove the act harmless, or the user was asked about it.
func HoldsRequests(_ Act, d Decision) bool { return d.writes && d.Level < Confirm }

// Unproven marks the act's requests to be judged if other, another decision on the
// same act, does.
func (d *Decision) Unproven(other Decision) { d.writes = d.writes || other.writes }

// presses notes what was pressed, and whether it may write.
func (j *judgement) presses(p *press) {
	j.pressed = p
	j.writes = j.writes || !p.harmless()
}

// harmless reports a press that facts or lists prove to write at most a draft.
func (p *press) harmless() bool {
	switch {
	case p.severe, p.script != "", p.begins != "", p.fills != "", p.leadsTo:
		return false
	case p.toggle && p.t.Role != "option" && !p.proven() && !p.filters():
		return false // another value, whatever it is called
	case p.link && !p.leadsNowhere(), p.j.isSearch(p.t), !p.isScripted() && (p.proven() || p.filters()), p.t.Role == "tab", p.t.Tag == "summary", p.turnsPage(), p.unfiltersGroup():
		return true
	case p.searchy && p.weak != "": // "Apply" filters a list, or takes over what a dialog holds
		return false
	case p.searchy && !p.t.submits():
		return true
	}
	named, known := p.allListed()
	return named && known && (p.quieted || p.sumBeside() == "" && p.j.lex.inWords("stake", p.besideWords) == nil)
}

// isScripted reports a control with a handler that sends a form, or Enter in a form: a script may send the
// fields by another method and to another address than the markup says.
func (p *press) isScripted() bool {
	return p.t.Form != nil && (p.pressed || p.t.submits() && p.t.HasHandler)
}

// leadsNowhere reports a link to its own page, so that only scripts can act on it: "#",
// or "#apply" on a control with a handler. "#/inbox" is a view.
func (p *press) leadsNowhere() bool {
	u := readableURL(p.t.Href)
	return u != nil && samePage(u, p.j.act.Page.URL) &&
		(u.Fragment == "" || u.Fragment == "!" || p.t.HasHandler && !strings.Contains(u.Fragment, "/"))
}

// allListed tells whether a label says something, and whether the lists know each
// that does as harmless and nothing else.
func (p *press) allListed() (named, known bool) {
	for _, s := range p.labels {
		if !says(s) {
			continue
		}
		if !p.isListWord(s) || p.j.lex.isTwofold(s) {
			return true, false
		}
		named = true
	}
	return named, true
}

// isTwofold reports a label that does a deed by one of its meanings, and keeps no draft.
func (l *lexicon) isTwofold(s string) bool {
	lb := l.label(s)
	return l.inSection("twofold", &lb) != nil && !slices.ContainsFunc(l.hits(&lb), func(h *pattern) bool { return h.class == Write })
}

// isListWord reports a label that the lists know as navigation, a draft, a look or a
// search, or that only informs. "Cancel" is none: it closes a dialog, or cancels an
// order.
func (p *press) isListWord(s string) bool {
	l := p.j.lex
	lb := l.label(s)
	hits := l.hits(&lb)
	if slices.ContainsFunc(hits, func(h *pattern) bool { return !h.mild() }) {
		return false
	}
	return len(hits) > 0 || slices.Contains(lb.hushed, true) || p.informs(&lb) ||
		slices.ContainsFunc([]string{"look", "plain", "search", "resets", "arrange"}, func(section string) bool { return l.inSection(section, &lb) != nil })
}

// riddle gives the sum beside a control that no list knows, else the word that makes
// the page's address sensitive.
func (p *press) riddle() string {
	if !p.puzzling {
		return ""
	}
	if sum := p.sumBeside(); sum != "" {
		return sum
	}
	return p.j.sensURL
}
