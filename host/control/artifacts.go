package control

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handleArtifacts sets the methods for what a task leaves behind: its trace, its
// structured result, a recording of it.
func (c *conn) handleArtifacts() {
	m := c.b.Manager
	on(c, wire.MethodTaskTrace, func(_ context.Context, _ *rpc.Channel, p wire.TraceParams) (wire.Exported, error) {
		return m.Trace(p.Task, p.Format)
	})
	on(c, wire.MethodTaskResult, func(_ context.Context, _ *rpc.Channel, p wire.TaskParams) (wire.TaskResult, error) {
		return m.Result(p.Task)
	})
}

var errNoTask = &wire.Error{Code: wire.CodeNoTask, Message: "There is no such task.", Hint: "It may have been deleted; the side panel lists those that are kept."}

// taskByID gives a task of the journal; its error is no_task.
func (m *Manager) taskByID(task string) (journal.Task, error) {
	t, err := m.Journal.Task(task)
	if errors.Is(err, journal.ErrNoTask) {
		err = errNoTask
	}
	return t, err
}

// Trace gives a task's trace as a file: html or json.
func (m *Manager) Trace(task, format string) (wire.Exported, error) {
	t, err := m.taskByID(task)
	if err != nil {
		return wire.Exported{}, err
	}
	events, err := m.Journal.Events(task, 0)
	if err != nil {
		return wire.Exported{}, err
	}
	marks, err := flow.ReadTrail(m.taskDir(task))
	if err != nil {
		return wire.Exported{}, err
	}
	trace := flow.NewTrace(t.TaskInfo, events, marks, func(step int) (wire.Picture, bool) { return m.traceThumb(task, step) })
	out := wire.Exported{Name: "trace-" + task + "." + format}
	switch format {
	case "html":
		out.MIME = "text/html"
		out.Text, err = trace.HTML()
	case "json":
		out.MIME = "application/json"
		out.Text, err = trace.JSON()
	default:
		err = &wire.Error{Code: wire.CodeInvalidParams, Message: "A trace is html or json.", Hint: "Give one of them as format."}
	}
	return out, err
}

// traceThumb gives the picture of a step; none is no fault.
func (m *Manager) traceThumb(task string, step int) (wire.Picture, bool) {
	dir := m.taskDir(task)
	if dir == "" {
		return wire.Picture{}, false
	}
	raw, err := os.ReadFile(thumbPath(dir, step))
	if err != nil {
		return wire.Picture{}, false
	}
	return wire.Picture{MIME: "image/jpeg", Data: base64.StdEncoding.EncodeToString(raw)}, true
}

// Result gives the structured result of a task.
func (m *Manager) Result(task string) (wire.TaskResult, error) {
	if _, err := m.taskByID(task); err != nil {
		return wire.TaskResult{}, err
	}
	r, ok, err := flow.ReadResult(m.taskDir(task))
	if err == nil && !ok {
		err = &wire.Error{
			Code: wire.CodeNoTask, Message: "This task has no structured result.", Hint: "Start it with a schema: tabwright run --schema.",
		}
	}
	return r, err
}

// Recording gives a task that has ended as a recording, marked so where it was not
// done.
func (m *Manager) Recording(task string) (wire.Exported, error) {
	t, err := m.taskByID(task)
	if err != nil {
		return wire.Exported{}, err
	}
	if !journal.Ended(t.State) {
		return wire.Exported{}, &wire.Error{
			Code: wire.CodeInvalidParams, Message: "Only a task that has ended can be recorded; this one is " + string(t.State) + ".",
		}
	}
	marks, err := flow.ReadTrail(m.taskDir(task))
	if err != nil {
		return wire.Exported{}, err
	}
	rec, left, err := flow.Record(t.Text, t.URL, marks)
	if err != nil {
		return wire.Exported{}, err
	}
	if t.State != wire.TaskDone {
		if rec.Unfinished, err = m.outcomeLine(t); err != nil {
			return wire.Exported{}, err
		}
	}
	raw, err := rec.YAML()
	if err != nil {
		return wire.Exported{}, err
	}
	head := ""
	for _, l := range left {
		head += "# left out: " + strings.Join(strings.Fields(l), " ") + "\n"
	}
	return wire.Exported{Name: fileName(rec.Name, task) + ".yaml", MIME: "application/yaml", Text: head + string(raw)}, nil
}

// maxEnd bounds what a recording says of its task's end.
const maxEnd = 200

// outcomeLine says it of a task that was not done, in a line.
func (m *Manager) outcomeLine(t journal.Task) (string, error) {
	events, err := m.Journal.Events(t.Task, 0)
	if err != nil {
		return "", err
	}
	said := string(t.State)
	for _, ev := range slices.Backward(events) {
		if wire.Ends(ev.Type) {
			if text := strings.Join(strings.Fields(ev.Text), " "); text != "" {
				said += ": " + text
			}
			break
		}
	}
	if r := []rune(said); len(r) > maxEnd {
		said = string(r[:maxEnd-1]) + "…"
	}
	return said, nil
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// fileName makes a file's name of a title.
func fileName(title, otherwise string) string {
	name := strings.Trim(notInName.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if len(name) > 40 {
		name = strings.Trim(name[:40], "-")
	}
	if name == "" {
		return otherwise
	}
	return name
}
