package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// LevelUser marks the event of a plan that the user edited.
const LevelUser = "person"

// planCall is the action that sets the plan. A model with one function for all actions
// sets it beside an action, in the fields plan and done_steps.
const planCall = "plan"

// planOf returns the plan update in a reply's calls, and the calls without its fields,
// because a model repeats those that it sees in the history. Calls of plan come first,
// so that the others stay together.
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
			if json.Unmarshal(args["params"], &params) == nil && u.take(params, "plan") { // in the wrong place: it belongs beside params
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

// take removes the plan's fields from an object and reads them.
func (u *planUpdate) take(obj map[string]json.RawMessage, steps string) (found bool) {
	for name, to := range map[string]any{steps: &u.Steps, "done_steps": &u.Done} {
		if v, ok := obj[name]; ok {
			_ = json.Unmarshal(v, to) // a value that is not a list is ignored
			delete(obj, name)
			found = true
		}
	}
	return found
}

func raw(obj map[string]json.RawMessage) json.RawMessage {
	b, err := json.Marshal(obj)
	if err != nil {
		return nil // can't happen: it was JSON
	}
	return b
}

// notePlan applies the plan update of a reply and returns the calls without it.
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

// onlyPlanned answers a reply with a plan and no action. After maxSilent such replies
// it ends the task.
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

// showPlan records the current plan.
func (r *run) showPlan() error {
	r.hist.plan, r.hist.usersPlan = r.plan.words(), r.plan.edited
	ev := wire.Event{Type: wire.EvPlan, Plan: slices.Clone(r.plan.steps), Text: r.plan.text()}
	if r.plan.edited {
		ev.Level = LevelUser
	}
	return r.Record.Emit(ev)
}

// heedPlan applies the user's edit of the plan, if there is one.
func (r *run) heedPlan() error {
	steps, ok := r.User.takePlan()
	if !ok {
		return nil
	}
	if f, ok := r.Executor.(wordKeeper); ok {
		for _, s := range steps { // steps that the user wrote count as the user's words
			if !r.plan.wrote(s.Text) {
				f.AddUserWords(s.Text)
			}
		}
	}
	r.plan.edit(steps)
	if r.plan.edited {
		r.notices = append(r.notices, prompts.Notice(prompts.PlanEdited, r.Lang, r.plan.words()))
	}
	return r.showPlan()
}

// planNotice returns the notice of the current step. Small models get none: they need
// not tick off steps, and would repeat what they did.
func (r *run) planNotice() []string {
	n, text, of, _ := r.plan.progress()
	if n == 0 || r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall {
		return nil
	}
	name := prompts.PlanNow
	if n == of {
		name = prompts.PlanLast
	}
	return []string{prompts.Notice(name, r.Lang, n, of, strings.TrimRight(text, ".。"))}
}

// EditPlan replaces the task's plan by the user's. The plan is shown at once and reaches
// the model with its next request. An empty one removes the plan.
func (d *UserChannel) EditPlan(steps []wire.PlanStep) error {
	var p plan
	p.edit(steps)
	d.mu.Lock()
	d.plan, d.edited = p.steps, true
	d.wake()
	d.mu.Unlock()
	return d.rec.Emit(wire.Event{Type: wire.EvPlan, Level: LevelUser, Plan: slices.Clone(p.steps), Text: p.text()})
}

// takePlan returns the user's edit of the plan since the last call.
func (d *UserChannel) takePlan() (steps []wire.PlanStep, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	steps, ok = d.plan, d.edited
	d.plan, d.edited = nil, false
	return steps, ok
}
