package pagecontext

import "slices"

// worthBreak is how many bytes a break has to save: what stands side by side is
// told apart more easily than by the line above.
const worthBreak = 8

// breaks finds where to break a run of elements that may share lines, so that all of
// it is shortest: what comes again in the same order takes a line each time, as its
// roles are then those of the line above.
type breaks struct {
	sayings
	sizes []int // bytes of element k behind the kind of the one d before it, at k*(mostOnLine+1)+d; with its role for d = 0
}

// broken takes a run apart into lines.
func broken(s sayings) []sayings {
	es := s.es
	if len(es) < 2 {
		return []sayings{s}
	}
	b := newBreaks(s)
	// least[i*mostOnLine+m-1] is what the elements before i take if the last line
	// has m; from is how many the line before that has.
	least := make([]int, (len(es)+1)*mostOnLine)
	from := make([]int, len(least))
	for i := range es {
		for p := 0; p <= mostOnLine && p <= i; p++ {
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
func (b *breaks) apart(least, from []int) []sayings {
	last, n := 0, len(b.es)
	for m := 1; m <= mostOnLine; m++ {
		if l := least[n*mostOnLine+m-1]; l > 0 && (last == 0 || l <= least[n*mostOnLine+last-1]) {
			last = m
		}
	}
	var out []sayings
	for n > 0 {
		out = append(out, b.part(n-last, n))
		n, last = n-last, from[n*mostOnLine+last-1]
	}
	slices.Reverse(out)
	return out
}

func newBreaks(s sayings) *breaks {
	return &breaks{sayings: s, sizes: make([]int, len(s.es)*(mostOnLine+1))}
}

// size is what element k takes behind the kind of the one d before it, without the
// bar; with its role where d is 0.
func (b *breaks) size(k, d int) int {
	n, known := &b.sizes[k*(mostOnLine+1)+d], ""
	if *n > 0 {
		return *n
	}
	if d > 0 {
		if known = b.kinds[k-d]; !isBare(known, b.kinds[k], &b.es[k], false) {
			*n = b.size(k, 0)
			return *n
		}
	}
	*n = len(lineSaying(&b.es[k], shape{short: true, known: known}, b.said[k]))
	return *n
}

// lines tells what lines that begin with element i take, below one of p elements.
func (b *breaks) lines(i, p int, tell func(m, size int)) {
	const around = len("[]\n") + worthBreak
	said := b.size(i, 0) + around // with roles of its own
	placed := 0                   // with those of the line above, where all in their places go on with it
	if p > 0 && b.bare(i, p) {
		placed = b.size(i, p) + around
	}
	alike, aboveAlike := true, placed > 0 && ofOneRole(b.kinds[i-p:i])
	for m := 1; ; m++ {
		size := said
		if placed > 0 && (alike || aboveAlike || min(m, p) >= leastPlaces) {
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
		said += 1 + b.size(k, 1)
		switch {
		case placed == 0 || m < p && !b.bare(k, p):
			placed = 0
		case m < p:
			placed += 1 + b.size(k, p)
		case b.bare(k, 1):
			placed += 1 + b.size(k, 1)
		default:
			placed += 1 + b.size(k, 0)
		}
	}
}

// bare tells whether element k can stand without its role where that of the one d
// before it is said, in a line that has the roles of the one above.
func (b *breaks) bare(k, d int) bool {
	return isBare(b.kinds[k-d], b.kinds[k], &b.es[k], true)
}
