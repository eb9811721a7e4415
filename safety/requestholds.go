package safety

import (
	"slices"
	"strings"
)

// HoldsRequests tells whether the requests that an act makes its page send are
// to be judged before they leave: d is the gate's decision of it. They are for
// what is pressed, chosen or dropped, unless facts or lists prove it harmless,
// or the person has just allowed it.
func HoldsRequests(_ Act, d Decision) bool { return d.writes && d.Level < Confirm }

// presses notes what was pressed, and whether it may write.
func (j *judgement) presses(p *press) {
	j.pressed = p
	j.writes = j.writes || !p.harmless()
}

// harmless reports a press which facts or lists prove to write nothing but a
// draft.
func (p *press) harmless() bool {
	switch {
	case p.severe, p.script != "":
		return false
	case p.link, p.j.isSearch(p.t), p.proven(), p.filters(), p.t.Role == "tab", p.t.Tag == "summary", p.turnsPage(), p.unfiltersGroup():
		return true
	case p.searchy && !p.t.submits():
		return true
	}
	named := false
	for _, s := range p.labels {
		if !says(s) {
			continue
		}
		if !p.j.listed(s) {
			return false
		}
		named = true
	}
	return named && (p.quieted || p.stake() == "" && p.sumBeside() == "")
}

// listed reports a label that the lists have as a way about, a draft, a look, a
// search, and nothing else.
func (j *judgement) listed(s string) bool {
	lb := j.lex.label(s)
	hits := j.lex.hits(&lb)
	if slices.ContainsFunc(hits, func(h *pattern) bool { return !h.mild() }) {
		return false
	}
	if len(hits) > 0 {
		return true
	}
	return slices.ContainsFunc([]string{"look", "plain", "search", "resets", "arrange"}, func(section string) bool { return j.lex.inSection(section, &lb) != nil })
}

// riddle reports a control that nobody can make out: no list knows its words, or
// it has none.
func (p *press) riddle() bool {
	return p.puzzling || strings.TrimSpace(strings.Join(p.labels, "")) == "" && !closing(p.t.Icon)
}
