package agent

import (
	"encoding/json"
	"slices"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// LevelUser marks the event of a plan that the user edited.
const LevelUser = "person"

// planCall is the action that gives the plan; a model with one function for all
// actions gives the same beside an action, as the fields plan and done_steps.
const planCall = "plan"

// planOf gives what the calls of a reply say of the plan, and the calls without
// its fields: a model that is reminded of them repeats them. Calls of plan come
// first: the others then stand beside each other as they are done.
func planOf(calls []llm.Call) (u planUpdate, rest []llm.Call) {
	var acts []llm.Call
	for _, c := range calls {
		var args, params map[string]json.RawMessage
		switch {
		case json.Unmarshal(c.Args, &args) != nil:
		case c.Name == planCall:
			u.take(args, "steps")
			rest = append(rest, c)
			continue
		case c.Name == action.FunctionName:
			found := u.take(args, "plan")
			if json.Unmarshal(args["params"], &params) == nil && u.take(params, "plan") { // it belongs beside them
				args["params"], found = raw(params), true
			}
			if found {
				c.Args = raw(args)
			}
		}
		acts = append(acts, c)
	}
	return u, append(rest, acts...)
}

// take takes the fields of a plan out of an object that has them.
func (u *planUpdate) take(obj map[string]json.RawMessage, steps string) (found bool) {
	for name, to := range map[string]any{steps: &u.Steps, "done_steps": &u.Done} {
		if v, ok := obj[name]; ok {
			_ = json.Unmarshal(v, to) // what is no list says nothing of the plan
			delete(obj, name)
			found = true
		}
	}
	return found
}

func raw(obj map[string]json.RawMessage) json.RawMessage {
	b, err := json.Marshal(obj)
	if err != nil {
		return nil // not of what was JSON
	}
	return b
}

// notePlan takes in what a reply says of the plan, and gives the reply's calls
// without that.
func (r *run) notePlan(calls []llm.Call) ([]llm.Call, error) {
	u, rest := planOf(calls)
	changed, refused := r.plan.update(u)
	if refused {
		r.notices = append(r.notices, prompts.Notice(prompts.PlanHeld, r.Lang, r.plan.words()))
	}
	if changed {
		return rest, r.showPlan()
	}
	return rest, nil
}

// onlyPlanned answers a reply that gives a plan and no action; again and again, it
// ends the task.
func (r *run) onlyPlanned(obs action.Observation, calls []llm.Call) error {
	if r.silent++; r.silent >= maxSilent {
		return &wire.Error{Code: CodeNotDone, Message: prompts.Notice(prompts.OnlyWords, r.Lang, r.plan.words()), Hint: prompts.Notice(prompts.OtherModel, r.Lang)}
	}
	t := turn{seen: seenLine(obs), reply: llm.Message{Role: llm.RoleAssistant, Calls: calls}}
	for _, c := range calls {
		t.answers = append(t.answers, llm.ToolResult(c, prompts.Notice(prompts.PlanNoted, r.Lang)))
	}
	r.hist.turns = append(r.hist.turns, t)
	return nil
}

// showPlan records the plan as it stands now.
func (r *run) showPlan() error {
	r.hist.plan, r.hist.usersPlan = r.plan.words(), r.plan.persons
	ev := wire.Event{Type: wire.EvPlan, Plan: slices.Clone(r.plan.steps), Text: r.plan.text()}
	if r.plan.persons {
		ev.Level = LevelUser
	}
	return r.Record.Emit(ev)
}

// heedPlan takes in the plan that the user has edited meanwhile.
func (r *run) heedPlan() error {
	steps, ok := r.User.takePlan()
	if !ok {
		return nil
	}
	if f, ok := r.Executor.(wordKeeper); ok {
		for _, s := range steps { // what they wrote themselves are words of theirs
			if !r.plan.wrote(s.Text) {
				f.AddUserWords(s.Text)
			}
		}
	}
	r.plan.edit(steps)
	if r.plan.persons {
		r.notices = append(r.notices, prompts.Notice(prompts.PlanEdited, r.Lang, r.plan.words()))
	}
	return r.showPlan()
}

// planNotice is where the plan stands. A small model is not told: it need not tick
// its plan off, and would do again what it did.
func (r *run) planNotice() []string {
	n, text, of, _ := r.plan.progress()
	if n == 0 || r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall {
		return nil
	}
	return []string{prompts.Notice(prompts.PlanNow, r.Lang, n, of, text)}
}

// EditPlan puts the user's plan in the place of the task's. It is shown at
// once and reaches the model with its next request; an empty one takes the plan
// away.
func (d *UserChannel) EditPlan(steps []wire.PlanStep) error {
	var p plan
	p.edit(steps)
	d.mu.Lock()
	d.plan, d.edited = p.steps, true
	d.wake()
	d.mu.Unlock()
	return d.rec.Emit(wire.Event{Type: wire.EvPlan, Level: LevelUser, Plan: slices.Clone(p.steps), Text: p.text()})
}

// takePlan gives the plan that the user edited since the last call.
func (d *UserChannel) takePlan() (steps []wire.PlanStep, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	steps, ok = d.plan, d.edited
	d.plan, d.edited = nil, false
	return steps, ok
}
