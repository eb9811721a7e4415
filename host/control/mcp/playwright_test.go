package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// dial gives a client of a server over pipes.
func dial(t *testing.T, o Options) *sdk.ClientSession {
	t.Helper()
	return dialAs(t, o, nil)
}

func dialAs(t *testing.T, o Options, as *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), o, in, out) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, as).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

// scripted is a session that answers each call as it is told, and notes them.
type scripted struct {
	control.SessionClient
	calls  *[]string
	answer func(call, confirmation string) wire.SessionResult
}

func (h scripted) Do(_ context.Context, c action.Call, confirmation string) wire.SessionResult {
	call := strings.TrimSpace(c.Name + " " + string(c.Params) + " " + confirmation)
	*h.calls = append(*h.calls, call)
	if h.answer != nil {
		return h.answer(call, confirmation)
	}
	return wire.SessionResult{Action: c.Name, Text: "OK: " + c.Name + "."}
}

func (h scripted) Answer(_ context.Context, id string, allow bool, _ string) error {
	*h.calls = append(*h.calls, fmt.Sprint("answer ", id, " ", allow))
	return nil
}
func (h scripted) Done() <-chan struct{} { return nil }
func (h scripted) Close() error {
	*h.calls = append(*h.calls, "close")
	return nil
}

// TestPlaywrightNames: each of Playwright's calls, as its documentation writes them,
// does what it means here, with every parameter used or refused.
func TestPlaywrightNames(t *testing.T) {
	var calls []string
	c := dial(t, Options{Open: func(context.Context, string) (control.SessionClient, error) { return scripted{calls: &calls}, nil }})
	for _, tc := range []struct{ name, args, want string }{
		{"browser_click", `{"element":"Buy","target":"e5","button":"right","modifiers":["Shift","ControlOrMeta"]}`, `click {"button":"right","modifiers":["shift","ctrl"],"ref":"e5"}`},
		{"browser_click", `{"element":"Buy","ref":"e5","doubleClick":true}`, `click {"clicks":2,"ref":"e5"}`},
		{"browser_click", `{"target":"#buy"}`, `click {"selector":"#buy"}`},
		{"browser_click", `{"ref":"e5"}`, `click {"ref":"e5"}`},
		{"browser_click", `{"element":"Buy"}`, `click {"element":"Buy"}`}, // names nothing: refused by the action
		{"browser_type", `{"element":"Search","target":"e2","text":"tea","submit":true}`, `type {"clear":true,"ref":"e2","submit":true,"text":"tea"}`},
		{"browser_type", `{"target":"e2","text":"tea","slowly":true}`, `type {"ref":"e2","text":"tea"}`},
		{"browser_type", `{"ref":"e2","text":"tea"}`, `type {"ref":"e2","text":"tea"}`}, // one of this server's own
		{"browser_hover", `{"element":"Menu","target":"e1"}`, `hover {"ref":"e1"}`},
		{"browser_drag", `{"startElement":"a","startTarget":"e1","endElement":"b","endTarget":".bin"}`, `dragDrop {"from":{"ref":"e1"},"to":{"selector":".bin"}}`},
		{"browser_drag", `{"startElement":"a","startRef":"e1","endElement":"b","endRef":"e2"}`, `dragDrop {"from":{"ref":"e1"},"to":{"ref":"e2"}}`},
		{"browser_select_option", `{"element":"Size","target":"e4","values":["M"]}`, `select {"ref":"e4","values":["M"]}`},
		{"browser_navigate", `{"url":"https://a.test"}`, `navigate {"url":"https://a.test"}`},
		{"browser_navigate_back", `{}`, `goBack {}`},
		{"browser_press_key", `{"key":"Enter"}`, `pressKey {"key":"Enter"}`},
		{"browser_handle_dialog", `{"accept":true,"promptText":"x"}`, `handleDialog {"accept":true,"text":"x"}`},
		{"browser_file_upload", `{"paths":["/a","/b"]}`, `uploadFile {"paths":["/a","/b"]}`},
		{"browser_drop", `{"element":"box","target":"e7","paths":["/a"]}`, `uploadFile {"paths":["/a"],"ref":"e7"}`},
		{"browser_snapshot", `{"target":"e3","depth":4,"boxes":true}`, `snapshot {"maxDepth":4,"scope":"e3"}`},
		{"browser_snapshot", `{}`, `snapshot {}`},
		{"browser_take_screenshot", `{"type":"png","filename":"a.png","fullPage":true,"scale":"css"}`, `screenshot {"fileName":"a.png","fullPage":true}`},
		{"browser_take_screenshot", `{"element":"Logo","target":"e1","type":"jpeg","scale":"device"}`, `screenshot {"format":"jpeg","ref":"e1"}`},
		{"browser_pdf_save", `{"filename":"a.pdf"}`, `savePDF {"fileName":"a.pdf"}`},
		{"browser_evaluate", `{"function":"() => document.title"}`, `executeJS {"code":"(() => document.title)()"}`},
		{"browser_evaluate", `{"element":"Logo","target":"#logo","function":"(e) => e.id"}`, `executeJS {"code":"((e) => { if (!e) throw new Error(\"no element of the document matches\"); return ((e) => e.id)(e); })(document.querySelector(\"#logo\"))"}`},
		{"browser_wait_for", `{"time":2}`, `wait {"ms":2000}`},
		{"browser_wait_for", `{"text":"Ready"}`, `waitFor {"text":"Ready"}`},
		{"browser_wait_for", `{"textGone":"Loading"}`, `waitFor {"gone":true,"text":"Loading"}`},
		{"browser_wait_for", `{"time":1,"textGone":"Loading","text":"Ready"}`, `wait {"ms":1000}; waitFor {"gone":true,"text":"Loading"}; waitFor {"text":"Ready"}`},
		{"browser_console_messages", `{"level":"error"}`, `consoleMessages {"level":"error"}`},
		{"browser_network_requests", `{"static":false,"filter":"api"}`, `networkRequests {"filter":"api","static":false}`},
		{"browser_resize", `{"width":800,"height":600}`, `resize {"height":600,"width":800}`},
		{"browser_tabs", `{"action":"list"}`, `listTabs {}`},
		{"browser_tabs", `{"action":"new","url":"https://a.test"}`, `openTab {"url":"https://a.test"}`},
		{"browser_tabs", `{"action":"select","index":2}`, `switchTab {"index":2}`},
		{"browser_find", `{"text":"tea"}`, `find {"text":"tea"}`},
		{"browser_mouse_click_xy", `{"element":"a","x":1,"y":2}`, `click {"x":1,"y":2}`},
		{"browser_mouse_drag_xy", `{"element":"a","startX":1,"startY":2,"endX":3,"endY":4}`, `dragDrop {"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`},
		{
			"browser_fill_form", `{"fields":[{"name":"Name","type":"textbox","target":"e1","value":"Ada"},{"element":"Size","name":"Size","type":"combobox","target":"e2","value":"M"},{"name":"Terms","type":"checkbox","target":"e3","value":"true"},{"name":"News","type":"checkbox","ref":"e4","value":"false"}]}`,
			`type {"clear":true,"ref":"e1","text":"Ada"}; select {"label":"M","ref":"e2"}; check {"ref":"e3"}; uncheck {"ref":"e4"}`,
		},
		{"browser_close", `{}`, "close"},
		// What can't be done is refused before anything is done.
		{"browser_run_code_unsafe", `{"code":"async (page) => {}"}`, "unsupported"},
		{"browser_fill_form", `{"fields":[{"name":"Name","type":"textbox","target":"e1","value":"Ada"},{"name":"Terms","type":"checkbox","target":"e3","value":"perhaps"}]}`, "invalid_params"},
		{"browser_evaluate", `{}`, "invalid_params"},
	} {
		calls = nil
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tc.name, Arguments: json.RawMessage(tc.args)})
		if err != nil {
			t.Errorf("%s %s: %v", tc.name, tc.args, err)
			continue
		}
		got := strings.ReplaceAll(strings.Join(slices.DeleteFunc(calls, func(c string) bool { return c == "getElements" }), "; "), `\u003e`, ">")
		if r.IsError {
			got, _, _ = strings.Cut(r.Content[0].(*sdk.TextContent).Text, ":")
		}
		if got != tc.want {
			t.Errorf("%s %s\n did %s\nwant %s", tc.name, tc.args, got, tc.want)
		}
	}
}

// TestAFieldsKindIsFound: without a type a field is filled in by the tool that can be used on it.
func TestAFieldsKindIsFound(t *testing.T) {
	var calls []string
	open := func(context.Context, string) (control.SessionClient, error) {
		return scripted{calls: &calls, answer: func(call, _ string) wire.SessionResult {
			no := func(code wire.Code, message string) wire.SessionResult {
				return control.ResultOf("type", &wire.Error{Code: code, Message: message, Hint: "choose another"})
			}
			switch {
			case strings.HasPrefix(call, "type") && (strings.Contains(call, `"index":2`) || strings.Contains(call, `"index":9`)):
				return no("not_editable", "it takes no text")
			case strings.HasPrefix(call, "type") && strings.Contains(call, `"index":8`):
				return no("unsupported", "the text was typed, but it holds another")
			case strings.HasPrefix(call, "check") && strings.Contains(call, `"index":4`):
				return no("unsupported", "it is no box")
			case strings.HasPrefix(call, "select") && strings.Contains(call, `"index":9`):
				return no("unsupported", "it has no options")
			case strings.HasPrefix(call, "type") && strings.Contains(call, `"index":7`):
				return wire.SessionResult{Text: `OK: typed.` + action.SuggestsNote, Data: json.RawMessage(`{"suggests":["Ida Lind","Ida"]}`)}
			}
			return wire.SessionResult{Text: "OK: " + call}
		}}, nil
	}
	c := dial(t, Options{Open: open})
	fill := func(fields string) (string, bool) {
		calls = nil
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: formTool, Arguments: json.RawMessage(`{"fields":` + fields + `}`)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*sdk.TextContent).Text, r.IsError
	}
	if text, failed := fill(`[{"index":1,"value":"Ada"},{"index":2,"value":"M"},{"index":3,"value":"true"},{"index":4,"value":"true"},{"index":5,"value":false},{"index":6,"value":1250000.5}]`); failed {
		t.Error(text)
	}
	want := `type {"clear":true,"index":1,"text":"Ada"}; type {"clear":true,"index":2,"text":"M"}; select {"index":2,"label":"M"}; check {"index":3}; check {"index":4}; type {"clear":true,"index":4,"text":"true"}; uncheck {"index":5}; type {"clear":true,"index":6,"text":"1250000.5"}`
	if got := strings.Join(calls, "; "); got != want {
		t.Errorf("it did %s\nwant %s", got, want)
	}
	if text, failed := fill(`[{"index":1,"value":"Ada"},{"index":9,"value":"M"},{"index":3,"value":"true"}]`); !failed || !strings.Contains(text, "Of 3 steps 1 were done") || !strings.Contains(text, "it takes no text") {
		t.Errorf("a picture: %s", text)
	}
	if text, failed := fill(`[{"index":8,"value":"12345"}]`); !failed || !strings.Contains(text, "it holds another") || len(calls) != 1 {
		t.Errorf("a field that takes a part of it: %s, did %v", text, calls)
	}
	for value, chosen := range map[string]bool{"Ida": true, "Id": false} {
		if text, failed := fill(`[{"index":7,"value":"` + value + `"},{"index":3,"value":"x"}]`); failed || strings.Contains(strings.Join(calls, "; "), `; select {"index":7,"label":"`+value+`"}; type`) != chosen || strings.Contains(text, action.SuggestsNote) == chosen {
			t.Errorf("%s, which is suggested: %s, did %v", value, text, calls)
		}
	}
	if text, failed := fill(`[{"value":"Ada"}]`); !failed || len(calls) > 0 {
		t.Errorf("no target: %s, did %v", text, calls)
	}
}

// TestPlaywrightFormAsks: a form goes on with the field that had to be confirmed, and
// does none twice.
func TestPlaywrightFormAsks(t *testing.T) {
	var calls []string
	open := func(context.Context, string) (control.SessionClient, error) {
		return scripted{calls: &calls, answer: func(call, confirmation string) wire.SessionResult {
			if strings.HasPrefix(call, "select") && confirmation == "" {
				r := control.ResultOf("select", &wire.Error{Code: "needs_confirmation", Message: "asked", Hint: "repeat"})
				r.Confirm = &wire.ConfirmInfo{ID: "c1"}
				return r
			}
			return wire.SessionResult{Text: "OK: " + call}
		}}, nil
	}
	c := dial(t, Options{Open: open})
	fields := `"fields":[{"name":"Name","type":"textbox","target":"e1","value":"Ada"},{"name":"Size","type":"combobox","target":"e2","value":"M"},{"name":"Terms","type":"checkbox","target":"e3","value":"true"}]`
	ask := func(args string) string {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser_fill_form", Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*sdk.TextContent).Text
	}
	if got := ask("{" + fields + "}"); !strings.Contains(got, "Of 3 steps 1 were done") || !strings.Contains(got, "needs_confirmation") {
		t.Errorf("the question is %q", got)
	}
	ask(`{"confirmation_id":"c1",` + fields + "}")
	want := `type {"clear":true,"ref":"e1","text":"Ada"}; select {"label":"M","ref":"e2"}; select {"label":"M","ref":"e2"} c1; check {"ref":"e3"}`
	if got := strings.Join(calls, "; "); got != want {
		t.Errorf("it did %s\nwant %s", got, want)
	}
}

// TestASuggestionIsAskedAbout: the question about a suggestion that a form chooses is answered to that choice, and the
// field is not written again.
func TestASuggestionIsAskedAbout(t *testing.T) {
	var calls []string
	open := func(context.Context, string) (control.SessionClient, error) {
		return scripted{calls: &calls, answer: func(call, confirmation string) wire.SessionResult {
			switch {
			case strings.HasPrefix(call, "select") && confirmation == "":
				r := control.ResultOf("select", &wire.Error{Code: "needs_confirmation", Message: "asked", Hint: "repeat"})
				r.Confirm = &wire.ConfirmInfo{ID: "c1"}
				return r
			case strings.Contains(call, `"index":7`):
				return wire.SessionResult{Text: "OK: typed." + action.SuggestsNote, Data: json.RawMessage(`{"suggests":["Ida"]}`)}
			}
			return wire.SessionResult{Text: "OK: " + call}
		}}, nil
	}
	c := dial(t, Options{Open: open})
	for i, args := range []string{`{"fields":[{"index":7,"value":"Ida"},{"index":3,"value":"x"}]}`, `{"confirmation_id":"c1","fields":[{"index":7,"value":"Ida"},{"index":3,"value":"x"}]}`} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: formTool, Arguments: json.RawMessage(args)})
		if err != nil || r.IsError != (i == 0) {
			t.Errorf("%s: %v %+v", args, err, r)
		}
	}
	want := `type {"clear":true,"index":7,"text":"Ida"}; select {"index":7,"label":"Ida"}; select {"index":7,"label":"Ida"} c1; type {"clear":true,"index":3,"text":"x"}`
	if got := strings.Join(calls, "; "); got != want {
		t.Errorf("it did %s\nwant %s", got, want)
	}
}

// TestAFieldsKindIsFoundOnce: a question about a field whose tool was found is answered to that tool, and the
// fields after it are filled in without the confirmation.
func TestAFieldsKindIsFoundOnce(t *testing.T) {
	for _, elicits := range []bool{false, true} {
		open := func(calls *[]string) func(context.Context, string) (control.SessionClient, error) {
			return func(context.Context, string) (control.SessionClient, error) {
				return scripted{calls: calls, answer: func(call, confirmation string) wire.SessionResult {
					switch {
					case strings.HasPrefix(call, "select") && confirmation != "" && !strings.Contains(call, `"index":2`):
						return control.ResultOf("select", &wire.Error{Code: "invalid_params", Message: "no such question", Hint: "repeat"})
					case strings.HasPrefix(call, "type"):
						return control.ResultOf("type", &wire.Error{Code: "not_editable", Message: "no text", Hint: "choose another"})
					case strings.Contains(call, `"index":2`) && confirmation == "":
						r := control.ResultOf("select", &wire.Error{Code: "needs_confirmation", Message: "asked", Hint: "repeat"})
						r.Confirm = &wire.ConfirmInfo{ID: "c1"}
						return r
					}
					return wire.SessionResult{Text: "OK: " + call}
				}}, nil
			}
		}
		for _, c := range []struct{ fields, want string }{
			{`[{"index":2,"value":"M"}]`, ""},
			{`[{"index":2,"value":"M"},{"index":3,"value":"L"}]`, `; type {"clear":true,"index":3,"text":"L"}; select {"index":3,"label":"L"}`},
		} {
			var calls []string // of this server alone: it closes its session later
			client, o := &sdk.ClientOptions{}, Options{Open: open(&calls), Elicit: elicits}
			want := `type {"clear":true,"index":2,"text":"M"}; select {"index":2,"label":"M"}; `
			if elicits {
				client.ElicitationHandler = func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, nil
				}
				want += "answer c1 true; "
			}
			d := dialAs(t, o, client)
			args := []string{`{"fields":` + c.fields + `}`, `{"confirmation_id":"c1","fields":` + c.fields + `}`}
			if elicits {
				args = args[:1]
			}
			for i, a := range args {
				r, err := d.CallTool(t.Context(), &sdk.CallToolParams{Name: formTool, Arguments: json.RawMessage(a)})
				if err != nil || r.IsError != (i < len(args)-1) {
					t.Errorf("%s: %v %+v", a, err, r)
				}
			}
			if want += `select {"index":2,"label":"M"} c1` + c.want; strings.Join(calls, "; ") != want {
				t.Errorf("it did %s\nwant %s", strings.Join(calls, "; "), want)
			}
		}
	}
}

// TestPlaywrightFormElicits: where the client asks its user, a form goes on with the field
// that was asked about, too; what is denied ends it.
func TestPlaywrightFormElicits(t *testing.T) {
	for _, allow := range []bool{true, false} {
		var calls []string
		open := func(context.Context, string) (control.SessionClient, error) {
			return scripted{calls: &calls, answer: func(call, confirmation string) wire.SessionResult {
				if strings.HasPrefix(call, "select") {
					if confirmation == "" {
						r := control.ResultOf("select", &wire.Error{Code: "needs_confirmation", Message: "asked", Hint: "repeat"})
						r.Confirm = &wire.ConfirmInfo{ID: "c1"}
						return r
					}
					if !allow {
						return control.ResultOf("select", &wire.Error{Code: "denied", Message: "no", Hint: "go on"})
					}
				}
				return wire.SessionResult{Text: "OK: " + call}
			}}, nil
		}
		asked := 0
		c := dialAs(t, Options{Open: open, Elicit: true}, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			asked++
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": allow}}, nil
		}})
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser_fill_form", Arguments: json.RawMessage(
			`{"fields":[{"type":"textbox","target":"e1","value":"Ada"},{"type":"combobox","target":"e2","value":"M"},{"type":"checkbox","target":"e3","value":"true"}]}`)})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint(`type {"clear":true,"ref":"e1","text":"Ada"}; select {"label":"M","ref":"e2"}; answer c1 `, allow, `; select {"label":"M","ref":"e2"} c1`)
		if allow {
			want += `; check {"ref":"e3"}`
		}
		if got := strings.Join(calls, "; "); got != want || asked != 1 || r.IsError == allow {
			t.Errorf("allow %v: asked %d times, it did %s\nwant %s", allow, asked, got, want)
		}
	}
}

// TestPlaywrightIsNotListed: the other names cost a client nothing.
func TestPlaywrightIsNotListed(t *testing.T) {
	for _, set := range []string{ToolsAll, ToolsCore} {
		names, _ := listed(t, set)
		for _, other := range []string{"browser_take_screenshot", "browser_evaluate", "browser_drop", closeTool} {
			if slices.Contains(names, other) {
				t.Errorf("%s lists %s", set, other)
			}
		}
	}
}
