package control

import (
	"context"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
)

// hook is an action before or after a node's task. Its step number is negative and
// stays the same each time the task is resumed: the actions before the task have
// -1, -2, …, and those after it continue from there.
type hook struct {
	n   int
	act wire.PartAct
}

// remainingHooks returns the actions before and after a node's task that were not done.
// An action whose input was sent is not done again when the task is resumed. If its
// result is unknown, it stays in doubt.
func (m *Manager) remainingHooks(id string, part *wire.FlowPart) (before, after []hook, err error) {
	if part == nil || len(part.Before)+len(part.After) == 0 {
		return nil, nil, nil
	}
	events, err := m.Journal.Events(id, 0)
	if err != nil {
		return nil, nil, err
	}
	sent, old := map[int]bool{}, 0
	was := func(n int) {
		if n == 0 { // an older version gave hooks no numbers
			old--
			n = old
		}
		sent[n] = true
	}
	for _, ev := range events {
		if ev.Type == wire.EvToolResult && ev.Step != nil && (ev.Step.Error == nil || ev.Step.Error.Code != agent.CodeInterrupted) {
			was(ev.Step.N)
		}
	}
	if a, ok, err := m.Journal.Unfinished(id); err != nil {
		return nil, nil, err
	} else if ok {
		was(a.Step)
	}
	left := func(acts []wire.PartAct, first int) (out []hook) {
		for i, a := range acts {
			if n := first - i; !sent[n] {
				out = append(out, hook{n, a})
			}
		}
		return out
	}
	return left(part.Before, -1), left(part.After, -1-len(part.Before)), nil
}

// runWithHooks does a node's task with the actions before and after it, all within
// the task's time limit.
func (m *Manager) runWithHooks(ctx context.Context, id string, o agent.Options, before, after []hook, work func(agent.Options)) {
	o.Began = time.Now()
	limited, cancel := o.WithTimeLimit(ctx)
	defer cancel()
	err := agent.TakeUpHooks(o)
	if err == nil {
		err = m.runHooks(limited, o, before)
	}
	if err != nil {
		if err := o.Record.Emit(o.EndOf(limited, err)); err != nil {
			m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
		}
		return
	}
	if rec, ok := o.Record.(*record); ok && len(after) > 0 {
		o.Record = &beforeEnd{record: rec, do: func() *wire.Event {
			if err := m.runHooks(limited, o, after); err != nil {
				end := o.EndOf(limited, err)
				return &end
			}
			return nil
		}}
	}
	work(o)
}

// runHooks does actions before or after a node's task, each through the gate and into
// the journal. A pause holds them as it holds a step, and the user may take over
// during one.
func (m *Manager) runHooks(ctx context.Context, o agent.Options, hooks []hook) error {
	for i := 0; i < len(hooks); {
		again := false
		err := o.User.Turn(ctx, o.Executor, o.Lang, func(ctx context.Context) (err error) {
			h := hooks[i]
			again, err = agent.Hook(ctx, o, h.n, action.Call{Name: h.act.Action, Params: h.act.Params})
			return err
		})
		if err != nil {
			return err
		}
		if !again {
			i++
		}
	}
	return nil
}

// beforeEnd calls do when a task is complete, before that is recorded. If do fails,
// the task fails.
type beforeEnd struct {
	*record
	do func() *wire.Event // returns the event to record instead of EvComplete; nil: none
}

// Emit records an event, or the one that do returns in place of EvComplete.
func (b *beforeEnd) Emit(ev wire.Event) error {
	if ev.Type != wire.EvComplete {
		return b.record.Emit(ev)
	}
	if end := b.do(); end != nil {
		end.Usage = ev.Usage
		return b.record.Emit(*end)
	}
	return b.record.Emit(ev)
}
