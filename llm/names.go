package llm

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// resolveCalls returns the call of the tool that a name means, with its arguments.
// There are several if another program's name stands for several calls.
func resolveCalls(name string, args map[string]any, tools []Tool) ([]Call, []string, error) {
	if len(tools) == 0 {
		c, err := newCall(name, args)
		return []Call{c}, nil, err
	}
	tool, action, err := resolveOwn(name, tools)
	if inner, is := args["action"].(string); err != nil && is && slices.Contains(wrappers, bareToolName(name)) {
		given, there, err := argsOf(args)
		if err != nil {
			return nil, nil, badReplyIn(name, err)
		}
		if !there {
			given = without(args, "action")
		}
		return resolveCalls(inner, given, tools)
	}
	as, own, params, around := name, action, args, map[string]any(nil)
	switch {
	case err != nil:
	case action == "" && len(schemaOf(*tool).actions) > 0:
		around, params = (&mender{}).parts(args, *tool)
		as, _ = around["action"].(string)
		_, own, _ = resolveOwn(as, []Tool{*tool})
	case action == "":
		own = tool.Name
	}
	meant, terr := translate(as, own, params, tools)
	switch {
	case terr != nil:
		return nil, nil, terr
	case len(meant) > 0:
		return madeOf(meant, as, params, around)
	case err != nil:
		return nil, nil, err
	}
	var mends []string
	if action != "" {
		if inner, ok := args["action"].(string); ok && inner == name {
			args = without(args, "action")
		}
		mends = append(mends, "action "+action+" called as a tool")
		args = translated{tool, action, args}.arguments(nil)
	} else if tool.Name != name {
		mends = append(mends, "tool name "+clip(name, 40)+" read as "+tool.Name)
	}
	c, err := newCall(tool.Name, args)
	return []Call{c}, mends, err
}

// madeOf returns translated calls as calls of their tools, and what was corrected.
func madeOf(meant []translated, name string, params, around map[string]any) ([]Call, []string, error) {
	var calls []Call
	l := mendList{}
	for _, t := range meant {
		c, err := newCall(t.tool.Name, t.arguments(around))
		if err != nil {
			return nil, nil, err
		}
		calls = append(calls, c)
		to := t.action
		if to == "" {
			to = t.tool.Name
		}
		if to != name || !sameJSON(t.params, params) {
			l.add(clip(name, 40) + " read as " + to)
		}
	}
	return calls, l.list, nil
}

func newCall(name string, args map[string]any) (Call, error) {
	raw, err := marshalArgs(args)
	return Call{ID: newCallID(), Name: name, Args: raw}, err
}

// resolveName returns the tool that a name means, or the tool and the action if the
// tool has an enum of actions. The name may be exact, have namespaces that models
// put before it, differ in case and word breaks, or be another program's.
func resolveName(name string, tools []Tool) (tool *Tool, action string, err error) {
	tool, action, err = resolveOwn(name, tools)
	if err == nil {
		return tool, action, nil
	}
	bare := fold(bareToolName(strings.TrimSpace(name)))
	for i := range tools {
		for j := range tools[i].Aliases {
			if a := &tools[i].Aliases[j]; fold(a.Name) == bare && offered(&tools[i], a) {
				return &tools[i], a.Action, nil
			}
		}
	}
	return nil, "", err
}

// resolveOwn is resolveName without the names of other programs.
func resolveOwn(name string, tools []Tool) (tool *Tool, action string, err error) {
	name = strings.TrimSpace(name)
	bare := bareToolName(name)
	for _, want := range []string{name, bare} {
		for i := range tools {
			if tools[i].Name == want {
				return &tools[i], "", nil
			}
		}
		for i := range tools {
			for _, a := range schemaOf(tools[i]).actions {
				if a == want {
					return &tools[i], a, nil
				}
			}
		}
	}
	var match *Tool
	matchAction, hits := "", 0
	for i := range tools {
		if fold(tools[i].Name) == fold(bare) {
			match, matchAction, hits = &tools[i], "", hits+1
		}
		for _, a := range schemaOf(tools[i]).actions {
			if fold(a) == fold(bare) {
				match, matchAction, hits = &tools[i], a, hits+1
			}
		}
	}
	if hits == 1 {
		return match, matchAction, nil
	}
	return nil, "", badReply("there is no tool or action %q; there are: %s", clip(name, 60), strings.Join(toolNames(tools), ", "))
}

// bareToolName returns x for functions.x, default_api:x, x:0, and for names with
// leaked marks: x<|channel|>commentary, x</think>.
func bareToolName(name string) string {
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = strings.TrimSpace(name[:i])
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.LastIndex(name, "__"); i > 0 { // mcp__server__tool
		name = name[i+2:]
	}
	return strings.TrimSuffix(name, "()")
}

// fold removes case and word breaks: go_back, goBack and Go-Back become the same.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func toolNames(tools []Tool) []string {
	var names []string
	for _, t := range tools {
		if acts := schemaOf(t).actions; len(acts) > 0 {
			names = append(names, acts...)
		} else {
			names = append(names, t.Name)
		}
	}
	sort.Strings(names)
	return names
}

// number returns the number that a value means: 5, 5.0, "5", "[5]", "#5".
func number(v any) (json.Number, bool) {
	switch v := v.(type) {
	case json.Number:
		return v, true
	case string:
		t := strings.Trim(strings.TrimSpace(v), "[]#")
		if t != "" && strings.Trim(t, "0123456789") == "" && len(t) < 10 {
			return json.Number(strings.TrimLeft(t[:len(t)-1], "0") + t[len(t)-1:]), true
		}
	}
	return "", false
}
