package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

// actionTool is the one function the registry makes, in short.
func actionTool() Tool {
	return Tool{Name: "browser_action", Description: "Act in the browser.", Schema: json.RawMessage(`{
		"type": "object",
		"properties": {
			"action": {"type": "string", "enum": ["click", "type", "scroll", "goBack", "wait", "getElementDetails", "check", "done"]},
			"params": {"type": "object", "properties": {
				"index": {"type": "integer"}, "selector": {"type": "string"}, "text": {"type": "string"},
				"clear": {"type": "boolean"}, "direction": {"type": "string", "enum": ["up", "down"]}, "amount": {"type": "number"},
				"indices": {"type": "array", "items": {"type": "integer"}}, "ms": {"type": "integer"}
			}, "additionalProperties": false}
		},
		"required": ["action", "params"], "additionalProperties": false}`)}
}

// severalTools is one function per action.
func severalTools() []Tool {
	return []Tool{
		{Name: "click", Schema: json.RawMessage(`{"type":"object","properties":{"index":{"type":"integer"}},"required":["index"],"additionalProperties":false}`)},
		{Name: "type", Schema: json.RawMessage(`{"type":"object","properties":{"index":{"type":"integer"},"text":{"type":"string"}},"required":["index","text"]}`)},
		{Name: "done", Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)},
	}
}

func TestCheckCall(t *testing.T) {
	one := []Tool{actionTool()}
	cases := []struct {
		name, tool, args string
		tools            []Tool
		want             string // the arguments after mending
		mend             string // a part of a mend
		fail             string // a part of the error
	}{
		{name: "right as it is", args: `{"action":"click","params":{"index":5}}`, want: `{"action":"click","params":{"index":5}}`},
		{name: "number as text", args: `{"action":"click","params":{"index":"5"}}`, want: `{"action":"click","params":{"index":5}}`, mend: "params.index: number unquoted"},
		{name: "whole float", args: `{"action":"click","params":{"index":5.0}}`, want: `{"action":"click","params":{"index":5}}`},
		{name: "half a number", args: `{"action":"click","params":{"index":5.5}}`, fail: "params.index"},
		{name: "index in brackets", args: `{"action":"click","params":{"index":"[12]"}}`, want: `{"action":"click","params":{"index":12}}`, mend: "number"},
		{name: "boolean as text", args: `{"action":"type","params":{"index":1,"text":"x","clear":"True"}}`, want: `{"action":"type","params":{"clear":true,"index":1,"text":"x"}}`},
		{name: "number for a text", args: `{"action":"type","params":{"index":1,"text":42}}`, want: `{"action":"type","params":{"index":1,"text":"42"}}`},
		{name: "enum case", args: `{"action":"Click","params":{"index":1}}`, want: `{"action":"click","params":{"index":1}}`, mend: "read as click"},
		{name: "enum word breaks", args: `{"action":"go_back","params":{}}`, want: `{"action":"goBack","params":{}}`},
		{name: "element_id", args: `{"action":"click","params":{"element_id":"7"}}`, want: `{"action":"click","params":{"index":7}}`, mend: "was given as element_id"},
		{name: "selector with an index", args: `{"action":"click","params":{"selector":"#12"}}`, want: `{"action":"click","params":{"index":12}}`, mend: "selector #12"},
		{name: "real selector stays", args: `{"action":"click","params":{"selector":"#buy"}}`, want: `{"action":"click","params":{"selector":"#buy"}}`},
		{name: "params beside the action", args: `{"action":"click","index":5}`, want: `{"action":"click","params":{"index":5}}`, mend: "moved"},
		{name: "params called arguments", args: `{"action":"click","arguments":{"index":5}}`, want: `{"action":"click","params":{"index":5}}`},
		{name: "params as text", args: `{"action":"click","params":"{\"index\":5}"}`, want: `{"action":"click","params":{"index":5}}`},
		{name: "no params", args: `{"action":"goBack"}`, want: `{"action":"goBack","params":{}}`},
		{name: "null params", args: `{"action":"goBack","params":null}`, want: `{"action":"goBack","params":{}}`},
		{name: "null for an optional", args: `{"action":"click","params":{"index":1,"selector":null}}`, want: `{"action":"click","params":{"index":1}}`},
		{name: "single value for a list", args: `{"action":"getElementDetails","params":{"indices":3}}`, want: `{"action":"getElementDetails","params":{"indices":[3]}}`},
		{name: "list as text", args: `{"action":"getElementDetails","params":{"indices":"[3, 4]"}}`, want: `{"action":"getElementDetails","params":{"indices":[3,4]}}`},
		{name: "list of texts", args: `{"action":"getElementDetails","params":{"indices":["3","4"]}}`, want: `{"action":"getElementDetails","params":{"indices":[3,4]}}`},
		{name: "thought dropped", args: `{"thought":"hm","action":"goBack","params":{}}`, want: `{"action":"goBack","params":{}}`},
		{name: "called by the tool's name", args: `{"action":"browser_action","params":{"action":"click","params":{"index":5}}}`, want: `{"action":"click","params":{"index":5}}`},
		{name: "unknown action", args: `{"action":"fly","params":{}}`, fail: "action"},
		{name: "unknown param", args: `{"action":"click","params":{"colour":"red"}}`, fail: "colour"},
		{name: "every error at once", args: `{"action":"scroll","params":{"direction":"left","index":"x"}}`, fail: "params.index"},
		{name: "not an object", args: `[1]`, fail: "JSON object"},
		{name: "unknown tool", tool: "nope", args: `{}`, fail: `no tool "nope"`},
		{name: "large number kept", tool: "type", tools: severalTools(), args: `{"index":1,"text":"a","n":12345678901234567890}`, want: `{"index":1,"n":12345678901234567890,"text":"a"}`},
		{name: "required alias", tool: "type", tools: severalTools(), args: `{"element":3,"value":"hi"}`, want: `{"index":3,"text":"hi"}`},
		{name: "missing", tool: "type", tools: severalTools(), args: `{"index":3}`, fail: "text"},
		{name: "markup not escaped", tool: "done", tools: severalTools(), args: `{"text":"<b> & \"q\""}`, want: `{"text":"<b> & \"q\""}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tools, tool := c.tools, c.tool
			if tools == nil {
				tools = one
			}
			if tool == "" {
				tool = "browser_action"
			}
			got, mends, err := CheckCall(Call{ID: "1", Name: tool, Args: json.RawMessage(c.args)}, tools)
			if c.fail != "" {
				if CodeOf(err) != CodeBadReply || !strings.Contains(err.Error(), c.fail) {
					t.Fatalf("error %v, want one with %q", err, c.fail)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Args) != c.want {
				t.Errorf("got  %s\nwant %s", got.Args, c.want)
			}
			if c.mend != "" && !strings.Contains(strings.Join(mends, "; "), c.mend) {
				t.Errorf("mends %q lack %q", mends, c.mend)
			}
		})
	}
}

// A schema with conditions per action, anyOf and references, as a registry
// may write it.
// What may stand beside an action is kept, put right, or left out: it is not worth
// refusing the action.
func TestCheckCallBesideAnAction(t *testing.T) {
	tool := Tool{Name: "browser_action", Schema: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string","enum":["click"]},
		"params":{"type":"object","properties":{"index":{"type":"integer"}}},"plan":{"type":"array","items":{"type":"string"}},
		"done_steps":{"type":"array","items":{"type":"integer"}}},"required":["action","params"]}`)}
	for args, want := range map[string]string{
		`{"action":"click","params":{"index":1},"plan":["a","b"],"done_steps":[1]}`:  `{"action":"click","done_steps":[1],"params":{"index":1},"plan":["a","b"]}`,
		`{"action":"click","params":{"index":1},"plan":"a","done_steps":"2"}`:        `{"action":"click","done_steps":[2],"params":{"index":1},"plan":["a"]}`,
		`{"action":"click","index":1,"plan":null,"done_steps":["1","2"]}`:            `{"action":"click","done_steps":[1,2],"params":{"index":1}}`,
		`{"action":"click","params":{"index":1},"plan":[{"step":"a"}]}`:              `{"action":"click","params":{"index":1}}`,
		`{"action":"click","params":{"index":1},"done_steps":["search for a mug"]}`:  `{"action":"click","params":{"index":1}}`,
		`{"action":"click","params":{"index":1},"plan":{"1":"a"},"done_steps":true}`: `{"action":"click","params":{"index":1}}`,
	} {
		got, _, err := CheckCall(Call{Name: tool.Name, Args: json.RawMessage(args)}, []Tool{tool})
		if err != nil || string(got.Args) != want {
			t.Errorf("%s: %s %v, want %s", args, got.Args, err, want)
		}
	}
	if _, _, err := CheckCall(Call{Name: tool.Name, Args: json.RawMessage(`{"action":"click","params":{"index":"x"},"plan":[1,{}]}`)}, []Tool{tool}); err == nil {
		t.Error("wrong params are taken")
	}
}

func TestCheckCallConditional(t *testing.T) {
	tool := Tool{Name: "browser_action", Schema: json.RawMessage(`{
		"type":"object","properties":{"action":{"enum":["wait","click"]},"params":{"type":"object"}},"required":["action","params"],
		"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}},
		"allOf":[
			{"if":{"properties":{"action":{"const":"wait"}}},"then":{"properties":{"params":{"properties":{"ms":{"type":"integer"}},"required":["ms"]}}}},
			{"if":{"properties":{"action":{"const":"click"}}},"then":{"properties":{"params":{"anyOf":[
				{"properties":{"index":{"type":"integer"}},"required":["index"]},{"$ref":"#/$defs/point"}]}}}}]}`)}
	for in, want := range map[string]string{
		`{"action":"wait","ms":"500"}`:                `{"action":"wait","params":{"ms":500}}`,
		`{"action":"click","params":{"index":"3"}}`:   `{"action":"click","params":{"index":3}}`,
		`{"action":"click","params":{"x":"3.5"}}`:     `{"action":"click","params":{"x":3.5}}`,
		`{"action":"click","params":{"id":4}}`:        `{"action":"click","params":{"index":4}}`,
		`{"action":"click","params":{}}`:              "",
		`{"action":"wait","params":{"ms":"a while"}}`: "",
	} {
		got, _, err := CheckCall(Call{Name: "browser_action", Args: json.RawMessage(in)}, []Tool{tool})
		if want == "" {
			if err == nil {
				t.Errorf("%s passed as %s", in, got.Args)
			}
			continue
		}
		if err != nil || string(got.Args) != want {
			t.Errorf("%s: got %s, %v; want %s", in, got.Args, err, want)
		}
	}
}
