package action

import (
	"strings"

	"tabwright/safety"
)

// Refused tells a session what the person said no to before it began, in the
// same task: it is not asked again.
func (s *Session) Refused(class safety.Class, pageURL, name string) {
	s.remember(safety.Deed{Class: class, Site: hostOf(pageURL), Name: strings.Join(strings.Fields(strings.ToLower(name)), " ")}, false)
}
