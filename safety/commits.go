package safety

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Besides its label, a press is judged by the options that its form sends, by the HTTP method
// with which a script requests its address, and by the question that the page asks first.

// judgeOptions judges the form that a press sends by the options chosen in it: "Delete permanently"
// beside "Apply", "Administrator" for "Change role to…" beside "Change".
func (p *press) judgeOptions() {
	f := p.t.Form
	if f == nil || p.severe || p.aside || !p.t.submits() && !p.pressed {
		return
	}
	for _, x := range f.Fields {
		if x.Type == "checkbox" && x.Value != "" && p.grants(x.Label) {
			p.ask(Identity, "chosen_option", "In the form is chosen: %s", quote(x.Label))
			return
		}
		if x.Value == "" || x.Secret != "" || !strings.HasPrefix(x.Type, "select") && x.Type != "radio" {
			continue
		}
		if c := p.chosenClass(x); c != "" {
			p.j.raise(Confirm, c, "chosen_option", p.j.say("In the form is chosen: %s", quote(strings.TrimSpace(x.Label+" "+x.Value))))
			p.severe, p.j.d.option = true, optionText(x)
			return
		}
	}
}

// setVerbs are verbs that give something another value, though elsewhere they only look or choose.
var setVerbs = ruleWords("set verbs")

// setsLines judges the button of a POST form that gives the ticked lines of a list another value: "Use default
// notification".
func (p *press) setsLines() {
	f := p.t.Form
	if p.severe || p.quieted || p.searchy || f == nil || f.Rows == 0 || !p.t.submits() || !strings.EqualFold(f.Method, "post") {
		return
	}
	p.raiseSetting(func(s string) bool {
		said := words(fold(s))
		return len(said) > 1 && len(said) <= headline && (setVerbs[said[0]] || setVerbs[said[len(said)-1]])
	})
}

// judgeBoxes judges a button that saves boxes ticked or cleared beside it, in any form or none: a box that
// gives access or lets somebody in, or that chooses with whom something is shared.
func (p *press) judgeBoxes() {
	if p.severe || !p.savesBeside() {
		return
	}
	for i, s := range append(slices.Clone(p.t.Set), p.t.Cleared...) {
		rule, told := "chosen_option", "In the form is chosen: %s"
		cleared := i >= len(p.t.Set)
		if cleared {
			rule, told = "changed_field", "In the form is changed: %s"
		}
		label, around, _ := strings.Cut(s, " · ")
		if p.grants(label) || p.j.lex.inText("sharing", around) != nil || cleared && p.letsIn(label, around) {
			p.ask(Identity, rule, told, quote(label))
			return
		}
	}
}

// letsIn reports the box that lets somebody in while it is ticked: "Active" in a user's account. Words for the other
// state stand beside it where it filters a list of accounts.
func (p *press) letsIn(label, around string) bool {
	l, page := p.j.lex, p.j.act.Page
	about := words(fold(strings.Join([]string{around, p.t.Dialog, p.heading(), page.Title, pathWords(readableURL(page.URL)), pathWords(readableURL(p.t.Form.action()))}, " · ")))
	return activeStates[strings.Join(words(fold(label)), "")] && l.inWords("people", about) != nil && l.inWords("shown", about) == nil &&
		!slices.ContainsFunc(about, func(w string) bool { return inactiveStates[w] })
}

var activeStates, inactiveStates = ruleWords("active states"), ruleWords("inactive states")

// judgeChanges judges a button that saves a form by what was changed in it: a box that gave access or let
// somebody in and is ticked no longer, the mail address of an account, to which its passwords are sent, or what
// was written over in a record or, where the button has no words of its own, anywhere.
func (p *press) judgeChanges() {
	f := p.t.Form
	if f == nil || p.severe || !p.savesBeside() || p.filters() && !p.saves {
		return
	}
	for _, x := range f.Fields {
		class := Identity
		switch {
		case x.Was == "":
			continue
		case x.Type == "checkbox" && x.Value == "" && (p.grants(x.Label) || p.j.lex.inText("sharing", x.Label) != nil || p.letsIn(x.Label, p.t.Context)), x.Type == "email" && f.secret() != "":
		case p.savesRecord(x), p.writesOver(x):
			class = Settings
		default:
			continue
		}
		p.ask(class, "changed_field", "In the form is changed: %s", quote(cmp.Or(x.Label, x.Was)))
		return
	}
}

// savesRecord reports a press that keeps a record with an address of its own, which others share, or by
// which they owe or are owed something ("/members/2/edit", "Edit this bill"), and a field of it that
// held something else before. Drafts, and steps on the way to something, are none.
func (p *press) savesRecord(x Field) bool {
	f, l := p.t.Form, p.j.lex
	u := readableURL(f.Action)
	if x.Type == "checkbox" || u == nil || !strings.EqualFold(f.Method, "post") || p.quieted || p.aside || p.searchy || f.counts() {
		return false
	}
	record, ok := recordIn(u.Path)
	if !ok {
		return false
	}
	binds := func(w string) bool {
		return sharedNames[w] || l.inWords("people", []string{w}) != nil || l.inWords("binding", []string{w}) != nil
	}
	return slices.ContainsFunc(words(fold(record+" "+p.heading())), func(w string) bool { return binds(w) || binds(strings.TrimSuffix(w, "s")) }) &&
		!slices.ContainsFunc(p.labels, func(s string) bool { return l.inLabel("onward", s) != nil })
}

// recordIn returns the word for a record in a path that has its id: "notes" of "/users/4/notes/2/edit".
func recordIn(path string) (noun string, ok bool) {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for i := len(parts) - 1; i >= 0; i-- {
		switch {
		case isID(parts[i]):
			ok = true
		case ok:
			return parts[i], true
		}
	}
	return "", ok
}

// writesOver reports a press that sends a form without a word of its own, and a field whose words it
// gives other words, or another number in a row: a name that is edited in its table. What is searched
// by, the number of a page and how many are wanted are none, nor is a folder of the user's own.
func (p *press) writesOver(x Field) bool {
	t, f := p.t, p.t.Form
	if slices.ContainsFunc(p.labels, says) || x.Type == "checkbox" || strings.HasPrefix(x.Type, "select") || p.j.isSearch(t) || p.searchy || f.counts() || p.keepsOrder() {
		return false
	}
	if at := readableURL(p.j.act.Page.URL); strings.EqualFold(f.Method, "get") && at != nil && slices.Contains(queryValues(at), x.Was) {
		return false
	}
	return t.Row != "" || strings.ContainsFunc(x.Was, unicode.IsLetter)
}

// queryValues gives the values in the query of an address.
func queryValues(u *url.URL) (vals []string) {
	for _, v := range u.Query() {
		vals = append(vals, v...)
	}
	return vals
}

// savesBeside reports a button that may save what stands beside it.
func (p *press) savesBeside() bool {
	t := p.t
	return !p.link && !p.toggle && (!t.Editable || p.pressed) && !t.Opens && t.Role != "tab" && (p.saves || p.acts || p.weak != "" || t.submits() || p.pressed)
}

// grants reports the label of a box that gives access, or that is a role of power: "Allow remote access", "Administrator".
func (p *press) grants(label string) bool {
	return powers[strings.Join(words(fold(label)), "")] || slices.ContainsFunc(p.j.lex.commands(label), func(h *pattern) bool { return h.class == Identity })
}

// chosenClass gives the class of the command that an option of a form names; "" for an option that
// names a state or a thing. A GET form may filter by anything, so there the field itself must say
// that it holds a command.
func (p *press) chosenClass(x Field) Class {
	l := p.j.lex
	changes := slices.ContainsFunc(l.commands(x.Label), func(h *pattern) bool { return h.class == Identity })
	acts := actionKeys[strings.TrimRight(strings.ToLower(x.Name), "0123456789")]
	if !changes && !acts && strings.EqualFold(p.t.Form.Method, "get") {
		return ""
	}
	text := optionText(x)
	lb := l.label(text)
	for _, h := range l.hits(&lb) {
		// "Book" is as often a thing as a command.
		if h.level >= Confirm && len(lb.tokens) <= headline && (acts || h.class == Destroy || !p.searchy && h.anchor != whole && len(h.words) > 1) {
			return h.class
		}
	}
	if c := valueClass(append(words(fold(x.Name)), keyName(x.Name)), x.Value); c != "" || !acts {
		return c
	}
	return p.bulkClass(text)
}

// optionText gives the words of the option that is chosen in a field.
func optionText(x Field) string {
	if x.Type == "radio" && x.Label != "" {
		return x.Label
	}
	return x.Value
}

// chooseWords are what the menu of a list's commands says while none is chosen: "Bulk actions".
var chooseWords = ruleWords("choose words")

// bulkClass gives the class of a command that is chosen for the ticked lines of a list: "Close" for
// three tickets. What the lists don't know may change them all, but for a GET form, which has to say
// so. "" where no line is ticked, no command chosen, or it only shows something.
func (p *press) bulkClass(command string) Class {
	l, said := p.j.lex, words(fold(command))
	ticked := func(x Field) bool { return x.Type == "checkbox" && x.Value != "" }
	if p.t.Form.Rows == 0 && !slices.ContainsFunc(p.t.Form.Fields, ticked) || !slices.ContainsFunc(said, func(w string) bool { return !chooseWords[w] }) {
		return ""
	}
	if h := l.inWords("verb", said); h != nil {
		return h.class
	}
	lb := l.label(command)
	if getVerbs[said[0]] || bareVerbs[said[0]] || l.inSection("ends", &lb) != nil ||
		!strings.EqualFold(p.t.Form.Method, "get") && !p.isListWord(command) {
		return Settings
	}
	return ""
}

// byScript judges a link or button whose address a script requests with a method that writes, and
// the question that the page asks before it acts.
func (p *press) byScript() {
	t := p.t
	if p.pressed || p.severe || t.Method == "" && t.Asks == "" {
		return
	}
	switch {
	case strings.EqualFold(t.Method, "DELETE"):
		p.ask(Destroy, "delete_form", "The %s sends a request that deletes", p.kind())
	case t.Asks != "":
		p.ask(p.committedClass(t.Asks), "agrees_to", "The page asks before it acts: %s", clip(t.Asks, 160))
	case !p.quieted && !p.searchy:
		p.ask(p.committedClass(""), "sends_by_script", "The %s sends %s by a script: %s", p.kind(), t.Method, clip(pathEnd(t.Href), 80))
	}
}

// committedClass gives the class of the deed that a question asks about, by the labels and the
// question's words.
func (p *press) committedClass(question string) Class {
	for _, s := range append(slices.Clone(p.labels), question) {
		if hits := p.j.lex.commands(clip(s, 300)); len(hits) > 0 {
			return hits[0].class
		}
	}
	if h := p.j.lex.inWords("verb", words(fold(question+" "+strings.Join(p.labels, " ")))); h != nil {
		return h.class
	}
	return Settings
}

// judgeAnswer judges the button that answers "Are you sure …?", whatever its label, unless the
// label refuses or the question is known to be harmless. "Yes, I'm sure" answers one wherever it stands.
func (p *press) judgeAnswer() {
	j := p.j
	if p.severe || p.link || p.toggle || p.t.Editable || p.t.Role == "tab" || p.t.Opens || p.addsPart() {
		return
	}
	for _, s := range p.labels {
		lb := j.lex.label(s)
		if j.lex.inSection("dismiss", &lb) != nil || j.lex.views(&lb) {
			return
		}
	}
	if !slices.ContainsFunc(p.labels, says) {
		return
	}
	if certain := slices.IndexFunc(p.labels, func(s string) bool { return j.lex.inText("certain", s) != nil }); certain >= 0 && j.lex.inText("benign", p.t.Context) == nil {
		p.ask(p.committedClass(p.t.Context), "agrees_to", "%s answers a question", quote(p.labels[certain]))
		return
	}
	for _, q := range j.questions(p.t.Context) {
		ws := words(fold(q))
		if j.lex.inWords("sure", ws) == nil || j.lex.inText("benign", q) != nil {
			continue
		}
		p.ask(p.committedClass(q), "agrees_to", "%s answers: %s", quote(firstLabel(p.labels)), clip(q, 160))
		return
	}
}
