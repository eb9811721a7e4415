package safety

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// questions gives the sentences of a text that ask for consent: those with a
// question mark, and those that say "are you sure" or "will be" without one.
func (j *judgement) questions(text string) []string {
	var out []string
	before := ""
	take := func(s string, asks bool) {
		defer func(s string) { before = s }(s)
		ws := words(fold(s))
		if !asks && (utf8.RuneCountInString(s) > 2*maxQuestion || j.lex.inWords("sure", ws) == nil) {
			return
		}
		if asks && len([]rune(s)) > maxQuestion {
			rs := []rune(s)
			s = string(rs[len(rs)-maxQuestion:])
			ws = words(fold(s))
		}
		if slices.ContainsFunc(ws, func(w string) bool { return howWords[w] }) || asks && len(ws) > 0 && openWords[ws[0]] {
			return // asks for an explanation or for something to be written, not for consent
		}
		// "Delete account. Are you sure?": the sentence before names the deed.
		if n := utf8.RuneCountInString(before); n <= maxQuestion && utf8.RuneCountInString(s) <= maxQuestion/2 {
			s = before + " " + s
		}
		out = append(out, s)
	}
	rs := []rune(text)
	from := 0
	for i, r := range rs {
		last := i+1 == len(rs)
		switch {
		case strings.ContainsRune("?？؟", r):
			take(string(rs[from:i+1]), true)
		case strings.ContainsRune("か까吗嗎", r) && !last && strings.ContainsRune(" 。·\n", rs[i+1]):
			take(string(rs[from:i+1]), true)
		case strings.ContainsRune("!。！·\n", r), r == '.' && (last || unicode.IsSpace(rs[i+1])):
			take(string(rs[from:i+1]), false)
		case last:
			take(string(rs[from:]), false)
			continue
		default:
			continue
		}
		from = i + 1
	}
	return out
}

// maxQuestion is the most characters of a question: the text around a control may
// be a dialog's sentence, or half a page of other controls without a full stop.
const maxQuestion = 110

var howWords = ruleWords("how words")

// openWords are words that begin questions whose answer is not yes or no.
var openWords = ruleWords("open words")
