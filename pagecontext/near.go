package pagecontext

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// nearSpan is how many elements back the words may be that an element
	// stands beside.
	nearSpan = 10
	// manyWords is how many words beside an element are the sum of those around it.
	manyWords = 3
)

// withoutRepeats takes away the words that an element stands beside where the
// element after it, or one of the few before it, says them just as well.
func withoutRepeats(run []Element) []Element {
	out := run // until something is taken away
	last := ""
	for i := range run {
		if run[i].Near == "" || !isKnown(&run[i]) {
			continue
		}
		near := bareWords(run[i].Near)
		if near == "" {
			continue
		}
		told := strings.HasPrefix(last, near)
		for k := max(0, i-nearSpan); k < min(len(run), i+2) && !told; k++ {
			name := bareWords(onceSaid(run[k].Name))
			told = k != i && (strings.HasPrefix(name, near) || len(near) >= longWords && strings.Contains(name, near) ||
				len(name) > 5 && strings.HasPrefix(near, name))
		}
		if !told {
			last = near
			continue
		}
		if &out[0] == &run[0] {
			out = slices.Clone(run)
		}
		out[i].Near = ""
	}
	return out
}

// withoutSums takes away the many words that an element stands beside where all of
// them are those of its neighbours in the list, its own, or of their headings.
func withoutSums(layer []Element) []Element {
	out := layer                         // until something is taken away
	said := make([][]string, len(layer)) // the words of those that were asked about
	saidBy := func(i int) []string {
		if said[i] == nil {
			o := &layer[i]
			_, head, _ := strings.Cut(o.Group, ": ")
			said[i] = slices.Concat([]string{""}, strings.Fields(o.Name), strings.Fields(o.Hint), strings.Fields(head))
		}
		return said[i]
	}
	for i := range layer {
		if layer[i].Near == "" || !isKnown(&layer[i]) {
			continue
		}
		words := strings.Fields(layer[i].Near)
		if len(words) < manyWords {
			continue
		}
		from, to := max(0, i-nearSpan), min(len(layer), i+nearSpan)
		unsaid := func(w string) bool {
			for k := from; k < to; k++ {
				if slices.Contains(saidBy(k), w) {
					return false
				}
			}
			return true
		}
		if slices.ContainsFunc(words, unsaid) {
			continue
		}
		if &out[0] == &layer[0] {
			out = slices.Clone(layer)
		}
		out[i].Near = ""
	}
	return out
}

// bareWords is what words are compared by: letters and digits only.
func bareWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
