package pagecontext

import "slices"

// worthBreak is how many bytes a break has to save: what stands side by side is
// told apart more easily than by the line above.
const worthBreak = 8

// breaks finds where to break a run of elements that may share lines, so that all of
// it is shortest: what comes again in the same order takes a line each time, as its
// roles are then those of the line above.
type breaks struct {
	es    []Element
	kinds []int    // of each element, in names
	names []string // of the kinds
	said  [][]string
	sizes []int // bytes of element k behind kind i, at k*(len(names)+1)+i+1; with its role at +0
}

// broken takes a run apart into lines.
func broken(es []Element) [][]Element {
	if len(es) < 2 {
		return [][]Element{es}
	}
	b := newBreaks(es)
	// least[i*mostOnLine+m-1] is what the elements before i take if the last line
	// has m; from is how many the line before that has.
	least := make([]int, (len(es)+1)*mostOnLine)
	from := make([]int, len(least))
	for i := range es {
		for p := 0; p < mostOnLine && p <= i; p++ {
			before := 0 // of the elements before i
			if i > 0 {
				if p == 0 || least[i*mostOnLine+p-1] == 0 {
					continue
				}
				before = least[i*mostOnLine+p-1]
			}
			b.lines(i, p, func(m, size int) {
				at := (i+m)*mostOnLine + m - 1
				if least[at] == 0 || before+size < least[at] {
					least[at], from[at] = before+size, p
				}
			})
		}
	}
	return b.apart(least, from)
}

// apart goes back from the shortest way to its first line.
func (b *breaks) apart(least, from []int) [][]Element {
	last, n := 0, len(b.es)
	for m := 1; m <= mostOnLine; m++ {
		if l := least[n*mostOnLine+m-1]; l > 0 && (last == 0 || l <= least[n*mostOnLine+last-1]) {
			last = m
		}
	}
	var out [][]Element
	for n > 0 {
		out = append(out, b.es[n-last:n])
		n, last = n-last, from[n*mostOnLine+last-1]
	}
	slices.Reverse(out)
	return out
}

func newBreaks(es []Element) *breaks {
	b := &breaks{es: es, kinds: make([]int, len(es))}
	var kinds []string
	kinds, b.said = kindsOf(es)
	for i, name := range kinds {
		if b.kinds[i] = slices.Index(b.names, name); b.kinds[i] < 0 {
			b.kinds[i] = len(b.names)
			b.names = append(b.names, name)
		}
	}
	b.sizes = make([]int, len(es)*(len(b.names)+1))
	return b
}

// size is what element k takes behind a kind, without the bar; -1 is none.
func (b *breaks) size(k, before int) int {
	n, known := &b.sizes[k*(len(b.names)+1)+before+1], ""
	if *n > 0 {
		return *n
	}
	if before >= 0 {
		if known = b.names[before]; !isBare(known, b.names[b.kinds[k]], &b.es[k], false) {
			*n = b.size(k, -1)
			return *n
		}
	}
	*n = len(lineSaying(&b.es[k], shape{short: true, known: known}, b.said[k]))
	return *n
}

// lines tells what lines that begin with element i take, below one of p elements.
func (b *breaks) lines(i, p int, tell func(m, size int)) {
	const around = len("[]\n") + worthBreak
	said := b.size(i, -1) + around // with roles of its own
	placed := 0                    // with those of the line above
	if p > 0 && b.bare(i, i-p) {
		placed = b.size(i, b.kinds[i-p]) + around
	}
	alike := true
	for m := 1; ; m++ {
		size := said
		if placed > 0 {
			size = min(said, placed)
		}
		if m > 1 && said-worthBreak > shortLine && (!alike || m > perLine) {
			return
		}
		tell(m, size)
		k := i + m
		if m == mostOnLine || k == len(b.es) {
			return
		}
		alike = alike && b.es[k].Role == b.es[i].Role
		said += 1 + b.size(k, b.kinds[k-1])
		if placed > 0 {
			above := k - 1
			if m < p {
				above = k - p
			}
			if b.bare(k, above) {
				placed += 1 + b.size(k, b.kinds[above])
			} else {
				placed += 1 + b.size(k, -1)
			}
		}
	}
}

// bare tells whether element k can stand without its role where that of another is
// said before, in a line that has the roles of the one above.
func (b *breaks) bare(k, other int) bool {
	return isBare(b.names[b.kinds[other]], b.names[b.kinds[k]], &b.es[k], true)
}
