package safety

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// sought is an expression with facts about all its matches. A search for words
// takes a hundredth of the expression's time, and most texts do not have the
// words.
type sought struct {
	re *regexp.Regexp
	// needs are sets of words: every match has a word of each set.
	needs [][]need
	// lines is how many lines after its first a match may span, without blank ones;
	// -1 where that is not known.
	lines int
}

// need is a word as folded writes it; left and right say that a word of the text
// begins or ends there (\b).
type need struct {
	word        string
	left, right bool
}

const (
	// leastNeed is the least length of a needed word in bytes.
	leastNeed = 2
	// mostNeeds is the most words that are listed for a part of an expression.
	mostNeeds = 64
)

func seek(expr string) sought {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err) // as MustCompile does
	}
	return sought{regexp.MustCompile(expr), needsOf(parsed), linesOf(parsed)}
}

// needsOf gives sets of words: every match of re has a word of each set.
func needsOf(re *syntax.Regexp) [][]need {
	if words, ok := wordsOf(re); ok {
		return tellingNeeds(words)
	}
	switch re.Op {
	case syntax.OpConcat:
		return needsInRow(re.Sub)
	case syntax.OpAlternate:
		var either []need
		for _, part := range re.Sub {
			needs := needsOf(part)
			if len(needs) == 0 {
				return nil
			}
			either = append(either, slices.MaxFunc(needs, func(a, b []need) int { return shortest(a) - shortest(b) })...)
		}
		return [][]need{either}
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	}
	return nil
}

// needsInRow gives the sets of parts that follow one another. Neighbouring parts
// whose matches can be listed are joined first.
func needsInRow(parts []*syntax.Regexp) [][]need {
	var all [][]need
	row := []need{{}}
	end := func() {
		all = append(all, tellingNeeds(row)...)
		row = []need{{}}
	}
	for _, part := range parts {
		words, ok := wordsOf(part)
		if !ok {
			end()
			all = append(all, needsOf(part)...)
			continue
		}
		if len(row)*len(words) > mostNeeds {
			end()
		}
		row = inARow(row, words)
	}
	end()
	return all
}

// tellingNeeds returns words as one set, or no set where a word is too short, blank
// or has a line break: such a set is of no use.
func tellingNeeds(words []need) [][]need {
	useless := func(n need) bool {
		return len(n.word) < leastNeed || strings.Contains(n.word, "\n") || strings.Trim(n.word, blanks) == ""
	}
	if len(words) == 0 || slices.ContainsFunc(words, useless) {
		return nil
	}
	return [][]need{words}
}

// wordsOf lists all matches of re with their letters folded. It reports false
// where there are too many.
func wordsOf(re *syntax.Regexp) ([]need, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return []need{{}}, true
	case syntax.OpWordBoundary:
		return []need{{left: true, right: true}}, true
	case syntax.OpLiteral:
		return []need{{word: foldLetters(string(re.Rune))}}, true
	case syntax.OpCharClass:
		return lettersOf(re.Rune)
	case syntax.OpCapture:
		return wordsOf(re.Sub[0])
	case syntax.OpQuest:
		words, ok := wordsOf(re.Sub[0])
		return append([]need{{}}, words...), ok && len(words) < mostNeeds
	case syntax.OpConcat:
		row := []need{{}}
		for _, part := range re.Sub {
			words, ok := wordsOf(part)
			if !ok || len(row)*len(words) > mostNeeds {
				return nil, false
			}
			row = inARow(row, words)
		}
		return row, true
	case syntax.OpAlternate:
		var all []need
		for _, part := range re.Sub {
			words, ok := wordsOf(part)
			if all = append(all, words...); !ok || len(all) > mostNeeds {
				return nil, false
			}
		}
		return all, true
	}
	return nil, false
}

// lettersOf lists the letters of a small class, given as pairs of first and last.
func lettersOf(pairs []rune) ([]need, bool) {
	const most = 12
	var out []need
	n := 0
	for i := 0; i < len(pairs); i += 2 {
		if n += int(pairs[i+1]-pairs[i]) + 1; n > most {
			return nil, false
		}
		for r := pairs[i]; r <= pairs[i+1]; r++ {
			if w := (need{word: foldLetters(string(r))}); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out, true
}

// inARow joins each of a with each of b.
func inARow(a, b []need) []need {
	out := make([]need, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			n := need{x.word + y.word, x.left, y.right}
			if x.word == "" {
				n.left = x.left || y.left
			}
			if y.word == "" {
				n.right = x.right || y.right
			}
			out = append(out, n)
		}
	}
	return out
}

func shortest(words []need) int {
	n := len(words[0].word)
	for _, w := range words {
		n = min(n, len(w.word))
	}
	return n
}

// linesOf gives sought.lines for an expression.
func linesOf(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpBeginText, syntax.OpEndText:
		return -1 // a line of the text is not the text
	case syntax.OpLiteral:
		return strings.Count(string(re.Rune), "\n")
	case syntax.OpCharClass:
		return newlinesIn(re.Rune)
	case syntax.OpAnyChar:
		return 1
	case syntax.OpConcat, syntax.OpAlternate:
		n := 0
		for _, part := range re.Sub {
			k := linesOf(part)
			switch {
			case k < 0:
				return -1
			case re.Op == syntax.OpConcat:
				n += k
			default:
				n = max(n, k)
			}
		}
		return n
	case syntax.OpCapture, syntax.OpQuest:
		return linesOf(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		n := linesOf(re.Sub[0])
		switch {
		case n > 0 && re.Sub[0].Op == syntax.OpCharClass && isBlank(re.Sub[0].Rune):
			return 1 // it stops at the next line with anything in it
		case n > 0 && re.Op == syntax.OpRepeat && re.Max >= 0:
			return n * re.Max
		case n > 0:
			return -1
		}
		return n
	}
	return 0
}

// newlinesIn returns 1 for a class that matches a newline, else 0.
func newlinesIn(pairs []rune) int {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] <= '\n' && '\n' <= pairs[i+1] {
			return 1
		}
	}
	return 0
}

// isBlank reports a class of blanks and newlines only.
func isBlank(pairs []rune) bool {
	for i := 0; i < len(pairs); i += 2 {
		for r := pairs[i]; r <= pairs[i+1]; r++ {
			if !strings.ContainsRune(blanks+"\n", r) {
				return false
			}
		}
	}
	return true
}

// blanks are the characters of a blank line: those of \s without the newline.
const blanks = " \t\f\r"

// foldLetters writes letters that expressions take for the same ((?i)) as one.
func foldLetters(s string) string {
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
