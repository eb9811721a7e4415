package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"tabwright/host/action/keyboard"
)

// checker validates the parameters of one action. google/jsonschema-go infers the
// schema, but its validator stops at the first error. The other library validates,
// because a message must contain all errors, so that a model can correct them at
// once.
type checker struct {
	action string
	schema *jsonschema.Schema
	valid  *validator.Schema
	other  []Alias // of the action's own name: other names of its parameters and values
}

func newChecker(action string, schema *jsonschema.Schema) (*checker, error) {
	b, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", action, err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", action, err)
	}
	c := validator.NewCompiler()
	url := "action:" + action
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", action, err)
	}
	v, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", action, err)
	}
	return &checker{action: action, schema: schema, valid: v}, nil
}

// check returns the parameters with harmless slips corrected, or the problems.
func (c *checker) check(raw json.RawMessage, known func(string) bool) (json.RawMessage, []string) {
	params := map[string]any{}
	if t := bytes.TrimSpace(raw); len(t) > 0 && !bytes.Equal(t, []byte("null")) {
		if t[0] == '"' { // models sometimes send the params as a JSON string
			var inner string
			if json.Unmarshal(t, &inner) == nil && strings.HasPrefix(strings.TrimSpace(inner), "{") {
				t = []byte(inner)
			}
		}
		if err := json.Unmarshal(t, &params); err != nil {
			return nil, []string{"params must be a JSON object: " + err.Error()}
		}
	}
	ownNames(c.other, c.schema, params)
	var problems []string
	for name, v := range params {
		p := c.schema.Properties[name]
		switch {
		case p == nil && known(name):
			delete(params, name)
		case p == nil:
			if v != nil && v != "" && !slices.Contains(remarks, name) {
				problems = append(problems, unknownParam(name))
			}
			delete(params, name)
		case v == nil:
			delete(params, name)
		case v == "" && !slices.Contains(c.schema.Required, name):
			delete(params, name)
		default:
			params[name] = mend(p, v)
		}
	}
	refInIndex(c.schema, params)
	var ve *validator.ValidationError
	if err := c.valid.Validate(any(params)); errors.As(err, &ve) {
		problems = append(problems, leaves(ve)...)
	} else if err != nil {
		problems = append(problems, err.Error())
	}
	slices.Sort(problems)
	b, err := json.Marshal(params)
	if err != nil {
		problems = append(problems, err.Error())
	}
	return b, problems
}

// remarks are names that models write beside the parameters of a call: they mean nothing
// to any action.
var remarks = []string{"confidence", "reason", "reasoning", "thought", "explanation", "rationale", "justification", "intent", "description", "comment"}

func unknownParam(name string) string { return fmt.Sprintf("unknown parameter %q", name) }

// mend converts a value of the wrong JSON type if only one reading is possible: "12"
// for 12, 12 for "12", 5 for [5].
func mend(p *jsonschema.Schema, v any) any {
	switch p.Type {
	case "integer", "number":
		if s, ok := v.(string); ok {
			if f, err := strconv.ParseFloat(strings.Trim(s, " []#"), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
				return f
			}
		}
	case "string":
		switch n := v.(type) {
		case float64:
			return strconv.FormatFloat(n, 'f', -1, 64)
		case bool:
			return strconv.FormatBool(n)
		case string:
			for _, e := range p.Enum {
				if es, ok := e.(string); ok && strings.EqualFold(es, n) {
					return es
				}
			}
			return modifier(p, n)
		}
	case "boolean":
		if s, ok := v.(string); ok {
			if b, err := strconv.ParseBool(strings.ToLower(s)); err == nil {
				return b
			}
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
			if s, isText := v.(string); isText && strings.ContainsAny(s, ",+") {
				list = nil
				for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '+' }) {
					list = append(list, strings.TrimSpace(part))
				}
			}
		}
		for i := range list {
			list[i] = mend(p.Items, list[i])
		}
		return list
	}
	return v
}

// modifier returns the schema's name of a modifier key that has another name: Control,
// Cmd, Option.
func modifier(p *jsonschema.Schema, name string) string {
	bit, ok := keyboard.Modifier(name)
	for _, e := range p.Enum {
		if es, is := e.(string); ok && is {
			if b, known := keyboard.Modifier(es); known && b == bit {
				return es
			}
		}
	}
	return name
}

var refText = regexp.MustCompile(`^@?(snap_[0-9a-z]+:)?e\d+$`)

// refInIndex moves a ref from index to ref.
func refInIndex(s *jsonschema.Schema, params map[string]any) {
	text, ok := params["index"].(string)
	if !ok || s.Properties["ref"] == nil || params["ref"] != nil {
		return
	}
	if text = strings.Trim(text, " []"); refText.MatchString(text) {
		params["ref"] = text
		delete(params, "index")
	}
}

// leaves lists the errors that name a parameter, without the tree around them.
func leaves(e *validator.ValidationError) []string {
	if len(e.Causes) == 0 {
		text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		if len(e.InstanceLocation) > 0 {
			text = strings.Join(e.InstanceLocation, ".") + ": " + text
		}
		return []string{text}
	}
	var out []string
	for _, c := range e.Causes {
		out = append(out, leaves(c)...)
	}
	return out
}
