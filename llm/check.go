package llm

import (
	"encoding/json"
	"strings"
)

// CheckCall validates the arguments of a call against its tool's schema. It first
// corrects harmless slips (a number as text, the case of an enum, element_id for
// index, params beside the action) and names them in the second result. The error
// has the code bad_reply and lists everything that is wrong.
func CheckCall(call Call, tools []Tool) (Call, []string, error) {
	if len(tools) == 0 {
		return call, nil, nil
	}
	var tool *Tool
	for i := range tools {
		if tools[i].Name == call.Name {
			tool = &tools[i]
		}
	}
	if tool == nil {
		return call, nil, badReply("there is no tool %q; there are: %s", clip(call.Name, 60), strings.Join(toolNames(tools), ", "))
	}
	l := &lenient{s: string(call.Args)}
	v, err := l.value()
	if err != nil {
		return call, nil, badReplyIn(call.Name, err)
	}
	args, ok := v.(map[string]any)
	if !ok {
		return call, nil, badReply("the arguments of %s should be a JSON object", call.Name)
	}
	s := schemaOf(*tool)
	m := &mender{root: s.doc}
	if len(s.actions) > 0 {
		args = m.lift(args, *tool, s)
	}
	m.dropMeta(args, s)
	fixed := m.coerce(s.doc, args, "")
	problems := s.problems(fixed)
	if obj, ok := fixed.(map[string]any); ok && len(problems) > 0 && s.hasParams() && m.dropBeside(obj, s) {
		problems = s.problems(fixed)
	}
	if len(problems) > 0 {
		what := call.Name
		if a, ok := args["action"].(string); ok && len(s.actions) > 0 {
			what = a
		}
		return call, nil, badReply("the arguments of %s are wrong: %s", what, strings.Join(problems, "; "))
	}
	raw, err := marshalPlain(fixed)
	if err != nil {
		return call, nil, badReplyIn(call.Name, err)
	}
	call.Args = json.RawMessage(raw)
	return call, m.mends.list, nil
}

// mender corrects arguments by a schema, and lists its corrections.
type mender struct {
	root  map[string]any
	mends mendList
	depth int
}

func (m *mender) note(path, what string) {
	if path == "" {
		path = "arguments"
	}
	m.mends.add(path + ": " + what)
}

// lift returns the arguments of an action tool in its shape, {action, params} or
// flat. It corrects params under another name, params beside the action, and a call
// that is nested under the tool's own name.
func (m *mender) lift(args map[string]any, tool Tool, s *toolSchema) map[string]any {
	out := make(map[string]any, len(args))
	for k, v := range args {
		out[k] = v
	}
	if name, ok := out["action"].(string); ok && name == tool.Name {
		if inner, given, err := argsOf(without(out, "action")); err == nil && given && inner["action"] != nil {
			m.note("", "nested call unwrapped")
			return m.lift(inner, tool, s)
		}
	}
	if s.hasParams() {
		m.liftNested(out, s)
	} else {
		m.liftFlat(out, s)
	}
	if _, has := out["action"]; !has {
		for _, k := range []string{"name", "command", "type"} {
			if name, ok := out[k].(string); ok && s.properties[k] == nil && inList(s.actions, name) {
				out["action"] = name
				delete(out, k)
				m.note("action", "was given as "+k)
				break
			}
		}
	}
	return out
}

// parts returns the arguments of an action tool in its shape, and the parameters of
// the action in them.
func (m *mender) parts(args map[string]any, tool Tool) (around, params map[string]any) {
	s := schemaOf(tool)
	around = m.lift(args, tool, s)
	if s.hasParams() {
		params, _ = around["params"].(map[string]any)
		return around, params
	}
	return around, without(around, "action")
}

func (m *mender) liftNested(out map[string]any, s *toolSchema) {
	if _, has := out["params"]; !has {
		for _, k := range argKeys {
			if _, there := out[k]; there && s.properties[k] == nil {
				out["params"] = out[k]
				delete(out, k)
				m.note("params", "was given as "+k)
				break
			}
		}
	}
	if list, ok := out["params"].([]any); ok && len(list) == 1 {
		if only, ok := list[0].(map[string]any); ok {
			out["params"] = only
			m.note("params", "taken out of a list")
		}
	}
	params, isObj := out["params"].(map[string]any)
	if text, ok := out["params"].(string); ok {
		if strings.TrimSpace(text) == "" {
			params, isObj = map[string]any{}, true
		} else if inner, _, err := parseArgs(text); err == nil {
			m.note("params", "object unpacked from text")
			params, isObj = inner, true
		}
	}
	if out["params"] == nil {
		params, isObj = map[string]any{}, true
	}
	if !isObj {
		return
	}
	moved := make(map[string]any, len(params))
	for k, v := range params {
		moved[k] = v
	}
	stray := false
	for k, v := range out {
		if s.properties[k] != nil || k == "params" || metaKeys[k] && k != "reason" {
			continue
		}
		if _, clash := moved[k]; clash {
			continue
		}
		moved[k] = v
		delete(out, k)
		stray = true
	}
	if stray {
		m.note("params", "moved from beside the action")
	}
	out["params"] = moved
}

func (m *mender) liftFlat(out map[string]any, s *toolSchema) {
	for _, k := range argKeys {
		inner, ok := out[k].(map[string]any)
		if !ok || s.properties[k] != nil {
			continue
		}
		delete(out, k)
		for ik, iv := range inner {
			if _, clash := out[ik]; !clash {
				out[ik] = iv
			}
		}
		m.note("", "params moved beside the action")
	}
}

// dropMeta removes what models put beside arguments (thoughts, ids) and the schema
// does not have.
func (m *mender) dropMeta(args map[string]any, s *toolSchema) {
	for k := range args {
		if metaKeys[k] && s.properties[k] == nil {
			delete(args, k)
		}
	}
}

// dropBeside removes all optional properties beside an action and its params, and
// reports whether there were any: an action is not refused because of a malformed
// plan.
func (m *mender) dropBeside(args map[string]any, s *toolSchema) (dropped bool) {
	for k := range args {
		if !inList(s.required, k) {
			delete(args, k)
			m.note(k, "left out")
			dropped = true
		}
	}
	return dropped
}

func inList(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
