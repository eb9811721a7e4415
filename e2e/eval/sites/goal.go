package sites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// goal is what solves a task.
type goal struct {
	set facts               // the facts that are asked for; "" for one that is to go
	via map[string][]string // further values that a solution passes through
	// answer has the required values, each with its forms; one form of each must be in the
	// answer. decoys are other values of their kind on the site: an answer with one of them
	// is wrong.
	answer [][]string
	decoys []string
}

// allows reports whether a solution may make the change.
func (g goal) allows(c change, first facts) bool {
	want, inGoal := g.set[c.key]
	switch {
	case sameText(c.to, first[c.key]), inGoal && sameText(c.to, want):
		return true
	case passing(c.key) && !inGoal:
		return true
	}
	return slices.ContainsFunc(g.via[c.key], func(v string) bool { return v == "*" || sameText(v, c.to) })
}

func (g goal) checkAnswer(answer string) error {
	if len(g.answer) == 0 {
		return nil
	}
	in := func(v string) bool { return stands(v, answer) }
	for _, forms := range g.answer {
		if !slices.ContainsFunc(forms, in) {
			return fmt.Errorf("the answer %q does not give %q", shorten(answer), forms[0])
		}
	}
	if i := slices.IndexFunc(g.decoys, in); i >= 0 {
		return fmt.Errorf("the answer %q gives %q, which was not asked for", shorten(answer), g.decoys[i])
	}
	return nil
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}

// han matches a Chinese character with the spaces at its sides: 8 点 is 8点.
var han = regexp.MustCompile(` ?(\p{Han}) ?`)

var thousands = regexp.MustCompile(`(\d)[,\x{2009}\x{202f}](\d{3})\b`)

// plain returns a text in the form used for comparison, without differences of width,
// case, spaces, quotes and thousands separators.
func plain(s string) string {
	s = strings.ToLower(norm.NFKC.String(s))
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "−", "-").Replace(s)
	for thousands.MatchString(s) {
		s = thousands.ReplaceAllString(s, "$1$2")
	}
	return han.ReplaceAllString(strings.Join(strings.Fields(s), " "), "$1")
}

// stands reports whether a text contains a value on its own: 12.50 is not in 112.50, nor
// in 12.505.
func stands(value, text string) bool {
	value, text = plain(value), plain(text)
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return false
		}
		i += at
		if apart(text[:i], value, text[i+len(value):]) {
			return true
		}
		at = i + 1
	}
}

func apart(before, value, after string) bool {
	first, last := value[0], value[len(value)-1]
	b, a := lastByte(before), firstByte(after)
	if word(first) && (word(b) || digit(first) && (b == '.' || b == ',') && len(before) > 1 && digit(before[len(before)-2])) {
		return false
	}
	return !word(last) || !word(a) && (!digit(last) || a != '.' && a != ',' || len(after) < 2 || !digit(after[1]))
}

func lastByte(s string) byte {
	if s == "" {
		return ' '
	}
	return s[len(s)-1]
}

func firstByte(s string) byte {
	if s == "" {
		return ' '
	}
	return s[0]
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
func word(c byte) bool  { return digit(c) || 'a' <= c && c <= 'z' }

// sameText compares what was typed with what was asked for: spaces around it,
// the width of characters, curly quotes and a full stop at the end don't count.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	tidy := func(s string) string {
		s = norm.NFKC.String(s)
		s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(s)
		return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".。! ")
	}
	// What is empty is something else than a full stop.
	return a != "" && b != "" && tidy(a) == tidy(b)
}
