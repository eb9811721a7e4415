package spec

import (
	"slices"
	"strings"
	"unicode"

	"tabwright/safety"
)

// The hints that a door gives its clients about an action, beside the doc. They tell the
// most that may happen; the gate judges each call.

// Title is the action's name in words: "Press key".
func (s Spec) Title() string {
	var b strings.Builder
	for i, r := range s.Name {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case unicode.IsUpper(r) && !unicode.IsUpper(rune(s.Name[i-1])):
			b.WriteByte(' ')
			if i+1 == len(s.Name) || !unicode.IsUpper(rune(s.Name[i+1])) {
				r = unicode.ToLower(r)
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// handsOver are actions that change nothing themselves, but do more than look: they give
// the tab to the user, or run a script of the caller's.
var handsOver = []string{"requestLogin", "waitFor"}

// ReadOnly tells whether the action only looks.
func (s Spec) ReadOnly() bool { return !s.MayChange && !slices.Contains(handsOver, s.Name) }

// Destructive tells whether the action may change or remove something that exists, on
// this computer or a server.
func (s Spec) Destructive() bool {
	switch s.Class {
	case safety.Read, safety.Navigate:
		return false
	case safety.FileClass:
		return s.Family == "forms" // the others write new files
	}
	return true
}

// idempotent are the actions that change nothing when they are repeated.
var idempotent = []string{"check", "uncheck", "select", "focus", "hover", "mouseMove", "scrollIntoView", "navigate", "waitFor"}

// Idempotent tells whether the action changes nothing more when it is repeated.
func (s Spec) Idempotent() bool { return slices.Contains(idempotent, s.Name) || s.ReadOnly() }

// Local tells whether no site notices the action.
func (s Spec) Local() bool { return s.Name == "exportFile" || s.Name == "wait" }
