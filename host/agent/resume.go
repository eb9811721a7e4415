package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
	"tabwright/safety"
)

// PastOf reads a task's past from its events.
func PastOf(events []wire.Event, lang string) Past {
	var p Past
	asked := ""
	for _, ev := range events {
		if ev.Usage != nil {
			p.Usage = *ev.Usage
		}
		switch ev.Type {
		case wire.EvPlan:
			p.Plan, p.UserPlan = ev.Plan, ev.Level == LevelUser
		case wire.EvToolCall:
			p.Open = ev.Step
			p.Usage.Steps = max(p.Usage.Steps, ev.Step.N)
		case wire.EvToolResult:
			p.Open = nil
			p.Steps = append(p.Steps, stepLine(*ev.Step))
		case wire.EvAsk:
			asked = ev.Text
		case wire.EvSaid:
			p.Said, p.Own = append(p.Said, strings.TrimSpace(asked+" "+ev.Text)), append(p.Own, ev.Text)
			asked = ""
		case wire.EvSteered:
			p.Said, p.Own = append(p.Said, ev.Text), append(p.Own, ev.Text)
			p.Denied = nil // as in drainMessages: the message may allow it
		case wire.EvConfirmResult:
			if ev.Confirm.Answer != "deny" {
				continue
			}
			if ev.Confirm.Class != classRepeat { // a denied repetition stays in doubt
				p.Denied = append(p.Denied, *ev.Confirm)
			}
			p.Said = append(p.Said, prompts.Notice(prompts.Denied, lang, ev.Confirm.Target))
			if ev.Text != "" {
				p.Said, p.Own = append(p.Said, ev.Text), append(p.Own, ev.Text)
			}
		default:
		}
	}
	return p
}

// restore sets up a run from its past: the history, the spending and the acts in
// doubt.
func (r *run) restore(p *Past) {
	r.hist.dropped, r.hist.said = p.Steps, p.Said
	r.plan = plan{steps: slices.Clone(p.Plan), edited: p.UserPlan}
	r.plan.markAsModels(p.Plan) // who wrote each step is no longer known
	r.hist.plan, r.hist.usersPlan = r.plan.words(), r.plan.edited
	r.proof.before = slices.Clone(p.Steps)
	r.usage = p.Usage
	if p.Usage.Cost != nil {
		r.paid, r.reported = *p.Usage.Cost, true
	} else {
		r.unpriced = llm.Usage{Input: p.Usage.InputTokens, Output: p.Usage.OutputTokens}
	}
	r.usage.StepInputTokens, r.usage.StepOutputTokens = 0, 0
	r.began = r.began.Add(-time.Duration(p.Usage.Millis) * time.Millisecond)
	if f, ok := r.Executor.(refusalKeeper); ok {
		for _, c := range p.Denied {
			at := c.URL
			if c.Site != "" { // the site of the target's frame
				at = "https://" + c.Site
			}
			f.NoteRefusal(safety.Class(c.Class), at, nameIn(c.Target))
		}
	}
	if f, ok := r.Executor.(wordKeeper); ok {
		for _, s := range p.Own {
			f.AddUserWords(s)
		}
	}
	doubts := p.Doubts
	r.unsettled = p.Unfinished
	if n := len(doubts) - 1; r.unsettled == nil && n >= 0 && doubts[n].Step == p.Usage.Steps {
		// The browser was lost at the newest step, and its outcome was not checked.
		r.unsettled, r.unsettledTold = &doubts[n], true
		doubts = doubts[:n]
	}
	for _, a := range doubts {
		r.User.addUncertainAct(a, r.Lang)
	}
}

// takeUp begins a run. If it resumes a task, it closes a step that was not sent and
// tells the model; it also tells it which hooks are in doubt.
func (r *run) takeUp() error {
	p := r.Past
	if p != nil {
		r.notices = append(r.notices, prompts.Notice(prompts.TakenUpModel, r.Lang))
	}
	r.notices = append(r.notices, r.User.uncertainHooks(r.Lang)...)
	if p == nil || p.Open == nil || p.Unfinished != nil && p.Unfinished.Step == p.Open.N {
		return nil
	}
	step := *p.Open
	step.Outcome = outcomeError
	step.Error = &wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.NotBegun, r.Lang)}
	return r.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &step})
}

// settle finds out the outcome of the act that was started and not finished: from the
// page if that shows it, otherwise from the model, which gets the new lines of the page.
// If neither knows, the act stays in doubt, and it is not repeated without the user's
// confirmation.
func (r *run) settle(ctx context.Context) error {
	if r.unsettled == nil {
		return nil
	}
	a := *r.unsettled
	step := r.openStep(a)
	told := stepWords(a)
	if harmless(a) {
		r.unsettled, r.unsettledTold = nil, false
		r.notices = append(r.notices, prompts.Notice(prompts.Unknown, r.Lang, told))
		step.Outcome = outcomeError
		step.Error = &wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.Unknown, r.Lang, told)}
		return r.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &step})
	}
	done, evidence, err := r.inferOutcome(ctx, a)
	if err != nil {
		return err
	}
	known := r.unsettledTold
	r.unsettled, r.unsettledTold = nil, false
	if done {
		step.Outcome, step.Effect = outcomeOK, evidence
		r.notices = append(r.notices, prompts.Notice(prompts.WasDone, r.Lang, told, quotedLine(evidence)))
		r.hist.dropped = append(r.hist.dropped, stepLine(step))
		return r.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &step})
	}
	step.Outcome = outcomeUnknown
	r.User.addUncertainAct(a, r.Lang)
	r.notices = append(r.notices, prompts.Notice(prompts.Unknown, r.Lang, told))
	if known {
		return nil
	}
	return r.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &step})
}

// openStep returns the step of an act for the record of its result.
func (r *run) openStep(a journal.Act) wire.StepInfo {
	if r.Past != nil && r.Past.Open != nil && r.Past.Open.N == a.Step {
		s := *r.Past.Open
		s.Target, s.Site = a.Target, a.Site
		return s
	}
	return wire.StepInfo{N: a.Step, Action: a.Action, Params: paramsToKeep(a.Params, true), Line: stepWords(a), Target: a.Target, Site: a.Site}
}
