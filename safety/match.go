package safety

import (
	"slices"
	"strings"
)

// label is a tokenised label. hushed marks the tokens of quiet phrases.
type label struct {
	raw    string
	tokens []token
	hushed []bool
	start  int // first token that is no lead word
	// begins holds the tokens with which a command begins: "Accept and pay" has two.
	begins []bool
}

func (l *lexicon) label(raw string) label {
	lb := label{raw: strings.TrimSpace(raw), tokens: tokenise(raw)}
	lb.hushed = make([]bool, len(lb.tokens))
	for lb.start < len(lb.tokens) && (l.leads[lb.tokens[lb.start].forms[0]] || lb.tokens[lb.start].number) {
		lb.start++
	}
	if lb.start == len(lb.tokens) {
		lb.start = 0
	}
	lb.begins = make([]bool, len(lb.tokens))
	for i := range lb.tokens {
		lb.begins[i] = i == 0 || i == lb.start || l.ands[lb.tokens[i-1].forms[0]]
	}
	for i := range lb.tokens {
		for _, f := range lb.tokens[i].forms[:1] {
			for _, p := range l.sections["quiet"][f] {
				if lb.matchAt(p, i) && !l.outspoken(&lb, p, i) {
					for j := range p.words {
						lb.hushed[i+j] = true
					}
				}
			}
		}
	}
	return lb
}

// outspoken reports that the quiet phrase at token i is part of a longer phrase of a class:
// 付款方式 names the way to pay, 付款方式确认 confirms it; 回收站 is a place, and
// 移到回收站 moves something there.
func (l *lexicon) outspoken(lb *label, quiet *pattern, i int) bool {
	for k := max(0, i-mostBefore); k <= i; k++ {
		for _, p := range l.classes[lb.tokens[k].forms[0]] {
			if p.level >= Confirm && p.anchor == anywhere && len(p.words) > len(quiet.words) &&
				k+len(p.words) >= i+len(quiet.words) && lb.standsAt(p, k) {
				return true
			}
		}
	}
	return false
}

// mostBefore is how many words of a longer phrase may precede the quiet one in it.
const mostBefore = 4

// matchAt reports whether p's words stand at token i, its anchor included, and
// none of them is hushed.
func (lb *label) matchAt(p *pattern, i int) bool {
	for j := range p.words {
		if i+j < len(lb.hushed) && lb.hushed[i+j] {
			return false
		}
	}
	return lb.standsAt(p, i)
}

// standsAt is matchAt without regard to hushed tokens.
func (lb *label) standsAt(p *pattern, i int) bool {
	if i+len(p.words) > len(lb.tokens) {
		return false
	}
	for j := range p.words {
		if !slices.ContainsFunc(lb.tokens[i+j].forms, func(f string) bool { return p.fits(j, f) }) {
			return false
		}
	}
	if p.more && i+len(p.words) == len(lb.tokens) || p.last && i+len(p.words) < len(lb.tokens) || p.behind && i == 0 {
		return false
	}
	switch p.anchor {
	case atStart:
		return lb.begins[i]
	case whole:
		if !lb.begins[i] {
			return false
		}
		for _, t := range lb.tokens[i+len(p.words):] {
			if !t.number {
				return false
			}
		}
	}
	return true
}

// hits gives the class patterns that match the label. Phrases for ordinary
// drafts and navigation claim their words: "Remove from cart" is no removal,
// but "Add to cart and pay" still pays.
func (l *lexicon) hits(lb *label) []*pattern {
	var out []*pattern
	var at []int
	claimed := make([]bool, len(lb.tokens))
	for i := range lb.tokens {
		if lb.hushed[i] {
			continue
		}
		for _, f := range lb.tokens[i].forms {
			for _, p := range l.classes[f] {
				if !lb.matchAt(p, i) || l.isNounHere(lb, p, i) {
					continue
				}
				out, at = append(out, p), append(at, i)
				if p.mild() && len(p.words) > 1 {
					for j := range p.words {
						claimed[i+j] = true
					}
				}
			}
			if p := l.joinedPhrase(f); p != nil && len(p.words) > 1 {
				out, at = append(out, p), append(at, i)
			}
		}
	}
	kept := out[:0]
	for k, p := range out {
		inside := !p.mild()
		for j := range p.words {
			inside = inside && at[k]+j < len(claimed) && claimed[at[k]+j]
		}
		if !inside {
			kept = append(kept, p)
		}
	}
	return kept
}

// commands gives the hits in a text that name a deed to ask about.
func (l *lexicon) commands(text string) []*pattern {
	lb := l.label(text)
	return slices.DeleteFunc(l.hits(&lb), func(p *pattern) bool { return p.level < Confirm })
}

// maxNamed is the most characters of a verb that can be the first part of a noun:
// "付款" in "付款日期", not "立即付款".
const maxNamed = 2

// isNounHere reports that p's verb at token i is the first part of a noun, in scripts
// without spaces: nouns, and nothing else, follow to the label's end.
// In Japanese and Korean the verb would stand last. In Chinese what is deleted,
// sent and signed stands after it as well; paying has few such objects, and
// none of them is in the list. Japanese 済み behind any verb says that it is done.
func (l *lexicon) isNounHere(lb *label, p *pattern, i int) bool {
	if at := i + len(p.words); at < len(lb.tokens) && lb.tokens[at].forms[0] == "済" {
		return true // 解約済み: it is done already, and the sign is Japanese only
	}
	if p.lang == "zh" && p.class != Purchase {
		return false
	}
	if p.mild() || p.anchor == whole || len(p.words) > maxNamed || !single(firstRune(p.words[0])) {
		return false
	}
	at := i + len(p.words)
	for at < len(lb.tokens) {
		n := l.nounAt(lb, at, p.lang)
		if n == 0 {
			return false
		}
		at += n
	}
	return at > i+len(p.words)
}

// nounAt gives the length of the longest noun of a language at token i.
func (l *lexicon) nounAt(lb *label, i int, lang string) int {
	longest := 0
	for _, p := range l.sections["noun"][lb.tokens[i].forms[0]] {
		if p.lang == lang && len(p.words) > longest && lb.standsAt(p, i) {
			longest = len(p.words)
		}
	}
	return longest
}

func (p *pattern) mild() bool { return p.class == Write || p.class == Navigate }

// apart finds a phrase whose letters are set apart in any way: "P ay", "Pa y now".
func (l *lexicon) apart(lb *label) *pattern {
	if n := len(lb.tokens); n < 2 || n > 8 {
		return nil
	}
	var b strings.Builder
	for i, t := range lb.tokens {
		if lb.hushed[i] || single(firstRune(t.forms[0])) {
			return nil
		}
		b.WriteString(t.forms[0])
	}
	return l.joined[b.String()]
}

// joinedPhrase finds a phrase written as one word, or letters set apart that make
// one: "paynow", "p a y n o w".
func (l *lexicon) joinedPhrase(w string) *pattern { return l.joined[w] }

// inSection reports the first pattern of a section that stands in the label.
func (l *lexicon) inSection(section string, lb *label) *pattern {
	exact, stems := l.sections[section], l.stems[section]
	for i := range lb.tokens {
		for _, f := range lb.tokens[i].forms {
			for _, p := range exact[f] {
				if lb.standsAt(p, i) && (section != "floor" || lb.matchAt(p, i)) {
					return p
				}
			}
			if stems == nil {
				continue
			}
			for _, p := range stems[stemKey(f)] {
				if lb.standsAt(p, i) {
					return p
				}
			}
		}
	}
	return nil
}

// inLabel is inSection for a label that is asked nothing else.
func (l *lexicon) inLabel(section, raw string) *pattern {
	lb := l.label(raw)
	return l.inSection(section, &lb)
}

// inText looks for a section's phrases in long text; only plain words count
// there.
func (l *lexicon) inText(section, text string) *pattern {
	return l.inWords(section, words(fold(text)))
}

func (l *lexicon) inWords(section string, ws []string) *pattern {
	exact, stems := l.sections[section], l.stems[section]
	if len(exact)+len(stems) == 0 {
		return nil
	}
	for i, w := range ws {
		for _, p := range exact[w] {
			if p.standsIn(ws[i:]) {
				return p
			}
		}
		if stems == nil {
			continue
		}
		for _, p := range stems[stemKey(w)] {
			if p.standsIn(ws[i:]) {
				return p
			}
		}
	}
	return nil
}

// standsIn reports that words begin with those of a pattern.
func (p *pattern) standsIn(ws []string) bool {
	if len(p.words) > len(ws) {
		return false
	}
	for j := range p.words {
		if !p.fits(j, ws[j]) {
			return false
		}
	}
	return true
}

// headline is the most words of a command. A longer text is a headline or a
// card.
const headline = 7

// long reports a headline.
func (lb *label) long() bool { return lb.count() > headline }

func firstLabel(labels []string) string {
	for _, l := range labels {
		if strings.TrimSpace(l) != "" {
			return l
		}
	}
	return ""
}

// count gives the number of words. In scripts without spaces two and a half
// characters count as a word.
func (lb *label) count() float64 {
	n := 0.0
	for _, t := range lb.tokens {
		if single(firstRune(t.forms[0])) {
			n += 0.4
		} else {
			n++
		}
	}
	return n
}

// says reports a label that has a word or a sum. Other signs and numbers, such as
// sizes, only choose something.
func says(s string) bool {
	if sumIn(s) != "" {
		return true
	}
	return !signNamed(s) && slices.ContainsFunc(words(fold(s)), func(w string) bool { return !isNumber(w) && (len(w) > 2 || hasNonASCII(w)) })
}

// signNamed reports the name of an icon font's glyph: "arrow_forward_ios".
func signNamed(s string) bool {
	return strings.Contains(s, "_") && !strings.ContainsAny(s, " \t") && isPlainASCII(s)
}
