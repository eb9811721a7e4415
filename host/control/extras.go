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

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/flow"
	"tabwright/host/native/wire"
)

// extras is what a task has beside its words, kept in its folder so that a
// task that is taken up again has it still.
type extras struct {
	Schema json.RawMessage  `json:"schema,omitempty"`
	URLs   []string         `json:"urls,omitempty"`
	Part   *wire.FlowPart   `json:"part,omitempty"`
	Replay *wire.ReplayPart `json:"replay,omitempty"`
}

func (x extras) empty() bool {
	return len(x.Schema) == 0 && len(x.URLs) == 0 && x.Part == nil && x.Replay == nil
}

func extrasIn(p wire.TaskStartParams) extras {
	return extras{Schema: p.Schema, URLs: p.URLs, Part: p.Part, Replay: p.Replay}
}

// keepExtras puts what a task has beside its words into its folder.
func (m *Manager) keepExtras(id string, p wire.TaskStartParams) error {
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
func (m *Manager) extrasOf(id string, p wire.TaskStartParams) (extras, error) {
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

// prepareRun adds to a task's loop what it has beside its words: the trail of what
// the model saw and said, the schema of its result, its place in a workflow.
// run does the task with it.
func (m *Manager) prepareRun(id string, p wire.TaskStartParams, s *action.Session, set TaskSettings, o agent.Options) (run func(ctx context.Context), err error) {
	x, err := m.extrasOf(id, p)
	if err != nil {
		return nil, fmt.Errorf("keep what the task was asked: %w", err)
	}
	dir := m.taskDir(id)
	hands := &flow.Executor{Session: s}
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
	o.Executor, o.Model = hands, flow.WatchModel(o.Model, hands.Trail)
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
		do := agent.Run
		if x.Replay != nil {
			do = m.replay(id, *x.Replay, s)
		}
		work := func(o agent.Options) { m.work(ctx, id, o, do) }
		if x.Part == nil {
			work(o)
			return
		}
		m.runWithHooks(ctx, id, o, before, after, work)
	}, nil
}
