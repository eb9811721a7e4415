package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// FunctionName is the only function for models that are not strong.
const FunctionName = "browser_action"

// Tool is a function offered to a model, with the aliases to read in its replies.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Aliases     []Alias
}

// Tools returns the functions for a model in a language.
func (r *Registry) Tools(strong bool, lang string) []Tool {
	if !strong {
		one := Tool{Name: FunctionName, Description: oneTool[lang] + "\n" + r.FallbackText(lang), Schema: r.CallSchema(lang)}
		for _, s := range r.visible() {
			for _, a := range s.Aliases {
				a.Action = s.Name
				one.Aliases = append(one.Aliases, a)
			}
		}
		return []Tool{one}
	}
	var out []Tool
	for _, s := range r.Specs() {
		if !s.ModelVisible && !s.Strong {
			continue
		}
		out = append(out, Tool{Name: s.Name, Description: s.doc(lang), Schema: SchemaJSON(s.Schema), Aliases: s.Aliases})
	}
	return out
}

var oneTool = map[string]string{
	English: "Do one thing in the browser. `action` names it, `params` holds its parameters (? = optional):",
	Chinese: "在浏览器中做一件事。`action` 是动作名，`params` 是它的参数（? 表示可省略）：",
}

// visible returns the actions for a small model, without the advanced parameters.
func (r *Registry) visible() []Spec {
	out := slices.DeleteFunc(r.Specs(), func(s Spec) bool { return !s.ModelVisible })
	for i, s := range out {
		if len(s.Advanced) == 0 {
			continue
		}
		plain := *s.Schema
		plain.PropertyOrder = slices.DeleteFunc(slices.Clone(plain.PropertyOrder), func(p string) bool { return slices.Contains(s.Advanced, p) })
		plain.Properties = maps.Clone(plain.Properties)
		maps.DeleteFunc(plain.Properties, func(p string, _ *jsonschema.Schema) bool { return slices.Contains(s.Advanced, p) })
		plain.Required = append(slices.Clone(plain.Required), s.Needed...)
		out[i].Schema = &plain
	}
	return out
}

func (s Spec) doc(lang string) string {
	if d := s.Doc[lang]; d != "" {
		return d
	}
	return s.Doc[English]
}

// CallSchema returns {action, params, plan?, done_steps?} with an enum of names and the
// union of all parameters. None is required: Do reports missing ones.
func (r *Registry) CallSchema(lang string) json.RawMessage {
	union := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	var names []any
	for _, s := range r.visible() {
		names = append(names, s.Name)
		for _, p := range s.Schema.PropertyOrder {
			if union.Properties[p] == nil {
				union.Properties[p] = s.Schema.Properties[p]
				union.PropertyOrder = append(union.PropertyOrder, p)
				continue
			}
			union.Properties[p] = mergeSchemas(union.Properties[p], s.Schema.Properties[p])
		}
	}
	call := &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"action": {Type: "string", Enum: names},
			"params": union,
			// The plan is beside an action: as an own action it would cost a request.
			"plan":       {Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "steps of a long task, once"},
			"done_steps": {Type: "array", Items: &jsonschema.Schema{Type: "integer"}, Description: "numbers of the plan's steps that are done"},
		},
		Required:      []string{"action", "params"},
		PropertyOrder: []string{"action", "params", "plan", "done_steps"},
	}
	return SchemaJSON(call)
}

// mergeSchemas returns the schema of a parameter that two actions share: it permits what
// either permits, with a description only if both have the same.
func mergeSchemas(a, b *jsonschema.Schema) *jsonschema.Schema {
	m := a.CloneSchemas()
	if a.Description != b.Description {
		m.Description = ""
	}
	if len(a.Enum) == 0 || len(b.Enum) == 0 {
		m.Enum = nil
	} else {
		for _, e := range b.Enum {
			if !slices.Contains(m.Enum, e) {
				m.Enum = append(slices.Clone(m.Enum), e)
			}
		}
	}
	if a.Minimum == nil || b.Minimum == nil || *a.Minimum != *b.Minimum {
		m.Minimum = nil
	}
	if a.Maximum == nil || b.Maximum == nil || *a.Maximum != *b.Maximum {
		m.Maximum = nil
	}
	return m
}

// FallbackText returns one line per action: its call and what it does.
func (r *Registry) FallbackText(lang string) string {
	var b strings.Builder
	for _, s := range r.visible() {
		line, _, _ := strings.Cut(s.doc(lang), "\n")
		fmt.Fprintf(&b, "- %s: %s\n", signature(s), line)
	}
	return strings.TrimRight(b.String(), "\n")
}

// signature writes an action as a call: select {index?, ref?, selector?, value}.
func signature(s Spec) string {
	parts := make([]string, 0, len(s.Schema.PropertyOrder))
	for _, name := range s.Schema.PropertyOrder {
		p := s.Schema.Properties[name]
		part := name
		if !slices.Contains(s.Schema.Required, name) {
			part += "?"
		}
		values := p.Enum
		if p.Items != nil {
			values = p.Items.Enum
		}
		if len(values) > 0 {
			words := make([]string, len(values))
			for i, e := range values {
				words[i] = fmt.Sprint(e)
			}
			part += ": " + strings.Join(words, "|")
		} else if p.Type == "object" {
			part += ": {" + strings.Join(slices.Sorted(maps.Keys(p.Properties)), ", ") + "}"
		}
		parts = append(parts, part)
	}
	return s.Name + " {" + strings.Join(parts, ", ") + "}"
}

// SchemaJSON returns a schema as JSON; one that can't be encoded permits any object.
func SchemaJSON(s *jsonschema.Schema) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return b
}
