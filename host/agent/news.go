package agent

import (
	"slices"
	"strings"
	"unicode"

	"tabwright/pagecontext"
)

const (
	newsLines  = 6  // that are told at most
	newsLength = 60 // characters of each
	newsAround = 2  // known words that are told beside new ones
)

// newsOf is what a page shows since it was loaded anew: passages with words that it
// did not have, and elements. A form that was sent says so nowhere else.
func newsOf(was, is pagecontext.Plain) []string {
	had := map[string]bool{}
	for _, w := range wordsOf(was.Text) {
		had[w] = true
	}
	var out []string
	for _, s := range freshPassages(had, is.Text) {
		out = append(out, `"`+cut(s, newsLength)+`"`)
	}
	for _, l := range is.List {
		if !slices.Contains(was.List, l) {
			out = append(out, cut(l, newsLength))
		}
	}
	if len(out) > newsLines {
		out = append(out[:newsLines:newsLines], "…")
	}
	return out
}

// samePage says that two looks show the same.
func samePage(was, is pagecontext.Plain) bool {
	return was.Text == is.Text && slices.Equal(was.Page, is.Page) && slices.Equal(was.List, is.List)
}

// mostlyKnown says that most of a page's elements stood on the one before: it is another
// state of it.
func mostlyKnown(was, is pagecontext.Plain) bool {
	known := 0
	for _, l := range is.List {
		if slices.Contains(was.List, l) {
			known++
		}
	}
	return 2*known > len(is.List)
}

// freshPassages are the parts of a text in which a word stands that was not known, with
// a few words around.
func freshPassages(had map[string]bool, text string) []string {
	words := strings.FieldsFunc(text, unicode.IsSpace)
	var out []string
	from, to := 0, 0 // the passage under way
	for i, w := range words {
		if !slices.ContainsFunc(wordsOf(w), func(part string) bool { return !had[part] }) {
			continue
		}
		if to > 0 && i-newsAround > to {
			out = append(out, strings.Join(words[from:to], " "))
			to = 0
		}
		if to == 0 {
			from = max(0, i-newsAround)
		}
		to = min(len(words), i+1+newsAround)
	}
	if to > 0 {
		out = append(out, strings.Join(words[from:to], " "))
	}
	return out
}
