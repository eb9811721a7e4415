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

// TestHintsNameTools: each hint of a result that names an action names its tool.
func TestHintsNameTools(t *testing.T) {
	for text, want := range map[string]string{
		"and 56 more changes (extractContent reads the page)":              "and 56 more changes (browser_extract_content reads the page)",
		"and 5 more changes (getElements type=new lists what is new)":      "and 5 more changes (browser_get_elements type=new lists what is new)",
		"… 8 more link (getElements scope=e12)":                            "… 8 more link (browser_get_elements scope=e12)",
		"OK: closed the tab. The task has no tab left; openTab opens one.": "OK: closed the tab. The task has no tab left; browser_tabs opens one.",
		"It is long. extractContent gives the text; fileName writes it":    "It is long. browser_extract_content gives the text; fileName writes it",
		`[2] link "getElements explained"`:                                 `[2] link "getElements explained"`,
	} {
		if got := nameTools(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
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
