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
)

// extras is what a task has beside its words, kept in its folder so that a
// task that is taken up again has it still.
type extras struct {
	Schema json.RawMessage  `json:"schema,omitempty"`
	URLs   []string         `json:"urls,omitempty"`
	Part   *native.FlowPart `json:"part,omitempty"`
}

func (x extras) empty() bool { return len(x.Schema) == 0 && len(x.URLs) == 0 && x.Part == nil }

// extrasOf gives what a task was started with, or what its folder says of it.
func (m *Manager) extrasOf(id string, p native.TaskStartParams) (extras, error) {
	x := extras{Schema: p.Schema, URLs: p.URLs, Part: p.Part}
	dir := m.taskDir(id)
	if dir == "" {
		return x, nil
	}
	path := filepath.Join(dir, ".trace", "extras.json")
	if !x.empty() {
		raw, err := json.Marshal(x)
		if err != nil {
			return x, err
		}
		return x, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, raw, 0o600))
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err != nil {
		return x, err
	}
	return x, json.Unmarshal(raw, &x)
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
	}
	if len(briefs) > 0 {
		o.Text += "\n\n" + strings.Join(briefs, "\n\n")
	}
	o.Hands, o.Model = hands, flow.WatchModel(o.Model, hands.Trail)
	return func(ctx context.Context) {
		defer func() {
			if err := hands.Trail.Close(); err != nil {
				m.Log.Warn().Err(err).Str("task", id).Msg("the trail of the task is not complete")
			}
		}()
		if x.Part != nil {
			if err := m.hooks(ctx, o, x.Part.Before); err != nil {
				m.hookFailed(id, o, err)
				return
			}
			if rec, ok := o.Record.(*record); ok && len(x.Part.After) > 0 {
				o.Record = &beforeEnd{record: rec, do: func() error { return m.hooks(ctx, o, x.Part.After) }}
			}
		}
		m.work(ctx, id, o)
	}, nil
}

// hooks does the actions of a node that stand before or after its task, each
// through the gate and into the journal.
func (m *Manager) hooks(ctx context.Context, o agent.Options, acts []native.PartAct) error {
	for _, a := range acts {
		call := action.Call{Name: a.Action, Params: a.Params}
		step := native.StepInfo{Action: a.Action, Params: a.Params, Line: agent.StepBefore(call, o.Lang)}
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

func (m *Manager) hookFailed(id string, o agent.Options, err error) {
	e := native.AsError(err)
	var ae *action.Error
	if errors.As(err, &ae) {
		e = &native.Error{Code: native.Code(ae.Code), Message: ae.Message, Hint: ae.Hint}
	}
	if err := o.Record.Emit(native.Event{Type: native.EvFailed, Text: e.Message, Error: e}); err != nil {
		m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
	}
}

// beforeEnd does something once a task is complete and before that is recorded;
// its failure is the task's.
type beforeEnd struct {
	*record
	do func() error
}

// Emit records an event.
func (b *beforeEnd) Emit(ev native.Event) error {
	if ev.Type != native.EvComplete {
		return b.record.Emit(ev)
	}
	if err := b.do(); err != nil {
		e := native.AsError(err)
		return b.record.Emit(native.Event{Type: native.EvFailed, Text: e.Message, Error: e, Usage: ev.Usage})
	}
	return b.record.Emit(ev)
}
