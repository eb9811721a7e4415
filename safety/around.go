package safety

import (
	"slices"
	"strings"
	"unicode"
)

// A button may say anything: "Let's go", "Her damit!", "Bora!". Where no list
// has its words, the text around it is judged: a sum and how it is paid, a loss,
// an audience, a declaration.

// strange reports a control whose labels no list knows: none that acts, shows,
// chooses or says no. It leaves out links that only lead somewhere, which are
// judged by their address.
func (p *press) strange() bool {
	if p.link || p.quieted || p.searchy || p.known || p.isRow() || p.toggle && p.t.Tag == "input" || p.t.Role == "tab" || p.t.Role == "option" || p.t.Tag == "summary" {
		return false
	}
	return slices.ContainsFunc(p.labels, says)
}

// byPage judges a control that no list knows by its page: the address, the title
// and the heading of the control's group.
func (p *press) byPage() {
	j := p.j
	if !p.puzzling || p.severe || p.toggle || j.isSearch(p.t) || p.filters() {
		return
	}
	if c := pageClass[j.sensURL]; c == Purchase && (p.tells(false) != "" || p.verb() != nil || p.t.submits() || p.pressed || p.sumBeside() == "") {
		p.ask(c, "unknown_control", "It is not known what %s does, and the page's address is sensitive: %s", quote(p.weak), j.sensURL)
		return
	}
	if c := pageDoes(readableURL(j.act.Page.URL)); c != "" {
		p.ask(c, "unknown_control", "It is not known what %s does, and the page's address says: %s", quote(p.weak), pathEnd(j.act.Page.URL))
		return
	}
	head, _, _ := strings.Cut(p.t.Context, " · ")
	for _, s := range []string{head, j.act.Page.Title} {
		lb := j.lex.label(clip(s, 120))
		if len(lb.tokens) == 0 || lb.long() || j.lex.inSection("ask", &lb) != nil {
			continue
		}
		for _, h := range j.lex.hits(&lb) {
			if h.level >= Confirm && !h.link && h.class != Submit && h.class != Settings && h.class != FileClass {
				p.ask(h.class, "unknown_control", "It is not known what %s does, and above it stands: %s", quote(p.weak), clip(s, 120))
			}
		}
	}
}

// choosesSum reports one of several sums in a dialog that say nothing else and stand under few words, as presets of
// an amount do. Another button of the dialog commits it.
func (p *press) choosesSum() bool {
	bare := func(s string) bool { return strings.TrimSpace(money.ReplaceAllString(s, "")) == "" }
	t := p.t
	if t.Dialog == "" || p.link || t.Href != "" || t.Method != "" || t.Asks != "" || t.Beside != "" || t.submits() || p.pressed || len(p.j.questions(t.Dialog)) > 0 ||
		firstLabel(p.labels) == "" || !bare(strings.Join(p.labels, " ")) {
		return false
	}
	if !slices.ContainsFunc(t.Answers, func(s string) bool {
		lb := p.j.lex.label(s)
		return slices.ContainsFunc(p.j.lex.hits(&lb), func(h *pattern) bool { return h.class == Purchase || h.class == Submit })
	}) {
		return false
	}
	around := t.Context
	if _, rest, ok := strings.Cut(around, " · "); ok {
		around = rest
	}
	return len(Amounts(around)) >= leastPresets && len(words(fold(money.ReplaceAllString(around, " ")))) <= mostBesidePresets
}

// leastPresets is how many sums side by side are presets, mostBesidePresets how many words may stand with them:
// "Amount", "Other amount".
const leastPresets, mostBesidePresets = 3, 3

// knows notes in p.known that a list knows a label.
func (p *press) knows(lb *label) {
	if p.known || slices.Contains(lb.hushed, true) && p.tells(true) == "" {
		p.known = true
		return
	}
	if p.j.lex.inSection("plain", lb) != nil || p.lists() {
		p.known = true
		return
	}
	for _, section := range []string{"look", "dismiss", "ask", "navigate", "write"} {
		if section == "look" && (sumIn(lb.raw) != "" || p.tells(true) != "" || !p.link && p.saysSum(lb.raw)) {
			continue // "Add 2 GB for $9", "Open for 500", "Open to the world" beside "At once and for all"
		}
		if p.j.lex.inSection(section, lb) != nil && !(section == "dismiss" && (p.refuses() || p.leaves(lb))) {
			p.known = true
			return
		}
	}
}

// refuses reports a "No" that gives something up, beside an answer that keeps it:
// "No thanks, I give up my benefits" beside "Keep my plan".
func (p *press) refuses() bool {
	h := p.verb()
	return h != nil && h.class == Destroy && p.j.lex.inWords("dismiss", words(fold(tail(p.beside())))) != nil
}

// leaves reports a "Close" or "Leave" that gives something up: beside it stand a
// word for a loss and an answer that keeps the thing.
func (p *press) leaves(lb *label) bool {
	if p.j.lex.inSection("leaving", lb) == nil {
		return false
	}
	text := p.beside()
	return p.j.lex.inWords("loss", p.besideWords) != nil && p.j.lex.inWords("dismiss", words(fold(tail(text)))) != nil
}

// around judges a control whose label says little or nothing by the text of its
// group.
func (p *press) around() {
	j := p.j
	if p.link || p.quieted || p.searchy || p.severe || j.isSearch(p.t) || p.filters() {
		return
	}
	if p.sortsByPrice() {
		return
	}
	text := p.beside()
	ws := p.besideWords
	for _, x := range []struct {
		section string
		class   Class
		always  bool // also beside "OK" and "Next", which are on every page
	}{{"loss", Destroy, true}, {"promise", Legal, true}, {"told", Communicate, false}} {
		if !x.always && !p.puzzling || p.toggle {
			continue
		}
		if h := j.lex.inWords(x.section, ws); h != nil {
			p.ask(x.class, "agrees_to", "%s stands beside: %s", quote(p.weak), h.raw)
		}
	}
	// Beside "No", "Keep it", "Not now" it is the other answer, whatever its words.
	if h := j.lex.inWords("dismiss", words(fold(tail(p.beside())))); h != nil && len(j.questions(p.beside())) > 0 && p.puzzling && !p.severe && !p.toggle && !p.t.Form.looksUp() {
		p.ask(Submit, "agrees_to", "%s stands beside: %s", quote(p.weak), h.raw)
	}
	sum := p.sumBeside()
	if sum == "" {
		sum = sumIn(strings.Join(p.labels, "\n"))
	}
	if sum == "" {
		return
	}
	// A sum beside "OK" or "Next" alone says nothing; a button that no list knows
	// may spend it.
	if p.puzzling && p.spends() && !basket(readableURL(p.t.Form.action())) || !p.puzzling && (cardEnd.MatchString(text) || j.lex.inWords("spend", ws) != nil) {
		p.ask(Purchase, "settles", "%s stands beside: %s", quote(p.weak), sum)
	}
}

// spends reports that a control which no list knows may spend the sum beside it: a
// label has a sum or a verb, a sentence beside it tells what happens, or the like.
func (p *press) spends() bool {
	if p.j.lex.inWords("spend", p.besideWords) != nil || p.j.lex.inWords("stake", p.besideWords) != nil || p.tells(false) != "" || p.verb() != nil || sumIn(strings.Join(p.labels, "\n")) != "" || p.t.submits() || periodic.MatchString(p.beside()) {
		return true
	}
	head, _, ok := strings.Cut(p.t.Context, " · ")
	return ok && sumIn(head) != "" || slices.ContainsFunc(p.labels, p.saysSum)
}

// saysSum reports a label that has the number of a sum beside it: "Go to 2,400".
func (p *press) saysSum(label string) bool {
	if !strings.ContainsFunc(label, unicode.IsNumber) {
		return false
	}
	sums := Amounts(p.t.Context)
	if hasCoinedPrefix(p.t.Context) {
		sums = append(sums, coins.FindAllString(p.t.Context, 8)...)
	}
	for _, sum := range sums {
		if n := strings.Trim(strings.TrimFunc(sum, func(r rune) bool { return r < '0' || r > '9' }), " "); len(n) > 1 && strings.Contains(label, n) {
			return true
		}
	}
	return false
}

// sortsByPrice reports a control that sorts a list and names its lowest price: "Cheapest from
// $148".
func (p *press) sortsByPrice() bool {
	h := p.j.lex.inLabel("arrange", p.weak)
	return h != nil && h.anchor == atStart && !p.t.submits() && p.tells(true) == ""
}

// methodFields are hidden fields in which a form names its HTTP method, since
// browsers send forms by GET and POST only.
var methodFields = wordSet("_method method httpmethod _httpmethod")

// posts judges a form that is not sent by GET by its fields and its address,
// whatever the button says.
func (p *press) posts() {
	j, f := p.j, p.t.Form
	if f == nil || strings.EqualFold(f.Method, "get") || p.proven() || j.d.Level >= Confirm {
		return
	}
	for _, x := range f.Fields {
		if methodFields[strings.ToLower(x.Name)] && strings.EqualFold(x.Value, "delete") {
			p.ask(Destroy, "delete_form", "The form deletes what it is about")
		}
	}
	if u := readableURL(f.Action); u != nil && strings.EqualFold(f.Method, "post") && !p.searchy && !p.runsQuery { // "Add" says nothing against /members/add
		path := requestWords().path(u, false)
		if does := path.deed("POST"); does.class == Identity {
			p.ask(Identity, "acting_form", "The form goes to an address that says: %s", pathEnd(f.Action))
			return
		}
	}
	if p.quieted || p.runsQuery || p.known && p.weak == "" && !p.acts {
		return
	}
	sum := f.sum()
	if sum == "" && p.sumBeside() != "" && !slices.ContainsFunc(p.labels, says) {
		sum = f.price() // a bare picture beside it
	}
	if sum != "" && !calculates(readableURL(f.Action)) {
		p.ask(Purchase, "money_form", "The form sends a sum: %s", sum)
	}
	if f.message() {
		p.ask(Communicate, "message_form", "The form sends what is written in it")
	}
	for _, x := range f.Fields {
		if x.Type != "checkbox" || x.Value == "" {
			continue
		}
		for _, section := range []string{"promise", "legaltext"} {
			if h := j.lex.inText(section, x.Label); h != nil {
				p.ask(Legal, "promise_form", "The form declares: %s", clip(x.Label, 120))
			}
		}
	}
	if c := pathClass(readableURL(f.Action), lastSegments); c != "" {
		p.ask(c, "acting_form", "The form goes to an address that says: %s", pathEnd(f.Action))
	} else if last := lastStep(readableURL(j.act.Page.URL)); last && commitsEnd(readableURL(f.Action)) {
		p.ask(Submit, "last_step", "The form goes to an address that says: %s", pathEnd(f.Action))
	}
}
