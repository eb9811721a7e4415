package pagecontext

import "strings"

// sayings are elements with the kind of each, and what is said of it behind its name:
// put together once, however often they are written until it is known where.
type sayings struct {
	es    []Element
	kinds []string
	said  [][]string
}

func sayingsOf(es []Element) sayings {
	s := sayings{es, make([]string, len(es)), make([][]string, len(es))}
	for i := range es {
		s.said[i] = withoutImplied(&es[i], states(&es[i]), "")
		s.kinds[i] = kindBy(&es[i], s.said[i])
	}
	return s
}

// part gives those from one up to another.
func (s sayings) part(from, to int) sayings {
	return sayings{s.es[from:to], s.kinds[from:to], s.said[from:to]}
}

// and gives all of both.
func (s sayings) and(o sayings) sayings {
	return sayings{append(s.es, o.es...), append(s.kinds, o.kinds...), append(s.said, o.said...)}
}

// inRow writes elements on one line. Where the kind that the line above began with
// goes on with the first, no role is said of those with which the kind of the same
// place there does, up to the first that says one; else of those with which that of
// the one before them does. An element without words has its role in any case; with
// told, a field has it, too.
func (s sayings) inRow(above []string, told bool) string {
	places := false
	parts := make([]string, len(s.es))
	for i := range s.es {
		e, kind, before := &s.es[i], s.kinds[i], ""
		switch {
		case i == 0 && len(above) > 0:
			before = above[0]
			places = isBare(before, kind, e, told)
		case places && i < len(above):
			before = above[i]
		case i > 0:
			before = s.kinds[i-1]
		}
		if !isBare(before, kind, e, told) {
			before, places = "", false
		}
		parts[i] = lineSaying(e, shape{short: true, lead: i == 0, known: before}, s.said[i])
	}
	return strings.Join(parts, "|")
}

// isBare tells whether an element has no role in its line, behind a kind.
func isBare(before, kind string, e *Element, told bool) bool {
	return before != "" && goesOn(before, kind, e) && hasWords(e) && !(told && fields[e.Role])
}

// leastPlaces is how many elements of a line have to go on with those of the line
// above, each in its place, so that this is no chance.
const leastPlaces = 3

// standsBelow tells whether a line can have its roles from the line above: each element
// goes on with the kind of its place there, and they are enough for that to be no
// chance, or those of one of the lines are of one role. What is longer than the line above may say roles behind that.
func standsBelow(above, kinds []string, es []Element, told bool) bool {
	places := min(len(es), len(above))
	for i := range places {
		if !isBare(above[i], kinds[i], &es[i], told) {
			return false
		}
	}
	return places >= leastPlaces || ofOneRole(above) || ofOneRole(kinds)
}

// ofOneRole tells whether kinds are of the same role.
func ofOneRole(kinds []string) bool {
	role, _, _ := strings.Cut(kinds[0], " ")
	for _, k := range kinds[1:] {
		if own, _, _ := strings.Cut(k, " "); own != role {
			return false
		}
	}
	return true
}

// below writes rows again as they stand below others, be it under another heading:
// roles that the line above says are left out where that makes a line shorter.
// above are the kinds of that line; it gives those of the last one, none where that
// is of another make.
func below(above []string, rows []row) []string {
	for i, r := range rows {
		if r.es == nil {
			above = nil
			continue
		}
		items := r.item && i > 0 && rows[i-1].item
		line := r.inRow(nil, false)
		if len(above) > 0 && (items || standsBelow(above, r.kinds, r.es, !r.item)) {
			if with := r.inRow(above, !r.item); len(with) < len(line) {
				line = with
			}
		}
		rows[i].line, above = line, r.kinds
	}
	return above
}
