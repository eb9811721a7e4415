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

// Hook does an action before or after a task as a step of the task. Its step number n
// is negative and used by no other, so that its result, act and doubt can be told from
// those of other steps when the task is resumed. ctx is the context of a turn. again is
// true if the user took over before its input was sent: the action is then to be done
// after the takeover. If its input was sent and the outcome is unknown, it is not done
// again, and similar acts need the user's confirmation.
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
		if err := o.Record.FinishAct(); err != nil {
			return false, err
		}
	}
	if res.Err != nil && !TookOver(ctx) {
		return false, res.Err
	}
	return cut && !res.Sent, nil
}

// stepCut returns an interrupted step. Its outcome is unknown if its input was sent;
// otherwise the step counts as not begun.
func stepCut(s wire.StepInfo, sent bool, lang string) wire.StepInfo {
	if sent {
		s.Outcome, s.Error = outcomeUnknown, nil
		return s
	}
	s.Outcome = outcomeError
	s.Error = &wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.NotBegun, lang)}
	return s
}

// TakeUpHooks removes hooks from a task's past before any is done. An interrupted hook
// is closed, and its doubts go to the user's channel. The page was not read right
// before a hook, so it can't show the hook's outcome.
func TakeUpHooks(o Options) error {
	p := o.Past
	if p == nil {
		return nil
	}
	p.Doubts = slices.DeleteFunc(slices.Clone(p.Doubts), func(a journal.Act) bool {
		if a.Step < 1 {
			o.User.addUncertainHook(a, o.Lang)
		}
		return a.Step < 1 // an older version gave every hook 0
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

// addUncertainHook adds a hook's act to the acts in doubt, unless it is harmless to
// repeat.
func (d *UserChannel) addUncertainHook(a journal.Act, lang string) {
	if !harmless(a) {
		d.addUncertainAct(a, lang)
	}
}

// uncertainHooks returns notices of the hooks whose outcome is unknown.
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
