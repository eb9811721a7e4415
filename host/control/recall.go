package control

import (
	"errors"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/journal"
)

// A model is told of more than its task's own pages: the answers of earlier
// tasks, the results of the nodes before, its own past. What stands in them was
// read on sites, and may not reach others unasked because it came this way.

// unknownSite stands on the card for data of a task that nothing is known of.
const unknownSite = "an earlier task"

// addRecalls tells a session what its model is told of earlier tasks.
func (j job) addRecalls(s *action.Session) {
	for _, e := range j.before {
		s.AddUserWords(e.Asked)
		s.Recalls(e.Sites, e.Answered)
	}
	if j.past == nil {
		return
	}
	past := slices.Clone(j.past.Steps)
	for _, step := range j.past.Plan {
		past = append(past, step.Text)
	}
	s.Recalls(j.pastSites, strings.Join(append(past, j.past.Said...), "\n"))
}

// readOnBy gives the sites that a task has been on, by a task's id; what can't be found out is the site of an
// earlier task.
func (m *Manager) readOnBy(task string) []string {
	t, err := m.Journal.Task(task)
	if err != nil {
		if !errors.Is(err, journal.ErrNoTask) {
			m.Log.Warn().Err(err).Str("task", task).Msg("it is not known where a task has been")
		}
		return []string{unknownSite}
	}
	sites, err := m.History().Sites(t)
	if err != nil {
		return []string{unknownSite}
	}
	return sites
}
