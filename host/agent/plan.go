package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tabwright/host/native/wire"
)

// plan is the current plan of a task. The model writes it with its actions (planOf).
// The user may edit it, and then their steps take precedence.
type plan struct {
	steps []wire.PlanStep
	// edited is set once the user has edited the plan: after that the model may add
	// steps and tick them off, but remove none.
	edited bool
	// models are the texts of all steps that the model ever wrote, as plainStep. If one
	// comes back in an edit, it does not count as the user's words.
	models map[string]bool
}

// planUpdate is the part of a reply about the plan: the steps of a new plan, and the
// numbers of the done steps.
type planUpdate struct {
	Steps []string
	Done  []int
}

// wrote reports whether the model ever wrote a step of this text, ignoring spaces and
// case.
func (p *plan) wrote(text string) bool { return p.models[plainStep(text)] }

// plainStep returns the text of a step without case, spaces and punctuation.
func plainStep(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// markAsModels notes that the model wrote these steps.
func (p *plan) markAsModels(steps []wire.PlanStep) {
	if p.models == nil {
		p.models = map[string]bool{}
	}
	for _, s := range steps {
		p.models[plainStep(s.Text)] = true
	}
}

// Limits of a plan that a model writes.
const (
	planSteps = 12  // steps
	planWords = 160 // characters of a step
)

// open reports whether a step is still to be done.
func open(s wire.PlanStep) bool { return s.State != wire.PlanDone && s.State != wire.PlanDropped }

// settle marks the first open step as the current one.
func (p *plan) settle() {
	first := true
	for i := range p.steps {
		if !open(p.steps[i]) {
			continue
		}
		p.steps[i].State = wire.PlanTodo
		if first {
			p.steps[i].State = wire.PlanDoing
		}
		first = false
	}
}

// update applies the model's update. changed reports whether the plan has changed.
// refused reports that a new plan was refused because it lacks steps of the user's.
func (p *plan) update(u planUpdate) (changed, refused bool) {
	before := slices.Clone(p.steps)
	newSteps := stepsOf(u.Steps)
	p.markAsModels(newSteps)
	switch {
	case len(newSteps) > 0 && p.edited && !p.keeps(newSteps):
		refused = true
	case len(newSteps) > 0:
		for i := range newSteps { // done numbers refer to the new plan
			if slices.Contains(u.Done, i+1) {
				newSteps[i].State = wire.PlanDone
			}
		}
		p.adopt(newSteps)
	default:
		for i, k := range p.keptSteps() {
			if slices.Contains(u.Done, i+1) {
				p.steps[k].State = wire.PlanDone
			}
		}
	}
	p.settle()
	return !slices.Equal(before, p.steps), refused
}

// itemMark matches the list mark before a step.
var itemMark = regexp.MustCompile(`^(?:\d{1,2}(?:[.):]\s+|、)|[-*•]\s+)`)

// stepsOf returns the model's steps, one for each line of texts that is not empty.
func stepsOf(texts []string) []wire.PlanStep {
	var out []wire.PlanStep
	for line := range strings.SplitSeq(strings.Join(texts, "\n"), "\n") {
		text := cut(strings.Join(strings.Fields(itemMark.ReplaceAllString(strings.TrimSpace(line), "")), " "), planWords)
		if text != "" && len(out) < planSteps {
			out = append(out, wire.PlanStep{Text: text, State: wire.PlanTodo})
		}
	}
	return out
}

// adopt replaces the plan. Done steps stay in it as done. Open steps that the new plan
// lacks are kept as dropped.
func (p *plan) adopt(written []wire.PlanStep) {
	var kept []wire.PlanStep
	for _, old := range p.steps {
		i := slices.IndexFunc(written, func(s wire.PlanStep) bool { return sameStep(s.Text, old.Text) })
		switch {
		case i >= 0 && old.State == wire.PlanDone:
			written[i].State = wire.PlanDone
		case i >= 0:
		case i < 0 && open(old):
			old.State = wire.PlanDropped
			kept = append(kept, old)
		case i < 0:
			kept = append(kept, old)
		}
	}
	for len(kept)+len(written) > planSteps { // remove the oldest dropped steps first
		i := max(slices.IndexFunc(kept, func(s wire.PlanStep) bool { return s.State == wire.PlanDropped }), 0)
		if len(kept) == 0 {
			break
		}
		kept = slices.Delete(kept, i, i+1)
	}
	p.steps = append(kept, written...)
}

// keeps reports whether a new plan has all open steps of the current one, in their
// order.
func (p *plan) keeps(written []wire.PlanStep) bool {
	at := 0
	for _, s := range p.steps {
		if !open(s) {
			continue
		}
		i := slices.IndexFunc(written[at:], func(w wire.PlanStep) bool { return sameStep(w.Text, s.Text) })
		if i < 0 {
			return false
		}
		at += i + 1
	}
	return true
}

// edit replaces the plan by the user's.
func (p *plan) edit(steps []wire.PlanStep) {
	p.steps, p.edited = slices.Clone(steps), len(steps) > 0
	p.settle()
}

// finish ticks off all open steps when the task is done.
func (p *plan) finish() (changed bool) {
	for i := range p.steps {
		if open(p.steps[i]) {
			p.steps[i].State, changed = wire.PlanDone, true
		}
	}
	return changed
}

// sameStep reports whether two steps have the same text, as plainStep.
func sameStep(a, b string) bool { return plainStep(a) == plainStep(b) }

// words returns the plan as a numbered list for the model, without dropped steps. The
// numbers are the same as in progress.
func (p *plan) words() string {
	lines := make([]string, 0, len(p.steps))
	for _, s := range p.steps {
		if s.State != wire.PlanDropped {
			lines = append(lines, fmt.Sprintf("%d. %s", len(lines)+1, s.Text))
		}
	}
	return strings.Join(lines, "\n")
}

// keptSteps returns the indices of the steps that were not dropped.
func (p *plan) keptSteps() []int {
	var at []int
	for i, s := range p.steps {
		if s.State != wire.PlanDropped {
			at = append(at, i)
		}
	}
	return at
}

// progress returns the number and the text of the current step, the number of steps,
// and the numbers of the done ones.
func (p *plan) progress() (n int, text string, of int, done []string) {
	at := p.keptSteps()
	for i, k := range at {
		switch {
		case p.steps[k].State == wire.PlanDone:
			done = append(done, fmt.Sprint(i+1))
		case n == 0:
			n, text = i+1, p.steps[k].Text
		}
	}
	return n, text, len(at), done
}

// text returns the plan for the event: each step with the mark of its state.
func (p *plan) text() string {
	marks := map[string]string{wire.PlanDone: "[x]", wire.PlanDoing: "[>]", wire.PlanTodo: "[ ]", wire.PlanDropped: "[-]"}
	lines := make([]string, 0, len(p.steps))
	for _, s := range p.steps {
		lines = append(lines, marks[s.State]+" "+s.Text)
	}
	return strings.Join(lines, "\n")
}
