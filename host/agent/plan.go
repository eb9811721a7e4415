package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tabwright/host/native/wire"
)

// plan is a task's plan as it stands. The model gives it with its actions
// (planOf), and the user may edit it: then theirs holds.
type plan struct {
	steps []wire.PlanStep
	// users says that the user edited it: what the model gives afterwards may
	// add to it and tick it off, and takes nothing out of it.
	persons bool
	// models are all the steps that the model ever gave, in plain words: one that
	// comes back from the user is not the user's for that.
	models map[string]bool
}

// planUpdate is what a reply says of the plan: the steps of a new one, and the
// numbers of those that are done.
type planUpdate struct {
	Steps []string
	Done  []int
}

// wrote says that the words of a step are the model's, whatever spaces and case
// an editor gave them, and whether or not they are in the plan still.
func (p *plan) wrote(text string) bool { return p.models[plainStep(text)] }

// plainStep is the words of a step without case, spaces and punctuation.
func plainStep(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// markAsModels keeps the words of steps as the model's.
func (p *plan) markAsModels(steps []wire.PlanStep) {
	if p.models == nil {
		p.models = map[string]bool{}
	}
	for _, s := range steps {
		p.models[plainStep(s.Text)] = true
	}
}

// Bounds of a plan.
const (
	planSteps = 12  // that a model may write
	planWords = 160 // characters of each
)

// open says that a step is still to be done.
func open(s wire.PlanStep) bool { return s.State != wire.PlanDone && s.State != wire.PlanDropped }

// settle makes the first open step the one that is being done.
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

// update takes in what the model gave. changed says that the plan is another now;
// refused, that its new plan leaves out what the user wants.
func (p *plan) update(u planUpdate) (changed, refused bool) {
	before := slices.Clone(p.steps)
	newSteps := stepsOf(u.Steps)
	p.markAsModels(newSteps)
	switch {
	case len(newSteps) > 0 && p.persons && !p.keeps(newSteps):
		refused = true
	case len(newSteps) > 0:
		for i := range newSteps { // the numbers are those of the new plan
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

// itemMark is what a step begins with where a model gives a list as text.
var itemMark = regexp.MustCompile(`^(?:\d{1,2}(?:[.):]\s+|、)|[-*•]\s+)`)

// stepsOf are the steps that a model gave, a line each, without what is no step.
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

// adopt takes a plan in the place of the one before. What was done stays done
// and stays in it; what was open and is in the new one no more was dropped.
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
	for len(kept)+len(written) > planSteps { // what was dropped is told no longer, oldest first
		i := max(slices.IndexFunc(kept, func(s wire.PlanStep) bool { return s.State == wire.PlanDropped }), 0)
		if len(kept) == 0 {
			break
		}
		kept = slices.Delete(kept, i, i+1)
	}
	p.steps = append(kept, written...)
}

// keeps says that a plan still has all the open steps of the user's, in their
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

// edit puts the user's plan in place of the one before.
func (p *plan) edit(steps []wire.PlanStep) {
	p.steps, p.persons = slices.Clone(steps), len(steps) > 0
	p.settle()
}

// finish ticks off what is open: the task is done.
func (p *plan) finish() (changed bool) {
	for i := range p.steps {
		if open(p.steps[i]) {
			p.steps[i].State, changed = wire.PlanDone, true
		}
	}
	return changed
}

// sameStep compares two steps by their words.
func sameStep(a, b string) bool { return plainStep(a) == plainStep(b) }

// words is the plan as a list, for a model that is reminded of it. What was
// dropped is left out, and the numbers are those of progress.
func (p *plan) words() string {
	lines := make([]string, 0, len(p.steps))
	for _, s := range p.steps {
		if s.State != wire.PlanDropped {
			lines = append(lines, fmt.Sprintf("%d. %s", len(lines)+1, s.Text))
		}
	}
	return strings.Join(lines, "\n")
}

// keptSteps are the steps that count, in the order of their numbers.
func (p *plan) keptSteps() []int {
	var at []int
	for i, s := range p.steps {
		if s.State != wire.PlanDropped {
			at = append(at, i)
		}
	}
	return at
}

// progress is the number and the words of the step that is being done, how many
// there are, and the numbers of those that are done.
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

// text is the plan in words, for the event: each step with its mark.
func (p *plan) text() string {
	marks := map[string]string{wire.PlanDone: "[x]", wire.PlanDoing: "[>]", wire.PlanTodo: "[ ]", wire.PlanDropped: "[-]"}
	lines := make([]string, 0, len(p.steps))
	for _, s := range p.steps {
		lines = append(lines, marks[s.State]+" "+s.Text)
	}
	return strings.Join(lines, "\n")
}
