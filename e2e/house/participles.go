package main

import (
	"strings"
	"unicode"
)

// particles may follow a participle without making it a name: carriedOut.
const particles = " about after again ahead along apart around aside at away back before by down first for from here in now of off on once out over since so then there through to too under up upon while with "

// irregular are past participles that do not end in -ed.
const irregular = " been beaten begun bent born bought bound broken brought built burnt caught chosen come dealt done drawn driven eaten fallen fed felt fled flown forgotten found given gone got grown heard held hidden kept known laid leant led left lent lost made meant met paid ridden risen said seen sent shown shut slept sold sought spent spoken spun stood stuck sunk swept taken taught thought thrown told torn undone understood untaken woken won worn wound written "

// base are words that end as participles do and are none, or are as much a noun.
const base = " anything bed bring ceiling ding embed encoding everything exceed feed greeting heading indeed king listing mapping meaning need nothing padding parsing ping proceed rating red ring seed setting shed sibling sing something speed spelling spring sting string succeed swing thing timing warning wing "

// bareParticiple reports whether a name is a participle and nothing else: a
// past one (-ed, or irregular) or a present one (-ing), with any particles
// after it.
func bareParticiple(name string) bool {
	words := words(name)
	if !participle(words[0]) {
		return false
	}
	for _, w := range words[1:] {
		if !strings.Contains(particles, " "+w+" ") {
			return false
		}
	}
	return true
}

func participle(word string) bool {
	switch {
	case strings.Contains(base, " "+word+" "):
		return false
	case strings.Contains(irregular, " "+word+" "):
		return true
	}
	return len(word) > 3 && (strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "ing"))
}

// words splits a Go name: carriedOut is carried, out.
func words(name string) []string {
	var out []string
	var word []rune
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && !(unicode.IsUpper(runes[i-1]) && (i+1 == len(runes) || unicode.IsUpper(runes[i+1]))) {
			out, word = append(out, string(word)), nil
		}
		word = append(word, unicode.ToLower(r))
	}
	return append(out, string(word))
}
