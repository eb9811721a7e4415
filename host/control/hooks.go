package control

import (
	"context"
	"errors"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native"
	"tabwright/prompts"
)

// hooksLeft are the actions before and after a node's task that were not done,
// as far as anybody knows. One whose input was sent is not done again when the
// task is taken up: what came of it is looked at as with any act. Their steps
// have no number.
func (m *Manager) hooksLeft(id string, part *native.FlowPart) (before, after []native.PartAct, err error) {
	if part == nil || len(part.Before)+len(part.After) == 0 {
		return nil, nil, nil
	}
	events, err := m.Journal.Events(id, 0)
	if err != nil {
		return nil, nil, err
	}
	sent, open := 0, false
	for _, ev := range events {
		if ev.Step == nil || ev.Step.N != 0 {
			continue
		}
		open = ev.Type == native.EvToolCall
		unsent := ev.Step.Error != nil && ev.Step.Error.Code == agent.CodeInterrupted
		if ev.Type == native.EvToolResult && !unsent {
			sent++
		}
	}
	if a, ok, err := m.Journal.Unfinished(id); err != nil {
		return nil, nil, err
	} else if ok && a.Step == 0 && open { // else its result was counted
		sent++
	}
	n := min(sent, len(part.Before))
	return part.Before[n:], part.After[min(sent-n, len(part.After)):], nil
}

// hooks does the actions of a node that stand before or after its task, each
// through the gate and into the journal. A pause holds them as it holds a step,
// and the person may take over in the middle of one.
func (m *Manager) hooks(ctx context.Context, o agent.Options, acts []native.PartAct) error {
	for i := 0; i < len(acts); {
		unsent := false
		err := o.Desk.Turn(ctx, o.Hands, o.Lang, func(ctx context.Context) (err error) {
			unsent, err = hook(ctx, o, acts[i])
			return err
		})
		if err != nil {
			return err
		}
		if !unsent {
			i++
		}
	}
	return nil
}

// hook does one of them. unsent: the person took over before its input was sent,
// and it is to be done when they are through; where it was sent they see what
// came of it, and it is not done again.
func hook(ctx context.Context, o agent.Options, a native.PartAct) (unsent bool, err error) {
	call := action.Call{Name: a.Action, Params: a.Params}
	step := native.StepInfo{Action: a.Action, Params: a.Params}
	step.Line, step.In = agent.StepBefore(call, o.Lang)
	if err := o.Record.Emit(native.Event{Type: native.EvToolCall, Step: &step}); err != nil {
		return false, err
	}
	began := time.Now()
	res := o.Hands.Do(ctx, call)
	done := agent.StepDone(step, res, time.Since(began))
	cut := res.Err != nil && agent.TookOver(ctx)
	if cut {
		unsent = !res.Sent
		done = agent.StepCut(done, res, o.Lang)
	}
	if err := o.Record.Emit(native.Event{Type: native.EvToolResult, Step: &done}); err != nil {
		return false, err
	}
	if done.Outcome != "unknown" {
		if err := o.Record.ActFinished(); err != nil {
			return false, err
		}
	}
	if res.Err != nil && !cut {
		return false, res.Err
	}
	return unsent, nil
}

// hookEnd is how a task ends whose hook could not be done: it failed, unless
// the program ends, or the person stopped it.
func hookEnd(ctx context.Context, err error, lang string) native.Event {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, agent.ErrEnded):
		return agent.Says(native.Event{Type: native.EvInterrupted}, lang, prompts.BrokerEnded)
	case errors.Is(cause, agent.ErrStopped):
		return agent.Says(native.Event{Type: native.EvCancelled}, lang, prompts.Stopped)
	case errors.Is(cause, agent.TabLost(lang)):
		return native.Event{Type: native.EvInterrupted, Text: agent.TabLost(lang).Message, Error: agent.TabLost(lang)}
	}
	e := native.AsError(err)
	var ae *action.Error
	if errors.As(err, &ae) {
		e = &native.Error{Code: native.Code(ae.Code), Message: ae.Message, Hint: ae.Hint}
	}
	return native.Event{Type: native.EvFailed, Text: e.Message, Error: e}
}

func (m *Manager) hookFailed(id string, o agent.Options, end native.Event) {
	if err := o.Record.Emit(end); err != nil {
		m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
	}
}

// beforeEnd does something once a task is complete and before that is recorded;
// its failure is the task's.
type beforeEnd struct {
	*record
	do func() *native.Event // the end in the place of a complete one; nil: it was done
}

// Emit records an event.
func (b *beforeEnd) Emit(ev native.Event) error {
	if ev.Type != native.EvComplete {
		return b.record.Emit(ev)
	}
	if end := b.do(); end != nil {
		end.Usage = ev.Usage
		return b.record.Emit(*end)
	}
	return b.record.Emit(ev)
}
