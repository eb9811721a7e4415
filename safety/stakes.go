package safety

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A control whose words no list knows runs without a question only where nothing is
// at stake. The stakes are read from the stems of its words, from the group around
// it and from the page's title and address.

// atStake judges a control that no list knows by its verbs and by the stakes around
// it.
func (p *press) atStake() {
	j := p.j
	if !p.puzzling || p.severe || p.toggle || j.isSearch(p.t) || p.filters() || p.t.Form.looksUp() || basket(readableURL(p.t.Form.action())) {
		return
	}
	if h := p.verb(); h != nil && (p.stake() != "" || shouts(p.weak)) {
		p.ask(h.class, "unknown_control", "It is not known what %s does, and it says: %s", quote(p.weak), h.raw)
		return
	}
	if h := p.tells(p.isHelper()); h != "" {
		class := j.hangs(p.beside())
		if v := p.verb(); v != nil {
			class = v.class
		}
		p.ask(class, "unknown_control", "It is not known what %s does, and beside it stands: %s", quote(p.weak), h)
		return
	}
	if slices.ContainsFunc(p.labels, shouts) {
		p.ask(Submit, "unknown_control", "It is not known what %s does", quote(p.weak))
	}
}

// isHelper reports a plain button of a form that another button sends: it fills in or shows something there, unless
// the text around it says that something happens now.
func (p *press) isHelper() bool {
	t := p.t
	p.beside()
	return p.j.lex.inWords("now", p.besideWords) == nil && t.Tag == "button" && t.Type == "button" && !p.pressed && t.Form != nil && t.DefaultButton != "" && !slices.Contains(p.labels, t.DefaultButton)
}

// verb gives the verb that a label has by its stem.
func (p *press) verb() *pattern {
	if p.verbRead {
		return p.verbFound
	}
	p.verbRead = true
	for _, l := range p.labels {
		lb := p.j.lex.label(l)
		if h := p.j.lex.inSection("verb", &lb); h != nil && len(lb.tokens) < headline || h != nil && single(firstRune(lb.raw)) {
			p.verbFound = h
			break
		}
	}
	return p.verbFound
}

// beside gives the text around the control, without its own labels.
func (p *press) beside() string {
	if p.besideText != "" {
		return p.besideText
	}
	text := p.t.Context
	for _, l := range p.labels {
		if l = strings.TrimSpace(l); l != "" {
			text = strings.ReplaceAll(text, l, " · ")
		}
	}
	p.besideText = p.j.act.Page.Dialog + "\n" + text
	p.besideWords = words(fold(p.besideText))
	return p.besideText
}

// sumBeside gives the first sum beside the control.
func (p *press) sumBeside() string {
	if !p.sumRead {
		p.sumFound, p.sumRead = sumIn(p.beside()), true
	}
	return p.sumFound
}

// tells gives the words beside the control that tell an effect: for good, to whom,
// at once. Among rows of other controls "Buy now" may be such words, so only strong
// ones count against a label that a list knows.
func (p *press) tells(strong bool) string {
	if !p.toldRead {
		p.toldRead = true
		p.told, p.toldStrong = p.sentence()
	}
	if strong && !p.toldStrong {
		return ""
	}
	return p.told
}

// sentence gives the words for tells, and whether they are strong.
func (p *press) sentence() (text string, strong bool) {
	beside := p.beside()
	for _, section := range []string{"loss", "promise", "told", "source"} {
		if h := p.j.lex.inWords(section, p.besideWords); h != nil {
			return h.raw, true
		}
	}
	said := runningWords(beside)
	negates := saysNo(beside, p.besideWords)
	besideWords := slices.DeleteFunc(slices.Clone(p.besideWords), func(w string) bool {
		return cellWords[w] && !slices.Contains(said, w) || w == "no" && !negates
	})
	if h := p.j.lex.inWords("never", besideWords); h != nil {
		return h.raw, true
	}
	if c := cardEnd.FindString(p.t.Context); c != "" && !p.isCard() {
		return c, true
	}
	// Beside the entry of a menu stand the others: "Resume now".
	if h := p.j.lex.inWords("now", besideWords); h != nil && !strings.HasPrefix(p.t.Role, "menuitem") {
		return h.raw, false
	}
	return prose(beside), false
}

// saysNo reports a text in whose language "no" negates a verb, as in Spanish: it has an accent or a small word
// that English lacks. In English "No filters applied" stands for an empty list.
func saysNo(text string, ws []string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) ||
		slices.ContainsFunc(ws, func(w string) bool { return particles[w] && !englishParticles[w] })
}

// sentencePart is how many words in a row are a part of a sentence: "Last seen: Never" and "Right now" have fewer.
const sentencePart = 3

// cellWords are words that a cell of a table or another control may consist of.
var cellWords = wordSet("never now today nie jetzt heute jamais maintenant nunca ahora hoy mai adesso oggi agora hoje никогда сейчас сегодня")

// runningWords gives the words of a text that stand in sentences: a word and the small ones behind it.
func runningWords(text string) (out []string) {
	var run []string
	small := true
	flush := func() {
		if len(run) >= sentencePart || !small {
			out = append(out, words(fold(strings.Join(run, " ")))...)
		}
		run, small = nil, true
	}
	for w := range strings.FieldsSeq(text) {
		r := firstRune(strings.TrimLeftFunc(w, unicode.IsPunct))
		switch {
		case !unicode.IsLetter(r):
			if w == "·" {
				flush()
			}
			continue
		case !unicode.In(r, unicode.Latin, unicode.Cyrillic):
			small = false
		case !unicode.IsLower(r) && strings.ToUpper(w) != w:
			flush()
		}
		run = append(run, w)
	}
	flush()
	return out
}

// isCard reports the line of a list of cards and accounts: it says the end of its number itself.
func (p *press) isCard() bool {
	return rowTags[p.t.Tag] && (p.t.Role == "" || rowRoles[p.t.Role]) && cardEnd.MatchString(firstLabel(p.labels))
}

// sentence is how many lower-case words in a row make a sentence.
const sentence = 6

// maxRow is the most characters of a label in scripts without spaces. A longer run is
// a sentence.
const maxRow = 14

// prose gives the first run of words in a text that only a sentence has: rows of
// controls begin each with a capital, or with a space where there are no capitals.
func prose(text string) string {
	run, others, joined := 0, 0, false
	for _, w := range strings.Fields(text) {
		r := firstRune(w)
		switch {
		case unicode.IsLower(r):
			run++
			joined = joined || particles[fold(strings.TrimRight(w, ",.;:"))] || !unicode.In(r, unicode.Latin)
			if run >= sentence && joined {
				return w
			}
		case unicode.In(r, unicode.Arabic, unicode.Devanagari):
			if others++; others > maxRow-5 {
				return w
			}
		case single(r):
			if utf8.RuneCountInString(w) > maxRow {
				return w
			}
		default:
			run, others, joined = 0, 0, false
		}
	}
	return ""
}

// particles are small words, one of which each sentence has in languages of Latin letters: a row of
// labels in small letters has none.
var (
	particles        = ruleWords("particles")
	englishParticles = wordSet(listLines("particles")[0])
)

// stake gives the first word for a stake beside the control, or in the page's title
// or path.
func (p *press) stake() string {
	j := p.j
	for _, text := range []string{p.beside(), j.act.Page.Title, pathWords(readableURL(j.act.Page.URL))} {
		if h := j.lex.inWords("stake", words(fold(text))); h != nil {
			return h.raw
		}
	}
	return ""
}

// hangs gives the class of a text: by words for a loss, a promise or an audience, or
// by a verb.
func (j *judgement) hangs(text string) Class {
	ws := words(fold(text))
	for _, x := range []struct {
		section string
		class   Class
	}{{"legaltext", Legal}, {"promise", Legal}, {"loss", Destroy}, {"told", Communicate}, {"source", Purchase}} {
		if j.lex.inWords(x.section, ws) != nil {
			return x.class
		}
	}
	if h := j.lex.inWords("verb", ws); h != nil {
		return h.class
	}
	return Communicate // which no preset lets pass without having asked once
}

// shouts reports a label with an exclamation mark: it eggs on to do something.
func shouts(label string) bool { return strings.ContainsAny(label, "!！") }

// pathWords gives the path of an address as a text; "" for an article, whose words
// are its subject.
func pathWords(u *url.URL) string {
	if u == nil {
		return ""
	}
	ok := true
	urlParts(u, func(_ string, _, _ int, story bool) bool {
		ok = !story
		return ok
	})
	if !ok {
		return ""
	}
	return strings.ReplaceAll(u.Path, "/", " · ")
}

// affirms judges "Yes", "OK", "Accept" beside the other answer, where together
// they answer something that is not known to be harmless; and beside a sum, where
// they are more than a way on.
func (p *press) affirms() {
	j, t := p.j, p.t
	if p.puzzling || p.severe || p.toggle || p.link || p.quieted || p.searchy || j.isSearch(t) || p.filters() || t.Form.looksUp() {
		return
	}
	text := p.beside()
	ws := words(fold(text))
	sum := p.sumBeside()
	asked := j.questions(text)
	ofSum := slices.ContainsFunc(asked, func(q string) bool { return sumIn(q) != "" })
	if !ofSum && j.lex.inWords("benign", ws) != nil {
		return
	}
	other := j.lex.inWords("dismiss", words(fold(tail(text))))
	if other == nil && t.Form != nil {
		other = j.lex.inWords("dismiss", words(fold(strings.Join(t.Form.Buttons, " · "))))
	}
	switch {
	case sum != "" && (other != nil || j.lex.inLabel("onward", p.weak) == nil):
		p.ask(Purchase, "settles", "%s stands beside: %s", quote(p.weak), sum)
	case other != nil && (len(asked) > 0 || j.lex.inWords("stake", ws) != nil):
		p.ask(j.hangs(text), "agrees_to", "%s stands beside: %s", quote(p.weak), other.raw)
	}
}

// tail gives the end of the text around a control, where the other answers are.
func tail(text string) string {
	rs := []rune(text)
	return string(rs[max(0, len(rs)-60):])
}
