package control

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"tabwright/host/action"
	"tabwright/host/control/history"
	"tabwright/host/flow"
	"tabwright/host/native/wire"
)

const (
	savedMost = 200     // workflows that are kept
	savedSize = 1 << 20 // bytes of a file
	savedName = 120     // characters of a name
)

// savedID matches the name of a saved file without its extension.
var savedID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}$`)

// savedDir returns the folder of the saved workflows, beside the tasks' folders.
func (m *Manager) savedDir() string {
	if m.FilesDir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(m.FilesDir), "workflows")
}

// savedPath returns the file of a saved workflow, or errNoSaved if id is not valid.
func (m *Manager) savedPath(id string) (string, error) {
	if !savedID.MatchString(id) || m.savedDir() == "" {
		return "", errNoSaved
	}
	return filepath.Join(m.savedDir(), id+".yaml"), nil
}

var errNoSaved = &wire.Error{Code: wire.CodeNoSaved, Message: "There is no such workflow any more.", Hint: "Look at the list again."}

// savedFile returns the text of a saved workflow.
func (m *Manager) savedFile(id string) (string, error) {
	path, err := m.savedPath(id)
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNoSaved
	}
	return string(raw), err
}

// ListSavedFlows returns the saved workflows, sorted by name. One with an unusable file
// is listed with its error.
func (m *Manager) ListSavedFlows() (wire.SavedList, error) {
	out := wire.SavedList{Saved: []wire.SavedFlow{}}
	entries, err := os.ReadDir(m.savedDir())
	if errors.Is(err, fs.ErrNotExist) || m.savedDir() == "" {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".yaml")
		if !ok || !savedID.MatchString(id) || len(out.Saved) >= savedMost {
			continue
		}
		s, err := m.savedInfo(id)
		if err != nil {
			return out, err
		}
		out.Saved = append(out.Saved, s)
	}
	sort.Slice(out.Saved, func(i, j int) bool {
		a, b := out.Saved[i], out.Saved[j]
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID)) < 0
	})
	return out, nil
}

// savedInfo returns the summary of a saved workflow.
func (m *Manager) savedInfo(id string) (wire.SavedFlow, error) {
	text, err := m.savedFile(id)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	path, err := m.savedPath(id)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	s := summarize(text)
	s.ID, s.Updated = id, st.ModTime().UnixMilli()
	s.Name = cmp.Or(s.Name, id)
	return s, nil
}

// summarize summarizes a file: its kind, its contents and its parameters.
func summarize(text string) wire.SavedFlow {
	s := wire.SavedFlow{Kind: kindOf(text)}
	var params map[string]flow.Param
	if s.Kind == wire.SavedGraph {
		g, err := flow.ParseGraph([]byte(text))
		if g != nil {
			s.Name, s.Goal, s.URL, s.Parts, params = g.Name, g.Goal, g.URL, len(g.Nodes), g.Params
		}
		s.Error = nativeOrNil(err)
	} else {
		r, err := flow.ParseRecording([]byte(text))
		if r != nil {
			s.Name, s.Goal, s.URL, s.Parts, params = r.Name, r.Goal, r.URL, len(r.Steps), r.Params
		}
		s.Error = nativeOrNil(err)
	}
	for name, p := range params {
		s.Params = append(s.Params, wire.SavedParam{Name: name, Default: p.Default, About: p.About, Secret: p.Secret})
	}
	sort.Slice(s.Params, func(i, j int) bool { return s.Params[i].Name < s.Params[j].Name })
	return s
}

func nativeOrNil(err error) *wire.Error {
	if err == nil {
		return nil
	}
	return wire.AsError(err)
}

// kindOf returns whether a file is a graph, which has nodes, or a recording.
func kindOf(text string) string {
	var has struct {
		Nodes []any `yaml:"nodes"`
	}
	if yaml.Unmarshal([]byte(text), &has) == nil && has.Nodes != nil {
		return wire.SavedGraph
	}
	return wire.SavedRecording
}

// SaveFlow saves a workflow under a new id. It refuses one that can't be used.
func (m *Manager) SaveFlow(p wire.SavedKeepParams) (wire.SavedFlow, error) {
	text, err := m.textToSave(p)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	if name := strings.TrimSpace(p.Name); name != "" {
		if text, err = rename(text, name); err != nil {
			return wire.SavedFlow{}, err
		}
	}
	s := summarize(text)
	if s.Error != nil {
		return wire.SavedFlow{}, s.Error
	}
	dir := m.savedDir()
	if dir == "" {
		return s, &wire.Error{Code: wire.Code(action.Unsupported), Message: "Nothing is kept here."}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return s, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s, err
	}
	if len(entries) >= savedMost {
		return s, &wire.Error{Code: wire.CodeInvalidParams, Message: "There are " + strconv.Itoa(savedMost) + " workflows already.", Hint: "Remove one that is not needed."}
	}
	base := history.FileName(s.Name, "workflow")
	for n := 1; ; n++ {
		id := base
		if n > 1 {
			id += "-" + strconv.Itoa(n)
		}
		f, err := os.OpenFile(filepath.Join(dir, id+".yaml"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return s, err
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return s, err
		}
		return m.savedInfo(id)
	}
}

// textToSave returns the text to save: of a task's recording, a workflow or a file.
func (m *Manager) textToSave(p wire.SavedKeepParams) (string, error) {
	switch {
	case p.Task != "":
		t, err := m.History().Task(p.Task)
		if err != nil {
			return "", err
		}
		if t.State != wire.TaskDone {
			return "", &wire.Error{
				Code: wire.CodeInvalidParams, Message: "Only a task that is done can be kept; this one is " + string(t.State) + ".",
				Hint: "`tabwright record` writes what there is of it to a file.",
			}
		}
		out, err := m.History().RecordingOf(p.Task)
		return out.Text, err
	case p.Flow != "":
		s, err := m.flowState(p.Flow)
		if err != nil {
			return "", err
		}
		raw, err := s.Graph.Blank().YAML()
		return string(raw), err
	case len(p.File) > savedSize:
		return "", &wire.Error{Code: wire.CodeTooLarge, Message: "A workflow's file has 1 MB at most."}
	case strings.TrimSpace(p.File) != "":
		return p.File, nil
	}
	return "", &wire.Error{Code: wire.CodeInvalidParams, Message: "There is nothing to keep.", Hint: "Name a finished task, a workflow or a file."}
}

// rename changes the name in a file and nothing else.
func rename(text, name string) (string, error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return text, nil //nolint:nilerr // whoever reads the file says what is wrong with it
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return text, nil
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value == "name" {
			top.Content[i+1].SetString(name)
			raw, err := yaml.Marshal(&root)
			return string(raw), err
		}
	}
	top.Content = append(top.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "name"}, &yaml.Node{})
	top.Content[len(top.Content)-1].SetString(name)
	raw, err := yaml.Marshal(&root)
	return string(raw), err
}

// RenameSavedFlow changes the name of a saved workflow. Its id and the rest of its file
// stay.
func (m *Manager) RenameSavedFlow(id, name string) (wire.SavedFlow, error) {
	name = strings.Join(strings.Fields(name), " ")
	if n := utf8.RuneCountInString(name); n == 0 || n > savedName {
		return wire.SavedFlow{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "A name has 1 to " + strconv.Itoa(savedName) + " characters.", Hint: "Give another one."}
	}
	known, err := m.savedFile(id)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	if s := summarize(known); s.Error != nil { // an unusable file is left as it is
		return wire.SavedFlow{}, s.Error
	}
	text, err := rename(known, name)
	if err != nil {
		return wire.SavedFlow{}, err
	}
	if ok, err := m.rewriteSaved(id, known, text); err != nil || !ok {
		return wire.SavedFlow{}, cmp.Or(err, error(errNoSaved))
	}
	return m.savedInfo(id)
}

// RemoveSavedFlow removes a saved workflow and returns the rest.
func (m *Manager) RemoveSavedFlow(id string) (wire.SavedList, error) {
	path, err := m.savedPath(id)
	if err != nil {
		return wire.SavedList{Saved: []wire.SavedFlow{}}, err
	}
	if err := os.Remove(path); errors.Is(err, fs.ErrNotExist) {
		return wire.SavedList{Saved: []wire.SavedFlow{}}, errNoSaved
	} else if err != nil {
		return wire.SavedList{Saved: []wire.SavedFlow{}}, err
	}
	return m.ListSavedFlows()
}

// rewriteSaved replaces a saved recording by a mended one. It returns false if the
// file has been changed or removed meanwhile.
func (m *Manager) rewriteSaved(id, known, mended string) (bool, error) {
	now, err := m.savedFile(id)
	if err != nil || now != known {
		return false, nil //nolint:nilerr // it is not there any more
	}
	path, err := m.savedPath(id)
	if err != nil {
		return false, err
	}
	err = flow.WriteWhole(path, []byte(mended))
	return err == nil, err
}
