package safety

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// words judges the labels by the lists.
func (p *press) words() {
	j := p.j
	for _, raw := range p.labels {
		if strings.TrimSpace(raw) == "" {
			continue
		}
		lb := j.lex.label(raw)
		if p.choosesSum() {
			p.known, p.begins = true, Purchase // requests that it sends all the same are asked about
			j.raise(Notify, Write, "chosen_sum", j.say("The %s says %s", p.kind(), quote(raw)))
			continue
		}
		if len(lb.tokens) == 0 {
			continue
		}
		if c := p.opens(&lb); c != "" {
			p.known, p.begins = true, c
			j.raise(Notify, Navigate, "opens", j.say("The %s says %s", p.kind(), quote(raw)))
			continue
		}
		if p.dismisses(&lb) {
			p.quieted, p.known = true, true
			continue
		}
		if p.clearsView(&lb) {
			p.known, p.begins = true, Destroy // requests that delete something all the same are asked about
			j.raise(Notify, Submit, "view_word", j.say("The %s says %s", p.kind(), quote(raw)))
			continue
		}
		if p.isAside(&lb) || p.setsLanguage(&lb) {
			p.quieted, p.known, p.aside = true, true, true
			continue
		}
		if p.keepsDraft(&lb) {
			p.known, p.draft = true, true
			continue
		}
		if p.informs(&lb) {
			if !p.link {
				p.knows(&lb)
				p.known = p.known || len(j.lex.hits(&lb)) > 0
			}
			continue
		}
		long := (p.link || p.lists()) && lb.long()
		p.knows(&lb)
		for _, h := range j.lex.hits(&lb) {
			if long && h.anchor != whole || h.anchor == whole && p.tooltip(raw) {
				continue
			}
			p.known = true
			p.acts = p.acts || !h.mild()
			p.hit(h, raw)
		}
		if h := j.lex.apart(&lb); h != nil && !p.quieted {
			p.hit(h, raw)
		}
		if h := j.lex.inSection("search", &lb); h != nil {
			p.searchy = true
		}
		if h := j.lex.inSection("weak", &lb); h != nil && p.weak == "" {
			p.weak = raw
		}
	}
	if p.weak == "" && !p.severe && p.strange() && (p.opensOwn() || p.formLeads() || p.addsPart() || p.ticksBoxes()) {
		p.begins = cmp.Or(p.begins, Submit) // requests that it sends all the same are asked about
	} else if p.weak == "" && !p.severe && p.strange() {
		p.puzzling = true
		if !p.leadsAway() { // a link that leads away is judged by its address and its requests
			p.weak = firstLabel(p.labels)
		}
	}
	if p.weak == "" && !p.severe && !p.toggle && p.t.HasHandler && !isCloseIcon(p.t.Icon) && strings.TrimSpace(strings.Join(p.labels, "")) == "" {
		// A bare picture is judged by the text around it. Without such text, only its requests
		// tell what it does.
		p.puzzling = (p.t.Icon == "" || p.t.Role == "generic" && !isPicture(p.t.Icon)) && !p.link && !p.lists()
		p.weak = p.t.label()
		p.byContext()
		p.weak = ""
	}
	p.renames()
	p.silences()
	p.setsLines()
	if p.weak != "" && !p.severe && p.keepsOrder() {
		p.weak, p.puzzling, p.known, p.quieted = "", false, true, true
	}
	p.ofMenu()
	p.entrances()
	p.runsEntry()
	p.runs()
	p.guards()
	p.redirects()
	p.changesRecord()
	p.draws()
	p.inDialog()
	if p.leads != "" && !p.severe && !p.quieted && (p.weak != "" || p.acts) {
		p.ask(p.leads, "acting_url", "The link's address says: %s", pathEnd(p.t.Href))
	}
	if p.link && !p.known && !p.severe && !p.quieted && p.instant() != "" && slices.ContainsFunc(p.labels, says) {
		p.ask(j.hangs(p.beside()), "agrees_to", "%s stands beside: %s", quote(firstLabel(p.labels)), p.instant())
	}
	if p.weak != "" {
		p.settles()
	}
	if p.weak != "" && !p.severe {
		if !p.toggle {
			p.underHeading()
			p.byContext()
		}
		p.around()
		p.byPage()
		p.atStake()
		p.affirms()
		if !p.puzzling && j.sensURL != "" && !p.link && !p.proven() {
			j.raise(Notify, Submit, "weak_word", j.say("The %s says %s on a page whose address is sensitive: %s", p.kind(), quote(p.weak), j.sensURL))
		}
	}
}

// tooltip reports the title of a link that has a name of its own: one word there
// says what kind of hint it is, and the address says where the link leads.
func (p *press) tooltip(raw string) bool {
	t := p.t
	return p.link && raw == t.Title && raw != t.Name && raw != t.Text && strings.TrimSpace(t.Text) != "" && !p.j.actsByLink(t)
}

func (p *press) hit(h *pattern, raw string) {
	j := p.j
	what := j.say("The %s says %s", p.kind(), quote(raw))
	level := h.level
	switch {
	case p.unfilters(), p.sorts(raw):
		p.searchy = true
		return
	case h.class == Destroy && p.resetsFilter(raw):
		p.searchy = true
		return
	case h.class == Destroy && p.unfiltersGroup():
		p.searchy = true
		j.raise(Notify, Submit, "filter_word", what)
		return
	case h.class == Destroy && p.refusesDeletion(raw):
		p.known = true
		return
	case h.class == Destroy && p.leavesBasket():
		p.quieted, p.known = true, true
		return
	case h.class == Destroy && p.isFolder():
		p.quieted, p.navWords, p.known, p.leadsTo = true, true, true, true
		return
	case h.class == CodeClass && p.t.submits() && p.t.Form.chooses():
		p.searchy = true // "Run query": one of those that are kept
		return
	case h.class == CodeClass && p.runsRead():
		level, p.begins, p.runsQuery = Notify, CodeClass, true
	case h.class == Navigate || h.class == Write:
		p.quieted = true
		p.navWords = p.navWords || h.class == Navigate
	case h.class == Destroy && p.refusesCookies(raw):
		p.quieted, p.known = true, true
		return
	case level >= Confirm && (p.onlyAsks() || p.namesPage(raw) || p.t.Nav && p.link && p.leadsAway()):
		p.quieted, p.navWords = true, true
		j.raise(Notify, Navigate, "link_word", what)
		return
	case level >= Confirm && (p.link && h.link && (j.sensURL == "" || h.class == Identity) && !(h.class == Purchase && commits(readableURL(p.t.Href))) ||
		p.link && (h.class == Purchase || h.class == Communicate) && p.sectional() || p.t.Role == "tab" && h.link && !p.t.submits() && !p.pressed && sumIn(raw) == ""):
		// The words name the page behind the link; that page's own button asks.
		j.raise(Notify, Navigate, "link_word", what)
		return
	case h.class == Settings && h.level == Notify && j.sensURL == "" && !p.toggle:
		p.saves = true
	case h.class == Settings && j.sensURL != "", h.class == Submit && j.sensURL != "" && !p.toggle && !p.proven():
		level = Confirm
		j.raise(level, h.class, "sensitive_url", j.say("The page's address is sensitive: %s", j.sensURL))
	case p.t.Type == "reset" && p.t.Form != nil && h.class == Destroy:
		level = Notify // the browser only empties the form
		if p.t.HasHandler {
			p.begins = Destroy // requests that its script sends all the same are asked about
		}
	case p.fillsIn() && h.class == Identity && level > Notify:
		level, p.fills = Notify, h.class // the button that sends the form is asked about, and any request before
	case p.toggle && p.t.Tag == "input" && h.class != Legal && h.class != Identity && level > Notify && !p.t.OnChange:
		// A real box only fills in a draft. The page chooses roles, so a role alone
		// makes no box of a button.
		level, p.fills = Notify, h.class
	}
	if level >= Confirm {
		p.severe = true
	}
	if level > Auto || h.class == Write {
		j.raise(level, h.class, string(h.class)+"_word", what)
	}
}

// refusal matches the label of what answers a question about a deed with no: "No, don't delete it".
var refusal = regexp.MustCompile(`(?i)^\s*(?:no|nein|non|não|нет)\s*[,.!–—-]+\s*(?:(?:don['’]?t|do not|nicht|ne pas|no|não|non|не)\s+(\pL+)(?:\s+(?:it|this|them|lo|la|le))?|(\pL+)\s+nicht)\s*[.!]?\s*$`)

// refusesDeletion reports such a label, on a control that sends no form.
func (p *press) refusesDeletion(label string) bool {
	m := refusal.FindStringSubmatch(label)
	if m == nil {
		return false
	}
	verb := p.j.lex.label(cmp.Or(m[1], m[2])) // "don't save" refuses nothing that destroys
	destroys := slices.ContainsFunc(p.j.lex.hits(&verb), func(h *pattern) bool { return h.class == Destroy })
	return !p.pressed && !p.toggle && !p.t.submits() && p.t.Method == "" && p.t.Asks == "" && !p.j.actsByLink(p.t) && destroys
}

// byContext judges "Yes", "OK", "Continue" by what they agree to.
func (p *press) byContext() {
	j := p.j
	for _, text := range []string{j.act.Page.Dialog, p.t.Context} {
		if text == "" {
			continue
		}
		ws := words(fold(text))
		if h := j.lex.inWords("legaltext", ws); h != nil {
			p.ask(Legal, "agrees_to", "%s stands beside: %s", quote(p.weak), h.raw)
		}
		if h := j.lex.inWords("page", ws); h != nil {
			p.ask(Destroy, "agrees_to", "%s stands beside: %s", quote(p.weak), h.raw)
		}
		for _, q := range j.questions(text) {
			p.answers(q)
		}
	}
}

// inDialog judges the "Submit" of a dialog that is named after a deed, and the button that repeats
// the verb of its dialog's question or title: "Stop sharing?", "Archive Mei Chen".
func (p *press) inDialog() {
	j, about := p.j, p.t.Dialog
	if about == "" || p.severe || p.quieted || p.searchy || p.link || p.toggle || p.t.Editable || p.begins != "" {
		return
	}
	lb := j.lex.label(about)
	if endsAsking(about) || j.lex.inSection("ends", &lb) != nil {
		if j.lex.inText("benign", about) == nil && slices.ContainsFunc(p.labels, func(s string) bool {
			said := words(fold(s))
			return len(said) > 0 && len(lb.tokens) > 1 && said[0] == lb.tokens[0].forms[0]
		}) {
			p.ask(p.committedClass(about), "agrees_to", "%s answers: %s", quote(firstLabel(p.labels)), clip(about, 160))
		}
		return
	}
	submits := slices.ContainsFunc(p.labels, func(s string) bool {
		said := j.lex.label(s)
		return slices.ContainsFunc(j.lex.hits(&said), func(h *pattern) bool { return h.class == Submit })
	})
	for _, h := range j.lex.hits(&lb) {
		if submits && h.level >= Confirm && h.class != Settings && h.class != FileClass {
			p.ask(h.class, "under_heading", "%s answers: %s", quote(firstLabel(p.labels)), clip(about, 160))
		}
	}
}

// underHeading judges "Confirm" and "OK" in a group whose heading is the command
// that they carry out: "Delete project" asks without a question mark.
func (p *press) underHeading() {
	j := p.j
	head, _, ok := strings.Cut(p.t.Context, " · ")
	if !ok || p.link || p.toggle || p.quieted || p.searchy || j.isSearch(p.t) {
		return
	}
	lb := j.lex.label(head)
	if len(lb.tokens) == 0 || lb.long() || j.lex.inSection("ask", &lb) != nil {
		return
	}
	for _, h := range j.lex.hits(&lb) {
		// All steps of an order have its heading; only the last one names the sum.
		if h.level >= Confirm && (h.class == Destroy || (h.class == Purchase || h.class == Communicate) && len(Amounts(head)) > 0) {
			p.ask(h.class, "under_heading", "%s answers: %s", quote(p.weak), clip(head, 160))
		}
	}
}

// settles judges "Confirm" and "Continue" beside a sum with a word for a total:
// the last step of many orders and transfers says no more.
func (p *press) settles() {
	j := p.j
	if p.link || p.toggle || p.quieted || p.searchy || p.j.isSearch(p.t) || p.filters() {
		return
	}
	if sum := j.sumBeside(p.t); sum != "" {
		p.ask(Purchase, "settles", "%s stands beside: %s", quote(p.weak), sum)
	}
}

// sumBeside gives the amount in the group around t, where a word for a total
// stands with it.
func (j *judgement) sumBeside(t *Target) string {
	if j.lex.inText("total", t.Context) == nil {
		return ""
	}
	if found := Amounts(t.Context); len(found) > 0 {
		return found[0]
	}
	return ""
}

// answers judges agreeing to a question.
func (p *press) answers(question string) {
	j := p.j
	ask := func(h *pattern) {
		p.ask(h.class, "agrees_to", "%s answers: %s", quote(p.weak), clip(question, 160))
	}
	lb := j.lex.label(clip(question, 300))
	for _, h := range j.lex.hits(&lb) {
		if h.level >= Confirm && (h.anchor == anywhere || h.class == Destroy || h.class == Purchase) {
			ask(h)
		}
	}
	// A question's verb stands in its middle: "Really delete 3 files?"
	for i, w := range words(fold(question)) {
		for _, h := range j.lex.classes[w] {
			if h.level >= Confirm && h.anchor == atStart && len(h.words) == 1 && i > 0 && !lb.hushed[min(i, len(lb.hushed)-1)] {
				ask(h)
			}
		}
	}
}
