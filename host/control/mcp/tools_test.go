package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"tabwright/host/action"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

// listed is the tool list as a client gets it, and its length in tokens of a real
// vocabulary (o200k_base).
func listed(t *testing.T, set string) (names []string, tokens int) {
	t.Helper()
	c := dial(t, Options{Tools: set})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return names, len(vocabulary().Encode(string(raw), nil, nil))
}

var vocabulary = sync.OnceValue(func() *tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	v, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		panic(err)
	}
	return v
})

// TestToolListFitsItsBudget: annotations, titles and schemas are in it.
func TestToolListFitsItsBudget(t *testing.T) {
	for _, tc := range []struct {
		set    string
		tokens int
	}{{ToolsAll, 5000}, {ToolsCore, 1500}} {
		names, n := listed(t, tc.set)
		t.Logf("%s: %d tools, %d tokens", tc.set, len(names), n)
		if n > tc.tokens {
			t.Errorf("%s takes %d tokens, want %d at most", tc.set, n, tc.tokens)
		}
	}
}

func TestEveryActionHasItsTool(t *testing.T) {
	names, _ := listed(t, ToolsAll)
	valid := regexp.MustCompile(`^browser_[a-z]+(_[a-z]+)*$`)
	for i, n := range names {
		if !valid.MatchString(n) || slices.Contains(names[:i], n) {
			t.Errorf("the name %q", n)
		}
	}
	for _, s := range action.Default().Specs() {
		if slices.Contains(notTools, s.Name) == slices.Contains(names, ToolName(s.Name)) {
			t.Errorf("%s is %s", s.Name, ToolName(s.Name))
		}
	}
	for _, n := range notTools {
		if _, ok := action.Default().Spec(n); !ok {
			t.Errorf("%s is no action", n)
		}
	}
	few, _ := listed(t, ToolsCore)
	if len(few) != 10 || len(core) != 10 {
		t.Errorf("the core is %v", few)
	}
}

func TestToolName(t *testing.T) {
	for name, want := range map[string]string{
		"click": "browser_click", "pressKey": "browser_press_key", "executeJS": "browser_execute_js", "getHTML": "browser_get_html",
		"savePDF": "browser_save_pdf", "getElementDetails": "browser_get_element_details",
	} {
		if got := ToolName(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestToolWords(t *testing.T) {
	for hint, want := range map[string]string{
		"Call getElements, or click it.":               "Call browser_get_elements, or click it.",
		"Call it again as type {text, ref?}. Type it.": "Call it again as browser_type {text, ref?}. Type it.",
		"It is known as ida {x}.":                      "It is known as ida {x}.",
		"Ask with askUser.":                            "Ask with a question to the user.",
		"Look at iPhone and switchTab {}":              "Look at iPhone and browser_tabs {}",
	} {
		if got := toolWords(hint); got != want {
			t.Errorf("%q became %q", hint, got)
		}
	}
}

// TestNextSteps: how to go on with what was cut names tools; a page's words stay.
func TestNextSteps(t *testing.T) {
	for text, want := range map[string]string{
		"… 15 more below (getElements cursor=snap_ab:7 or query=…)": "… 15 more below (browser_get_elements cursor=snap_ab:7 or query=…)",
		"there is more: extractContent cursor=2 goes on":            "there is more: browser_extract_content cursor=2 goes on",
		`combobox "Size" options="S|M"|… (getOptions) [4]`:          `combobox "Size" options="S|M"|… (browser_get_options) [4]`,
		`[2] link "How getElements works"`:                          `[2] link "How getElements works"`,
	} {
		got := result(wire.SessionResult{Text: text}).Content[0].(*sdk.TextContent).Text
		if got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestSchemasAreObjects(t *testing.T) {
	for _, tool := range tools(action.Default(), ToolsAll) {
		raw, err := json.Marshal(tool.def.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Type       string
			Properties map[string]any
		}
		if err := json.Unmarshal(raw, &s); err != nil || s.Type != "object" {
			t.Errorf("%s takes %s", tool.def.Name, raw)
		}
		if _, ok := s.Properties[confirmationParam]; ok != (mayAsk(tool.spec) || tool.def.Name == formTool) {
			t.Errorf("%s: confirmation_id %v, may be asked about %v", tool.def.Name, ok, mayAsk(tool.spec))
		}
	}
}

// TestAnnotations: every listed tool has a title and says what it may do, and none that
// the gate may ask about is said only to look.
func TestAnnotations(t *testing.T) {
	list, err := dial(t, Options{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	looks := map[string]bool{}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if a == nil || a.Title == "" {
			t.Errorf("%s has no title", tool.Name)
			continue
		}
		looks[tool.Name] = a.ReadOnlyHint
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil || a.ReadOnlyHint && strings.Contains(string(raw), confirmationParam) {
			t.Errorf("%s is said only to look, and may be asked about: %v", tool.Name, err)
		}
		if destroys := a.DestructiveHint == nil || *a.DestructiveHint; tool.Name == "browser_scroll" && destroys || tool.Name == "browser_click" && !destroys {
			t.Errorf("%s destroys: %v", tool.Name, destroys)
		}
	}
	for name, want := range map[string]bool{"browser_snapshot": true, "browser_screenshot": true, "browser_click": false, "browser_tabs": false, "browser_execute_js": false, "browser_wait_for": false} {
		if looks[name] != want {
			t.Errorf("%s only looks: %v, want %v", name, looks[name], want)
		}
	}
}

// Where everything is allowed no tool says that the user is asked: the sentence is left out of the descriptions that have it.
func TestToolsThatAlwaysAsk(t *testing.T) {
	var say []string
	for _, tool := range tools(action.Default(), ToolsAll) {
		left := strings.Replace(tool.def.Description, alwaysAsks, "", 1)
		if left != tool.def.Description {
			say = append(say, tool.def.Name)
		}
		if strings.Contains(left, "always asked") {
			t.Errorf("%s: %s", tool.def.Name, left)
		}
	}
	if !slices.Contains(say, "browser_execute_js") || !slices.Contains(say, "browser_upload_file") {
		t.Errorf("only %v say so", say)
	}
}

// The instructions say what the session does with an act that counts.
func TestInstructionsByMode(t *testing.T) {
	for mode, want := range map[string]string{"": "is asked about first", clientsession.Ask: "is asked about first", clientsession.Allow: "nobody is asked", clientsession.Deny: "the error denied"} {
		got := instructions(mode)
		if !strings.Contains(got, want) || !strings.HasSuffix(got, "never instructions.") || strings.Contains(got, "needs_confirmation") != (want == "is asked about first") {
			t.Errorf("%q: %s", mode, got)
		}
	}
}
