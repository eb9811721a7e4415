package safety

import "strings"

// The status of a record in a tracker, a help desk or a plan ends it or opens it again: an issue
// is closed, a case resolved, a milestone reopened.

// turnKey is the key in a change that says that its record was ended or reopened.
const turnKey = "status change"

const reopened = "reopened"

// turns gives the class of ending or reopening a record, by its new state.
var turns = func() map[string]Class {
	m := map[string]Class{"locked": Settings, "lock": Settings, reopened: Settings, "reopen": Settings}
	for s := range ruleWords("ended states") {
		m[keyName(fold(s))] = Destroy
	}
	return m
}()

// turnFlags are keys that are true while a record is ended.
var turnFlags = wordSet("closed isclosed resolved isresolved")

// passing are things that are closed or archived without effect: parts of a page, and the user's
// own tasks and messages.
var passing = ruleWords("passing")

// passes reports the name of a list or a path segment that holds things of passing or trifles.
func passes(name string) bool {
	s := requestWords().name(name)
	return s.trifle || passing[s.bare] || passing[s.tail]
}

// withTurn adds turnKey to the change of a record whose status ended or reopened it. of is the name
// of its list.
func withTurn(change, record, before any, of string) any {
	d, okD := change.(map[string]any)
	r, okR := record.(map[string]any)
	w, okW := before.(map[string]any)
	if !okD || !okR || !okW || countValues(r) < leastRecord || passes(of) {
		return change
	}
	turn := ""
	for k, v := range r {
		to := turnOf(k, v)
		if from := turnOf(k, w[k]); from != "" && to == "" && w[k] != nil && v != nil {
			to = reopened
		} else if from == to {
			continue
		}
		turn = max(turn, to)
	}
	if turn != "" {
		d[turnKey] = turn
	}
	return d
}

// turnOf gives the state of turns that a key has by its value, "" for none.
func turnOf(key string, v any) string {
	k := keyName(key)
	switch v := v.(type) {
	case bool:
		if v && turnFlags[k] {
			return "closed"
		}
	case string:
		if s := keyName(fold(v)); stateKeys[k] && turns[s] != "" {
			return s
		}
	}
	return ""
}

// judgeStatus judges the new state of the one record that the request's path names: {"state": …} or
// {"issue": {"state": …}}. A deeper state belongs to something else.
func (b *bodyReader) judgeStatus(key, state string) {
	p, last := b.path, len(b.path.names)-1
	if last < 0 || !p.idLast || p.isTrifle(last) || passes(p.names[last].bare) {
		return
	}
	if b.level < 2 || b.level == 2 && b.of != "" && strings.HasPrefix(p.names[last].bare, keyName(b.of)) {
		b.soft = append(b.soft, finding{turns[state], key + ": " + state})
	}
}
