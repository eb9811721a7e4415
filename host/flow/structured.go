package flow

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// tries is how often an answer that does not fit its schema is sent back.
const tries = 2

const (
	resultName = "result.json"
	readMost   = 4 << 20 // most bytes of page text that are kept
)

// Structured is the structured result of a task: JSON that fits a schema.
type Structured struct {
	schema *jsonschema.Schema
	raw    json.RawMessage
	dir    string // folder for the result; empty: it is not stored

	mu     sync.Mutex
	failed int
	pages  []page
	size   int
	result *wire.TaskResult
}

// page is the text read at one address.
type page struct {
	url, title string
	text       string
}

// NewStructured compiles a schema. Its error is invalid_params and names the schema's
// fault.
func NewStructured(schema json.RawMessage, dir string) (*Structured, error) {
	bad := func(err error) error {
		return &wire.Error{
			Code: wire.CodeInvalidParams, Message: "The schema can't be used: " + err.Error(),
			Hint: "Give a JSON schema (draft 2020-12, or as its $schema says), without references to other files.",
		}
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		return nil, bad(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, bad(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return nil, bad(err)
	}
	return &Structured{schema: compiled, raw: schema, dir: dir}, nil
}

// noLoader loads nothing: a schema must stand alone.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not loaded: a schema must stand alone", url)
}

// Brief returns the prompt about the result that a model must give.
func (s *Structured) Brief(lang string, urls []string) string {
	return briefText(lang, string(compact(s.raw)), urls)
}

func compact(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}

// read keeps the text of a page.
func (s *Structured) read(url, title, text string) {
	if url == "" || text == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += len(text); s.size > readMost {
		return
	}
	s.pages = append(s.pages, page{url: url, title: title, text: text})
}

// judge checks an answer against the schema. One that does not fit is sent back with
// all errors at once, at most twice; after that the task has failed.
func (s *Structured) judge(res *action.Result) {
	data, problems := s.validate(res.Done.Answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(problems) == 0 {
		s.result = &wire.TaskResult{Data: data, Sources: sources(data, s.pages)}
		if err := s.keep(); err != nil {
			res.Done = &action.Done{Answer: "The result could not be kept: " + err.Error()}
		} else {
			res.Done.Success, res.Done.Answer = true, string(data)
		}
		return
	}
	all := "- " + strings.Join(problems, "\n- ")
	if s.failed++; s.failed > tries {
		res.Done = &action.Done{Answer: "The result does not fit the schema:\n" + all}
		return
	}
	res.Done = nil
	res.Err = &action.Error{
		Code: action.InvalidParams, Message: fmt.Sprintf("the answer does not fit the schema:\n%s\n", all),
		Hint: "Mend all of it, with values that you read on pages, and call done again with the JSON alone as the answer.",
	}
	res.Text = res.Err.Text()
}

// validate returns the JSON of an answer, or all its faults.
func (s *Structured) validate(answer string) (json.RawMessage, []string) {
	raw := unfenced(answer)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		return nil, []string{"it is not JSON: " + err.Error()}
	}
	err = s.schema.Validate(v)
	var bad *jsonschema.ValidationError
	if errors.As(err, &bad) {
		return nil, flatErrors(bad)
	}
	if err != nil {
		return nil, []string{err.Error()}
	}
	return compact(json.RawMessage(raw)), nil
}

// flatErrors gives every leaf of a validation error: where, and what is wrong.
func flatErrors(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		at := "/" + strings.Join(e.InstanceLocation, "/")
		return []string{at + ": " + e.ErrorKind.LocalizedString(printer)}
	}
	var out []string
	for _, c := range e.Causes {
		out = append(out, flatErrors(c)...)
	}
	return out
}

// unfenced removes the Markdown fence of an answer, and text around it.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if _, rest, ok := strings.Cut(s, "```"); ok {
		rest = strings.TrimPrefix(rest, "json")
		if body, _, ok := strings.Cut(rest, "```"); ok {
			return strings.TrimSpace(body)
		}
	}
	return s
}

// keep writes the result into the task's folder.
func (s *Structured) keep() error {
	if s.dir == "" {
		return nil
	}
	raw, err := json.Marshal(s.result)
	if err != nil {
		return err
	}
	return WriteWhole(filepath.Join(s.dir, ".trace", resultName), raw)
}

// Got returns the result, false while there is none.
func (s *Structured) Got() (wire.TaskResult, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.result == nil {
		return wire.TaskResult{}, false
	}
	return *s.result, true
}

// ReadResult gives the structured result that a task left in its folder.
func ReadResult(dir string) (r wire.TaskResult, ok bool, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, ".trace", resultName))
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	err = json.Unmarshal(raw, &r)
	return r, true, err
}
