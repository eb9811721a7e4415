package history

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/pagecontext"
)

// ErrNoTask is the error for a task that is not in the journal.
var ErrNoTask = &wire.Error{Code: wire.CodeNoTask, Message: "There is no such task.", Hint: "It may have been deleted; the side panel lists those that are kept."}

// Task returns a task of the journal, or ErrNoTask.
func (h *History) Task(task string) (journal.Task, error) {
	t, err := h.Journal.Task(task)
	if errors.Is(err, journal.ErrNoTask) {
		err = ErrNoTask
	}
	return t, err
}

// Trace returns a task's trace as a file; format is html or json.
func (h *History) Trace(task, format string) (wire.Exported, error) {
	t, err := h.Task(task)
	if err != nil {
		return wire.Exported{}, err
	}
	events, err := h.Journal.Events(task, 0)
	if err != nil {
		return wire.Exported{}, err
	}
	marks, err := flow.ReadTrail(h.Dir(task))
	if err != nil {
		return wire.Exported{}, err
	}
	trace := flow.NewTrace(t.TaskInfo, events, marks, func(step int) (wire.Picture, bool) { return h.traceThumb(task, step) })
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

// traceThumb returns the picture of a step, or false if there is none.
func (h *History) traceThumb(task string, step int) (wire.Picture, bool) {
	dir := h.Dir(task)
	if dir == "" {
		return wire.Picture{}, false
	}
	raw, err := os.ReadFile(ThumbPath(dir, step))
	if err != nil {
		return wire.Picture{}, false
	}
	return wire.Picture{MIME: "image/jpeg", Data: base64.StdEncoding.EncodeToString(raw)}, true
}

// Result returns the structured result of a task.
func (h *History) Result(task string) (wire.TaskResult, error) {
	if _, err := h.Task(task); err != nil {
		return wire.TaskResult{}, err
	}
	r, ok, err := flow.ReadResult(h.Dir(task))
	if err == nil && !ok {
		err = &wire.Error{
			Code: wire.CodeNoTask, Message: "This task has no structured result.", Hint: "Start it with a schema: tabwright run --schema.",
		}
	}
	return r, err
}

// RecordingOf returns an ended task as a recording. If the task was not done, the
// recording is marked as unfinished.
func (h *History) RecordingOf(task string) (wire.Exported, error) {
	t, err := h.Task(task)
	if err != nil {
		return wire.Exported{}, err
	}
	if !journal.Ended(t.State) {
		return wire.Exported{}, &wire.Error{
			Code: wire.CodeInvalidParams, Message: "Only a task that has ended can be recorded; this one is " + string(t.State) + ".",
		}
	}
	marks, err := flow.ReadTrail(h.Dir(task))
	if err != nil {
		return wire.Exported{}, err
	}
	rec, left, err := flow.Record(t.Text, t.URL, marks)
	if err != nil {
		return wire.Exported{}, err
	}
	if t.State != wire.TaskDone {
		if rec.Unfinished, err = h.outcomeLine(t); err != nil {
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
	return wire.Exported{Name: FileName(rec.Name, task) + ".yaml", MIME: "application/yaml", Text: head + string(raw)}, nil
}

// maxEnd is the longest text, in characters, about a task's end in a recording.
const maxEnd = 200

// outcomeLine returns a task's state and last message on one line.
func (h *History) outcomeLine(t journal.Task) (string, error) {
	events, err := h.Journal.Events(t.Task, 0)
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
	return pagecontext.Cut(said, maxEnd), nil
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// FileName turns a title into a file name without extension, or returns otherwise if
// nothing is left of it.
func FileName(title, otherwise string) string {
	name := strings.Trim(notInName.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if len(name) > 40 {
		name = strings.Trim(name[:40], "-")
	}
	if name == "" {
		return otherwise
	}
	return name
}

// ThumbPath returns the path of a step's picture in the folder of its task.
func ThumbPath(dir string, step int) string {
	return filepath.Join(dir, "thumbs", strconv.Itoa(step)+".jpg")
}
