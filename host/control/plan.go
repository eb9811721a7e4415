package control

import (
	"fmt"
	"slices"
	"strings"

	"tabwright/host/native/wire"
)

// Limits of a plan that a user edits.
const (
	mostPlanSteps = 30
	longestStep   = 300 // characters
)

// EditPlan replaces the plan of a running task by the user's. An empty one removes
// the plan.
func (m *Manager) EditPlan(task string, steps []wire.PlanStep) error {
	steps, err := cleanPlan(steps)
	if err != nil {
		return err
	}
	l, err := m.runningTask(task)
	if err != nil {
		return err
	}
	return l.desk.EditPlan(steps)
}

// cleanPlan checks a plan's length and states and leaves out steps without text.
func cleanPlan(steps []wire.PlanStep) ([]wire.PlanStep, error) {
	bad := func(format string, args ...any) error {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
	}
	out := make([]wire.PlanStep, 0, len(steps))
	for _, s := range steps {
		s.Text = strings.Join(strings.Fields(s.Text), " ")
		switch {
		case s.Text == "":
			continue
		case len([]rune(s.Text)) > longestStep:
			return nil, bad("A step of a plan has at most %d characters.", longestStep)
		case s.State == "":
			s.State = wire.PlanTodo
		case !slices.Contains([]string{wire.PlanTodo, wire.PlanDoing, wire.PlanDone, wire.PlanDropped}, s.State):
			return nil, bad("A step of a plan has no state %q.", s.State)
		}
		out = append(out, s)
	}
	if len(out) > mostPlanSteps {
		return nil, bad("A plan has at most %d steps.", mostPlanSteps)
	}
	return out, nil
}
