package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"tabwright/host/action"
)

// Version is the version of the files that this program writes and reads.
const Version = 1

// Recording is a finished task as steps that can be done again without a
// model. Each step names its element by role, name and context, and its expected
// effect.
type Recording struct {
	Version int    `yaml:"tabwright"`
	Name    string `yaml:"name"`
	// Unfinished says how the recorded task ended, if it was not done. The steps then
	// go as far as the task did.
	Unfinished string `yaml:"unfinished,omitempty"`

	Goal   string           `yaml:"goal,omitempty"` // the task's words, with parameters in them
	URL    string           `yaml:"url,omitempty"`  // where it begins
	Params map[string]Param `yaml:"params,omitempty"`
	Steps  []Step           `yaml:"steps"`
}

// Param is a value that differs from run to run. {{name}} refers to it.
type Param struct {
	Default string `yaml:"default,omitempty" json:"default,omitempty"`
	About   string `yaml:"about,omitempty" json:"about,omitempty"`
	// Secret says that the value must be in no file: it may only be a placeholder of
	// the vault, {{secret:name}}.
	Secret bool `yaml:"secret,omitempty" json:"secret,omitempty"`
}

// Step is one action.
type Step struct {
	Do     string         `yaml:"do"`
	Target *Target        `yaml:"target,omitempty"`
	With   map[string]any `yaml:"with,omitempty"`   // its other parameters
	Expect *Expect        `yaml:"expect,omitempty"` // what is to come of it
	Note   string         `yaml:"note,omitempty"`   // in plain words
}

// Expect is the effect for which a replay waits after a step.
type Expect struct {
	// URL is part of the address, with * for anything.
	URL string `yaml:"url,omitempty"`
	// Text is text that appeared. A step fails without it only where it had no
	// visible effect at all: words differ from day to day.
	Text string `yaml:"text,omitempty"`
	// Value is the field's value after the step.
	Value string `yaml:"value,omitempty"`
}

// paramName matches the name of a parameter or a node, paramRef a reference to a
// parameter in a text.
var (
	paramName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	paramRef  = regexp.MustCompile(`\{\{\s*([a-z][a-z0-9_]*)\s*\}\}`)
)

// ParseRecording reads a recording and checks all of it. Its error is
// invalid_params and names every fault with its line.
func ParseRecording(raw []byte) (*Recording, error) {
	var r Recording
	at, err := decode(raw, &r)
	if err != nil {
		return nil, err
	}
	var f faults
	if r.Version != Version {
		f.add(at.line("tabwright"), "tabwright: %d, and this program reads %d", r.Version, Version)
	}
	if len(r.Steps) == 0 {
		f.add(at.line("steps"), "there are no steps")
	}
	checkParams(&f, at, r.Params)
	for i, s := range r.Steps {
		r.checkStep(&f, at, i, s)
	}
	return &r, f.err()
}

func checkParams(f *faults, at place, params map[string]Param) {
	for name, p := range params {
		if !paramName.MatchString(name) {
			f.add(at.line("params", name), "the parameter %q: lowercase letters, digits and _ make a name", name)
		}
		if p.Secret && p.Default != "" && !isPlaceholder(p.Default) {
			f.add(at.line("params", name), "the parameter %q is secret: its default may be a placeholder of the vault only, {{secret:name}}", name)
		}
	}
}

// checkStep adds the faults of a step to f.
func (r *Recording) checkStep(f *faults, at place, i int, s Step) {
	line := at.line("steps", i)
	spec, ok := action.Default().Spec(s.Do)
	if !ok {
		f.add(line, "step %d: there is no action %q", i+1, s.Do)
		return
	}
	if s.Target != nil && s.Target.Role == "" && s.Target.Name == "" && s.Target.Selector == "" {
		f.add(line, "step %d: the target has neither role nor name nor selector", i+1)
	}
	_, takes := spec.Schema.Properties["index"]
	if s.Target != nil && !takes {
		f.add(line, "step %d: %s takes no target", i+1, s.Do)
	}
	for k := range s.With {
		switch {
		case k == "index" || k == "ref":
			f.add(line, "step %d: %s names an element of one tab only; give a target", i+1, k)
		case spec.Schema.Properties[k] == nil:
			f.add(line, "step %d: %s has no parameter %q", i+1, s.Do, k)
		}
	}
	for _, name := range s.refs() {
		if _, ok := r.Params[name]; !ok {
			f.add(line, "step %d: {{%s}} is not among the params", i+1, name)
		}
	}
}

// refs gives the parameters that a step uses.
func (s Step) refs() []string {
	var out []string
	see := func(text string) {
		for _, m := range paramRef.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
	}
	if s.Target != nil {
		see(s.Target.Name)
		see(s.Target.Context)
	}
	if s.Expect != nil {
		see(s.Expect.URL)
		see(s.Expect.Text)
		see(s.Expect.Value)
	}
	for _, v := range s.With {
		if t, ok := v.(string); ok {
			see(t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// YAML returns the recording's file.
func (r *Recording) YAML() ([]byte, error) { return encode(r) }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(v)
	return b.Bytes(), errors.Join(err, enc.Close())
}

// faults are the faults of a file, a line each.
type faults struct{ lines []string }

func (f *faults) add(line int, format string, args ...any) {
	f.lines = append(f.lines, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

func (f *faults) err() error {
	if len(f.lines) == 0 {
		return nil
	}
	slices.Sort(f.lines)
	return invalid("docs/workflows.md says what may stand in a workflow file.", "The file can't be used:\n%s", strings.Join(f.lines, "\n"))
}

// place finds the line of a value in a file.
type place struct{ root *yaml.Node }

// decode reads YAML strictly: an unknown field is an error, with its line.
func decode(raw []byte, into any) (place, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		return place{}, invalid("", "The file is not YAML: %v", err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			return place{}, invalid("", "The file is empty.")
		}
		var te *yaml.TypeError
		if errors.As(err, &te) {
			var f faults
			f.lines = te.Errors
			return place{}, f.err()
		}
		return place{}, invalid("", "The file can't be read: %v", err)
	}
	return place{&root}, nil
}

// line gives the line of a path of keys and positions, or that of the nearest parent
// if the path does not exist.
func (p place) line(path ...any) int {
	n := p.root
	if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	if n == nil {
		return 1
	}
	line := n.Line
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			return line
		}
		n, line = next, next.Line
	}
	return line
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch s := step.(type) {
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s {
				return n.Content[i+1]
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && s < len(n.Content) {
			return n.Content[s]
		}
	}
	return nil
}
