package prompts_test

import (
	"strings"
	"testing"
	"unicode"

	"tabwright/prompts"
)

func TestDurableNotices(t *testing.T) {
	var all strings.Builder
	for _, lang := range []string{"en", "zh"} {
		for _, kind := range prompts.DurableKinds {
			got := prompts.Notice(kind, lang, "ARG", "SECOND", "THIRD")
			if got == kind || got == "" || strings.Contains(got, "no value") {
				t.Errorf("%s in %s: %q", kind, lang, got)
			}
			if han := strings.ContainsFunc(got, func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != (lang == "zh") {
				t.Errorf("%s in %s is in the wrong language: %q", kind, lang, got)
			}
			all.WriteString(lang + " " + kind + ": " + got + "\n")
		}
	}
	golden(t, "durable.txt", strings.TrimSpace(all.String()))
}
