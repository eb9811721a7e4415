package safety

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed words/requests/*.txt
var requestFiles embed.FS

// role is what a word may be in the name of an operation.
type role uint16

const (
	verbRole     role = 1 << iota // a deed
	nounRole                      // made by a POST to it
	madeRole                      // made by a verb beside it
	guardRole                     // any write to it is a deed
	makeRole                      // makes or carries out the noun beside it
	changeRole                    // changes it
	calmFirst                     // at the start of a name that only reads
	calmEnd                       // at the end of one
	calmLast                      // at the end of one that no deed begins
	stillRole                     // only counts or keeps alive
	trifleRole                    // may be deleted without a question
	mildRole                      // no deed where it is done to a trifle
	placeRole                     // no deed where other segments follow
	neutralRole                   // says nothing
	objectRole                    // part of joined names
	dispatchRole                  // one address for all operations
)

// term is a word with its roles, and the class of its deed by each of them.
type term struct {
	roles             role
	verb, noun, guard Class
}

func (t term) is(r role) bool { return t.roles&r != 0 }

// vocabulary holds the lists of words/requests.
type vocabulary struct {
	terms map[string]term
	// sets has words without a role: "host", labels of hosts that only count; "hear" and "join".
	sets map[string]map[string]bool
}

var sectionRoles = map[string]role{
	"verb": verbRole, "pair": verbRole, "noun": nounRole, "made": madeRole, "guard": guardRole, "make": makeRole, "change": changeRole, "still": stillRole, "trifle": trifleRole,
	"mild": mildRole, "place": placeRole, "neutral": neutralRole, "object": objectRole, "dispatch": dispatchRole,
	"calm first": calmFirst, "calm end": calmEnd, "calm last": calmLast,
}

// requestWords loads the embedded file once. Without it every request is asked
// about: see JudgeRequest.
var requestWords = sync.OnceValue(func() *vocabulary {
	data, err := requestFiles.ReadFile("words/requests/names.txt")
	if err == nil {
		var v *vocabulary
		if v, err = loadVocabulary(string(data)); err == nil {
			return v
		}
	}
	return &vocabulary{}
})

// loadVocabulary reads a word file: "# comment", "[role]" or "[role class]", and
// below it words with spaces between; in "[pair class]" lines of verbs and nouns.
func loadVocabulary(data string) (*vocabulary, error) {
	v := &vocabulary{terms: map[string]term{}, sets: map[string]map[string]bool{"host": {}, "hear": {}, "join": {}}}
	var r role
	var class Class
	var set map[string]bool
	pairs, begun := false, false
	for n, line := range strings.Split(data, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			section := strings.Trim(line, "[]")
			set, pairs, begun, class = v.sets[section], false, true, ""
			if r = sectionRoles[section]; r != 0 || set != nil {
				continue
			}
			name, of, _ := strings.Cut(section, " ")
			r, class, pairs = sectionRoles[name], classNames[of], name == "pair"
			if r&(verbRole|nounRole|madeRole|guardRole) == 0 || class == "" {
				return nil, fmt.Errorf("line %d: unknown section %q", n+1, line)
			}
			continue
		case !begun:
			return nil, fmt.Errorf("line %d: words before the first section", n+1)
		}
		if pairs {
			before, behind, _ := strings.Cut(line, ":")
			for _, verb := range strings.Fields(before) {
				for _, noun := range strings.Fields(behind) {
					v.add(verb+noun, r, class)
					v.add(noun, objectRole, "")
				}
			}
			continue
		}
		for _, w := range strings.Fields(line) {
			if set != nil {
				set[w] = true
			} else {
				v.add(w, r, class)
			}
		}
	}
	if len(v.terms) == 0 {
		return nil, fmt.Errorf("no words")
	}
	return v, nil
}

func (v *vocabulary) add(w string, r role, class Class) {
	key := strings.Join(words(fold(w)), "")
	t := v.terms[key]
	t.roles |= r
	switch r {
	case verbRole:
		t.verb = class
	case nounRole, madeRole:
		t.noun = class
	case guardRole:
		t.guard = class
	}
	v.terms[key] = t
}

// look gives a word's term, also where a number is joined to it:
// "delete2", "deletev2".
func (v *vocabulary) look(w string) term {
	if t, ok := v.terms[w]; ok {
		return t
	}
	bare := strings.TrimRight(w, "0123456789")
	if len(bare) < 3 || len(bare) == len(w) {
		return term{}
	}
	if t, ok := v.terms[bare]; ok {
		return t
	}
	return v.terms[strings.TrimSuffix(bare, "v")] // "sendv2"
}

// leastHalf is the least length of either half of a joined name.
const leastHalf = 3

// halves splits a joined name: "deletepost", "orderdelete". One half is a verb, and
// both are known.
func (v *vocabulary) halves(w string) (a, b string, ok bool) {
	if len(w) < 2*leastHalf || len(w) > 30 || hasNonASCII(w) {
		return "", "", false
	}
	const verbs = verbRole | makeRole | changeRole | calmFirst
	for i := len(w) - leastHalf; i >= leastHalf; i-- {
		first, fine := v.terms[w[:i]]
		if !fine {
			continue
		}
		if second, fine := v.terms[w[i:]]; fine && (first.is(verbs) || second.is(verbRole)) {
			return w[:i], w[i:], true
		}
	}
	return "", "", false
}
