package agent

import (
	"crypto/rand"
	"strings"
	"unicode"

	"tabwright/pagecontext"
)

// nonce returns a random word for the fence around page text, which no page can know.
func nonce() string { return strings.ToLower(rand.Text()[:8]) }

// Language returns "zh" if the text has Chinese characters, else "en".
func Language(text string) string {
	for _, c := range text {
		if unicode.Is(unicode.Han, c) {
			return "zh"
		}
	}
	return "en"
}

func cut(s string, n int) string { return pagecontext.Cut(s, n+1) }
