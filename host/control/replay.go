package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/control/clientsession"
	"tabwright/host/control/models"
	"tabwright/host/flow"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// replayOf returns the parameters of a task that replays a saved recording.
func (m *Manager) replayOf(p wire.ReplayParams) (wire.TaskStartParams, error) {
	none := wire.TaskStartParams{}
	text, err := m.savedFile(p.ID)
	if err != nil {
		return none, err
	}
	rec, err := flow.ParseRecording([]byte(text))
	if err != nil {
		return none, err
	}
	values, err := rec.Resolve(p.Values)
	if err != nil {
		return none, err
	}
	return wire.TaskStartParams{
		Text: rec.GoalWith(values), URL: rec.BeginWith(values), TabID: p.TabID, Conversation: p.Conversation, Queue: true,
		Replay: &wire.ReplayPart{Saved: p.ID, File: text, Values: values},
	}, nil
}

// modelFor opens the model of a task. A replay opens it only when a step no longer
// fits, so that it can run without a model.
func (m *Manager) modelFor(ctx context.Context, p wire.TaskStartParams) (models.Model, error) {
	if p.Replay != nil {
		return models.Model{Model: &lateModel{models: m.Models, id: p.Model}}, nil
	}
	return m.Models.Open(ctx, p.Model)
}

// lateModel is a model that is opened when it is first asked.
type lateModel struct {
	models *models.Catalog
	id     string

	mu   sync.Mutex
	open agent.Model
}

func (l *lateModel) model(ctx context.Context) (agent.Model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		m, err := l.models.Open(ctx, l.id)
		if err != nil {
			return nil, err
		}
		l.open = m.Model
	}
	return l.open, nil
}

// Chat asks the model.
func (l *lateModel) Chat(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Reply, error) {
	m, err := l.model(ctx)
	if err != nil {
		return nil, err
	}
	return m.Chat(ctx, r, sink)
}

// Capabilities returns what the model can do.
func (l *lateModel) Capabilities(ctx context.Context) (llm.Capabilities, error) {
	m, err := l.model(ctx)
	if err != nil {
		return llm.Capabilities{}, err
	}
	return m.Capabilities(ctx)
}

// replayProgress is the progress of a replay, saved in the task's folder before each step:
// the next step of the recording, and how many steps the task has done.
type replayProgress struct {
	Next    int           `json:"next"`
	Step    int           `json:"step"`
	Changes []flow.Change `json:"changes,omitempty"`
}

// replay is a task that replays a recording.
type replay struct {
	m       *Manager
	id      string
	part    wire.ReplayPart
	session *action.Session
	script  *agent.Script
	lang    string
	path    string // file of the progress; empty: not saved
	at      replayProgress
	failed  error // why a step could not be tried at all
	total   int
}

// replay returns the function that runs a replay in place of the agent's loop.
func (m *Manager) replay(id string, part wire.ReplayPart, s *action.Session) func(ctx context.Context, o agent.Options) error {
	return func(ctx context.Context, o agent.Options) error {
		r := &replay{m: m, id: id, part: part, session: s, lang: o.Lang}
		if dir := m.taskDir(id); dir != "" {
			r.path = filepath.Join(dir, ".trace", "replay.json")
		}
		return agent.RunScript(ctx, o, r.run)
	}
}

func (r *replay) run(ctx context.Context, s *agent.Script) (string, error) {
	r.script = s
	rec, err := flow.ParseRecording([]byte(r.part.File))
	if err != nil {
		return "", err
	}
	r.total = len(rec.Steps)
	if err := r.findNextStep(ctx); err != nil {
		return "", err
	}
	// The user who runs the file vouches for its text.
	r.session.AddUserWords(r.part.File)
	for _, v := range r.part.Values {
		r.session.AddUserWords(v)
	}
	again := flow.Replay{
		Recording: rec, Hands: r, Values: r.part.Values, From: r.at.Next, Next: r.next, Mended: r.saveMended,
		Mend: mender{r},
	}
	if _, err := again.Run(ctx); err != nil {
		return "", r.failure(err)
	}
	mended := ""
	if n := len(r.at.Changes); n > 0 {
		mended = strconv.Itoa(n)
	}
	return prompts.Notice(prompts.ReplayDone, r.lang, r.total, mended), nil
}

// failure returns why the replay ended, with its step in the message.
func (r *replay) failure(err error) error {
	if r.failed != nil {
		return r.failed
	}
	var ne *wire.Error
	if !errors.As(err, &ne) {
		return err
	}
	e := *ne
	e.Message = strings.ReplaceAll(err.Error(), ne.Error(), ne.Message)
	return &e
}

// findNextStep finds the step at which an interrupted replay goes on. It skips a step whose
// result is recorded, or that the page shows to be done.
func (r *replay) findNextStep(ctx context.Context) error {
	raw, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) || r.path == "" {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &r.at)
	}
	if err != nil {
		return fmt.Errorf("read how far the replay was: %w", err)
	}
	events, err := r.m.Journal.Events(r.id, 0)
	if err != nil {
		return err
	}
	done := false
	for _, ev := range events {
		if ev.Type == wire.EvToolResult && ev.Step != nil && ev.Step.N > r.at.Step {
			done = ev.Step.Outcome == "ok"
		}
	}
	_, open, settled, err := r.script.Settle(ctx)
	if err != nil {
		return err
	}
	if open {
		done = settled
	}
	if done {
		r.at.Next = min(r.at.Next+1, r.total)
	}
	return nil
}

// next saves the progress before a step begins.
func (r *replay) next(done int) error {
	r.at.Next, r.at.Step = done, r.script.Steps()
	return r.keep()
}

func (r *replay) keep() error {
	if r.path == "" {
		return nil
	}
	raw, err := json.Marshal(r.at)
	if err != nil {
		return err
	}
	return flow.WriteWhole(r.path, raw)
}

// saveMended saves a change, reports it, and writes all changes into the saved file.
func (r *replay) saveMended(c flow.Change) error {
	known, err := r.file()
	if err != nil {
		return err
	}
	r.at.Changes = append(r.at.Changes, c)
	if err := r.keep(); err != nil {
		return err
	}
	now, err := r.file()
	if err != nil {
		return err
	}
	text := prompts.Notice(prompts.ReplayMended, r.lang, c.At+1, c.Why)
	kept, err := r.m.rewriteSaved(r.part.Saved, known, now)
	if kept {
		text += " " + prompts.Notice(prompts.ReplayKept, r.lang)
	}
	return errors.Join(err, r.script.Tell("info", text))
}

// file returns the recording with the changes so far.
func (r *replay) file() (string, error) {
	if len(r.at.Changes) == 0 {
		return r.part.File, nil
	}
	raw, err := flow.Rewrite([]byte(r.part.File), r.at.Changes)
	return string(raw), err
}

// mender lets the task's model correct a step, and reports that.
type mender struct{ r *replay }

// Amend asks the model.
func (m mender) Amend(ctx context.Context, q flow.Question) (flow.Amend, error) {
	model := m.r.script.Model()
	if _, err := model.Capabilities(ctx); err != nil {
		return flow.Amend{}, &wire.Error{
			Code: flow.CodeNoFit, Message: fmt.Sprintf("The step no longer fits the page: %s. There is no model that could mend it (%s).", q.Why, wire.AsError(err).Message),
			Hint: "Choose a model, or record the task again.",
		}
	}
	if err := m.r.script.Tell("info", prompts.Notice(prompts.ReplayAsks, m.r.lang, q.Number, q.Total, q.Why)); err != nil {
		return flow.Amend{}, err
	}
	return flow.ModelMender{Model: model, Lang: m.r.lang}.Amend(ctx, q)
}

// Do does an action of the recording as a step of the task. An action that only
// looks or waits is no step.
func (r *replay) Do(ctx context.Context, c action.Call) wire.SessionResult {
	do := r.script.Look
	if flow.Acts(c.Name) {
		do = r.script.Do
	}
	res, err := do(ctx, c)
	if err != nil {
		r.failed = err
		return wire.SessionResult{Action: c.Name, Error: wire.AsError(err)}
	}
	return clientsession.Wire(res, r.session.Tabs(), r.log())
}

// Observe observes the page.
func (r *replay) Observe(ctx context.Context, _ action.ObserveOptions) wire.SessionResult {
	obs, err := r.script.Observe(ctx)
	if err != nil {
		r.failed = err
		return wire.SessionResult{Action: "observe", Error: wire.AsError(err)}
	}
	return clientsession.WireLook(obs, true)
}

func (r *replay) log() zerolog.Logger { return r.m.Log.With().Str("task", r.id).Logger() }
