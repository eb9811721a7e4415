package agent

import (
	"context"
	"slices"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// Hook does an action that stands before or after a task, as a step of it. Its
// number n is below zero and its own, so that its result, its act and the doubt
// about that are told from those of other steps when the task is taken up. ctx is
// that of a turn. again: its input was not sent before the user took over, and
// it is to be done when they are through. One that was sent and cut short is not
// done again, and nothing like it before the user has said yes.
func Hook(ctx context.Context, o Options, n int, call action.Call) (again bool, err error) {
	o.User.begin(n, "", nil)
	step := wire.StepInfo{N: n, Action: call.Name, Params: paramsToKeep(call.Params, true)}
	step.Line, step.In = StepBefore(call, o.Lang)
	if err := o.Record.Emit(wire.Event{Type: wire.EvToolCall, Step: &step}); err != nil {
		return false, err
	}
	began := time.Now()
	res := o.do(ctx, call, "")
	step.Params = paramsToKeep(call.Params, res.Secret || res.Err != nil)
	done := finish(step, res, time.Since(began))
	cut := res.Err != nil && (TookOver(ctx) || cutShort(ctx))
	if cut {
		done = stepCut(done, res.Sent, o.Lang)
	}
	if a := o.User.startedAct(); a != nil && done.Outcome == outcomeUnknown {
		o.User.addUncertainHook(*a, o.Lang)
	}
	if err := o.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &done}); err != nil {
		return false, err
	}
	if done.Outcome != outcomeUnknown {
		if err := o.Record.ActFinished(); err != nil {
			return false, err
		}
	}
	if res.Err != nil && !TookOver(ctx) {
		return false, res.Err
	}
	return cut && !res.Sent, nil
}

// stepCut is a step that was cut short: one whose input was sent has an unknown
// outcome, any other was not begun.
func stepCut(s wire.StepInfo, sent bool, lang string) wire.StepInfo {
	if sent {
		s.Outcome, s.Error = outcomeUnknown, nil
		return s
	}
	s.Outcome = outcomeError
	s.Error = &wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.NotBegun, lang)}
	return s
}

// TakeUpHooks takes what hooks left out of a task's past, before any is done: one
// that was interrupted is closed, and what is in doubt goes to the user's channel. Nobody
// looked at the page right before a hook, so the page can't tell what came of it.
func TakeUpHooks(o Options) error {
	p := o.Past
	if p == nil {
		return nil
	}
	p.Doubts = slices.DeleteFunc(slices.Clone(p.Doubts), func(a journal.Act) bool {
		if a.Step < 1 {
			o.User.addUncertainHook(a, o.Lang)
		}
		return a.Step < 1 // 0 was every hook's in the version before
	})
	if p.Open == nil || p.Open.N > 0 {
		return nil
	}
	step, a := *p.Open, p.Unfinished
	sent := a != nil && a.Step == step.N
	if sent {
		step.Target, step.Site = a.Target, a.Site
		o.User.addUncertainHook(*a, o.Lang)
		p.Unfinished = nil
	}
	step = stepCut(step, sent, o.Lang)
	p.Open, p.Steps = nil, append(slices.Clone(p.Steps), stepLine(step))
	return o.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &step})
}

// addUncertainHook is doubt of a hook's act, unless that may be done again whatever came
// of it.
func (d *UserChannel) addUncertainHook(a journal.Act, lang string) {
	if !harmless(a) {
		d.addUncertainAct(a, lang)
	}
}

// uncertainHooks are notices of the hooks of which nobody knows what came.
func (d *UserChannel) uncertainHooks(lang string) (out []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.doubts {
		if x.act.Step < 1 {
			out = append(out, prompts.Notice(prompts.Unknown, lang, stepWords(x.act)))
		}
	}
	return out
}
