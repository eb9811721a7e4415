package pagecontext

import "strings"

// inRow writes elements on one line. Where the kind that the line above began with
// goes on with the first, no role is said of those with which the kind of the same
// place there does, up to the first that says one; else of those with which that of
// the one before them does. An element without words has its role in any case; with
// told, a field has it, too.
func inRow(es []Element, above []string, told bool) (line string, kinds []string) {
	kinds, said := kindsOf(es)
	return rowOfKinds(es, kinds, said, above, told), kinds
}

// kindsOf gives the kinds of elements, and what is said of each behind its name.
func kindsOf(es []Element) (kinds []string, said [][]string) {
	kinds, said = make([]string, len(es)), make([][]string, len(es))
	for i := range es {
		said[i] = withoutImplied(&es[i], states(&es[i]), "")
		kinds[i] = kindBy(&es[i], said[i])
	}
	return kinds, said
}

// rowOfKinds is inRow for elements of which the kinds are known.
func rowOfKinds(es []Element, kinds []string, said [][]string, above []string, told bool) string {
	places := false
	parts := make([]string, len(es))
	for i := range es {
		e, kind, before := &es[i], kinds[i], ""
		switch {
		case i == 0 && len(above) > 0:
			before = above[0]
			places = isBare(before, kind, e, told)
		case places && i < len(above):
			before = above[i]
		case i > 0:
			before = kinds[i-1]
		}
		if !isBare(before, kind, e, told) {
			before, places = "", false
		}
		parts[i] = lineSaying(e, shape{short: true, lead: i == 0, known: before}, said[i])
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
		kinds, said := kindsOf(r.es)
		line := rowOfKinds(r.es, kinds, said, nil, false)
		if len(above) > 0 && (items || standsBelow(above, kinds, r.es, !r.item)) {
			if with := rowOfKinds(r.es, kinds, said, above, !r.item); len(with) < len(line) {
				line = with
			}
		}
		rows[i].line, above = line, kinds
	}
	return above
}
