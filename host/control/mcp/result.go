package mcp

import (
	"regexp"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// result gives what came of an action the shape of MCP: compact text for the
// model, and structured content for programs.
func result(r wire.SessionResult) *sdk.CallToolResult {
	if r.Error != nil && r.Error.Hint != "" {
		e := *r.Error
		e.Hint = toolWords(e.Hint)
		r.Text = strings.Replace(r.Text, r.Error.Hint, e.Hint, 1)
		r.Error = &e
	}
	r.Text, r.Effect = nameTools(r.Text), nameTools(r.Effect)
	if r.Action == "observe" {
		r.Text = action.NameDialogAnswer(r.Text, ToolName("handleDialog"))
	}
	out := &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: r.Text}}, StructuredContent: control.Structured(r), IsError: r.Error != nil,
	}
	if len(r.Image) > 0 {
		out.Content = append(out.Content, &sdk.ImageContent{Data: r.Image, MIMEType: r.MIME})
	}
	return out
}

// nextSteps finds how to go on in a result: these name an action in words that
// only we write, so that what a page says stays as it is.
var nextSteps = regexp.MustCompile(`\b(?:getElements|extractContent) (?:cursor=\w|query=…|type=new|page=\d|visible=false|lists all\))|… \(getOptions\)|` +
	`\((?:answer it with handleDialog|switchTab goes there)\)|; getElements or a screenshot may show more|, and no window was opened: use uploadFile with `)

// nextActions are the actions that nextSteps finds: without one there is nothing to
// find, and most of a large result is lines of the page.
var nextActions = []string{"getElements", "getOptions", "extractContent", "handleDialog", "switchTab", "uploadFile"}

// nameTools names tools in how to go on.
func nameTools(text string) string {
	if !slices.ContainsFunc(nextActions, func(name string) bool { return strings.Contains(text, name) }) {
		return text
	}
	return nextSteps.ReplaceAllStringFunc(text, toolWords)
}

// actionWords finds names of actions in the words of a hint: those of two
// words or more, since "click" and "type" are plain English, and those of one that
// parameters follow.
var actionWords = regexp.MustCompile(`\b[a-z]+(?:[A-Z][A-Za-z]*)+\b|\bas [a-z]+ \{`)

// toolWords writes a hint for a model that knows tools, not actions.
func toolWords(hint string) string {
	return actionWords.ReplaceAllStringFunc(hint, func(w string) string {
		if name, ok := strings.CutPrefix(w, "as "); ok {
			if name = strings.TrimSuffix(name, " {"); isAction(name) {
				return "as " + ToolName(name) + " {"
			}
			return w
		}
		switch w {
		case "askUser":
			return "a question to the user"
		case "listTabs", "openTab", "switchTab", "closeTab":
			return tabsTool
		}
		if isAction(w) {
			return ToolName(w)
		}
		return w
	})
}

func isAction(name string) bool {
	_, ok := action.Default().Spec(name)
	return ok
}
