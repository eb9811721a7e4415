package mcp

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/native/wire"
)

// TestResultNamesTools: what is to be done next is named by its tool, in the text and
// in the effect; what the page says stays as it is.
func TestResultNamesTools(t *testing.T) {
	effect := `a confirm dialog opened: "Ask handleDialog" (answer it with handleDialog); opened a new tab at http://a.test/switchTab (switchTab goes there)`
	want := `a confirm dialog opened: "Ask handleDialog" (answer it with browser_handle_dialog); opened a new tab at http://a.test/switchTab (browser_tabs goes there)`
	out := result(wire.SessionResult{Text: "OK: clicked. Effect: " + effect + ".", Effect: effect})
	if text := out.Content[0].(*sdk.TextContent).Text; text != "OK: clicked. Effect: "+want+"." {
		t.Errorf("the text is %s", text)
	}
	if s, ok := out.StructuredContent.(map[string]any); !ok || s["effect"] != want {
		t.Errorf("the structure is %v", out.StructuredContent)
	}
	files := result(wire.SessionResult{Text: "the page asked for a file, and no window was opened: use uploadFile with index 3"})
	if text := files.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, "use browser_upload_file with index 3") {
		t.Errorf("the text is %s", text)
	}
}

// TestLookUnderADialogNamesTheTool: what opens the page again is named by its tool;
// what the dialog says, and the page, stays as it is.
func TestLookUnderADialogNamesTheTool(t *testing.T) {
	const says = `A confirm dialog is open on http://a.test/: "Use handleDialog?". Nothing else can be done until it is answered with %s.` + "\nShown: answered with handleDialog."
	out := result(wire.SessionResult{Action: "observe", Text: strings.Replace(says, "%s", "handleDialog", 1)})
	if text := out.Content[0].(*sdk.TextContent).Text; text != strings.Replace(says, "%s", "browser_handle_dialog", 1) {
		t.Errorf("the text is %s", text)
	}
}
