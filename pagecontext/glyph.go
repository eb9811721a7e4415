package pagecontext

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"tabwright/extension"
)

// glyphWords returns the Unicode name, in lower case, of the first sign of a name made of
// signs only: "☆" is "white star". It returns "" for a name with letters, digits or
// punctuation, and for signs of arithmetic, shapes and trigrams, whose Unicode names say
// nothing of their use (× closes, ▸ opens, ☰ is a menu).
func glyphWords(name string) string {
	var first rune
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Sk, unicode.Zs): // variation selectors, joiners, colours of skin
		case !unicode.Is(unicode.So, r) || r >= 0x25a0 && r <= 0x25ff:
			return ""
		case first == 0:
			first = r
		}
	}
	words := nameOfSign()[first]
	if strings.HasPrefix(words, "trigram") || strings.Contains(words, "multiplication") || strings.HasPrefix(words, "object replacement") {
		return ""
	}
	return words
}

// nameOfSign maps signs to their Unicode names.
var nameOfSign = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(extension.Signs()) {
		sign, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		r, _ := utf8.DecodeRuneInString(sign)
		out[r] = name
	}
	return out
})

// signNames maps each word of glyphWords' names to the signs with that word.
var signNames = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, span := range [][2]rune{{0x2190, 0x2bff}, {0x1f300, 0x1faff}} {
		for r := span[0]; r <= span[1]; r++ {
			for w := range strings.FieldsSeq(glyphWords(string(r))) {
				out[w] += string(r)
			}
		}
	}
	return out
})

// findSigns maps the words of a query to the signs that they name: star to ★ and ☆.
func findSigns(query string) map[string]string {
	var out map[string]string
	for w := range strings.FieldsFuncSeq(strings.ToLower(query), func(r rune) bool { return r == '|' || unicode.IsSpace(r) }) {
		if signs := signNames()[w]; signs != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[w] = signs
		}
	}
	return out
}
