package agent

import (
	"crypto/rand"
	"strings"
	"unicode"

	"tabwright/pagecontext"
)

// nonce makes the fence around page text one that no page can know.
func nonce() string { return strings.ToLower(rand.Text()[:8]) }

// Language is zh when the task has Chinese characters, en otherwise.
func Language(text string) string {
	for _, c := range text {
		if unicode.Is(unicode.Han, c) {
			return "zh"
		}
	}
	return "en"
}

func cut(s string, n int) string { return pagecontext.Cut(s, n+1) }
