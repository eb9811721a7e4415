package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// toolSchema is a tool's schema, decoded and compiled once.
type toolSchema struct {
	doc        map[string]any
	properties map[string]any
	required   []string
	actions    []string // the enum of the property "action"
	compiled   *jsonschema.Schema
	err        error
}

// hasParams reports whether the params of an action are in an object of their
// own, {action, params}, and not beside the action.
func (s *toolSchema) hasParams() bool {
	_, ok := s.properties["params"]
	return ok
}

var schemas sync.Map // schema text → *toolSchema

// schemaOf returns the decoded schema of a tool. If the schema is invalid, that
// is an error when arguments are checked.
func schemaOf(t Tool) *toolSchema {
	if s, ok := schemas.Load(string(t.Schema)); ok {
		return s.(*toolSchema) //nolint:forcetypeassert // only these are stored
	}
	s := compile(t.Schema)
	schemas.Store(string(t.Schema), s)
	return s
}

func compile(raw json.RawMessage) *toolSchema {
	s := &toolSchema{doc: map[string]any{}, properties: map[string]any{}}
	if len(raw) == 0 {
		raw = json.RawMessage(`{"type":"object"}`)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		s.err = fmt.Errorf("the schema is not JSON: %w", err)
		return s
	}
	if m, ok := doc.(map[string]any); ok {
		s.doc = m
		if props, ok := m["properties"].(map[string]any); ok {
			s.properties = props
		}
		s.required = stringList(m["required"])
		s.actions = actionEnum(s.properties["action"])
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is fetched: a schema is complete
	if err := c.AddResource("mem:///tool.json", doc); err != nil {
		s.err = err
		return s
	}
	s.compiled, s.err = c.Compile("mem:///tool.json")
	return s
}

func actionEnum(v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if list := stringList(m["enum"]); len(list) > 0 {
		return list
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		var out []string
		branches, _ := m[key].([]any)
		for _, b := range branches {
			if bm, ok := b.(map[string]any); ok {
				if c, ok := bm["const"].(string); ok {
					out = append(out, c)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func stringList(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// problems validates v and returns a line for each error, at most eight and a
// count of the rest.
func (s *toolSchema) problems(v any) []string {
	if s.err != nil {
		return []string{s.err.Error()}
	}
	err := s.compiled.Validate(v)
	if err == nil {
		return nil
	}
	ve, ok := err.(*jsonschema.ValidationError) //nolint:errorlint // Validate gives it bare
	if !ok {
		return []string{err.Error()}
	}
	p := message.NewPrinter(language.English)
	seen := map[string]bool{}
	var out []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			where := strings.Join(e.InstanceLocation, ".")
			if where == "" {
				where = "the arguments"
			}
			line := where + ": " + e.ErrorKind.LocalizedString(p)
			if !seen[line] {
				seen[line] = true
				out = append(out, line)
			}
			return
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(ve)
	sort.Strings(out)
	if len(out) > 8 {
		out = append(out[:8], fmt.Sprintf("and %d more", len(out)-8))
	}
	return out
}

// constrainedSchema returns the schema that constrains a reply: that of a single
// tool, or {action, params} for several tools. With thought a thought comes
// first.
func constrainedSchema(tools []Tool, thought bool) (json.RawMessage, error) {
	if len(tools) == 1 && !thought {
		return tools[0].Schema, nil
	}
	if len(tools) == 1 {
		return withThought(tools[0])
	}
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, t.Name)
	}
	enum, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	first, required := `"thought":`+thoughtSchema+`,`, `"thought",`
	if !thought {
		first, required = "", ""
	}
	return json.RawMessage(`{"type":"object","properties":{` + first + `"action":{"type":"string","enum":` +
		string(enum) + `},"params":{"type":"object"}},"required":[` + required + `"action","params"]}`), nil
}

const thoughtSchema = `{"type":"string","description":"one short sentence: why this action, and what of this page will be needed later"}`

// withThought returns the tool's schema with a required thought before the other
// properties. A grammar that llama.cpp makes from a schema lets the model write
// the properties only in this order, the required ones first: an optional thought
// would come after the action, where it is of no use.
func withThought(t Tool) (json.RawMessage, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(t.Schema, &top); err != nil {
		return nil, &Error{Code: CodeInvalidConfig, Message: "the schema of " + t.Name + " is not a JSON object", Err: err}
	}
	known := schemaOf(t).properties
	if _, has := known["thought"]; has || len(top["properties"]) == 0 {
		return t.Schema, nil
	}
	inner := strings.TrimSpace(string(top["properties"]))
	inner = strings.TrimSpace(strings.TrimPrefix(inner, "{"))
	if inner == "}" {
		top["properties"] = json.RawMessage(`{"thought":` + thoughtSchema + `}`)
	} else {
		top["properties"] = json.RawMessage(`{"thought":` + thoughtSchema + `,` + inner)
	}
	required, err := json.Marshal(append([]string{"thought"}, schemaOf(t).required...))
	if err != nil {
		return nil, err
	}
	top["required"] = required
	return json.Marshal(top)
}
