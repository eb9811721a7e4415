package safety

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What only tells, shows or sorts is called after the deed that it is about:
// "How do I cancel?", "Show deleted lines", "Publish date", the row of a mail that
// says "Payment received". What it is, is read off facts beside its words.

// informs reports a label that asks for or names something to read, so that the
// deeds in its words are a subject: a question on a control, an article of a help
// page, a command to show, the head of a column, a line of a list.
func (p *press) informs(lb *label) bool {
	if p.article() {
		p.known = true
		return true
	}
	if p.pressed || p.t.submits() || p.link && p.j.actsByLink(p.t) {
		return false
	}
	l := p.j.lex
	switch {
	case p.link && l.inSection("ask", lb) != nil, p.link && p.aboutHelp():
		return true // "How to cancel an order": it leads to an answer
	case p.t.Tag == "th", (p.t.Tag == "tr" || p.t.Tag == "article") && !p.toggle && lb.count() > headline/2:
		return true
	case p.t.Tag == "summary" && (p.faq() || endsAsking(lb.raw)):
		return true
	case lb.oneSentence() && l.queries(lb), endsAsking(lb.raw) && (p.faq() || p.aboutHelp()):
		p.known = p.known || !p.link
		return true
	}
	if !lb.oneSentence() || !l.views(lb) {
		return false
	}
	p.known = p.known || !p.link && !p.hasWarning()
	return true
}

// article reports a link that asks a question and leads to a page of the site's
// help whose address is called after it: help.bank.test/cancel-transfer.
func (p *press) article() bool {
	u := readableURL(p.t.Href)
	if p.pressed || u == nil || u.Scheme != "https" || u.RawQuery != "" || p.t.Tag != "a" || p.t.submits() || Site(p.t.Href) != actSite(p.j.act) {
		return false
	}
	first, _, _ := strings.Cut(u.Hostname(), ".")
	slug := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	return helpHosts[first] && !strings.ContainsAny(u.Path, "0123456789") && len(words(slug)) > 1 &&
		endsAsking(firstLabel(p.labels)) && p.j.lex.inWords("ask", words(fold(firstLabel(p.labels)))) != nil
}

// namesPage reports a plain link to another page of its site whose label names what lies there: a
// list, by a number behind it ("Trash (3)"), a record, by the number that its address ends in as well,
// which stands in its name or its row ("#3"), or a page called so. A command has fewer words; that page's own button asks.
func (p *press) namesPage(label string) bool {
	if !p.link || !p.leadsAway() {
		return false
	}
	u := readableURL(p.t.Href)
	if counted.MatchString(label) {
		return true
	}
	said := words(fold(label))
	last := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	slug := words(fold(last))
	if len(said) < leastTitle || u.RawQuery != "" {
		return false
	}
	if last != "" && isID(last) && (slices.Contains(said, strings.ToLower(last)) || slices.Contains(words(fold(p.t.Row)), strings.ToLower(last)) && !slices.ContainsFunc(said, func(w string) bool { return pointing[w] })) {
		return true
	}
	return len(slug) >= leastTitle && !slices.ContainsFunc(slug, func(w string) bool { return !slices.Contains(said, w) })
}

// pointing are words by which a command means the line that it stands in: "Delete this ticket".
var pointing = ruleWords("pointing")

// leastTitle is how many words a title has at least.
const leastTitle = 3

// counted is a name with the number of what lies there behind it.
var counted = regexp.MustCompile(`\pL[^()]*[(（]\d[\d., ]*[)）]$`)

// leadsAway reports a link to another page of its site that does nothing by being opened, whatever
// script hears its press as well.
func (p *press) leadsAway() bool {
	t := p.t
	u := readableURL(t.Href)
	return u != nil && t.Tag == "a" && !p.pressed && !t.submits() && t.Method == "" && t.Asks == "" && (u.Scheme == "http" || u.Scheme == "https") &&
		Site(t.Href) == actSite(p.j.act) && !samePage(u, p.j.act.Page.URL) && addressDeedOf(u).word == "" && !commits(u) && pathClass(u, lastSegments) == ""
}

// hasWarning reports a sentence beside a control of what is lost, told or declared;
// a card that is kept stands beside "Show invoice" as well.
func (p *press) hasWarning() bool {
	p.beside()
	return slices.ContainsFunc([]string{"loss", "promise", "told", "never"}, func(section string) bool {
		return p.j.lex.inWords(section, p.besideWords) != nil
	})
}

func endsAsking(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(s))
	return strings.ContainsRune("?？؟", r)
}

// oneSentence reports a label without a sign after which another command could
// stand: "Why wait? Buy now" has one.
func (lb *label) oneSentence() bool {
	s := strings.TrimRight(lb.raw, "?？؟ \u00a0\u202f»›>…")
	return !strings.ContainsAny(s, "?？؟!！:：;；.。,，、–—|&+") && !strings.Contains(s, " - ") && sumIn(s) == ""
}

// queries reports a label that begins as a question does and goes on.
func (l *lexicon) queries(lb *label) bool {
	p := l.inSection("query", lb)
	return p != nil && len(p.words) < len(lb.tokens)
}

// deedAt reports a phrase of a deed from token i to the end of one at least: with
// it "Desplegar en producción" is no unfolding.
func (l *lexicon) deedAt(lb *label, i, end int) bool {
	for k := max(0, i-mostBefore); k <= i; k++ {
		for _, p := range l.classes[lb.tokens[k].forms[0]] {
			if p.level >= Confirm && k+len(p.words) >= end && lb.matchAt(p, k) {
				return true
			}
		}
	}
	return false
}

// views reports a label whose main verb is to show: it stands first, and in
// languages whose verb comes last at the end. Nothing joins a second verb to it.
func (l *lexicon) views(lb *label) bool {
	n := len(lb.tokens)
	for i, t := range lb.tokens {
		if i > 0 && l.ands[t.forms[0]] {
			return false
		}
	}
	for i, t := range lb.tokens {
		for _, p := range l.sections["view"][t.forms[0]] {
			last := i+len(p.words) == n
			if (p.anchor == atStart && i == 0 && !last || p.behind && last && i > 0) && lb.standsAt(p, i) && !l.deedAt(lb, i, i+len(p.words)) {
				return true
			}
		}
	}
	return false
}

// faq reports a group whose heading says that it holds questions and answers.
func (p *press) faq() bool {
	head, _, _ := strings.Cut(p.t.Context, " · ")
	return p.j.lex.inWords("faq", words(fold(clip(head, 120)))) != nil
}

// helpHosts are what the hosts of help pages begin with.
var helpHosts = ruleWords("help hosts")

// aboutHelp reports a link to an article, or a control on a help page.
func (p *press) aboutHelp() bool {
	u := readableURL(p.j.act.Page.URL)
	if p.link {
		u = readableURL(p.t.Href)
	}
	return ofHelp(u)
}

// helpParts are path segments under which questions are answered.
var helpParts = ruleWords("help parts")

func ofHelp(u *url.URL) bool {
	if u == nil || acts(u) {
		return false
	}
	if first, _, _ := strings.Cut(u.Hostname(), "."); helpHosts[first] {
		return true
	}
	segments := strings.Split(strings.ToLower(u.Path), "/")
	for i, s := range segments {
		if helpParts[s] && (i == len(segments)-1 || !slices.ContainsFunc(segments[i+1:], func(s string) bool { return postWords[s] != "" && !listWords[s] })) {
			return true
		}
	}
	return false
}

// lists reports the line of a list that a click opens, and the head of a column.
func (p *press) lists() bool {
	return p.t.Tag == "tr" || p.t.Tag == "article" || p.t.Tag == "th" || p.isRow()
}

// rowTags and rowRoles are of what holds the words of a line of a list and is no button.
var (
	rowTags  = wordSet("div li section span dd td")
	rowRoles = wordSet("generic row listitem article gridcell cell treeitem group option")
)

// isRow reports such a line: more words than a command has.
func (p *press) isRow() bool {
	if p.pressed || p.t.submits() || p.t.Href != "" || !rowTags[p.t.Tag] || p.t.Role != "" && !rowRoles[p.t.Role] {
		return false
	}
	for _, s := range []string{p.t.Name, p.t.Text} {
		if lb := p.j.lex.label(s); !lb.long() && strings.TrimSpace(s) != "" {
			return false
		}
	}
	return strings.TrimSpace(p.t.Name+p.t.Text) != ""
}

// unfiltersGroup reports a control among filters of a page whose address holds
// what is filtered by: what it resets and removes is in that address.
func (p *press) unfiltersGroup() bool {
	at := readableURL(p.j.act.Page.URL)
	if at == nil || at.RawQuery == "" || acts(at) || p.t.submits() || p.pressed {
		return false
	}
	head, _, _ := strings.Cut(p.t.Context, " · ")
	return slices.ContainsFunc(append([]string{clip(head, 80)}, p.labels...), func(s string) bool {
		return p.j.lex.inWords("filters", words(fold(s))) != nil
	})
}

// opensDialog reports a label that ends in three dots, by which menus say that a
// dialog comes first.
func opensDialog(raw string) bool {
	raw = strings.TrimSpace(raw)
	return strings.HasSuffix(raw, "…") || strings.HasSuffix(raw, "...")
}

// sectional reports a link to a section of the site it stands on: no query, no
// number, nothing that an order or a message could be told by, and no verb that
// acts. That page's own button asks.
func (p *press) sectional() bool {
	u, at := readableURL(p.t.Href), readableURL(p.j.act.Page.URL)
	if !p.link || u == nil || at == nil || u.Host != at.Host || u.RawQuery != "" || strings.ContainsAny(u.Path, "0123456789") {
		return false
	}
	if addressDeedOf(u).word != "" || commits(u) || p.instant() != "" {
		return false
	}
	return strings.Count(strings.Trim(u.Path, "/"), "/") < 2 && u.Path != at.Path
}

// instant gives the words beside a control which tell that nothing is asked
// before it acts.
func (p *press) instant() string {
	p.beside()
	if h := p.j.lex.inWords("instant", p.besideWords); h != nil {
		return h.raw
	}
	return ""
}
