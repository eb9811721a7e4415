package safety

import (
	"strings"
	"unicode"
)

// rereadings gives a label as the eye reads it where its characters differ: with a
// capital I as an l, and with text that direction marks reverse. They are judged
// beside the label itself.
func rereadings(label string) []string {
	var out []string
	if l := capitalI(label); l != label {
		out = append(out, l)
	}
	if strings.ContainsAny(label, "\u202d\u202e\u2066\u2067\u2068") {
		out = append(out, reverse(label))
	}
	return out
}

// capitalI reads a capital I beside the small letters of a word as an l:
// "DeIete", "PIace order", "CanceI".
func capitalI(s string) string {
	if !strings.Contains(s, "I") {
		return s
	}
	rs := []rune(s)
	for i, r := range rs {
		if r == 'I' && i > 0 && (unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLetter(rs[i-1]) && unicode.IsLower(rs[i+1])) {
			rs[i] = 'l'
		}
	}
	return string(rs)
}
