package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"tabwright/safety"
)

// Languages that every action's text comes in.
const (
	English = "en"
	Chinese = "zh"
)

// Spec is the only declaration of an action. The function schemas for models, the schema
// for constrained decoding, the text of the fallback prompt, and the doors' offers are
// made from it.
type Spec struct {
	Name   string
	Family string
	// Doc is the text for models and users, by language; its first line says what the
	// action does, the rest when and how to use it.
	Doc map[string]string
	// Class is the consequence class before the target is known (safety.Act.Base).
	Class safety.Class
	// NeedsTab is true when the action acts in the current tab.
	NeedsTab bool
	// MayChange is true when the action may change the page or the world; such
	// an action that failed after its input was sent is not safe to repeat.
	MayChange bool
	// ModelVisible is true if every model is offered the action, Strong if strong
	// models are. The rest is for programs and people.
	ModelVisible bool
	Strong       bool
	// Advanced are parameters that only strong models, programs and people are told
	// of, because each one costs a small model attention. Needed are those that are
	// required if the advanced alternatives are not known.
	Advanced, Needed []string
	// WithDialog is true when the action can run while a native dialog is open.
	WithDialog bool
	// NoTarget, if set, is the error for a call that names an element anyway:
	// ignoring the element would act on something else.
	NoTarget string
	// Aliases are other programs' names for this action.
	Aliases []Alias
	// Schema is the JSON schema of Params.
	Schema *jsonschema.Schema

	params reflect.Type
}

// Tune changes a schema in a way that a struct tag can't express.
type Tune func(*jsonschema.Schema)

// Enum limits a string parameter, or the items of an array, to values.
func Enum(name string, values ...string) Tune {
	return func(s *jsonschema.Schema) {
		p := s.Properties[name]
		if p.Items != nil {
			p = p.Items
		}
		for _, v := range values {
			p.Enum = append(p.Enum, v)
		}
	}
}

// Between limits a number parameter.
func Between(name string, low, high float64) Tune {
	return func(s *jsonschema.Schema) {
		s.Properties[name].Minimum, s.Properties[name].Maximum = &low, &high
	}
}

// Declare returns s with the schema of its params struct.
func Declare[P any](s Spec, tunes ...Tune) Spec { return s.withParams(reflect.TypeFor[P](), tunes) }

func (s Spec) withParams(params reflect.Type, tunes []Tune) Spec {
	s.params = params
	schema, err := jsonschema.ForType(params, nil)
	if err != nil {
		return s // NewRegistry refuses a Spec without a schema
	}
	plain(schema)
	for _, t := range tunes {
		t(schema)
	}
	s.Schema = schema
	return s
}

// plain removes "null" from the types: inference adds it for pointers and slices, and
// models that see a type array often answer with null.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) > 0 {
		s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
}

// Registry is the set of declared actions.
type Registry struct {
	order  []string
	specs  map[string]Spec
	checks map[string]*checker
}

// NewRegistry takes the declarations, in the order in which they are shown, and reads
// their docs as NAME.LANGUAGE.md where they have none of their own. It refuses an action
// without a consequence class, a schema or its docs, and a name given twice.
func NewRegistry(docs fs.FS, specs ...Spec) (*Registry, error) {
	r := &Registry{specs: map[string]Spec{}, checks: map[string]*checker{}}
	var errs []error
	for _, s := range specs {
		if s.Class == "" {
			errs = append(errs, fmt.Errorf("action %q has no consequence class", s.Name))
		}
		if s.Schema == nil {
			errs = append(errs, fmt.Errorf("action %q has no schema", s.Name))
			continue
		}
		if _, twice := r.specs[s.Name]; twice {
			errs = append(errs, fmt.Errorf("action %q is declared twice", s.Name))
		}
		if s.Doc == nil {
			s.Doc = map[string]string{}
			for _, lang := range []string{English, Chinese} {
				b, err := fs.ReadFile(docs, s.Name+"."+lang+".md")
				if err != nil {
					errs = append(errs, fmt.Errorf("action %q: %w", s.Name, err))
				}
				s.Doc[lang] = strings.TrimSpace(string(b))
			}
		}
		c, err := newChecker(s.Name, s.Schema)
		if err != nil {
			errs = append(errs, err)
		}
		for _, a := range s.Aliases {
			if a.Name == s.Name && c != nil {
				c.other = append(c.other, a)
			}
		}
		r.order = append(r.order, s.Name)
		r.specs[s.Name] = s
		r.checks[s.Name] = c
	}
	errs = append(errs, r.aliasFaults()...)
	return r, errors.Join(errs...)
}

// Specs returns every declared action in order.
func (r *Registry) Specs() []Spec {
	out := make([]Spec, 0, len(r.order))
	for _, n := range r.order {
		out = append(out, r.specs[n])
	}
	return out
}

// Spec returns one action's declaration.
func (r *Registry) Spec(name string) (Spec, bool) {
	s, ok := r.specs[name]
	return s, ok
}

// Parse checks the params of a call and returns them as a pointer to the action's
// params struct.
func (r *Registry) Parse(s Spec, raw json.RawMessage) (any, *Error) {
	known := r.knows
	if s.NoTarget != "" {
		known = func(param string) bool { return !slices.Contains(targetParams, param) && r.knows(param) }
	}
	clean, problems := r.checks[s.Name].check(raw, known)
	for i, p := range problems {
		if slices.ContainsFunc(targetParams, func(t string) bool { return p == unknownParam(t) }) {
			problems[i] = s.NoTarget
		}
	}
	problems = slices.Compact(problems)
	if len(problems) > 0 {
		return nil, &Error{
			Code:    InvalidParams,
			Message: fmt.Sprintf("%s: %s", s.Name, strings.Join(problems, "; ")),
			Hint:    "Call it again as " + signature(s) + ".",
		}
	}
	p := reflect.New(s.params).Interface()
	if err := json.Unmarshal(clean, p); err != nil {
		return nil, &Error{Code: InvalidParams, Message: fmt.Sprintf("%s: %v", s.Name, err), Hint: "Call it again as " + signature(s) + ".", Err: err}
	}
	return p, nil
}

// UnusedParams returns the parameters of a call that only other actions have. Empty values
// are left out, because a model fills them in for the flat schema.
func (r *Registry) UnusedParams(s Spec, raw json.RawMessage) []string {
	var params map[string]any
	if json.Unmarshal(raw, &params) != nil {
		return nil
	}
	ownNames(r.checks[s.Name].other, s.Schema, params)
	var out []string
	for name, v := range params {
		if s.Schema.Properties[name] == nil && !slices.Contains(remarks, name) && !emptyValue(v) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func emptyValue(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// targetParams name an element or a point.
var targetParams = []string{"index", "ref", "selector", "x", "y"}

// knows tells whether any action has a parameter of that name. The flat schema shows
// all names to a small model, which then fills in parameters of other actions; those
// are ignored, not refused.
func (r *Registry) knows(param string) bool {
	for _, s := range r.specs {
		if _, ok := s.Schema.Properties[param]; ok {
			return true
		}
	}
	return false
}

// Closest returns the declared name nearest to a wrong one, for the error.
func (r *Registry) Closest(name string) string {
	squash := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", "browser", "").Replace(s))
	}
	for _, n := range r.order {
		if squash(n) == squash(name) {
			return n
		}
	}
	return ""
}
