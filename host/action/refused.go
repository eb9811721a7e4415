package action

import (
	"slices"
	"strings"

	"tabwright/safety"
)

// Refused tells a session what the person said no to before it began, in the
// same task: it is not asked again.
func (s *Session) Refused(class safety.Class, pageURL, name string) {
	den := denial{class: class, site: hostOf(pageURL), name: strings.Join(strings.Fields(strings.ToLower(name)), " ")}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.denials, den) {
		s.denials = append(s.denials, den)
	}
}
