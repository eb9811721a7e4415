package control

import (
	"errors"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/journal"
)

// A model's prompt holds more than its task's own pages: the answers of earlier
// tasks, the results of earlier nodes, its own past steps. Their text was read on
// other sites, and it must not get past the gate because it came this way.

// unknownSite names the source of data on a card if the task's sites are unknown.
const unknownSite = "an earlier task"

// addRecalls tells a session which texts of earlier tasks its model sees, and from
// which sites.
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

// visitedSites returns the sites that a task has visited. If they can't be found, it
// returns unknownSite.
func (m *Manager) visitedSites(task string) []string {
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
