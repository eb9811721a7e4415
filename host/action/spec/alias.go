package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Alias is a name for an action in browser-use, Playwright MCP, agent-browser or
// Anthropic's computer use, with the names of its parameters there. Models that were
// trained on them write those names. A reply with an alias is read as the action itself,
// before the gate or anything else sees it. A name with more than one meaning is no alias.
// llm.Alias explains the fields.
type Alias struct {
	Action       string // filled in by Tools
	Name         string
	When         map[string]string
	Params       map[string]string
	Set, Default map[string]any
	Drop         []string
	Each         string
}

// ownNames renames parameters and values by the aliases of the action's own name. Plain
// renamings, without arithmetic, apply to every way of calling the action.
func ownNames(own []Alias, schema *jsonschema.Schema, params map[string]any) {
	fold := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	for key, v := range params {
		if schema.Properties[key] != nil {
			continue
		}
		for _, a := range own {
			for from, into := range a.Params {
				if fold(from) == fold(key) && schema.Properties[into] != nil && params[into] == nil {
					delete(params, key)
					params[into] = v
				}
			}
		}
	}
	for _, a := range own {
		if len(a.When) != 1 || len(a.Set) != 1 {
			continue
		}
		for key, want := range a.When {
			if v, ok := params[key].(string); !ok || !strings.EqualFold(v, want) {
				continue
			}
			for into, v := range a.Set {
				if old, given := params[into]; into == key || !given || old == v {
					delete(params, key)
					params[into] = v
				}
			}
		}
	}
}

// aliasFaults returns the errors in the aliases of the declared actions: a parameter
// that the action lacks, a name with two meanings.
func (r *Registry) aliasFaults() []error {
	var errs []error
	seen := map[string]string{}
	for _, s := range r.Specs() {
		for _, a := range s.Aliases {
			key := fmt.Sprint(strings.ToLower(strings.ReplaceAll(a.Name, "_", "")), a.When, a.Each)
			if old := seen[key]; old != "" {
				errs = append(errs, fmt.Errorf("the name %q means %s and %s", a.Name, old, s.Name))
			}
			seen[key] = s.Name
			if own, is := r.specs[a.Name]; is && own.Name != s.Name && len(a.When) == 0 && own.ModelVisible {
				errs = append(errs, fmt.Errorf("%q is an action, and an alias of %s", a.Name, s.Name))
			}
			for _, p := range slices.Concat(slices.Collect(maps.Values(a.Params)), slices.Collect(maps.Keys(a.Set)), slices.Collect(maps.Keys(a.Default))) {
				if strings.HasPrefix(p, "=") {
					continue
				}
				for _, one := range strings.Split(p, ",") {
					one, _, _ = strings.Cut(one, "*")
					one, _, _ = strings.Cut(one, ".")
					if s.Schema.Properties[one] == nil {
						errs = append(errs, fmt.Errorf("alias %q of %s: there is no parameter %q", a.Name, s.Name, one))
					}
				}
			}
		}
	}
	return errs
}
