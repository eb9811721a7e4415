package mcp

import (
	"encoding/json"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/native"
)

// result gives what came of an action the shape of MCP: compact text for the
// model, and structured content for programs.
func result(r native.SessionResult) *sdk.CallToolResult {
	if r.Error != nil && r.Error.Hint != "" {
		e := *r.Error
		e.Hint = toolWords(e.Hint)
		r.Text = strings.Replace(r.Text, r.Error.Hint, e.Hint, 1)
		r.Error = &e
	}
	out := &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: r.Text}}, StructuredContent: structured(r), IsError: r.Error != nil,
	}
	if len(r.Image) > 0 {
		out.Content = append(out.Content, &sdk.ImageContent{Data: r.Image, MIMEType: r.MIME})
	}
	return out
}

// structured is a result as programs read it: the fields of the action's data
// beside those that all actions have.
func structured(r native.SessionResult) map[string]any {
	out := map[string]any{"action": r.Action, "pageRev": r.PageRev}
	for k, v := range map[string]string{"line": r.Line, "target": r.Target, "site": r.Site, "effect": r.Effect, "url": r.URL} {
		if v != "" {
			out[k] = v
		}
	}
	if r.Error != nil {
		e := map[string]any{"code": r.Error.Code, "message": r.Error.Message, "hint": r.Error.Hint}
		if len(r.Error.Data) > 0 {
			e["data"] = r.Error.Data
		}
		if r.Confirm != nil {
			e[confirmationParam] = r.Confirm.ID
		}
		out["error"] = e
		return out
	}
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return out
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(r.Data, &fields) == nil {
		for k, v := range fields {
			out[k] = v
		}
		return out
	}
	switch {
	case r.Data[0] == '[' && r.Action == "getElementDetails":
		out["elements"] = r.Data
	case r.Data[0] == '[':
		out["items"] = r.Data
	default:
		out["value"] = r.Data
	}
	return out
}

// actionWords finds names of actions in the words of a hint: those of two
// words or more, since "click" and "type" are plain English.
var actionWords = regexp.MustCompile(`\b[a-z]+(?:[A-Z][A-Za-z]*)+\b`)

// toolWords writes a hint for a model that knows tools, not actions.
func toolWords(hint string) string {
	return actionWords.ReplaceAllStringFunc(hint, func(w string) string {
		switch w {
		case "askUser":
			return "a question to the person"
		case "listTabs", "openTab", "switchTab", "closeTab":
			return tabsTool
		}
		if _, ok := action.Default().Spec(w); ok {
			return ToolName(w)
		}
		return w
	})
}
