package spec

import (
	"slices"
	"strings"
	"unicode"

	"tabwright/safety"
)

// What a door tells its clients of an action, beside the doc. It is what may happen at
// most; what does is judged by the gate in each call.

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

// handsOver are actions that change nothing themselves and yet are no mere look: they
// give the tab to the user, or run a script of the caller's.
var handsOver = []string{"requestLogin", "waitFor"}

// ReadOnly is true of what only looks.
func (s Spec) ReadOnly() bool { return !s.MayChange && !slices.Contains(handsOver, s.Name) }

// Destructive is true of what may change or remove something that is there, on this
// computer or a server.
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

// Idempotent is true of an action that changes nothing more when it is repeated.
func (s Spec) Idempotent() bool { return slices.Contains(idempotent, s.Name) || s.ReadOnly() }

// Local is true of what no site hears of.
func (s Spec) Local() bool { return s.Name == "exportFile" || s.Name == "wait" }
