package action

import (
	"encoding/json"
	"strings"
	"testing"

	"tabwright/llm"
)

// modelTools are the tools as the task loop hands them on.
func modelTools(strong bool) []llm.Tool {
	var out []llm.Tool
	for _, t := range Tools(strong) {
		tool := llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
		for _, a := range t.Aliases {
			tool.Aliases = append(tool.Aliases, llm.Alias(a))
		}
		out = append(out, tool)
	}
	return out
}

// read gives what the gate is given for a reply: names and parameters, after all
// checks of the model's side and the registry's.
func readReply(t *testing.T, text string, strong bool) (string, error) {
	t.Helper()
	tools := modelTools(strong)
	calls, _, _, err := llm.ParseFallback(text, tools)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, c := range calls {
		c, _, err := llm.CheckCall(c, tools)
		if err != nil {
			return "", err
		}
		call := Call{Name: c.Name, Params: c.Args}
		if c.Name == FunctionName {
			if err := json.Unmarshal(c.Args, &call); err != nil {
				return "", err
			}
		}
		spec, ok := std.Spec(call.Name)
		if !ok {
			t.Fatalf("%s became %s, which is no action", text, call.Name)
		}
		p, bad := std.Parse(spec, call.Params)
		if bad != nil {
			return "", bad
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, call.Name+" "+string(b))
	}
	return strings.Join(lines, "; "), nil
}

// A point that is named in pixels of the picture is brought back to the viewport, of
// which the picture may be a smaller one.
func TestPointsOnAScaledPicture(t *testing.T) {
	for call, want := range map[string]string{
		`{"action":"left_click","coordinate":[100,51]}`:                                          `{"x":125,"y":63.8}`,
		`{"click":{"coordinate_x":10,"coordinate_y":"20"}}`:                                      `{"x":12.5,"y":25}`,
		`{"action":"left_click_drag","start_coordinate":[8,16],"coordinate":[80,160]}`:           `{"from":{"x":10,"y":20},"to":{"x":100,"y":200}}`,
		`{"action":"scroll","coordinate":[8,16],"scroll_direction":"down","scroll_amount":3}`:    `{"amount":300,"direction":"down","x":10,"y":20}`,
		`{"action":"click","params":{"x":100,"y":50}}`:                                           `{"x":100,"y":50}`,
		`{"name":"browser_mouse_click_xy","arguments":{"element":"a button","x":100,"y":50.25}}`: `{"x":100,"y":50.25}`,
	} {
		for _, strong := range []bool{false, true} {
			tools := modelTools(strong)
			for i := range tools {
				tools[i].Pixel = 1.25
			}
			calls, _, _, err := llm.ParseFallback(call, tools)
			if err != nil || len(calls) != 1 {
				t.Errorf("%s: %v, %v", call, calls, err)
				continue
			}
			var flat struct{ Params json.RawMessage }
			params := calls[0].Args
			if json.Unmarshal(params, &flat) == nil && len(flat.Params) > 0 {
				params = flat.Params
			}
			if string(params) != want {
				t.Errorf("%s, strong %v: %s, want %s", call, strong, params, want)
			}
		}
	}
}

// The names and parameters of other programs are read as the action that they mean
// and as nothing else. small and strong models are read alike, unless only says
// which is offered the action.
func TestAliases(t *testing.T) {
	cases := []struct{ call, want, fail, only string }{
		// browser-use, now and before.
		{call: `{"click":{"index":5}}`, want: `click {"index":5}`},
		{call: `{"click":{"coordinate_x":10,"coordinate_y":20}}`, want: `click {"x":10,"y":20}`},
		{call: `{"action":"click_element","index":5}`, want: `click {"index":5}`},
		{call: `{"click_element_by_index":{"index":5}}`, want: `click {"index":5}`},
		{call: `{"action":"click_element_by_index","params":{"index":"5","xpath":null}}`, want: `click {"index":5}`},
		{call: `{"input":{"index":2,"text":"tea"}}`, want: `type {"index":2,"text":"tea","clear":true}`},
		{call: `{"input":{"index":2,"text":"tea","clear":false}}`, want: `type {"index":2,"text":"tea","clear":false}`},
		// … and a whole action under the same word.
		{call: `{"input":{"action":"click","index":5}}`, want: `click {"index":5}`},
		{call: `{"input":{"action":"click","params":{"index":5}}}`, want: `click {"index":5}`},
		{call: `{"input":{"name":"goto","arguments":{"url":"https://a.test"}}}`, want: `navigate {"url":"https://a.test"}`},
		{call: `{"input_text":{"index":2,"text":"tea"}}`, want: `type {"index":2,"text":"tea","clear":true}`},
		{call: `{"scroll":{"down":true,"pages":1.0}}`, want: `scroll {"direction":"down"}`},
		{call: `{"scroll":{"down":false,"index":3}}`, want: `scroll {"direction":"up","index":3}`},
		{call: `{"scroll":{"down":true,"pages":10}}`, fail: "pages"},
		{call: `{"scroll_down":{"amount":400}}`, want: `scroll {"direction":"down","amount":400}`},
		{call: `{"scroll_down":{"direction":"up"}}`, fail: "direction"},
		{call: `{"navigate":{"url":"https://a.test","new_tab":false}}`, want: `navigate {"url":"https://a.test"}`},
		{call: `{"navigate":{"url":"https://a.test","new_tab":true}}`, want: `openTab {"url":"https://a.test"}`},
		{call: `{"go_to_url":{"url":"https://a.test"}}`, want: `navigate {"url":"https://a.test"}`},
		{call: `{"go_back":{"description":"back"}}`, want: `goBack {}`},
		{call: `{"go_back":""}`, want: `goBack {}`},
		{call: `{"switch":{"tab_id":2}}`, want: `switchTab {"index":2}`},
		{call: `{"switch":{"tab_id":"a1b2"}}`, fail: "index"},
		{call: `{"switch_tab":{"page_id":1}}`, want: `switchTab {"index":1}`},
		{call: `{"close_tab":{"tab_id":2}}`, want: `closeTab {"index":2}`, only: "strong"},
		{call: `{"send_keys":{"keys":"Control+a"}}`, want: `pressKey {"key":"Control+a"}`},
		{call: `{"select_dropdown":{"index":4,"text":"Blue"}}`, want: `select {"index":4,"value":"Blue"}`},
		{call: `{"select_dropdown_option":{"index":4,"text":"Blue"}}`, want: `select {"index":4,"value":"Blue"}`},
		{call: `{"dropdown_options":{"index":4}}`, want: `getOptions {"index":4}`, only: "strong"},
		{call: `{"upload_file":{"index":4,"path":"/tmp/a.txt"}}`, want: `uploadFile {"index":4,"filePath":"/tmp/a.txt"}`},
		{call: `{"search":{"query":"tea","engine":"google"}}`, want: `webSearch {"query":"tea"}`},
		{call: `{"extract":{"query":"prices","extract_links":true}}`, want: `extractContent {"query":"prices","links":true}`},
		{call: `{"extract_content":{"goal":"prices"}}`, want: `extractContent {"query":"prices"}`},
		{call: `{"wait":{"seconds":3}}`, want: `wait {"ms":3000}`},
		{call: `{"wait":{"seconds":3000}}`, fail: "seconds"},
		{call: `{"done":{"text":"It is 5.","success":true,"files_to_display":[]}}`, want: `done {"success":true,"answer":"It is 5."}`},
		{call: `{"evaluate":{"code":"1+1"}}`, want: `executeJS {"code":"1+1"}`},
		{call: `{"find_text":{"text":"Terms"}}`, want: `scrollUntil {"text":"Terms"}`, only: "strong"},

		// Playwright MCP.
		{call: `{"name":"browser_click","arguments":{"element":"Buy button","ref":"e5"}}`, want: `click {"ref":"e5"}`},
		{call: `{"name":"mcp__playwright__browser_click","arguments":{"element":"Buy","ref":"e5","doubleClick":true}}`, want: `click {"ref":"e5","clicks":2}`},
		{call: `{"name":"browser_click","arguments":{"element":"Buy","ref":"e5","button":"right"}}`, want: `click {"ref":"e5","button":"right"}`},
		{call: `{"name":"browser_click","arguments":{"element":"Buy button"}}`, fail: "element"},
		{call: `{"name":"browser_type","arguments":{"element":"Search","ref":"e2","text":"tea","submit":true}}`, want: `type {"ref":"e2","text":"tea","clear":true,"submit":true}`},
		{call: `{"name":"browser_type","arguments":{"element":"Search","ref":"e2","text":"tea","slowly":true}}`, want: `type {"ref":"e2","text":"tea"}`},
		{call: `{"name":"browser_type","arguments":{"element":"Search","text":"tea"}}`, fail: "element"},
		{call: `{"name":"browser_select_option","arguments":{"element":"Size","ref":"e4","values":["M"]}}`, want: `select {"ref":"e4","values":["M"]}`},
		{call: `{"name":"browser_press_key","arguments":{"key":"Enter"}}`, want: `pressKey {"key":"Enter"}`},
		{call: `{"name":"browser_navigate","arguments":{"url":"https://a.test"}}`, want: `navigate {"url":"https://a.test"}`},
		{call: `{"name":"browser_navigate_back","arguments":{}}`, want: `goBack {}`},
		{call: `{"name":"browser_wait_for","arguments":{"time":2}}`, want: `wait {"ms":2000}`},
		{call: `{"name":"browser_wait_for","arguments":{"text":"Ready"}}`, want: `waitFor {"text":"Ready"}`},
		{call: `{"name":"browser_wait_for","arguments":{"textGone":"Loading"}}`, want: `waitFor {"text":"Loading","gone":true}`},
		{call: `{"name":"browser_hover","arguments":{"element":"Menu","ref":"e1"}}`, want: `hover {"ref":"e1"}`},
		{call: `{"name":"browser_drag","arguments":{"startElement":"a","startRef":"e1","endElement":"b","endRef":"e2"}}`, want: `dragDrop {"from":{"ref":"e1"},"to":{"ref":"e2"}}`},
		{call: `{"name":"browser_handle_dialog","arguments":{"accept":true,"promptText":"x"}}`, want: `handleDialog {"accept":true,"text":"x"}`},
		{call: `{"name":"browser_snapshot","arguments":{}}`, want: `getElements {}`},
		{call: `{"name":"browser_take_screenshot","arguments":{"type":"png"}}`, want: `screenshot {}`},
		{call: `{"name":"browser_tabs","arguments":{"action":"select","index":2}}`, want: `switchTab {"index":2}`},
		{call: `{"name":"browser_tabs","arguments":{"action":"new","url":"https://a.test"}}`, want: `openTab {"url":"https://a.test"}`},
		{call: `{"name":"browser_tabs","arguments":{"action":"list"}}`, want: `listTabs {}`, only: "strong"},
		{call: `{"name":"browser_tabs","arguments":{"action":"close","index":2}}`, want: `closeTab {"index":2}`, only: "strong"},
		{
			call: `{"name":"browser_fill_form","arguments":{"fields":[{"name":"Name","type":"textbox","ref":"e1","value":"Ada"},{"name":"Size","type":"combobox","ref":"e2","value":"M"}]}}`,
			want: `type {"ref":"e1","text":"Ada","clear":true}; select {"ref":"e2","label":"M"}`,
		},
		{
			call: `{"name":"browser_fill_form","arguments":{"fields":[{"name":"Terms","type":"checkbox","ref":"e3","value":"true"},{"name":"News","type":"checkbox","ref":"e4","value":"false"}]}}`,
			want: `check {"ref":"e3"}; uncheck {"ref":"e4"}`, only: "strong",
		},
		{call: `{"name":"browser_fill_form","arguments":{"fields":[{"name":"Colour","type":"colour","ref":"e3","value":"red"}]}}`, fail: "item 1"},
		{call: `{"name":"browser_evaluate","arguments":{"function":"() => 1"}}`, fail: "browser_evaluate"},
		{call: `{"name":"browser_close","arguments":{}}`, fail: "browser_close"},

		// agent-browser.
		{call: `{"action":"click","params":{"target":"@e5"}}`, want: `click {"ref":"e5"}`},
		{call: `{"action":"click","params":{"selector":"@e5"}}`, want: `click {"ref":"e5"}`},
		{call: `{"action":"fill","params":{"ref":"@e2","text":"tea"}}`, want: `type {"ref":"e2","text":"tea","clear":true}`},
		{call: `{"action":"type","params":{"ref":"e2","text":"tea"}}`, want: `type {"ref":"e2","text":"tea"}`},
		{call: `{"action":"press","params":{"key":"Enter"}}`, want: `pressKey {"key":"Enter"}`},
		{call: `{"action":"press","params":{"index":5}}`, fail: "key"},
		{call: `{"action":"dblclick","params":{"ref":"e5"}}`, want: `click {"ref":"e5","clicks":2}`},
		{call: `{"action":"open","params":{"url":"https://a.test"}}`, want: `navigate {"url":"https://a.test"}`},
		{call: `{"action":"open","params":{"index":5}}`, fail: "open"},
		{call: `{"action":"back"}`, want: `goBack {}`},
		{call: `{"action":"reload"}`, want: `refresh {}`},

		// Anthropic's computer use.
		{call: `{"name":"computer","arguments":{"action":"left_click","coordinate":[10,20]}}`, want: `click {"x":10,"y":20}`},
		{call: `{"action":"left_click","coordinate":[10,20],"text":"shift"}`, want: `click {"x":10,"y":20,"modifiers":["shift"]}`},
		{call: `{"action":"left_click","params":{"coordinate":"[10, 20]"}}`, want: `click {"x":10,"y":20}`},
		{call: `{"action":"left_click","params":{"coordinate":[10]}}`, fail: "[x, y]"},
		{call: `{"action":"right_click","coordinate":[10,20]}`, want: `click {"x":10,"y":20,"button":"right"}`},
		{call: `{"action":"double_click","coordinate":[10,20]}`, want: `click {"x":10,"y":20,"clicks":2}`},
		{call: `{"action":"triple_click","coordinate":[10,20]}`, want: `click {"x":10,"y":20,"clicks":3}`},
		{call: `{"action":"mouse_move","coordinate":[10,20]}`, want: `hover {"x":10,"y":20}`, only: "small"},
		{call: `{"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[3,4]}`, want: `dragDrop {"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`},
		{call: `{"action":"left_click_drag","coordinate":[3,4]}`, fail: "from"},
		{call: `{"action":"key","text":"ctrl+s"}`, want: `pressKey {"key":"ctrl+s"}`},
		{call: `{"action":"type","text":"tea"}`, want: `type {"text":"tea"}`},
		{call: `{"action":"scroll","scroll_direction":"down","scroll_amount":3}`, want: `scroll {"direction":"down","amount":300}`},
		{call: `{"action":"scroll","coordinate":[10,20],"scroll_direction":"down","scroll_amount":3}`, want: `scroll {"direction":"down","amount":300,"x":10,"y":20}`},
		{call: `{"action":"waitFor","loadState":"networkidle"}`, want: `waitFor {"state":"networkidle"}`},
		{call: `{"action":"waitFor","params":{"wait_until":"networkidle"}}`, want: `waitFor {"state":"networkidle"}`},
		{call: `{"action":"waitFor","params":{"selector":"#a","state":"hidden"}}`, want: `waitFor {"selector":"#a","gone":true}`},
		{call: `{"action":"waitFor","params":{"selector":"#a","state":"visible","timeout":500}}`, want: `waitFor {"selector":"#a","gone":false,"timeoutMs":500}`},
		{call: `{"action":"waitFor","params":{"state":"settled"}}`, fail: "state"},
		{call: `{"action":"wait","duration":2}`, want: `wait {"ms":2000}`},
		{call: `{"action":"screenshot"}`, want: `screenshot {}`},

		// Targets, keys and words around.
		{call: `{"action":"click","params":{"target":"e5"}}`, want: `click {"ref":"e5"}`},
		{call: `{"action":"click","params":{"element_id":5}}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"Index":"[5]"}}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"index":[5]}}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"index":[5,6]}}`, fail: "index"},
		{call: `{"action":"click","params":{"index":"e5"}}`, want: `click {"ref":"e5"}`},
		{call: `{"action":"click","params":{"ref":"[ref=e5]"}}`, want: `click {"ref":"e5"}`},
		{call: `{"action":"click","params":{"ref":5}}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"target":"the blue one"}}`, fail: "target"},
		{call: `{"action":"click","params":{"index":5},"confidence":0.9,"reason":"it is the one"}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"index":5,"confidence":0.9,"reason":"it is the one"}}`, want: `click {"index":5}`},
		{call: `{"action":"click","params":{"index":5,"button":"right"}}`, want: `click {"index":5,"button":"right"}`},
		{call: `{"action":"click","params":{"index":5,"force":true}}`, fail: "force"},
		{call: `{"action":"requestLogin","params":{"reason":"sign in"}}`, want: `requestLogin {"reason":"sign in"}`},

		// What is no name of an action stays none.
		{call: `{"action":"clear","params":{"index":5}}`, fail: `"clear"`},
		{call: `{"action":"delete","params":{"index":5}}`, fail: `"delete"`},
		{call: `{"action":"submit","params":{"index":5}}`, fail: `"submit"`},
		{call: `{"action":"buy","params":{"index":5}}`, fail: `"buy"`},
		{call: `{"action":"close","params":{}}`, fail: `"close"`},
		{call: `{"action":"clickable","params":{"index":5}}`, fail: `"clickable"`},
	}
	for _, c := range cases {
		for _, kind := range []string{"small", "strong"} {
			if c.only != "" && c.only != kind {
				continue
			}
			got, err := readReply(t, c.call, kind == "strong")
			switch {
			case c.fail != "":
				if err == nil || !strings.Contains(err.Error(), c.fail) {
					t.Errorf("%s: %s: read as %s, %v; want a refusal with %q", kind, c.call, got, err, c.fail)
				}
			case err != nil:
				t.Errorf("%s: %s: %v", kind, c.call, err)
			case got != c.want:
				t.Errorf("%s: %s\ngot  %s\nwant %s", kind, c.call, got, c.want)
			}
		}
	}
}

// Names that Playwright's users have are read by every way to call an action, not only in
// a model's reply.
func TestOwnNames(t *testing.T) {
	for _, c := range []struct{ action, params, want string }{
		{"waitFor", `{"loadState":"networkidle"}`, `{"state":"networkidle"}`},
		{"waitFor", `{"load_state":"load","timeout":"500"}`, `{"state":"load","timeoutMs":500}`},
		{"waitFor", `{"wait-until":"commit"}`, `{"state":"domcontentloaded"}`},
		{"waitFor", `{"selector":"#a","state":"detached"}`, `{"selector":"#a","gone":true}`},
		{"waitFor", `{"text":"Ready","state":"Visible"}`, `{"text":"Ready","gone":false}`},
		{"waitFor", `{"state":"complete","loadState":"networkidle"}`, ``},
		{"waitFor", `{"text":"a","gone":true,"state":"visible"}`, ``},
		{"select", `{"index":4,"option":"Blue"}`, `{"index":4,"value":"Blue"}`},
	} {
		spec, _ := std.Spec(c.action)
		p, bad := std.Parse(spec, json.RawMessage(c.params))
		got := ""
		if bad == nil {
			b, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			got = string(b)
		}
		if got != c.want || bad == nil && len(std.UnusedParams(spec, json.RawMessage(c.params))) > 0 {
			t.Errorf("%s %s: %s, %v; want %s", c.action, c.params, got, bad, c.want)
		}
	}
}

// A parameter that an action lacks and another has is left out, and the result names
// it, unless it says nothing.
func TestUnusedParams(t *testing.T) {
	click, _ := std.Spec("click")
	for params, want := range map[string]string{
		`{"index":5,"text":"Add","submit":true}`:                            "submit, text",
		`{"index":5,"text":"","clear":false,"amount":0,"modifiers":[]}`:     "",
		`{"index":5,"reason":"it is the one","confidence":0.9,"button":""}`: "",
	} {
		if got := strings.Join(std.UnusedParams(click, json.RawMessage(params)), ", "); got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
	r := newRig(t, node(1, "button", "More"))
	if res := r.do("click", `{"selector":"#n1","text":"Add"}`); res.Err != nil || !strings.Contains(res.Text, "Not used: text.") {
		t.Errorf("%v: %q", res.Err, res.Text)
	}
}
