package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

const click5 = `browser_action {"action":"click","params":{"index":5}}`

// shapes are replies as models write them; want is one line per call, after
// CheckCall; fail a part of the reason for a refusal.
var shapes = []struct {
	name, text, want, rest, mend, fail string
	several                            bool
}{
	{name: "fence", text: "```json\n{\"action\": \"click\", \"params\": {\"index\": 5}}\n```", want: click5},
	{name: "fence without language", text: "```\n{\"action\": \"click\", \"params\": {\"index\": 5}}\n```", want: click5},
	{name: "fence in capitals", text: "```JSON\n{\"action\": \"click\", \"params\": {\"index\": 5}}\n```", want: click5},
	{name: "fence on one line", text: "```json {\"action\":\"click\",\"params\":{\"index\":5}}```", want: click5},
	{name: "fence tight", text: "```{\"action\":\"click\",\"params\":{\"index\":5}}```", want: click5},
	{name: "tildes", text: "~~~json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n~~~", want: click5},
	{name: "CRLF", text: "Sure.\r\n```json\r\n{\"action\": \"click\",\r\n \"params\": {\"index\": 5}}\r\n```\r\n", want: click5, rest: "Sure."},
	{name: "fence not closed", text: "```json\n{\"action\": \"click\", \"params\": {\"index\": 5}}\n", want: click5},
	{name: "prose around", text: "I will press it.\n```json\n{\"action\": \"click\", \"params\": {\"index\": 5}}\n```\nThen I look.", want: click5, rest: "I will press it.\nThen I look."},
	{name: "bare", text: `{"action": "click", "params": {"index": 5}}`, want: click5},
	{name: "bare in prose", text: "Next: {\"action\": \"click\", \"params\": {\"index\": 5}}\nThen I wait.", want: click5, rest: "Next:\nThen I wait."},
	{name: "index in prose is no JSON", text: "I click [5] now. {\"action\":\"click\",\"params\":{\"index\":5}}", want: click5},
	{name: "placeholder in prose is no JSON", text: "For {index} I take 5: {\"action\":\"click\",\"params\":{\"index\":5}}", want: click5},
	{name: "two blocks", text: "```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```\nthen\n```json\n{\"action\":\"scroll\",\"params\":{\"direction\":\"down\"}}\n```", want: click5 + "\n" + `browser_action {"action":"scroll","params":{"direction":"down"}}`},
	{name: "draft and the same again", text: "```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```\nSo:\n```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```", want: click5, mend: "repeated"},
	{name: "other code first", text: "The page runs:\n```html\n<button>{x}</button>\n```\n```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```", want: click5},
	{name: "data first", text: "Found:\n```json\n{\"price\": 3, \"currency\": \"EUR\"}\n```\n```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```", want: click5},
	{name: "fence inside a string", text: "```json\n{\"action\":\"done\",\"params\":{\"text\":\"use ```go``` here\"}}\n```", want: `browser_action {"action":"done","params":{"text":"use ` + "```go```" + ` here"}}`},
	{name: "array", text: `[{"action":"click","params":{"index":5}},{"action":"wait","params":{"ms":100}}]`, want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":100}}`},
	{name: "JSON lines", text: "{\"action\":\"click\",\"params\":{\"index\":5}}\n{\"action\":\"wait\",\"params\":{\"ms\":100}}", want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":100}}`},
	{name: "array of the same twice is meant", text: `[{"action":"scroll","params":{"direction":"down"}},{"action":"scroll","params":{"direction":"down"}}]`, want: "browser_action {\"action\":\"scroll\",\"params\":{\"direction\":\"down\"}}\nbrowser_action {\"action\":\"scroll\",\"params\":{\"direction\":\"down\"}}"},
	{name: "think", text: "<think>\nMaybe {\"action\":\"type\"}? No.\n</think>\n\n{\"action\":\"click\",\"params\":{\"index\":5}}", want: click5},
	{name: "think opened by the template", text: "The user wants 5. {\"action\":\"wait\"}\n</think>\n{\"action\":\"click\",\"params\":{\"index\":5}}", want: click5},
	{name: "thinking tag", text: "<thinking>hm</thinking>```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```", want: click5},
	{name: "think tag in a string", text: `{"action":"done","params":{"text":"the tag <think> and </think> are"}}`, want: `browser_action {"action":"done","params":{"text":"the tag <think> and </think> are"}}`},
	{name: "trailing comma", text: `{"action":"click","params":{"index":5,},}`, want: click5, mend: "trailing comma"},
	{name: "single quotes", text: `{'action': 'click', 'params': {'index': 5}}`, want: click5, mend: "quotes"},
	{name: "single quotes with apostrophe", text: `{'action': 'done', 'params': {'text': 'don't'}}`, want: `browser_action {"action":"done","params":{"text":"don't"}}`},
	{name: "curly quotes", text: `{“action”: “click”, “params”: {“index”: 5}}`, want: click5},
	{name: "comments", text: "{\n  // press it\n  \"action\": \"click\", /* the button */\n  \"params\": {\"index\": 5} # five\n}", want: click5, mend: "comment"},
	{name: "URL is no comment", text: `{"action":"done","params":{"text":"http://a.test/x // y # z"}}`, want: `browser_action {"action":"done","params":{"text":"http://a.test/x // y # z"}}`},
	{name: "bare keys", text: `{action: "click", params: {index: 5}}`, want: click5},
	{name: "bare words", text: `{action: click, params: {index: 5}}`, want: click5},
	{name: "Python literals", text: `{"action":"type","params":{"index":1,"text":"a","clear":True}}`, want: `browser_action {"action":"type","params":{"clear":true,"index":1,"text":"a"}}`},
	{name: "missing bracket", text: `{"action":"click","params":{"index":5}`, want: click5, mend: "missing bracket"},
	{name: "bracket too many", text: "```json\n{\"action\":\"click\",\"params\":{\"index\":5}}}\n```", want: click5, mend: "bracket too many"},
	{name: "missing comma at a line's end", text: "{\"action\": \"click\"\n \"params\": {\"index\": 5}}", want: click5, mend: "missing comma"},
	{name: "line break in a string", text: "{\"action\":\"done\",\"params\":{\"text\":\"one\ntwo\"}}", want: `browser_action {"action":"done","params":{"text":"one\ntwo"}}`},
	{name: "quotes in a string", text: `{"action":"done","params":{"text":"say "hi" now"}}`, want: `browser_action {"action":"done","params":{"text":"say \"hi\" now"}}`},
	{name: "stray backslash", text: `{"action":"done","params":{"text":"\d+ \$5"}}`, want: `browser_action {"action":"done","params":{"text":"\\d+ \\$5"}}`},
	{name: "Unicode escapes", text: `{"action":"done","params":{"text":"\u4f60\ud83d\ude00"}}`, want: `browser_action {"action":"done","params":{"text":"你😀"}}`},
	{name: "full-width punctuation", text: "{\"action\"：\"click\"，\"params\"：{\"index\"：5}}", want: click5},
	{name: "escaped whole", text: `{\"action\":\"click\",\"params\":{\"index\":5}}`, want: click5, mend: "unescaped"},
	{name: "in a JSON string", text: "```json\n\"{\\\"action\\\":\\\"click\\\",\\\"params\\\":{\\\"index\\\":5}}\"\n```", want: click5},
	{name: "flat", text: `{"action":"click","index":5}`, want: click5, mend: "moved"},
	{name: "thought beside", text: `{"thought":"it is cheapest","action":"click","params":{"index":5}}`, want: click5},
	{name: "name and arguments", text: `{"name":"browser_action","arguments":{"action":"click","params":{"index":5}}}`, want: click5},
	{name: "name and arguments as text", text: `{"name":"browser_action","arguments":"{\"action\":\"click\",\"params\":{\"index\":5}}"}`, want: click5},
	{name: "action called as a tool", text: `{"name":"click","parameters":{"index":5}}`, want: click5, mend: "called as a tool"},
	{name: "OpenAI message", text: `{"tool_calls":[{"id":"x","type":"function","function":{"name":"browser_action","arguments":"{\"action\":\"click\",\"params\":{\"index\":5}}"}}]}`, want: click5},
	{name: "function_call", text: `{"function_call":{"name":"browser_action","arguments":{"action":"click","params":{"index":5}}}}`, want: click5},
	{name: "tool and tool_input", text: `{"tool":"click","tool_input":{"index":5}}`, want: click5},
	{name: "browser-use", text: `{"current_state":{"memory":"m","next_goal":"g"},"action":[{"click":{"index":5}}]}`, want: click5},
	{name: "single key", text: `{"click":{"index":5}}`, want: click5},
	{name: "action as an object", text: `{"action":{"name":"click","params":{"index":5}}}`, want: click5},
	{name: "namespace", text: `{"name":"functions.browser_action","arguments":{"action":"click","params":{"index":5}}}`, want: click5},
	{name: "snake case", text: `{"action":"go_back"}`, want: `browser_action {"action":"goBack","params":{}}`},

	{name: "Hermes", text: "<tool_call>\n{\"name\": \"browser_action\", \"arguments\": {\"action\": \"click\", \"params\": {\"index\": 5}}}\n</tool_call>", want: click5},
	{name: "Hermes, not closed", text: "I click.\n<tool_call>\n{\"name\": \"browser_action\", \"arguments\": {\"action\": \"click\", \"params\": {\"index\": 5}}}", want: click5, rest: "I click."},
	{name: "Hermes, a bracket short", text: "<tool_call>\n{\"name\": \"browser_action\", \"arguments\": {\"action\": \"click\", \"params\": {\"index\": 5}}\n</tool_call>", want: click5},
	{name: "Hermes, two", text: "<tool_call>{\"name\":\"click\",\"arguments\":{\"index\":5}}</tool_call>\n<tool_call>{\"name\":\"wait\",\"arguments\":{\"ms\":9}}</tool_call>", want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":9}}`},
	{name: "Hermes in a fence", text: "```xml\n<tool_call>{\"name\":\"click\",\"arguments\":{\"index\":5}}</tool_call>\n```", want: click5},
	{name: "Qwen3-coder", text: "<tool_call>\n<function=browser_action>\n<parameter=action>\nclick\n</parameter>\n<parameter=params>\n{\"index\": 5}\n</parameter>\n</function>\n</tool_call>", want: click5},
	{name: "Qwen3-coder without wrapper", text: "<function=click>\n<parameter=index>\n5\n</parameter>\n</function>", want: click5},
	{name: "Qwen3-coder, two in one wrapper", text: "<tool_call>\n<function=click>\n<parameter=index>5</parameter>\n</function>\n<function=wait>\n<parameter=ms>9</parameter>\n</function>\n</tool_call>", want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":9}}`},
	{name: "Llama function tag", text: `<function=browser_action>{"action":"click","params":{"index":5}}</function>`, want: click5},
	{name: "Llama python tag", text: `<|python_tag|>{"name": "browser_action", "parameters": {"action": "click", "params": {"index": 5}}}<|eom_id|>`, want: click5},
	{name: "GLM 4.5", text: "<tool_call>click\n<arg_key>index</arg_key>\n<arg_value>5</arg_value>\n</tool_call>", want: click5},
	{name: "Mistral", text: `[TOOL_CALLS][{"name": "browser_action", "arguments": {"action": "click", "params": {"index": 5}}}]`, want: click5},
	{name: "Mistral v11", text: `[TOOL_CALLS]browser_action[ARGS]{"action": "click", "params": {"index": 5}}`, want: click5},
	{name: "Mistral v13", text: `[TOOL_CALLS]click{"index": 5}[TOOL_CALLS]wait{"ms": 9}`, want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":9}}`},
	{name: "Kimi K2", text: `<|tool_calls_section_begin|><|tool_call_begin|>functions.click:0<|tool_call_argument_begin|>{"index": 5}<|tool_call_end|><|tool_calls_section_end|>`, want: click5},
	{name: "DeepSeek", text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>click\n```json\n{\"index\": 5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", want: click5},
	{name: "DeepSeek V3.1", text: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>click<｜tool▁sep｜>{"index": 5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, want: click5},
	{name: "phi-4", text: `<|tool_call|>[{"name":"click","arguments":{"index":5}}]<|/tool_call|>`, want: click5},
	{name: "phi-4-mini", text: `functools[{"name":"click","arguments":{"index":5}}]`, want: click5},
	{name: "InternLM", text: `<|action_start|><|plugin|>{"name":"click","parameters":{"index":5}}<|action_end|>`, want: click5},
	{name: "invoke", text: "<function_calls>\n<invoke name=\"click\">\n<parameter name=\"index\">5</parameter>\n</invoke>\n</function_calls>", want: click5},
	{name: "invoke, two", text: "<function_calls><invoke name=\"click\"><parameter name=\"index\">5</parameter></invoke><invoke name=\"wait\"><parameter name=\"ms\">9</parameter></invoke></function_calls>", want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":9}}`},
	{name: "MiniMax", text: "<minimax:tool_call>\n<invoke name=\"click\">\n<parameter name=\"index\">5</parameter>\n</invoke>\n</minimax:tool_call>", want: click5},
	{name: "Harmony", text: `<|channel|>analysis<|message|>Click {"action":"wait"}?<|end|><|start|>assistant<|channel|>commentary to=functions.browser_action <|constrain|>json<|message|>{"action":"click","params":{"index":5}}<|call|>`, want: click5},
	{name: "Harmony, head first", text: `<|start|>assistant to=functions.click<|channel|>commentary json<|message|>{"index":5}<|call|>`, want: click5},
	{name: "Harmony, JSON in final", text: `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{"action":"click","params":{"index":5}}<|return|>`, want: click5},
	{name: "ReAct", text: "Thought: press it\nAction: click\nAction Input: {\"index\": 5}\nObservation: done", want: click5},
	{name: "Gemma tool_code", text: "```tool_code\nbrowser_action(action=\"click\", params={\"index\": 5})\n```", want: click5},
	{name: "Gemma printed", text: "```tool_code\nprint(click(index=5))\n```", want: click5},
	{name: "Llama 4 pythonic", text: `[click(index=5), wait(ms=9)]`, want: click5 + "\n" + `browser_action {"action":"wait","params":{"ms":9}}`},
	{name: "LFM2", text: `<|tool_call_start|>[click(index=5)]<|tool_call_end|>`, want: click5},
	{name: "name before JSON", text: "```\nclick {\"index\": 5}\n```", want: click5},
	{name: "template marks around", text: "<|im_start|>assistant\n{\"action\":\"click\",\"params\":{\"index\":5}}<|im_end|>", want: click5},

	{name: "keys in capitals", text: `{"Action":"click","Params":{"Index":5}}`, want: click5},
	{name: "parameters in a list", text: `{"action":"click","params":[{"index":5}]}`, want: click5},
	{name: "arguments in a list", text: `{"name":"click","arguments":[{"index":5}]}`, want: click5},
	{name: "positions in a list", text: `{"action":"click","params":[5]}`, fail: "params"},
	{name: "index in a list", text: `{"action":"click","params":{"index":[5]}}`, want: click5, mend: "out of its list"},
	{name: "the function as a key", text: `{"browser_action":{"action":"click","params":{"index":5}}}`, want: click5},
	{name: "single backticks", text: "`{\"action\":\"click\",\"params\":{\"index\":5}}`", want: click5},
	{name: "byte order mark", text: "\ufeff```json\n\ufeff{\"action\":\"click\",\"params\":{\"index\":5}}\n```", want: click5},
	{name: "key twice, the same", text: `{"action":"click","action":"click","params":{"index":5}}`, want: click5},
	{name: "YAML", text: "action: click\nparams:\n  index: 5\n", want: click5},
	{name: "YAML, flat, in a fence", text: "I press it.\n```yaml\nthought: it is the one\naction: type\nindex: 2\ntext: \"a: b\"\n```", want: `browser_action {"action":"type","params":{"index":2,"text":"a: b"}}`},
	{name: "YAML that is no call", text: "name: shop\nprice: 5\n", fail: "no action"},
	{name: "words with a colon", text: "action: I will click the button", fail: "no action"},

	{name: "several tools: action and params", several: true, text: `{"action":"click","params":{"index":5}}`, want: `click {"index":5}`},
	{name: "several tools: flat", several: true, text: `{"action":"type","index":5,"text":"x"}`, want: `type {"index":5,"text":"x"}`},
	{name: "several tools: hermes", several: true, text: `<tool_call>{"name":"done","arguments":{"text":"x"}}</tool_call>`, want: `done {"text":"x"}`},

	{name: "cut in a string", text: `{"action":"type","params":{"index":5,"text":"hel`, fail: "cut off inside the string"},
	{name: "cut in a number", text: `{"action":"click","params":{"index":1`, fail: "cut off inside or after the number"},
	{name: "cut after a comma", text: `{"action":"click","params":{"index":5},`, fail: "cut off after a comma"},
	{name: "cut after a key", text: `{"action":"click","params":{"index"`, fail: "cut off"},
	{name: "cut in a tag", text: "<tool_call>\n<function=type>\n<parameter=text>\nhel", fail: "cut off inside the parameter"},
	{name: "cut in thinking", text: "<think>I should {\"action\":\"click\",\"params\":{\"index\":5}}", fail: "only thinking"},
	{name: "prose", text: "I have clicked the button.", fail: "no action"},
	{name: "empty", text: " \n", fail: "empty"},
	{name: "data", text: "```json\n{\"price\": 3}\n```", fail: "no action"},
	{name: "unknown action", text: `{"action":"fly","params":{}}`, fail: `"fly"`},
	{name: "unknown tool", text: `<tool_call>{"name":"fly","arguments":{}}</tool_call>`, fail: `"fly"`},
	{name: "a choice", text: "```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```\nor\n```json\n{\"action\":\"click\",\"params\":{\"index\":6}}\n```", fail: "choice"},
	{name: "two in prose", text: `First {"action":"click","params":{"index":5}} and later {"action":"click","params":{"index":6}}`, fail: "several actions"},
	{name: "key twice", text: `{"action":"click","params":{"index":5,"index":6}}`, fail: "twice"},
	{name: "odd quote", text: `{"action":"done","params":{"text":"a "b", "clear":true}}`, fail: "can't be read"},
	{name: "positional argument", text: "```tool_code\nclick(5)\n```", fail: "name(key=value)"},
	{name: "schema error", text: `{"action":"click","params":{"index":"the blue one"}}`, fail: "params.index"},
	{name: "one of two unreadable", text: "```json\n{\"action\":\"click\",\"params\":{\"index\":5}}\n```\n```json\n{\"action\":\"click\",\"params\":{\"index\":}}\n```", fail: "can't be read"},
}

func TestParseFallback(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			tools := []Tool{actionTool()}
			if c.several {
				tools = severalTools()
			}
			calls, rest, mends, err := ParseFallback(c.text, tools)
			var lines []string
			for _, call := range calls {
				checked, more, cerr := CheckCall(call, tools)
				if cerr != nil {
					err = cerr
				}
				mends = append(mends, more...)
				lines = append(lines, checked.Name+" "+string(checked.Args))
				if call.ID == "" {
					t.Error("a call without id")
				}
			}
			if c.fail != "" {
				if err == nil {
					t.Fatalf("read as %q, want a refusal with %q", lines, c.fail)
				}
				if CodeOf(err) != CodeBadReply || !strings.Contains(err.Error(), c.fail) {
					t.Fatalf("refused with %v, want %q", err, c.fail)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if c.rest != "" && rest != c.rest {
				t.Errorf("rest %q, want %q", rest, c.rest)
			}
			if c.mend != "" && !strings.Contains(strings.Join(mends, "; "), c.mend) {
				t.Errorf("mends %q lack %q", mends, c.mend)
			}
		})
	}
}

// Every prefix of a reply that was cut off at the limit of its length is
// refused or gives the whole call: it never becomes another one.
func TestCutOffIsNeverAGuess(t *testing.T) {
	whole := "```json\n{\"action\": \"type\", \"params\": {\"index\": 15, \"text\": \"hello \\\"you\\\" there\", \"clear\": false}}\n```"
	want := `{"action":"type","params":{"clear":false,"index":15,"text":"hello \"you\" there"}}`
	read := 0
	for i := range len(whole) + 1 {
		req := Request{Tools: []Tool{actionTool()}}
		reply, err := (&Model{}).read(WayMarkdown, req, &rawReply{text: whole[:i], stop: StopLength})
		if err != nil {
			if CodeOf(err) != CodeBadReply || !strings.Contains(err.Error(), "cut off") {
				t.Errorf("cut at %d: %v", i, err)
			}
			continue
		}
		read++
		for _, c := range reply.Calls {
			if string(c.Args) != want {
				t.Errorf("cut at %d (%q): read as %s", i, whole[:i], c.Args)
			}
		}
	}
	if read == 0 {
		t.Error("not even the whole reply was read")
	}
	// YAML does not show that it was cut.
	yaml := &rawReply{text: "action: type\nindex: 2\ntext: hel", stop: StopLength}
	if reply, err := (&Model{}).read(WayMarkdown, Request{Tools: []Tool{actionTool()}}, yaml); err == nil || len(reply.Calls) > 0 {
		t.Errorf("read as %s", callLines(reply.Calls))
	}
}

func TestSplitReasoning(t *testing.T) {
	for in, want := range map[string][2]string{
		"<think>a</think>b":                     {"a", "b"},
		"a</think>\nb":                          {"a", "b"},
		"<think>a":                              {"a", ""},
		"b":                                     {"", "b"},
		"<think>a</think>\n<think>c</think>\nb": {"a\nc", "b"},
		"in the <think> of things":              {"", "in the <think> of things"},
	} {
		thought, rest := splitReasoning(in)
		if thought != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q; want %q", in, thought, rest, want)
		}
	}
}

func FuzzParseFallback(f *testing.F) {
	for _, c := range shapes {
		f.Add(c.text)
	}
	for _, c := range corpus(f) {
		f.Add(c.Text)
	}
	one, several, foreign := []Tool{actionTool()}, severalTools(), []Tool{foreignTool()}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tools := range [][]Tool{one, several, foreign, nil} {
			calls, _, _, err := ParseFallback(text, tools)
			if err != nil && CodeOf(err) != CodeBadReply {
				t.Fatalf("untyped error %v", err)
			}
			if err == nil && len(calls) == 0 {
				t.Fatal("neither a call nor an error")
			}
			for _, c := range calls {
				var obj map[string]any
				if json.Unmarshal(c.Args, &obj) != nil || obj == nil {
					t.Fatalf("arguments are no object: %s", c.Args)
				}
				if checked, _, err := CheckCall(c, tools); err == nil && !json.Valid(checked.Args) {
					t.Fatalf("checked arguments are not JSON: %s", checked.Args)
				}
			}
		}
	})
}
