package pagecontext

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// glyphWords is what a name of signs alone is called, as Unicode names its first one:
// "☆" is a white star. Empty for a name with letters, digits or punctuation, for signs of
// arithmetic, shapes and trigrams, whose names say nothing of what they are used for
// (× closes, ▸ opens, ☰ is a menu).
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
	words := strings.ToLower(runenames.Name(first))
	if first == 0 || strings.HasPrefix(words, "<") || strings.HasPrefix(words, "trigram") || strings.Contains(words, "multiplication") || strings.HasPrefix(words, "object replacement") {
		return ""
	}
	return words
}
