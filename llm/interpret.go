package llm

import (
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// The keys models use for the same things.
var (
	nameKeys = []string{"name", "function", "function_name", "tool", "tool_name", "toolName", "action_name", "recipient_name"}
	argKeys  = []string{
		"arguments", "args", "parameters", "params", "param", "input", "tool_input", "action_input", "kwargs", "tool_args",
		"tool_arguments", "action_params", "action_parameters", "actionInput", "toolInput",
	}
	listKeys = []string{"tool_calls", "toolCalls", "calls", "actions", "action_sequence", "action_list", "function_calls", "functionCalls", "tool_uses"}
	callKeys = []string{"function_call", "functionCall", "tool_call", "toolCall", "function", "tool_use"}
	// metaKeys stand beside a call and are not part of it.
	metaKeys = map[string]bool{
		"id": true, "type": true, "thought": true, "thoughts": true, "thinking": true, "reasoning": true, "reason": true, "explanation": true,
		"current_state": true, "evaluation": true, "evaluation_previous_goal": true, "memory": true, "next_goal": true, "plan": true,
		"observation": true, "comment": true, "rationale": true, "call_id": true, "tool_call_id": true, "index_in_batch": true,
		"confidence": true, "intent": true, "justification": true, "description": true,
	}
)

// interpretAll makes calls of all values, or says that none is one.
func interpretAll(values []any, tools []Tool) ([]Call, []string, error) {
	var calls []Call
	var mends []string
	var none int
	for _, v := range values {
		c, m, err := interpret(v, tools, 0)
		if errors.Is(err, errNotACall) {
			none++
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		calls = append(calls, c...)
		mends = append(mends, m...)
	}
	switch {
	case len(calls) == 0:
		return nil, nil, errNotACall
	case none > 0:
		return nil, nil, badReply("one of several JSON objects is no call of a tool")
	}
	return calls, mends, nil
}

// interpret finds the call in a decoded value, in any of the shapes in use.
func interpret(v any, tools []Tool, depth int) ([]Call, []string, error) {
	if depth > 6 {
		return nil, nil, errNotACall
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return nil, nil, errNotACall
		}
		var calls []Call
		var mends []string
		bad := 0
		for _, item := range v {
			c, m, err := interpret(item, tools, depth+1)
			if errors.Is(err, errNotACall) {
				bad++
				continue
			}
			if err != nil {
				return nil, nil, err
			}
			calls, mends = append(calls, c...), append(mends, m...)
		}
		if bad > 0 && len(calls) > 0 {
			return nil, nil, badReply("an item of the array is no call of a tool")
		}
		if len(calls) == 0 {
			return nil, nil, errNotACall
		}
		return calls, mends, nil
	case map[string]any:
		return interpretObject(v, tools, depth)
	}
	return nil, nil, errNotACall
}

func interpretObject(obj map[string]any, tools []Tool, depth int) ([]Call, []string, error) {
	for _, k := range append(listKeys, "action") {
		if list, ok := obj[k].([]any); ok && len(list) > 0 {
			return interpret(list, tools, depth+1)
		}
	}
	for _, k := range append(callKeys, "action") {
		if inner, ok := obj[k].(map[string]any); ok {
			inner = withOuterArgs(inner, obj)
			if calls, mends, err := interpret(inner, tools, depth+1); !errors.Is(err, errNotACall) {
				return calls, mends, err
			}
		}
	}
	if name, ok := obj["action"].(string); ok {
		return interpretAction(name, obj, tools)
	}
	for _, k := range nameKeys {
		name, ok := obj[k].(string)
		if !ok {
			continue
		}
		args, given, err := argsOf(obj)
		if err != nil {
			return nil, nil, badReplyIn(name, err)
		}
		if list, ok := args["tool_uses"].([]any); ok { // GPT's multi_tool_use.parallel
			return interpret(list, tools, depth+1)
		}
		_, _, unknown := resolveName(name, tools)
		switch inner := args["action"].(type) {
		case []any, map[string]any:
			if unknown != nil && len(tools) > 0 { // the name is that of the whole answer: AgentOutput
				return interpret(inner, tools, depth+1)
			}
		}
		switch {
		case given:
			return callOf(name, args, tools)
		case unknown == nil:
			return callOf(name, without(obj, k), tools)
		}
	}
	if calls, mends, err := singleKey(obj, tools); !errors.Is(err, errNotACall) {
		return calls, mends, err
	}
	if calls, mends, err := bareArgs(obj, tools); !errors.Is(err, errNotACall) {
		return calls, mends, err
	}
	return framed(obj, tools, depth)
}

// framed reads {"args": {…the call…}, "type": "Output"}: a frame around a call, with
// nothing else that counts in it.
func framed(obj map[string]any, tools []Tool, depth int) ([]Call, []string, error) {
	var inner map[string]any
	for k, v := range obj {
		frame, isObject := v.(map[string]any)
		switch {
		case isObject && inner == nil && slices.Contains(argKeys, k):
			inner = frame
		case !metaKeys[k]:
			return nil, nil, errNotACall
		}
	}
	if inner == nil {
		return nil, nil, errNotACall
	}
	return interpret(inner, tools, depth+1)
}

// withOuterArgs gives a function's object the arguments that were put beside it
// ({"function": {"name": …}, "parameters": {…}}): without them it would be the
// call of another action.
func withOuterArgs(inner, outer map[string]any) map[string]any {
	if _, given, err := argsOf(inner); given || err != nil {
		return inner
	}
	named := false
	for _, k := range nameKeys {
		_, is := inner[k].(string)
		named = named || is
	}
	args, given, err := argsOf(outer)
	if !named || !given || err != nil {
		return inner
	}
	out := make(map[string]any, len(inner)+1)
	for k, v := range inner {
		out[k] = v
	}
	out["arguments"] = args
	return out
}

// interpretAction reads {"action": NAME, …}: NAME is a tool, or an action of
// the one tool that has an enum of them.
func interpretAction(name string, obj map[string]any, tools []Tool) ([]Call, []string, error) {
	if len(tools) == 0 {
		args, given, err := argsOf(obj)
		if err != nil {
			return nil, nil, badReplyIn(name, err)
		}
		if !given {
			args = without(obj, "action")
		}
		return callOf(name, args, tools)
	}
	tool, inner, err := resolveName(name, tools)
	if err != nil {
		return nil, nil, err
	}
	args, given, err := argsOf(obj)
	if err != nil {
		return nil, nil, badReplyIn(name, err)
	}
	if inner != "" {
		// The object is the action tool's own: keep all of it, CheckCall puts
		// stray params where they belong.
		return callOf(tool.Name, obj, tools)
	}
	if !given {
		args = without(obj, "action")
	}
	return callOf(name, args, tools)
}

// singleKey reads {"click": {"index": 5}}.
func singleKey(obj map[string]any, tools []Tool) ([]Call, []string, error) {
	var keys []string
	for k, v := range obj {
		// "type" is an action too: then an object stands under it.
		if _, isObject := v.(map[string]any); !metaKeys[k] || k == "type" && isObject {
			keys = append(keys, k)
		}
	}
	if len(keys) != 1 || len(tools) == 0 {
		return nil, nil, errNotACall
	}
	name := keys[0]
	if _, _, err := resolveName(name, tools); err != nil {
		return nil, nil, errNotACall
	}
	switch args := obj[name].(type) {
	case map[string]any:
		return callOf(name, args, tools)
	case nil:
		return callOf(name, map[string]any{}, tools)
	case string:
		if strings.TrimSpace(args) == "" {
			return callOf(name, map[string]any{}, tools)
		}
	}
	return nil, nil, errNotACall
}

// bareArgs takes an object as the arguments of the only tool when it has all
// that tool requires.
func bareArgs(obj map[string]any, tools []Tool) ([]Call, []string, error) {
	if len(tools) != 1 {
		return nil, nil, errNotACall
	}
	s := schemaOf(tools[0])
	known := 0
	for k := range s.properties {
		if _, ok := obj[k]; ok {
			known++
		}
	}
	for _, k := range s.required {
		if _, ok := obj[k]; !ok {
			return nil, nil, errNotACall
		}
	}
	if known == 0 {
		return nil, nil, errNotACall
	}
	return callOf(tools[0].Name, obj, tools)
}

func callOf(name string, args map[string]any, tools []Tool) ([]Call, []string, error) {
	return resolveCalls(name, args, tools)
}

// argsOf finds the arguments beside a name, as an object or as text.
func argsOf(obj map[string]any) (args map[string]any, given bool, err error) {
	for _, k := range argKeys {
		switch v := obj[k].(type) {
		case map[string]any:
			return v, true, nil
		case string:
			t := strings.TrimSpace(v)
			if t == "" {
				return map[string]any{}, true, nil
			}
			if strings.HasPrefix(t, "{") || strings.HasPrefix(t, `"{`) {
				args, _, err := parseArgs(v)
				return args, true, err
			}
		case nil:
			if _, there := obj[k]; there {
				return map[string]any{}, true, nil
			}
		}
	}
	return nil, false, nil
}

func without(obj map[string]any, keys ...string) map[string]any {
	out := make(map[string]any, len(obj))
	for k, v := range obj {
		if !metaKeys[k] {
			out[k] = v
		}
	}
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

// resolveCalls matches a name and gives the call of the tool meant: several, where
// another program's name stands for a row of calls.
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

// madeOf writes translated calls.
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

// resolveName finds the tool a name means: exactly, without the namespaces
// that models put before it, or but for case and word breaks; or the action
// of a tool that has an enum of them; or what another program's name stands for.
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

// bareToolName takes off functions.x, default_api:x, x:0, and marks that leaked into
// it: x<|channel|>commentary, x</think>.
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

// fold forgets case and word breaks: go_back, goBack and Go-Back are one.
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

// number gives an integer for what means one: 5, 5.0, "5", "[5]", "#5".
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
