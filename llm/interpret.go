package llm

import (
	"errors"
	"maps"
	"slices"
	"strings"
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
	// metaKeys are beside a call and not a part of it.
	metaKeys = map[string]bool{
		"id": true, "type": true, "thought": true, "thoughts": true, "thinking": true, "reasoning": true, "reason": true, "explanation": true,
		"current_state": true, "evaluation": true, "evaluation_previous_goal": true, "memory": true, "next_goal": true, "plan": true,
		"observation": true, "comment": true, "rationale": true, "call_id": true, "tool_call_id": true, "index_in_batch": true,
		"confidence": true, "intent": true, "justification": true, "description": true,
	}
)

// interpretAll returns the calls of all values. The error is errNotACall if none is
// one.
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

// interpret returns the calls in a decoded value, in any of the shapes in use.
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
	obj = plainKeys(obj)
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
			if unknown != nil && len(tools) > 0 { // it is the name of the whole answer, such as AgentOutput
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
	if wrapsCall(obj, tools) { // first, since its key (input) may be the name of an action, too
		if calls, mends, err := framed(obj, tools, depth); !errors.Is(err, errNotACall) {
			return calls, mends, err
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

// plainKeys returns the object with lower case for the keys of a call: Action becomes
// action.
func plainKeys(obj map[string]any) map[string]any {
	var out map[string]any
	for k := range obj {
		plain := strings.ToLower(k)
		_, has := obj[plain]
		if plain == k || has || plain != "action" && !slices.Contains(nameKeys, plain) && !slices.Contains(argKeys, plain) && !slices.Contains(listKeys, plain) {
			continue
		}
		if out == nil {
			out = maps.Clone(obj)
		}
		delete(out, k)
		out[plain] = obj[k]
	}
	if out == nil {
		return obj
	}
	return out
}

// framed reads a call inside another object that has nothing else of importance:
// {"args": {…the call…}, "type": "Output"}.
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

// wrapsCall reports whether an object has a whole call under one of the keys of
// arguments: {"input": {"action": "click", "index": 5}}.
func wrapsCall(obj map[string]any, tools []Tool) bool {
	for k, v := range obj {
		inner, isObject := v.(map[string]any)
		if !isObject || !slices.Contains(argKeys, k) {
			continue
		}
		resolves := func(key string) bool {
			name, isText := inner[key].(string)
			_, _, err := resolveName(name, tools)
			return isText && err == nil
		}
		if resolves("action") {
			return true
		}
		if _, given, err := argsOf(inner); given && err == nil && slices.ContainsFunc(nameKeys, resolves) {
			return true
		}
	}
	return false
}

// withOuterArgs adds to a function's object the arguments that are beside it:
// {"function": {"name": …}, "parameters": {…}}.
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

// interpretAction reads {"action": NAME, …}. NAME is a tool, or an action of a tool
// that has an enum of them.
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
		// The object is in the action tool's own shape: keep all of it. CheckCall moves
		// stray params to their place.
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
		// "type" is an action, too, if its value is an object.
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

// bareArgs reads an object as the arguments of the only tool, if it has all that the
// tool requires.
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

// argsOf returns the arguments beside a name, which may be an object or text. given
// is false if there are none.
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
		case []any: // of one object
			if len(v) == 1 {
				if only, ok := v[0].(map[string]any); ok {
					return only, true, nil
				}
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
