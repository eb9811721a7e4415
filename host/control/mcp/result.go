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

// result returns an action's result in MCP form: compact text for the model and
// structured content for programs.
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
		Content: []sdk.Content{&sdk.TextContent{Text: r.Text}}, StructuredContent: control.StructuredResult(r), IsError: r.Error != nil,
	}
	if len(r.Image) > 0 {
		out.Content = append(out.Content, &sdk.ImageContent{Data: r.Image, MIMEType: r.MIME})
	}
	return out
}

// nextSteps finds the hints in a result that name an action. They are in words that
// only we write, so that the page's text is not changed.
var nextSteps = regexp.MustCompile(`\b(?:getElements|extractContent) (?:cursor=\w|query=…|type=new|scope=\w|page=\d|visible=false|lists all\)|reads the page\)|gives the text;)|… \(getOptions\)|` +
	`\((?:answer it with handleDialog|switchTab goes there)\)|; getElements or a screenshot may show more|, and no window was opened: use uploadFile with |no tab left; openTab opens one|where it only hears keys, pressKey`)

// nextActions are the actions that nextSteps can find. A result without any of them
// needs no search, and most of a large result is lines of the page.
var nextActions = []string{"getElements", "getOptions", "extractContent", "handleDialog", "switchTab", "openTab", "uploadFile", "pressKey"}

// nameTools replaces actions by tools in the hints of a result.
func nameTools(text string) string {
	if !slices.ContainsFunc(nextActions, func(name string) bool { return strings.Contains(text, name) }) {
		return text
	}
	return nextSteps.ReplaceAllStringFunc(text, toolWords)
}

// actionWords finds names of actions in a hint: names of several words, since "click"
// and "type" are plain English, and names of one word that are followed by
// parameters.
var actionWords = regexp.MustCompile(`\b[a-z]+(?:[A-Z][A-Za-z]*)+\b|\bas [a-z]+ \{`)

// toolWords replaces actions by tools in a hint.
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
