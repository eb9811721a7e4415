package action

import (
	"strings"

	"tabwright/safety"
)

// NoteRefusal tells a session what the user said no to before it began, in the
// same task: it is not asked again.
func (s *Session) NoteRefusal(class safety.Class, pageURL, name string) {
	s.remember(safety.Deed{Class: class, Site: hostOf(pageURL), Name: strings.Join(strings.Fields(strings.ToLower(name)), " ")}, false)
}
