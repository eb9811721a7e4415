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
