package agent

import (
	"slices"

	"tabwright/host/native"
	"tabwright/prompts"
)

// LevelPerson marks the event of a plan that the person edited.
const LevelPerson = "person"

// heardPlan takes in what a reply says of the plan and gives the reply without
// it.
func (r *run) heardPlan(text string) (rest string, err error) {
	changed, refused := r.plan.heard(text)
	if refused {
		r.notices = append(r.notices, prompts.Notice(prompts.PlanHeld, r.Lang, r.plan.words()))
	}
	if changed {
		err = r.showPlan()
	}
	_, rest = parsePlan(text)
	return rest, err
}

// showPlan records the plan as it stands now.
func (r *run) showPlan() error {
	r.hist.plan, r.hist.personsPlan = r.plan.words(), r.plan.persons
	ev := native.Event{Type: native.EvPlan, Plan: slices.Clone(r.plan.steps), Text: r.plan.told()}
	if r.plan.persons {
		ev.Level = LevelPerson
	}
	return r.Record.Emit(ev)
}

// heedPlan takes in the plan that the person has edited meanwhile.
func (r *run) heedPlan() error {
	steps, ok := r.Desk.takePlan()
	if !ok {
		return nil
	}
	if f, ok := r.Hands.(interface{ Said(text string) }); ok {
		for _, s := range steps { // what they wrote themselves are words of theirs
			if !r.plan.wrote(s.Text) {
				f.Said(s.Text)
			}
		}
	}
	r.plan.edit(steps)
	if r.plan.persons {
		r.notices = append(r.notices, prompts.Notice(prompts.PlanEdited, r.Lang, r.plan.words()))
	}
	return r.showPlan()
}

// planNotice is what the newest message says of the plan: where it stands, or
// that a task of more than a step wants one. It asks for one only once.
func (r *run) planNotice() []string {
	if n, text, of, _ := r.plan.progress(); n > 0 {
		return []string{prompts.Notice(prompts.PlanNow, r.Lang, n, of, text)}
	}
	if len(r.plan.steps) == 0 && !r.wantedPlan && r.usage.Steps >= 2 {
		r.wantedPlan = true
		return []string{prompts.Notice(prompts.PlanMissing, r.Lang)}
	}
	return nil
}

// EditPlan puts the person's plan in the place of the task's. It is shown at
// once and reaches the model with its next request; an empty one takes the plan
// away.
func (d *Desk) EditPlan(steps []native.PlanStep) error {
	var p plan
	p.edit(steps)
	d.mu.Lock()
	d.plan, d.edited = p.steps, true
	d.wake()
	d.mu.Unlock()
	return d.rec.Emit(native.Event{Type: native.EvPlan, Level: LevelPerson, Plan: slices.Clone(p.steps), Text: p.told()})
}

// takePlan gives the plan that the person edited since the last call.
func (d *Desk) takePlan() (steps []native.PlanStep, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	steps, ok = d.plan, d.edited
	d.plan, d.edited = nil, false
	return steps, ok
}
