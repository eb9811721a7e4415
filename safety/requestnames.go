package safety

import (
	"slices"
	"strings"
)

// sense is the meaning of a name in a request: a path segment, an operation or an
// action.
type sense struct {
	class Class  // of the deed that it names, if any
	word  string // that names the deed
	lone  bool   // only by the noun that it ends in: what a POST to it makes

	calm, still bool // it only reads; it only counts or keeps alive
	trifle      bool // its object may be deleted without a question
	draft       bool
	makes       bool // it has a verb that makes something, or it is only a verb that changes something
	changes     bool
	place       bool // it names no deed where more segments follow
	mild        bool // it names no deed where it is done to a trifle
	looks       bool // it is a bare verb of looking: "preview", "validate"
	known       bool // a list has one of its words
	dispatch    bool // one address for all operations
	noun        Class
	guard       Class
	afterID     bool   // it follows the id of a thing in its path
	bare        string // its words in one piece
	tail        string // the last of them that says something
	count       int    // of its words that say something
}

const (
	maxName      = 80 // bytes of a name that is read
	maxNameWords = 8  // most words of a function's name; longer ones are titles
)

// nameWords splits a name into the words that say something. Phrases and names
// in one piece are taken apart or together as the lists have them.
func (v *vocabulary) nameWords(name string) []string {
	if len(name) > maxName {
		return nil
	}
	all := words(fold(name))
	if hasNonASCII(name) {
		all = v.natives(all)
	}
	out := make([]string, 0, len(all)+2)
	for i := 0; i < len(all); {
		if n := v.phrase(all[i:]); n > 0 {
			out = append(out, strings.Join(all[i:i+n], ""))
			i += n
			continue
		}
		w := all[i]
		i++
		if t := v.look(w); t.roles != 0 || isNumber(w) {
			out = append(out, w)
		} else if a, b, ok := v.halves(w); ok {
			out = append(out, a, b)
		} else {
			out = append(out, w)
		}
	}
	return slices.Compact(out) // "confirm.confirm"
}

// phrase gives how many of the first words the lists have as one joined word, 0 for
// none.
func (v *vocabulary) phrase(ws []string) int {
	for n := min(4, len(ws)); n > 1; n-- {
		joined := strings.Join(ws[:n], "")
		if len(joined) > 4 && v.terms[joined].roles != 0 {
			return n
		}
	}
	return 0
}

// natives joins single characters of scripts without spaces to the longest words that
// the lists have.
func (v *vocabulary) natives(ws []string) []string {
	var out []string
	for i := 0; i < len(ws); {
		if !single(firstRune(ws[i])) {
			out = append(out, ws[i])
			i++
			continue
		}
		n := 0
		for k := min(8, len(ws)-i); k > 0 && n == 0; k-- {
			if _, ok := v.terms[strings.Join(ws[i:i+k], "")]; ok {
				n = k
			}
		}
		if n > 0 {
			out = append(out, strings.Join(ws[i:i+n], ""))
		}
		i += max(n, 1)
	}
	return out
}

// name gives the sense of a name. "get and delete" are two names.
func (v *vocabulary) name(name string) sense {
	ws := v.nameWords(name)
	if len(ws) > maxNameWords {
		return sense{}
	}
	from := 0
	var whole sense
	for i := 0; i <= len(ws); i++ {
		if i < len(ws) && ws[i] != "and" && ws[i] != "then" {
			continue
		}
		s := v.part(ws[from:i])
		if from == 0 || whole.class == "" && (s.class != "" || whole.calm) {
			whole = s
		}
		from = i + 1
	}
	whole.bare = strings.Join(ws, "")
	return whole
}

// part gives the sense of a name with one verb.
func (v *vocabulary) part(ws []string) sense {
	var s sense
	kept := ws[:0:0]
	terms := make([]term, 0, len(ws))
	for _, w := range ws {
		t := v.look(w)
		s.dispatch = s.dispatch || t.is(dispatchRole)
		if t.roles&^dispatchRole == neutralRole || t.roles == dispatchRole || isNumber(w) {
			continue
		}
		kept, terms = append(kept, w), append(terms, t)
		s.known = s.known || t.roles != 0
		s.trifle = s.trifle || t.is(trifleRole)
		s.draft = s.draft || strings.HasPrefix(w, "draft") || w == "autosave"
		s.makes = s.makes || t.is(makeRole)
		s.changes = s.changes || t.is(changeRole)
		if s.guard == "" {
			s.guard = t.guard
		}
		if gravity[t.noun] > gravity[s.noun] {
			s.noun = t.noun
		}
	}
	s.count = len(terms)
	if s.count == 0 {
		return s
	}
	s.tail = kept[len(kept)-1]
	if c := states[s.tail]; kept[0] == "mark" && c != "" { // "mark_as_cancelled"
		s.class, s.word = c, strings.Join(kept, " ")
		return s
	}
	s.rests(kept[0], terms)
	if s.calm || s.still {
		return s
	}
	s.dispatch = false
	if t := v.terms[kept[len(kept)-1]+kept[0]]; s.count == 2 && t.is(verbRole) { // "account.close"
		s.class, s.word = t.verb, strings.Join(kept, " ")
		return s
	}
	if s.does(kept, terms) {
		return s
	}
	last := terms[len(terms)-1]
	if terms[0].is(trifleRole) && s.noun != Purchase {
		return s // "likeComment"
	}
	word := strings.Join(kept, " ")
	switch {
	case s.guard != "" && (s.makes || s.changes) && !s.trifle:
		s.class, s.word = s.guard, word
	case s.noun != "" && s.makes && (!s.trifle || s.noun == Purchase && !s.draft):
		s.class, s.word = s.noun, word
	case last.guard != "" && !s.trifle:
		s.class, s.word, s.lone = last.guard, word, true
	case last.is(nounRole) && !s.draft && !s.changes && (last.noun != Identity || s.count == 1): // "upload-sessions" are nobody's
		s.class, s.word, s.lone = last.noun, word, true
	}
	return s
}

// rests sets whether a name only reads, or only counts.
func (s *sense) rests(word string, terms []term) {
	first, last := terms[0], terms[len(terms)-1]
	deed := slices.ContainsFunc(terms, func(t term) bool { return t.is(verbRole) })
	switch {
	case !deed && (first.is(stillRole) || last.is(stillRole)), word == "send" && last.is(stillRole): // "send-presence"
		s.still = true
	case word == "mark" && s.count > 1 && !last.is(nounRole) && !slices.ContainsFunc(terms[1:], func(t term) bool { return t.is(calmEnd | trifleRole) }): // "mark_successful" sets a state
	case first.is(calmFirst) && !(s.count == 1 && first.is(verbRole|trifleRole)), last.is(calmEnd) && !(s.count == 1 && last.is(verbRole)):
		s.calm = true
	case last.is(calmLast) && !first.is(verbRole):
		s.calm = true
	}
	s.looks = s.calm && s.count == 1 && first.is(calmFirst) && !first.is(calmLast)
}

// does sets the deed that a name's verb names. It reports whether there is one, also
// where it is done to a trifle.
func (s *sense) does(kept []string, terms []term) bool {
	var found term
	word := ""
	for i, t := range terms {
		if t.is(objectRole) && i > 0 && terms[i-1].is(makeRole|changeRole) {
			continue // "addBook"
		}
		if t.verb == Destroy || t.is(verbRole) && gravity[t.verb] > gravity[found.verb] && found.verb != Destroy {
			if found.verb != Destroy {
				found, word = t, kept[i]
			}
		}
	}
	if word == "" {
		return false
	}
	if terms[0].is(trifleRole) && found.verb != Purchase && !terms[0].is(verbRole) && found.verb != Destroy {
		return true // "favoriteTweet"
	}
	s.mild, s.place = found.is(mildRole), found.is(placeRole) && s.count == 1
	if s.trifle && (found.verb == Destroy || s.mild) && (s.noun == "" || s.draft || terms[len(terms)-1].is(trifleRole)) {
		return true
	}
	s.class = found.verb
	switch {
	case s.guard != "" && (found.verb != Destroy || word == "reset"):
		s.class = s.guard
	case found.verb == Communicate && s.noun == Purchase:
		s.class = Purchase
	}
	s.word = word
	if s.count > 1 && s.count < 5 {
		s.word = strings.Join(kept, " ")
	}
	return true
}
