package safety

import (
	"slices"
	"strings"
)

// activate judges a press of t: a click, Space, or Enter. buttons are the labels of
// the button that Enter presses instead of t; nil means t itself. The page chooses
// the names, so the facts of form and address count beside them.
func (j *judgement) activate(t *Target, buttons []string) {
	if t == nil {
		j.writes = true
		if rule, text := j.sensitive(); rule != "" {
			j.raise(Confirm, Submit, rule, j.say("It is not known what is pressed. %s", text))
			return
		}
		j.raise(Notify, Write, "no_target", j.say("It is not known what is pressed"))
		return
	}
	pressed := buttons != nil
	if t.Editable && !pressed {
		return // only sets the caret
	}
	p := press{j: j, t: t, pressed: pressed}
	p.link = plainLink(t) && !pressed
	p.toggle = !pressed && isToggle(t)
	if pressed {
		p.labels = buttons
	} else {
		p.labels = t.labels()
	}
	for _, l := range p.labels {
		p.labels = append(p.labels, rereadings(l)...)
	}
	p.destination()
	p.words()
	p.judgeOptions()
	p.judgeBoxes()
	p.judgeChanges()
	p.byScript()
	p.judgeAnswer()
	p.scriptSays()
	if !pressed && !p.toggle { // a box's class names are no picture on it
		p.icon()
	}
	p.formFacts()
	p.takesSecret()
	p.floor()
	j.presses(&p)
}

// destination judges where a link leads and where a form goes.
func (p *press) destination() {
	j, t := p.j, p.t
	if t.Href != "" && !p.pressed {
		p.href(t.Href)
	}
	if t.Form != nil && (p.pressed || t.submits()) && t.Form.Action != "" {
		if u := readableURL(t.Form.Action); u != nil {
			if u.Scheme == "mailto" {
				j.raise(Confirm, Communicate, "mail_form", j.say("The form is sent by e-mail"))
			} else if _, d := CheckURL(t.Form.Action, j.ctx); d.Level == Block && u.Scheme != "javascript" {
				j.take(d)
			}
		}
	}
}

// formFacts judges by the form's fields and the page's address, whatever the
// button says.
func (p *press) formFacts() {
	j, t := p.j, p.t
	if !t.submits() && !p.pressed {
		return
	}
	f := t.Form
	switch f.secret() {
	case "":
	case "card", "cvc":
		j.raise(Confirm, Purchase, "card_form", j.say("The form holds payment details"))
	case "password":
		j.raise(Confirm, p.secretClass(), "password_form", j.say("The form holds a password"))
	case "otp":
		j.raise(Confirm, p.secretClass(), "otp_form", j.say("The form holds a one-time code"))
	default:
		j.raise(Confirm, Identity, "secret_form", j.say("The form holds a secret"))
	}
	if f != nil {
		for _, x := range f.Fields {
			if x.Type == "file" && x.Value != "" {
				j.raise(Confirm, FileClass, "file_form", j.say("The form sends a file: %s", clip(x.Value, 100)))
			}
		}
	}
	p.sends()
	if j.d.Level >= Confirm {
		return
	}
	if f != nil && f.Action != "" {
		// A button that says "Search" proves nothing against such an address.
		if does := addressDeedOf(readableURL(f.Action)); does.word != "" && !does.token && !p.quieted {
			j.raise(Confirm, does.class, "acting_url", j.say("The form goes to an address that says: %s", does.word))
			return
		}
	}
	p.posts()
	if j.d.Level >= Confirm || p.proven() || p.namesView() {
		return
	}
	if p.aside {
		return
	}
	if p.draft && p.drafts() || p.navWords && j.sensURL == "" || p.quieted && !p.navWords && (j.sensURL == "" || p.drafts()) {
		return // "Add to cart", "Proceed to checkout" on an ordinary page, "Save draft" on any
	}
	rule, text := j.sensitive()
	if rule == "" && f != nil && !p.quieted {
		if w := sensitiveURL(readableURL(f.Action)); w != "" {
			rule, text = "sensitive_action", j.say("The form goes to a sensitive address: %s", w)
		}
	}
	if rule != "" && !(p.quieted && rule == "sensitive_text") {
		j.raise(Confirm, p.submitClass(), rule, j.say("Submits a form. %s", text))
		return
	}
	if p.puzzling && !f.looksUp() && !basket(readableURL(f.action())) {
		j.raise(Confirm, Submit, "unknown_form", j.say("Sends a form, and it is not known what %s does", quote(p.weak)))
		return
	}
	if !p.quieted {
		j.raise(Notify, Submit, "submits_form", j.say("Submits a form"))
	}
}

// drafts reports a button each of whose names keeps a draft and does nothing else.
func (p *press) drafts() bool {
	named := false
	for _, s := range p.labels {
		if !says(s) {
			continue
		}
		lb := p.j.lex.label(s)
		if hits := p.j.lex.hits(&lb); p.keepsDraft(&lb) {
			named = true
			continue
		} else if len(hits) == 0 || slices.ContainsFunc(hits, func(h *pattern) bool { return h.class != Write }) {
			return false
		}
		named = true
	}
	return named
}

// takesSecret judges a button that may send by script, whatever form it stands in.
// It is taken to send the secret filled in beside it, unless it is known to send
// nothing.
func (p *press) takesSecret() {
	j, t := p.j, p.t
	switch {
	case t.Beside == "", t.Editable && !p.pressed, p.sets(), j.isSearch(t), p.searchy:
		return
	case p.link && !samePage(readableURL(t.Href), j.act.Page.URL):
		return
	}
	// A label that names a draft does not excuse the other labels.
	if _, known := p.allListed(); (p.acts || p.weak != "") && !(p.quieted && known) {
		j.takes(t, t.Beside)
	}
}

// sets reports a control that only changes a value of a draft, or that has no sign
// of being a button.
func (p *press) sets() bool {
	t := p.t
	if t.Tag == "button" || t.Type == "submit" || t.Type == "button" || t.Type == "image" {
		return false
	}
	switch t.Role {
	case "combobox", "listbox", "menuitem", "treeitem", "tab", "gridcell", "spinbutton", "slider":
		return true
	}
	return p.toggle || t.Tag == "select" || t.Tag == "summary" || t.Role != "button" && t.Role != "link" && !t.HasHandler
}

// takes asks about a secret of the given kind that is sent without a form.
func (j *judgement) takes(t *Target, kind string) {
	class := (&press{j: j, t: t}).secretClass
	switch kind {
	case "card", "cvc":
		j.raise(Confirm, Purchase, "card_beside", j.say("Payment details stand beside it"))
	case "password":
		j.raise(Confirm, class(), "password_beside", j.say("A password stands beside it"))
	case "otp":
		j.raise(Confirm, class(), "otp_beside", j.say("A one-time code stands beside it"))
	default:
		j.raise(Confirm, Identity, "secret_beside", j.say("A secret stands beside it"))
	}
}

// secretClass gives the class of sending a password or a code: Purchase beside a
// sum, else Identity.
func (p *press) secretClass() Class {
	if p.j.sumBeside(p.t) != "" {
		return Purchase
	}
	return Identity
}

// pageClass gives the class of a page's forms by the word that makes the page's
// address sensitive.
var pageClass = classList("page words")

// submitClass is the class of a form that is sent from a sensitive address.
func (p *press) submitClass() Class {
	if c := pageClass[p.j.sensURL]; c != "" {
		return c
	}
	return Submit
}

// proven reports facts that prove a search or a filter, which floor leaves alone: a
// GET form without secrets that is a search or only filters, or whose button says
// that it searches.
func (p *press) proven() bool {
	if p.severe {
		return false
	}
	if p.j.isSearch(p.t) {
		return true
	}
	f := p.t.Form
	return f != nil && strings.EqualFold(f.Method, "get") && f.secret() == "" && (p.searchy || p.filters() || p.formLeads())
}

// floor is part 1: a submit word where the address or the page is sensitive.
func (p *press) floor() {
	j := p.j
	if j.d.Level >= Confirm || p.proven() || p.namesView() || p.fillsIn() || p.lists() || p.article() || p.onlyAsks() || p.link && !j.actsByLink(p.t) || p.searchy && p.unfiltersGroup() {
		return
	}
	unnamed := true
	for _, raw := range p.labels {
		if strings.TrimSpace(raw) == "" {
			continue
		}
		unnamed = false
		lb := j.lex.label(raw)
		if h := j.lex.inSection("floor", &lb); h != nil && !p.quieted && p.begins == "" {
			if rule, text := j.sensitive(); rule != "" {
				class := j.d.Class
				if gravity[class] < gravity[Submit] {
					class = Submit
				}
				j.raise(Confirm, class, "submit_word", j.say("The %s says %s", p.kind(), quote(raw)))
				j.raise(Confirm, class, rule, text)
				return
			}
		}
	}
	if unnamed && !p.toggle && !isCloseIcon(p.t.Icon) && !p.turnsPage() && j.sensURL != "" && (p.t.HasHandler && p.submitClass() != Settings || p.t.submits()) { // a menu of an account, whose requests tell what it does
		j.raise(Confirm, Submit, "unnamed", j.say("A control without a name on a page whose address is sensitive: %s", j.sensURL))
	}
	if p.pressed && unnamed && !p.proven() && j.d.Level < Notify {
		j.raise(Notify, Submit, "enter", j.say("Enter submits the form"))
	}
}

// actsByLink reports a link whose address acts by being opened.
func (j *judgement) actsByLink(t *Target) bool {
	return addressDeedOf(readableURL(t.Href)).word != ""
}
