package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/native"
)

// Bounds of a plan that a person edits.
const (
	mostPlanSteps = 30
	longestStep   = 300 // characters
)

// onPlanEdit takes the plan as the person wants it, from a panel and from
// nobody else: their plan holds against the model's.
func (c *conn) onPlanEdit(_ context.Context, from *native.Channel, p native.PlanEditParams) (native.Empty, error) {
	if _, err := c.panel(from); err != nil {
		return native.Empty{}, err
	}
	return native.Empty{}, c.b.Manager.EditPlan(p.Task, p.Plan)
}

// EditPlan puts the person's plan in the place of a running task's. An empty
// one takes the plan away.
func (m *Manager) EditPlan(task string, steps []native.PlanStep) error {
	steps, err := cleanPlan(steps)
	if err != nil {
		return err
	}
	l, err := m.running(task)
	if err != nil {
		return err
	}
	return l.desk.EditPlan(steps)
}

// cleanPlan refuses what is no plan: too long, or with states that there are
// not. Steps without words are left out.
func cleanPlan(steps []native.PlanStep) ([]native.PlanStep, error) {
	bad := func(format string, args ...any) error {
		return &native.Error{Code: native.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
	}
	out := make([]native.PlanStep, 0, len(steps))
	for _, s := range steps {
		s.Text = strings.Join(strings.Fields(s.Text), " ")
		switch {
		case s.Text == "":
			continue
		case len([]rune(s.Text)) > longestStep:
			return nil, bad("A step of a plan has at most %d characters.", longestStep)
		case s.State == "":
			s.State = native.PlanTodo
		case !slices.Contains([]string{native.PlanTodo, native.PlanDoing, native.PlanDone, native.PlanDropped}, s.State):
			return nil, bad("A step of a plan has no state %q.", s.State)
		}
		out = append(out, s)
	}
	if len(out) > mostPlanSteps {
		return nil, bad("A plan has at most %d steps.", mostPlanSteps)
	}
	return out, nil
}
