package control

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tabwright/host/flow"
	"tabwright/host/native/wire"
)

// extras holds what a task has besides its text. It is kept in the task's folder,
// so that a resumed task still has it.
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

// keepExtras writes a task's extras into its folder.
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

// extrasOf returns a task's extras: from p, or if it has none, from the folder.
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
