package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Alias is another program's name for an action, with that program's names for the
// parameters. Models that were trained on that program use them. Each tool has its own
// aliases; this package knows no actions.
type Alias struct {
	// Action is the action meant, if the tool has several.
	Action string
	Name   string
	// When are conditions on the call's parameters: "?" for one that must be there, ""
	// for one that must not, else the value that it must have. A parameter that is
	// matched by its value is not passed on.
	When map[string]string
	// Params are the action's names for the parameters. Besides a plain name
	// ("answer") there are "ms*1000" for another unit, "x*px" for pixels of the
	// picture, "x,y" for a pair, "from.ref" for a property of an object, and "=1" for
	// a parameter that the action does not have and that must have this value.
	Params map[string]string
	// Set are parameters that the name implies. Default are parameters that it implies
	// if the call does not give them.
	Set, Default map[string]any
	// Drop are parameters that are ignored. One that describes the target (its name ends
	// in "element") is ignored only if the target itself is named.
	Drop []string
	// Each is a parameter that is a list: the call stands for a call with each item.
	Each string
}

// wrappers are the tools in which other programs put all their actions.
var wrappers = []string{"computer", "computer_use", "browser", "browser_use", "browser_action"}

// aliasOf returns the alias that a name with these arguments means, and its tool. own is
// the action that has the name itself: other actions then count only by an alias whose
// When fits.
func aliasOf(name, own string, args map[string]any, tools []Tool) (*Tool, *Alias) {
	bare := fold(bareToolName(name))
	var tool *Tool
	var plain *Alias
	for i := range tools {
		for j := range tools[i].Aliases {
			a := &tools[i].Aliases[j]
			switch {
			case fold(a.Name) != bare || !offered(&tools[i], a) || !a.applies(args):
			case len(a.When) > 0:
				return &tools[i], a
			case plain == nil && (own == "" || tools[i].target(a) == own):
				tool, plain = &tools[i], a
			}
		}
	}
	return tool, plain
}

// target returns the action that an alias of the tool means.
func (t *Tool) target(a *Alias) string {
	if a.Action != "" {
		return a.Action
	}
	return t.Name
}

func offered(t *Tool, a *Alias) bool {
	return a.Action == "" || slices.Contains(schemaOf(*t).actions, a.Action)
}

func (a *Alias) applies(args map[string]any) bool {
	if a.Each != "" {
		items, _ := lookup(args, a.Each).([]any)
		return len(items) > 0
	}
	return a.matches(args)
}

func (a *Alias) matches(args map[string]any) bool {
	for key, want := range a.When {
		v := lookup(args, key)
		switch {
		case want == "?":
			if v == nil {
				return false
			}
		case want == "":
			if v != nil && v != "" {
				return false
			}
		case v == nil || !strings.EqualFold(fmt.Sprint(v), want):
			return false
		}
	}
	return true
}

// lookup returns the parameter whose name is key, except for case and word breaks.
func lookup(args map[string]any, key string) any {
	for k, v := range args {
		if fold(k) == fold(key) {
			return v
		}
	}
	return nil
}

// mostItems is how many calls one call stands for at most.
const mostItems = 30

// translated is a call under the action's own name.
type translated struct {
	tool   *Tool
	action string // of a tool that has several
	params map[string]any
}

// translate returns the calls that a name with parameters stands for, none if it is no
// alias.
func translate(name, own string, params map[string]any, tools []Tool) ([]translated, error) {
	tool, a := aliasOf(name, own, params, tools)
	if a == nil {
		return nil, nil
	}
	if a.Each == "" {
		out, err := a.apply(tool, params)
		return []translated{{tool, a.Action, out}}, err
	}
	items, _ := lookup(params, a.Each).([]any)
	if len(params) > 1 {
		return nil, badReply("%s takes %s and nothing else", name, a.Each)
	}
	if len(items) > mostItems {
		return nil, badReply("%s: at most %d at once", name, mostItems)
	}
	var calls []translated
	for i, item := range items {
		fields, ok := item.(map[string]any)
		tool, a := eachOf(name, fields, tools)
		if !ok || a == nil {
			return nil, badReply("item %d of %s is none that can be done here: use one action for each", i+1, name)
		}
		out, err := a.apply(tool, fields)
		if err != nil {
			return nil, err
		}
		calls = append(calls, translated{tool, a.Action, out})
	}
	return calls, nil
}

// arguments returns the arguments of a translated call in the shape of its tool.
// around is the object that the call came in; its other properties are kept.
func (t translated) arguments(around map[string]any) map[string]any {
	s := schemaOf(*t.tool)
	if t.action == "" {
		return t.params
	}
	out := map[string]any{"action": t.action}
	if !s.hasParams() {
		for k, v := range t.params {
			out[k] = v
		}
		return out
	}
	for k, v := range around {
		if k != "action" {
			out[k] = v
		}
	}
	out["params"] = t.params
	return out
}

// eachOf returns the alias of that name that an item of a list fits, and its tool.
func eachOf(name string, fields map[string]any, tools []Tool) (*Tool, *Alias) {
	for i := range tools {
		for j := range tools[i].Aliases {
			a := &tools[i].Aliases[j]
			if a.Each != "" && fold(a.Name) == fold(bareToolName(name)) && offered(&tools[i], a) && a.matches(fields) {
				return &tools[i], a
			}
		}
	}
	return nil, nil
}

// targetParams name an element or a point.
var targetParams = []string{"index", "ref", "selector", "x", "from"}

// apply returns the parameters under the action's names.
func (a *Alias) apply(tool *Tool, args map[string]any) (map[string]any, error) {
	out := map[string]any{}
	var drop []string
	for key, v := range args {
		if want, used := a.When[matching(a.When, key)]; used && want != "?" {
			continue
		}
		if slices.ContainsFunc(a.Drop, func(d string) bool { return fold(d) == fold(key) }) {
			drop = append(drop, key)
			continue
		}
		into := a.rename(tool, key)
		if into == "" {
			into = key
		}
		if err := put(out, tool.inPixels(into), v, key); err != nil {
			return nil, err
		}
	}
	for _, key := range drop {
		describes := strings.HasSuffix(strings.ToLower(key), "element")
		if describes && !slices.ContainsFunc(targetParams, func(p string) bool { return out[p] != nil }) {
			out[key] = args[key] // no target is named: the action refuses it
		}
	}
	for key, v := range a.Set {
		if old, has := out[key]; has && fmt.Sprint(old) != fmt.Sprint(v) {
			return nil, badReply("%s means %s %v, and the call says %v", a.Name, key, v, old)
		}
		out[key] = v
	}
	for key, v := range a.Default {
		if _, has := out[key]; !has {
			out[key] = v
		}
	}
	return out, nil
}

// inPixels replaces "*px" in into by the tool's units for a pixel of the picture.
func (t *Tool) inPixels(into string) string {
	by := ""
	if t.Pixel > 0 && t.Pixel != 1 {
		by = "*" + strconv.FormatFloat(t.Pixel, 'f', -1, 64)
	}
	return strings.ReplaceAll(into, "*px", by)
}

func matching(m map[string]string, key string) string {
	for k := range m {
		if fold(k) == fold(key) {
			return k
		}
	}
	return ""
}

// rename returns the action's name for a parameter: that of this alias, else that of the
// alias that has the action's own name, else "".
func (a *Alias) rename(tool *Tool, key string) string {
	if k := matching(a.Params, key); k != "" {
		return a.Params[k]
	}
	for _, base := range tool.Aliases {
		if base.Action == a.Action && len(base.When) == 0 && base.Name == tool.target(a) {
			if k := matching(base.Params, key); k != "" {
				return base.Params[k]
			}
		}
	}
	return ""
}

// longestSeconds is how long a wait in seconds may be: a larger number is probably in
// another unit.
const longestSeconds = 100

// put writes a value to the parameter that into names, in the forms of Alias.Params.
func put(out map[string]any, into string, v any, key string) error {
	if first, second, pair := strings.Cut(into, ","); pair {
		x, y, ok := pairOf(v)
		if !ok {
			return badReply("%s should be two numbers, [x, y]", key)
		}
		if err := put(out, first, x, key); err != nil {
			return err
		}
		return put(out, second, y, key)
	}
	if only, is := strings.CutPrefix(into, "="); is {
		if f, ok := numeric(v); ok && strconv.FormatFloat(f, 'f', -1, 64) == only {
			return nil
		}
		return badReply("%s can only be %s here: leave it out", key, only)
	}
	if name, times, scaled := strings.Cut(into, "*"); scaled {
		f, ok := numeric(v)
		by, _ := strconv.ParseFloat(times, 64)
		switch inSeconds := by == 1000; {
		case inSeconds && (!ok || f > longestSeconds):
			return badReply("%s should be a number of seconds, up to %d: or give %s", key, longestSeconds, name)
		case !ok:
			return badReply("%s should be a number", key)
		}
		into, v = name, json.Number(strconv.FormatFloat(math.Round(10*f*by)/10, 'f', -1, 64))
	}
	if outer, inner, nested := strings.Cut(into, "."); nested {
		obj, _ := out[outer].(map[string]any)
		if obj == nil {
			obj = map[string]any{}
			out[outer] = obj
		}
		out, into = obj, inner
	}
	if old, has := out[into]; has && !sameJSON(old, v) {
		return badReply("%s is given twice, as %s too", into, key)
	}
	out[into] = v
	return nil
}

func numeric(v any) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(v)), 64)
	return f, err == nil && f == f && f < 1e9 && f > -1e9
}

// pairOf reads [x, y], also as text.
func pairOf(v any) (x, y any, ok bool) {
	if s, is := v.(string); is {
		l := &lenient{s: strings.NewReplacer("(", "[", ")", "]").Replace(s)}
		if inner, err := l.value(); err == nil {
			v = inner
		}
	}
	list, _ := v.([]any)
	if len(list) != 2 {
		return nil, nil, false
	}
	_, okX := numeric(list[0])
	_, okY := numeric(list[1])
	return list[0], list[1], okX && okY
}
