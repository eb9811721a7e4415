package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/flow"
	"tabwright/host/native"
	"tabwright/prompts"
)

// extras is what a task has beside its words, kept in its folder so that a
// task that is taken up again has it still.
type extras struct {
	Schema json.RawMessage    `json:"schema,omitempty"`
	URLs   []string           `json:"urls,omitempty"`
	Part   *native.FlowPart   `json:"part,omitempty"`
	Replay *native.ReplayPart `json:"replay,omitempty"`
}

func (x extras) empty() bool {
	return len(x.Schema) == 0 && len(x.URLs) == 0 && x.Part == nil && x.Replay == nil
}

func extrasIn(p native.TaskStartParams) extras {
	return extras{Schema: p.Schema, URLs: p.URLs, Part: p.Part, Replay: p.Replay}
}

// keepExtras puts what a task has beside its words into its folder.
func (m *Manager) keepExtras(id string, p native.TaskStartParams) error {
	x, dir := extrasIn(p), m.taskDir(id)
	if dir == "" || x.empty() {
		return nil
	}
	raw, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return flow.WriteWhole(filepath.Join(dir, ".trace", "extras.json"), raw)
}

// extrasOf gives what a task was started with, or what its folder says of it.
func (m *Manager) extrasOf(id string, p native.TaskStartParams) (extras, error) {
	x, dir := extrasIn(p), m.taskDir(id)
	if dir == "" || !x.empty() {
		return x, nil
	}
	raw, err := os.ReadFile(filepath.Join(dir, ".trace", "extras.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err != nil {
		return x, err
	}
	err = json.Unmarshal(raw, &x)
	return x, err
}

// dressed adds to a task's loop what it has beside its words: the trail of what
// the model saw and said, the schema of its result, its place in a workflow.
// run does the task with it.
func (m *Manager) dressed(id string, p native.TaskStartParams, s *action.Session, set TaskSettings, o agent.Options) (run func(ctx context.Context), err error) {
	x, err := m.extrasOf(id, p)
	if err != nil {
		return nil, fmt.Errorf("keep what the task was asked: %w", err)
	}
	dir := m.taskDir(id)
	hands := &flow.Hands{Session: s}
	if !set.Forget {
		hands.Trail = flow.OpenTrail(dir)
	}
	var briefs []string
	if len(x.Schema) > 0 {
		if hands.Result, err = flow.NewStructured(x.Schema, dir); err != nil {
			return nil, err
		}
		briefs = append(briefs, hands.Result.Brief(o.Lang, x.URLs))
	}
	if x.Part != nil {
		briefs = append(briefs, x.Part.Brief)
		for _, task := range x.Part.From {
			s.Recalls(m.readOnBy(task), x.Part.Brief)
		}
	}
	if len(briefs) > 0 {
		o.Text += "\n\n" + strings.Join(briefs, "\n\n")
	}
	o.Hands, o.Model = hands, flow.WatchModel(o.Model, hands.Trail)
	before, after, err := m.hooksLeft(id, x.Part)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		defer func() {
			if err := hands.Trail.Close(); err != nil {
				m.Log.Warn().Err(err).Str("task", id).Msg("the trail of the task is not complete")
			}
		}()
		if x.Part != nil {
			if err := m.hooks(ctx, o, before); err != nil {
				m.hookFailed(id, o, hookEnd(ctx, err, o.Lang))
				return
			}
			if rec, ok := o.Record.(*record); ok && len(after) > 0 {
				o.Record = &beforeEnd{record: rec, do: func() *native.Event {
					if err := m.hooks(ctx, o, after); err != nil {
						ev := hookEnd(ctx, err, o.Lang)
						return &ev
					}
					return nil
				}}
			}
		}
		do := agent.Run
		if x.Replay != nil {
			do = m.replay(id, *x.Replay, s)
		}
		m.work(ctx, id, o, do)
	}, nil
}

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
	sent := 0
	for _, ev := range events {
		unsent := ev.Step != nil && ev.Step.Error != nil && ev.Step.Error.Code == agent.CodeInterrupted
		if ev.Type == native.EvToolResult && ev.Step != nil && ev.Step.N == 0 && !unsent {
			sent++
		}
	}
	if a, ok, err := m.Journal.Unfinished(id); err != nil {
		return nil, nil, err
	} else if ok && a.Step == 0 {
		sent++
	}
	n := min(sent, len(part.Before))
	return part.Before[n:], part.After[min(sent-n, len(part.After)):], nil
}

// hooks does the actions of a node that stand before or after its task, each
// through the gate and into the journal. A pause holds them as it holds a step.
func (m *Manager) hooks(ctx context.Context, o agent.Options, acts []native.PartAct) error {
	for _, a := range acts {
		if err := o.Desk.WaitUnpaused(ctx, prompts.Notice(prompts.Paused, o.Lang)); err != nil {
			return err
		}
		call := action.Call{Name: a.Action, Params: a.Params}
		step := native.StepInfo{Action: a.Action, Params: a.Params}
		step.Line, step.In = agent.StepBefore(call, o.Lang)
		if err := o.Record.Emit(native.Event{Type: native.EvToolCall, Step: &step}); err != nil {
			return err
		}
		began := time.Now()
		res := o.Hands.Do(ctx, call)
		done := agent.StepDone(step, res, time.Since(began))
		if err := o.Record.Emit(native.Event{Type: native.EvToolResult, Step: &done}); err != nil {
			return err
		}
		if done.Outcome != "unknown" {
			if err := o.Record.ActFinished(); err != nil {
				return err
			}
		}
		if res.Err != nil {
			return res.Err
		}
	}
	return nil
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
