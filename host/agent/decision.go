package agent

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

// beforeDecision asks what the user wants, and whether it is done or known already: then
// it returns the reply that the task is done, else nil.
func (r *run) beforeDecision(ctx context.Context, obs action.Observation) (*llm.Reply, error) {
	r.compare(obs)
	if r.wants == "" {
		if err := r.askWants(ctx); err != nil {
			return nil, err
		}
	}
	switch {
	case r.judges():
		return r.judge(ctx, obs)
	case r.wants == wantsKnow:
		return r.findAnswer(ctx, obs)
	}
	return nil, nil //nolint:nilnil // documented
}

// compare marks the newest steps that left the page as it was before them, and sets what
// the last step opened and whether it was only midway.
func (r *run) compare(obs action.Observation) {
	left, n := r.left, len(r.proof.steps)
	if r.left, r.opened, r.midway = nil, nil, false; left == nil || n == 0 {
		return
	}
	last := &r.proof.steps[n-1]
	last.before = pageMark(plainOf(*left))
	last.moved = last.loaded && withoutOrigin(left.URL) != withoutOrigin(obs.URL)
	now := pageMark(plainOf(obs))
	since := n - 1 // the last step before which the page was as it is now, of the newest few
	for since >= max(0, n-undoneSteps) && r.proof.steps[since].before != now {
		since--
	}
	if since >= max(0, n-undoneSteps) { // all since was undone again: a dialog opened and closed
		for i := since; i < n; i++ {
			r.proof.steps[i].same = true
		}
	}
	r.opened = openedMenu(*left, obs, last)
	if r.opened == nil {
		r.opened = selectedRow(last, left.Elements, obs.Elements)
		r.bar = barOf(r.bar, r.opened, last, obs.Elements)
	}
	r.midway = r.opened != nil || r.bar != nil || expands(last, obs.Elements)
}

// undoneSteps is how many steps back compare looks for the page that is shown now.
const undoneSteps = 3

// pageMark returns a mark that is the same for two looks that show the same, never 0.
func pageMark(p pagecontext.Plain) uint32 {
	return max(1, markOf(strings.Join(slices.Concat([]string{p.Text}, p.Page, []string{markSeen}, p.List), "\n")))
}

// openedMenu returns the indices of the menu choices that the last click brought; nil if
// there are none. A user chooses from these next.
func openedMenu(was, is action.Observation, last *deed) map[int]bool {
	if last.action != "click" || last.loaded || was.Elements == nil || is.Elements == nil || is.Dialog != nil {
		return nil
	}
	had := indicesOf(was.Elements)
	var out map[int]bool
	for _, e := range is.Elements.Elements {
		if !had[e.Index] && menuRoles[e.Role] && e.Tag != "option" && e.IsVisible && e.IsEnabled {
			if out == nil {
				out = map[int]bool{}
			}
			out[e.Index] = true
		}
	}
	return out
}

var menuRoles = map[string]bool{"menuitem": true, "menuitemradio": true, "menuitemcheckbox": true, "option": true}

// decision is what is asked for one: a form that fits the page, with rules in place of
// the list of actions, and one message with the page and what was done.
func (r *run) decision(obs action.Observation) (*llm.Form, func(room int) []llm.Message) {
	options := action.FormOptions{
		Back: r.usage.Steps > 0, NoClaim: r.hist.idle() || r.judges() && !r.judgedDone || r.answerless, GiveUp: r.hist.lastStepFailed() || r.dog.still > 1,
		Skip: r.skip(obs), Navigate: r.caps.Size != llm.SizeTiny || !strings.HasPrefix(obs.URL, "http") || r.namesAddress(),
	}
	form := pageForm(obs, options)
	form.System, form.Greedy = r.formRules, r.greedy()
	data := prompts.DecisionData{
		Lang: r.Lang, Nonce: nonce(), NoClaim: options.NoClaim, Open: r.wants == wantsOpen, Ask: cut(r.Text, longestAsk), Page: obs.Text, Notices: r.notices, Image: len(obs.Image) > 0,
	}
	if r.last != "" {
		data.Notices = append([]string{prompts.Fence("result", data.Nonce, r.last)}, data.Notices...)
	}
	if e := cmp.Or(r.namedButton(obs), r.quotedElement(obs)); e != nil {
		data.Notices = append(data.Notices, prompts.Notice(prompts.ElementNamed, r.Lang, pagecontext.RoleWord(e), e.Name, e.Index))
	}
	r.notices, r.last = nil, ""
	pictures := r.newPictures(obs)
	return form, func(room int) []llm.Message { return r.hist.decision(data, pictures, room) }
}

// skip tells what a form leaves out: what lies outside of an opened menu, a link marked as
// current that leads to this page, and what was done.
func (r *run) skip(obs action.Observation) func(action string, el pagecontext.Element) bool {
	done := r.proof.skip(r.wants, obs.Elements)
	here := withoutOrigin(obs.URL)
	return func(name string, el pagecontext.Element) bool {
		return r.opened != nil && el.Index != 0 && !r.opened[el.Index] || el.Current && el.Href != "" && withoutOrigin(el.Href) == here || done(name, el)
	}
}

// withoutOrigin is an address from its path on, without its fragment.
func withoutOrigin(address string) string {
	address = bareURL(address)
	if u, err := url.Parse(address); err == nil && u.IsAbs() {
		u.Scheme, u.Host, u.User = "", "", nil
		return u.String()
	}
	return address
}

// skip tells what of what was done a form leaves out, so that a model does not do again what it did:
// what came to nothing just before; the undoing of a tick or of the last press, and a field
// that holds what was typed, until something is pressed; where something is to be changed the button
// that has just sent a form and left the page at its address; and what was pressed three times in the last six steps.
func (e *evidence) skip(wants string, now *pagecontext.Listing) func(action string, el pagecontext.Element) bool {
	type act struct {
		name  string
		index int
	}
	stands := map[act]bool{}
	var idle, works []*deed // those that came to nothing since, and to something; the newest first
	pressed := false
	for i := len(e.steps) - 1; i >= 0; i-- {
		d := &e.steps[i]
		switch {
		case !d.acts:
			continue
		case d.outcome == outcomeOK && d.effect != action.NoEffect && !d.same:
			works = append(works, d)
		case len(works) == 0 && d.code != action.StaleRef && d.code != action.Timeout: // which may work the next time
			idle = append(idle, d)
			continue
		default:
			continue
		}
		pressed = pressed || d.action == "click" || d.action == "pressKey"
		if !pressed {
			stands[act{d.action, d.target.Index}] = true
		}
	}
	works = works[:min(len(works), lateSteps)]
	return func(name string, el pagecontext.Element) bool {
		switch {
		case slices.ContainsFunc(idle, func(d *deed) bool { return d.action == name && samePlace(el, d.target, now) }):
			return true
		case name == "type":
			return stands[act{name, el.Index}] && el.Value != ""
		case name == "check":
			return stands[act{"uncheck", el.Index}]
		case name == "uncheck":
			return stands[act{"check", el.Index}]
		}
		n := 0
		for i, d := range works {
			if d.action != "click" || !samePlace(el, d.target, now) {
				continue
			}
			if n++; i == 0 && (wants == wantsChange && d.loaded && !d.moved && el.Href == "" || !sameState(el, d.target)) {
				return true
			}
		}
		return n >= oftenPressed
	}
}

// sameState tells whether an element is as pressed, expanded and checked as another: then
// one more press does not undo the last, but steps or adds once more.
func sameState(a, b pagecontext.Element) bool {
	same := func(a, b *bool) bool { return (a != nil && *a) == (b != nil && *b) }
	return same(a.Pressed, b.Pressed) && same(a.Expanded, b.Expanded) && (a.Checked == b.Checked)
}

const (
	lateSteps    = 6 // how many steps back a press is looked for
	oftenPressed = 3 // times among them
)

// namesAddress says that the user named a page's address or a site.
func (r *run) namesAddress() bool {
	return siteName.MatchString(strings.Join(slices.Concat([]string{r.Text}, r.hist.said, r.proof.answered), " "))
}

var siteName = regexp.MustCompile(`(?i)https?://|\blocalhost\b|\b[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\b`)

// longestAsk bounds the task where it is repeated, in characters.
const longestAsk = 600

// decision is the one message of a small decision, shortened until it fits room
// tokens: results first, then the oldest steps.
func (h *history) decision(d prompts.DecisionData, pictures []llm.Part, room int) []llm.Message {
	for _, length := range resultLengths {
		if ms := h.decisionOf(d, pictures, length); estimate(ms) <= room {
			return ms
		}
	}
	for {
		ms := h.decisionOf(d, pictures, resultLengths[len(resultLengths)-1])
		if estimate(ms) <= room || len(h.turns) == 0 {
			return ms
		}
		h.drop()
	}
}

func (h *history) decisionOf(d prompts.DecisionData, pictures []llm.Part, length int) []llm.Message {
	if n := len(h.turns); n > 0 && len(h.turns[n-1].did) == 0 && len(h.turns[n-1].answers) > 0 { // what was wrong with the last reply
		d.Notices = append([]string{h.turns[n-1].answers[0].PlainText()}, d.Notices...)
	}
	all := *h // what the user answered is theirs, and never cut
	all.said = h.allSaid()
	d.Task, d.Done = all.first(), h.doneSoFar(length)
	d.Fresh = d.Done == "" && len(h.dropped) == 0
	m := llm.Text(llm.RoleUser, prompts.Decision(d))
	m.Parts = append(append(m.Parts, h.pictures...), pictures...)
	return []llm.Message{m}
}
