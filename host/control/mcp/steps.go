package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// step is one call of a tool of this server. A client's call is one step, or several
// if it is a translated call of another server's tool.
type step struct {
	tool string
	args map[string]any
	// raw are the arguments as the client sent them; nil if they were translated.
	raw json.RawMessage
	// script is a JavaScript function to call with the element that args name.
	script string
	// instead is done if the target is of a kind that tool can't be used on, and after tool if
	// the field suggests exactly what was typed as an option.
	instead *step
}

// stepsOf returns the steps of a call.
func (d *door) stepsOf(name string, raw json.RawMessage) ([]step, error) {
	args := map[string]any{}
	if len(raw) > 0 && string(raw) != "null" && json.Unmarshal(raw, &args) != nil {
		return []step{{tool: name, raw: raw}}, nil //nolint:nilerr // the tool tells what is wrong
	}
	if steps, err := fromPlaywright(name, args); steps != nil || err != nil {
		return steps, err
	}
	return []step{{tool: name, raw: raw}}, nil
}

// doSteps does the steps of a call until one fails or needs a confirmation. The same
// call with the answer continues at that step.
func (s *server) doSteps(ctx context.Context, steps []step, req *sdk.CallToolRequest) *sdk.CallToolResult {
	again, params := *req, *req.Params
	again.Params = &params
	if len(steps) == 1 && steps[0].instead == nil {
		return s.callTool(ctx, steps[0], &again)
	}
	var before []string
	for i := s.firstStep(steps, &params); i < len(steps); i++ {
		res, at := s.doStep(ctx, steps[i], &again)
		at.step = i
		if res.RequestState != "" {
			res.RequestState = at.String() + stepMark + res.RequestState
			return res
		}
		texts := textsOf(res)
		if res.IsError {
			s.remember(res, at)
			if i > 0 {
				texts = append([]string{fmt.Sprintf("Of %d steps %d were done before this one.", len(steps), i)}, texts...)
			}
			return withTexts(res, texts)
		}
		if st := steps[i].instead; st != nil && suggests(res, st) {
			params.RequestState, params.InputResponses = "", nil
			at.tried++ // an answer goes to the tool that chooses, which is tried after the one that writes
			res = s.callTool(ctx, *st, &again)
			for k := range texts {
				texts[k] = strings.TrimSuffix(texts[k], action.SuggestsNote)
			}
			if texts = append(texts, textsOf(res)...); res.RequestState != "" {
				res.RequestState = at.String() + stepMark + res.RequestState
				return res
			}
			if res.IsError {
				s.remember(res, at)
				return withTexts(res, append(before, texts...))
			}
		}
		if before = append(before, texts...); i == len(steps)-1 {
			return withTexts(res, before)
		}
		params.RequestState, params.InputResponses = "", nil
	}
	return result(control.ResultOf("", invalid("there is nothing to do in it", "Name at least one field.")))
}

// suggests reports whether a field suggests the option that st would choose.
func suggests(res *sdk.CallToolResult, st *step) bool {
	fields, _ := res.StructuredContent.(map[string]any)
	raw, _ := fields[action.SuggestsKey].(json.RawMessage)
	var options []string
	if json.Unmarshal(raw, &options) != nil {
		return false
	}
	label, _ := st.args["label"].(string)
	return slices.Contains(options, label)
}

// stepMark stands between the place of a question and its state.
const stepMark = "|"

// A place is where a call asked: in which step, and after how many tools that could not be used.
type place struct{ step, tried int }

func (p place) String() string { return fmt.Sprintf("%d.%d", p.step, p.tried) }

// resume makes the tool that asked the one of its step, and keeps the confirmation for it alone. It
// reports whether the steps have such a place.
func (p place) resume(steps []step) bool {
	if p.step < 0 || p.step >= len(steps) {
		return false
	}
	st := &steps[p.step]
	for range p.tried {
		if st = st.instead; st == nil {
			return false
		}
	}
	steps[p.step] = *st
	for i := range steps {
		for other := &steps[i]; other != nil; other = other.instead {
			if other != &steps[p.step] {
				delete(other.args, confirmationParam)
			}
		}
	}
	return true
}

// firstStep returns the step at which a repeated call continues. Only that step keeps the
// answer.
func (s *server) firstStep(steps []step, params *sdk.CallToolParamsRaw) int {
	if at, state, ok := strings.Cut(params.RequestState, stepMark); ok {
		var p place
		if _, err := fmt.Sscanf(at, "%d.%d", &p.step, &p.tried); err == nil && p.resume(steps) {
			params.RequestState = state
			return p.step
		}
	}
	for _, st := range steps {
		id, _ := st.args[confirmationParam].(string)
		s.mu.Lock()
		p, ok := s.asked[id]
		s.mu.Unlock()
		if ok && p.resume(steps) {
			return p.step
		}
	}
	return 0
}

// remember notes where a call needs a confirmation. Only one question is open.
func (s *server) remember(res *sdk.CallToolResult, p place) {
	id, ok := failureOf(res)[confirmationParam].(string)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.asked)
	s.asked[id] = p
}

// doStep does one step, or the one instead of it, and tells how many were tried before that. If
// none can be done, the result is that of the first.
func (s *server) doStep(ctx context.Context, st step, req *sdk.CallToolRequest) (*sdk.CallToolResult, place) {
	first := s.callTool(ctx, st, req)
	res := first
	for tried := 0; ; tried++ {
		if !isOfAnotherKind(st.tool, res) {
			return res, place{tried: tried}
		}
		if st.instead == nil {
			return first, place{}
		}
		st = *st.instead
		res = s.callTool(ctx, st, req)
	}
}

// isOfAnotherKind reports whether a tool could not be used on its target. A text that a field takes
// in part is unsupported, too, and has been typed.
func isOfAnotherKind(tool string, res *sdk.CallToolResult) bool {
	code, _ := failureOf(res)["code"].(wire.Code)
	return code == wire.Code(action.NotEditable) || code == wire.Code(action.Unsupported) && tool != ToolName("type")
}

// failureOf returns the error of a result; nil if it has none.
func failureOf(res *sdk.CallToolResult) map[string]any {
	fields, _ := res.StructuredContent.(map[string]any)
	failure, _ := fields["error"].(map[string]any)
	return failure
}

// callTool calls the tool of a step.
func (s *server) callTool(ctx context.Context, st step, req *sdk.CallToolRequest) *sdk.CallToolResult {
	if st.tool == closeTool {
		s.end()
		return result(wire.SessionResult{Action: "close", Text: "OK: the session has ended. The next browser_navigate begins another.", Line: "ended the session"})
	}
	if st.script != "" {
		code, bad := s.onElement(ctx, st, req)
		if bad != nil {
			return bad
		}
		st.args = map[string]any{"code": code}
	}
	raw := st.raw
	if raw == nil {
		var err error
		if raw, err = json.Marshal(st.args); err != nil {
			return result(control.ResultOf("", invalid(err.Error(), "Give an object.")))
		}
	}
	return s.doCall(ctx, s.tools[st.tool], raw, req)
}

// onElement returns the code that calls a function with an element. The page finds the
// element by its selector.
func (s *server) onElement(ctx context.Context, st step, req *sdk.CallToolRequest) (code string, bad *sdk.CallToolResult) {
	selector, ok := st.args["selector"].(string)
	same := `if (!e) throw new Error("no element of the document matches");`
	if ref, _ := st.args["ref"].(string); !ok {
		found := s.doCall(ctx, s.tools[ToolName("getElementDetails")], fmt.Appendf(nil, `{"indices":[%s]}`, ref[strings.LastIndex(ref, "e")+1:]), req)
		if found.IsError {
			return "", found
		}
		raw, err := json.Marshal(found.StructuredContent)
		var of struct {
			Elements []struct {
				Selector, Frame string
				Rect            struct{ X, Y float64 }
			}
		}
		if err != nil || json.Unmarshal(raw, &of) != nil || len(of.Elements) != 1 || of.Elements[0].Selector == "" || of.Elements[0].Frame != "" {
			return "", result(control.ResultOf("executeJS", &wire.Error{
				Code: wire.Code(action.Unsupported), Message: "a script can't be given this element, which lies in a frame",
				Hint: "Use the tools that take its ref, such as browser_get_text or browser_click.",
			}))
		}
		selector = of.Elements[0].Selector
		// An element at another place is a different one: the selector is relative to a
		// shadow root.
		same = fmt.Sprintf(`const r = e?.getBoundingClientRect(); if (!e || Math.abs(r.x - %g) > 2 || Math.abs(r.y - %g) > 2) throw new Error("the element lies in a shadow root, or has moved");`, of.Elements[0].Rect.X, of.Elements[0].Rect.Y)
	}
	return fmt.Sprintf(`((e) => { %s return (%s)(e); })(document.querySelector(%s))`, same, st.script, scriptString(selector)), nil
}

// scriptString writes a text as a JavaScript string.
func scriptString(s string) string {
	raw, _ := json.Marshal(s) // can't fail for a string
	return string(raw)
}

func textsOf(res *sdk.CallToolResult) (texts []string) {
	for _, c := range res.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// withTexts replaces the text of a result.
func withTexts(res *sdk.CallToolResult, texts []string) *sdk.CallToolResult {
	content := []sdk.Content{&sdk.TextContent{Text: strings.Join(texts, "\n")}}
	for _, c := range res.Content {
		if _, ok := c.(*sdk.TextContent); !ok {
			content = append(content, c)
		}
	}
	res.Content = content
	return res
}
