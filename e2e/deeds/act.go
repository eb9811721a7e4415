package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// act is one action in words:
//
//	VERB [ROLE "NAME"] [in "ROW"] [#N] [= "VALUE"]
//
// such as click button "Delete" in "Ida Lind", select combobox "Status" = "Closed",
// press ctrl+Enter, navigate /trash; or drag ROLE "NAME" onto ROLE "NAME". A name that ends with … is the beginning of
// one; the row's words are a part of what stands there, or of the heading over it.
// The role css takes a selector for its name, and row a row that is pressed as a whole.
type act struct {
	verb, role, name, row, value string
	nth                          int // 1 is the first
	hasValue                     bool
	onto                         *act   // where something is dragged
	words                        string // as it was written
}

func (a act) String() string { return a.words }

// What a verb needs.
const (
	noTarget = iota
	maybeTarget
	target
	word // a word or a quoted text, no element
)

var verbs = map[string]struct {
	target int
	value  bool
}{
	"click": {target: target}, "dblclick": {target: target}, "rightclick": {target: target},
	"hover": {target: target}, "drag": {target: target}, "focus": {target: target},
	"check": {target: target}, "uncheck": {target: target},
	"type": {maybeTarget, true}, "append": {maybeTarget, true}, "submit": {maybeTarget, true},
	"select": {target, true},
	"press":  {target: word}, "navigate": {target: word}, "wait": {target: word}, "tab": {target: word},
	"accept": {}, "dismiss": {}, "settle": {}, "back": {},
}

func (a *act) UnmarshalYAML(n *yaml.Node) (err error) {
	var s string
	if err := n.Decode(&s); err != nil {
		return err
	}
	*a, err = parseAct(s)
	return err
}

func parseAct(s string) (act, error) {
	a := act{words: s, nth: 1}
	toks, err := tokens(s)
	if err != nil {
		return a, fmt.Errorf("%s: %w", s, err)
	}
	fail := func(why string) (act, error) { return a, fmt.Errorf("%s: %s", s, why) }
	if len(toks) == 0 {
		return fail("no act")
	}
	a.verb = toks[0]
	need, known := verbs[a.verb]
	if !known {
		return fail("no such verb")
	}
	toks = toks[1:]
	switch {
	case need.target == word:
		if len(toks) == 0 {
			return fail("a word is missing")
		}
		a.name, toks = unquote(toks[0]), toks[1:]
	case need.target != noTarget && len(toks) > 1 && toks[0] != "=" && isQuoted(toks[1]):
		a.role, a.name, toks = toks[0], unquote(toks[1]), toks[2:]
	case need.target == target:
		return fail("a target is missing")
	}
	for len(toks) > 0 {
		switch t := toks[0]; {
		case t == "in" && a.role != "" && len(toks) > 1 && isQuoted(toks[1]):
			a.row, toks = unquote(toks[1]), toks[2:]
		case t == "=" && (need.value || a.verb == "accept") && len(toks) > 1 && isQuoted(toks[1]):
			a.value, a.hasValue, toks = unquote(toks[1]), true, toks[2:]
		case t == "onto" && a.verb == "drag" && a.onto == nil && len(toks) > 2 && isQuoted(toks[2]):
			a.onto, toks = &act{role: toks[1], name: unquote(toks[2]), nth: 1, words: s}, toks[3:]
		case strings.HasPrefix(t, "#") && a.role != "":
			if a.nth, err = strconv.Atoi(t[1:]); err != nil || a.nth < 1 {
				return fail("no number: " + t)
			}
			toks = toks[1:]
		default:
			return fail("not understood from " + t)
		}
	}
	if need.value && !a.hasValue {
		return fail("a value is missing")
	}
	if a.verb == "drag" && a.onto == nil {
		return fail("onto is missing")
	}
	return a, nil
}

func isQuoted(tok string) bool { return strings.HasPrefix(tok, `"`) }
func unquote(tok string) string {
	if s, err := strconv.Unquote(tok); isQuoted(tok) && err == nil {
		return s
	}
	return tok
}

// tokens splits at spaces; a quoted text is one token.
func tokens(s string) (toks []string, err error) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var tok string
		if isQuoted(s) {
			if tok, err = strconv.QuotedPrefix(s); err != nil {
				return nil, err
			}
		} else {
			tok, _, _ = strings.Cut(s, " ")
		}
		toks, s = append(toks, tok), s[len(tok):]
	}
	return toks, nil
}

// element is an element of the list, with the fields that are used here.
type element struct {
	Ref   string
	Index int
	Role, Name, Text, Hint, Near, Group,
	Placeholder, Tag string
	Row              int
	Covered, Overlay bool
}

// list is the answer of getElements.
type list struct {
	Elements []element
	Rows     []struct {
		Role, Text string
		Index      int
	}
	NextCursor string
}

// find returns the index of the element that an act names, or 0. Elements covered by a
// dialog are left out, and those in a dialog come first.
func (l list) find(a act) int {
	n := a.nth
	if a.role == "row" {
		for _, r := range l.Rows {
			if r.Index != 0 && strings.Contains(plain(r.Text), plain(a.name)) {
				if n--; n == 0 {
					return r.Index
				}
			}
		}
		for _, e := range l.Elements { // a row with nothing else in it
			if e.Role == "row" && !e.Covered && strings.Contains(plain(e.Name+" "+e.Text), plain(a.name)) {
				if n--; n == 0 {
					return e.Index
				}
			}
		}
		return 0
	}
	for _, above := range []bool{true, false} {
		for _, e := range l.Elements {
			if !e.Covered && e.Overlay == above && e.is(a) && (a.row == "" || l.stands(e, a.row)) {
				if n--; n == 0 {
					return e.Index
				}
			}
		}
	}
	return 0
}

func (l list) stands(e element, row string) bool {
	row = plain(row)
	if strings.Contains(plain(e.Near), row) || strings.Contains(plain(e.Group), row) {
		return true
	}
	return e.Row > 0 && e.Row <= len(l.Rows) && strings.Contains(plain(l.Rows[e.Row-1].Text), row)
}

// is holds an element against role and name: the name, what the list says in its
// stead, or what stands in an empty field, whose label may be its name.
func (e element) is(a act) bool {
	role := e.Role
	if role == "generic" || role == "" {
		role = "clickable"
	}
	if a.role != "any" && a.role != role && a.role != e.Tag {
		return false
	}
	name := plain(cmp.Or(e.Name, e.Text, e.Hint, e.Placeholder, e.Near))
	want := plain(a.name)
	if begin, cut := strings.CutSuffix(want, "…"); cut {
		return strings.HasPrefix(name, begin) || strings.HasPrefix(name, iconName.ReplaceAllString(begin, "$1"))
	}
	return name == want || want == "" && e.Name == "" || name == iconName.ReplaceAllString(want, "$1") || want != "" && plain(e.Placeholder) == want
}

// iconName is the name of an icon before a word, as a font of icons writes it into a
// button: the list may leave it out.
var iconName = regexp.MustCompile(`^[a-z]+(?:_[a-z]+)* ([A-Z])`)

// plain has single spaces.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }
