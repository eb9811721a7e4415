package pagecontext

import (
	"cmp"
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
	// leastRest is how many bytes of them are left where a neighbour says the first.
	leastRest = 4
)

// withoutRepeats takes away the words that an element stands beside where the
// element after it, or one of the few before it, says them just as well. Where each
// has a line of its own, those in a row that can be pressed as a whole keep them:
// nothing shows how far it goes.
func withoutRepeats(run []Element, singly bool) []Element {
	out := run // until something is taken away
	last, lastAt := "", -1
	for i := range run {
		if run[i].Near == "" || !isKnown(&run[i]) {
			continue
		}
		near := bareWords(run[i].Near)
		if near == "" || singly && inPressedRow(run[max(0, i-nearSpan):i], near) {
			continue
		}
		from, to := max(0, i-nearSpan), min(len(run), i+2)
		told := strings.HasPrefix(last, near)
		called := isCalled(&run[i])
		if called {
			// What follows may belong to the next row.
			from, to = ownRow(run, i, from), i
			told = last == near && behindNamesake(run, i, 0) <= lastAt
		}
		rest := run[i].Near
		for k := from; k < to && !told; k++ {
			name := bareWords(onceSaid(run[k].Name))
			told = k != i && (strings.HasPrefix(name, near) || len(near) >= longWords && strings.Contains(name, near) ||
				len(name) > 5 && (strings.HasPrefix(near, name) || called && strings.Contains(near, name)))
			if !told || !called {
				continue
			}
			switch more, first := strings.CutPrefix(run[i].Near, run[k].Name+" "); {
			case saysMore(run, i, near, name):
				told = false
			case !strings.HasPrefix(name, near) && !isOnly(run, k, from, i):
				told = first && len(bareWords(more)) < leastRest
				if first && len(more) < len(rest) {
					rest = saidWithin + more
				}
			}
		}
		if told {
			rest = ""
		} else {
			last, lastAt = near, i
		}
		if rest == run[i].Near {
			continue
		}
		if &out[0] == &run[0] {
			out = slices.Clone(run)
		}
		out[i].Near = rest
	}
	return out
}

// withoutSums takes away the many words that an element stands beside where all of
// them are those of its neighbours in the list, its own, or of their headings; singly
// as for withoutRepeats.
func withoutSums(layer []Element, singly bool) []Element {
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
		if singly && inPressedRow(layer[from:i], bareWords(layer[i].Near)) {
			continue
		}
		if isCalled(&layer[i]) {
			from, to = ownRow(layer, i, from), i
		}
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

// inPressedRow tells whether the last row before an element that can be pressed as a
// whole says the words that it stands beside. Such a row is called so by its role, or
// has nothing but words.
func inPressedRow(before []Element, near string) bool {
	for _, e := range slices.Backward(before) {
		name := bareWords(onceSaid(cmp.Or(e.Name, e.Text)))
		if e.Role == "row" || e.Role == "listitem" || e.Role == "generic" && len(name) > longWords {
			return strings.Contains(name, near)
		}
	}
	return false
}

// isCalled tells whether an element has a name of words: then what it stands beside is
// told because others have that name as well.
func isCalled(e *Element) bool { return bareWords(shownName(e)) != "" }

// behindNamesake gives the first place from which on no other element of the role and
// name of run[i] stands before it.
func behindNamesake(run []Element, i, from int) int {
	for k := i - 1; k >= from; k-- {
		if areNamesakes(&run[k], &run[i]) {
			return k + 1
		}
	}
	return from
}

func areNamesakes(a, b *Element) bool { return a.Role == b.Role && shownName(a) == shownName(b) }

// ownRow gives the first place before run[i] that may be of its row: what stands before
// the last one of its name is of that one's, and the first row is as long as the next.
func ownRow(run []Element, i, from int) int {
	if behind := behindNamesake(run, i, from); behind > from {
		return behind
	}
	for k := i + 1; k < min(len(run), i+nearSpan); k++ {
		if areNamesakes(&run[k], &run[i]) {
			return max(from, i-(k-i))
		}
	}
	return from
}

// saysMore tells whether the element behind run[i] says more of the words that this
// stands beside than a name before it: that was of another row, as "Orange" is before
// "Orange juice".
func saysMore(run []Element, i int, near, name string) bool {
	if i+1 == len(run) {
		return false
	}
	next := bareWords(run[i+1].Name)
	return len(next) > len(name) && (strings.HasPrefix(near, next) || strings.HasPrefix(next, near))
}

// isOnly tells whether nothing outside of run[from:to] is called as run[k] is: else the
// row is told by what it says besides.
func isOnly(run []Element, k, from, to int) bool {
	for i := range run {
		if (i < from || i >= to) && run[i].Name == run[k].Name {
			return false
		}
	}
	return true
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
