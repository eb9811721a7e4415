package safety

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// sought is an expression, and the words without which it can match nothing. To
// look whether words stand in a text takes a hundredth of the time that the
// expression takes, and in most texts they do not.
type sought struct {
	re *regexp.Regexp
	// needs are sets of words: of each set one stands in whatever matches, as
	// folded writes it.
	needs [][]string
}

// leastNeed is how many letters a word must have to tell anything.
const leastNeed = 2

func seek(expr string) sought {
	re := regexp.MustCompile(expr)
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err) // MustCompile has parsed the same
	}
	return sought{re, needsOf(parsed)}
}

// find gives the first match; folds is the text as folded gives it.
func (s sought) find(text, folds string) string {
	for _, words := range s.needs {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(folds, w) }) {
			return ""
		}
	}
	return s.re.FindString(text)
}

func needsOf(re *syntax.Regexp) [][]string {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) >= leastNeed {
			return [][]string{{folded(string(re.Rune))}}
		}
	case syntax.OpConcat:
		var all [][]string
		for _, part := range re.Sub {
			all = append(all, needsOf(part)...)
		}
		return all
	case syntax.OpAlternate:
		var either []string
		for _, part := range re.Sub {
			needs := needsOf(part)
			if len(needs) == 0 {
				return nil
			}
			either = append(either, slices.MaxFunc(needs, func(a, b []string) int { return shortest(a) - shortest(b) })...)
		}
		return [][]string{either}
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	}
	return nil
}

func shortest(words []string) int {
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}

// folded writes letters that expressions take for the same ((?i)) as one.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			if 'a' <= r && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}
		least := r
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		return least
	}, s)
}
