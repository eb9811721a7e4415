package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a reply speaks of is not done, and the model is told why; what it gives last,
// alone or in a block is.
func TestTalkIsNoCall(t *testing.T) {
	const call = `{"action":"click","params":{"index":5}}`
	const other = `{"action":"wait","params":{"ms":9}}`
	const waits = `browser_action ` + other
	sentence, example := "stands within a sentence", "calls it an example"
	cases := []struct{ name, text, want, fail string }{
		{name: "an offer", text: "For example you could send " + call + " if you agree, but which size do you want?", fail: example},
		{name: "an offer without the word", text: "You could send " + call + " if you agree, but which size do you want?", fail: sentence},
		{name: "a tag in mid-sentence", text: "You could answer <tool_call>" + call + "</tool_call> if you agree. Which size?", fail: sentence},
		{name: "an element in mid-sentence", text: "I know the form <function=click><parameter=index>5</parameter></function>, but which size?", fail: sentence},
		{name: "what was sent", text: "Earlier I sent `" + call + "` and that was a mistake.", fail: sentence},
		{name: "what was sent, ending its sentence", text: "Earlier I sent " + call + ". That was a mistake.", fail: sentence},
		{name: "what was sent, then a call", text: "Earlier I sent `" + call + "` and that was a mistake. Now:\n" + other, want: waits},
		{name: "what was sent in a tag, then a block", text: "Earlier I sent <tool_call>" + call + "</tool_call> and that was wrong.\n```json\n" + other + "\n```", want: waits},
		{name: "an example in a block, then a call", text: "An example:\n```json\n" + call + "\n```\nMy action:\n```json\n" + other + "\n```", want: waits},
		{name: "an example in a block alone", text: "The form of an action, for example:\n\n```json\n" + call + "\n```\nWhich size do you want?", fail: example},
		{name: "called one afterwards", text: "```json\n" + call + "\n```\nThis is just an example. Which size?", fail: example},
		{name: "a tag in a block that is an example", text: "**Example:**\n```xml\n<tool_call>" + call + "</tool_call>\n```", fail: example},
		{name: "e.g.", text: "I can act, e.g.:\n```\n" + call + "\n```", fail: example},
		{name: "German", text: "Zum Beispiel könnte ich " + call + " senden.", fail: example},
		{name: "French, in a sentence", text: "Je pourrais envoyer " + call + " si vous voulez.", fail: sentence},
		{name: "Spanish", text: "Por ejemplo:\n```json\n" + call + "\n```", fail: example},
		{name: "Russian, in a sentence", text: "Я мог бы отправить " + call + ", если вы согласны.", fail: sentence},
		{name: "Chinese", text: "例如可以发送 " + call + "，你要哪个尺寸？", fail: example},
		{name: "Chinese, in a sentence", text: "我之前发送了 " + call + " 这是一个错误。", fail: sentence},
		{name: "Japanese block", text: "例えば：\n```json\n" + call + "\n```", fail: example},

		{name: "alone", text: call, want: click5},
		{name: "last in a sentence", text: "I press it with " + call, want: click5},
		{name: "last, with a full stop", text: "I press it with " + call + ".", want: click5},
		{name: "last in backticks", text: "I press it: `" + call + "`", want: click5},
		{name: "alone between lines", text: "I press it.\n" + call + "\nthen I look.", want: click5},
		{name: "a fresh sentence after it", text: call + " This presses the button.", want: click5},
		{name: "after a colon", text: "Press: " + call + " The page then changes.", want: click5},
		{name: "a list item", text: "1. " + call + "\nand then we see", want: click5},
		{name: "Chinese, last", text: "我来点击按钮：" + call, want: click5},
		{name: "Chinese, words on the next line", text: call + "\n点击按钮。", want: click5},
		{name: "Chinese, words behind it", text: call + " 点击登录按钮", want: click5},
		{name: "small letters behind it", text: call + " to open the menu", want: click5},
		{name: "a search for example.com", text: "I search for example.com: " + call + " The page changes.", want: click5},
		{name: "a tag, then words", text: "<tool_call>" + call + "</tool_call> and I wait for the result", want: click5},
		{name: "a tag after words", text: "Sure, I click <tool_call>" + call + "</tool_call>", want: click5},
		{name: "a block on example.com", text: "I am on the page example.com. Example Domain shows a link:\n```json\n" + call + "\n```", want: click5},
		{name: "the same in a sentence and last", text: "I want to send " + call + " since it is right. So:\n" + call, want: click5},
		{name: "two orders in one sentence", text: "First " + call + " and later " + other, fail: "several actions"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reply := &Reply{}
			err := readText(reply, c.text, []Tool{actionTool()})
			got := callLines(reply.Calls)
			if c.fail != "" {
				if CodeOf(err) != CodeBadReply || !strings.Contains(err.Error(), c.fail) || got != "" {
					t.Fatalf("%q, %v; want a refusal with %q", got, err, c.fail)
				}
				// A reply in the native way is told so too.
				if err := readNativeText(&Reply{}, c.text, c.text, []Tool{actionTool()}); CodeOf(err) != CodeBadReply {
					t.Errorf("in the native way: %v", err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func callLines(calls []Call) string {
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		lines = append(lines, c.Name+" "+string(c.Args))
	}
	return strings.Join(lines, "\n")
}

// A call that is given twice in one reply is made once, wherever the two stand.
func TestSameCallTwice(t *testing.T) {
	const args = `{"action":"click","params":{"index":5}}`
	const other = `{"action":"wait","params":{"ms":9}}`
	click := rawCall{name: "browser_action", args: args}
	wait := rawCall{name: "browser_action", args: other}
	both := click5 + "\nbrowser_action " + other
	cases := []struct {
		name, text, want, rest string
		calls                  []rawCall
	}{
		{name: "natively", calls: []rawCall{click, {name: "click", args: `{"index":"5"}`}}, want: click5},
		{name: "natively and in the text", calls: []rawCall{click}, text: "I press it.\n```json\n" + args + "\n```", want: click5, rest: "I press it."},
		{name: "natively and in a tag", calls: []rawCall{click}, text: "<tool_call>" + args + "</tool_call>", want: click5},
		{name: "natively, with another in the text", calls: []rawCall{click}, text: other, want: click5},
		{name: "in the thought and after it", text: "<think>\n" + args + "\n</think>\n" + args, want: click5},
		{name: "in an open thought and after it", text: args + "\n</think>\n" + args, want: click5},
		{name: "in two tags", text: "<tool_call>" + args + "</tool_call>\n<tool_call>" + args + "</tool_call>", want: click5},
		{name: "in a list", text: "[" + args + "," + args + "]", want: click5},
		{name: "a batch twice", calls: []rawCall{click, wait, click, wait}, want: both},
		{name: "two that differ", calls: []rawCall{click, wait}, want: both},
		{name: "there and back", calls: []rawCall{click, wait, click}, want: both + "\n" + click5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reply, err := (&Model{}).read(WayNative, Request{Tools: []Tool{actionTool()}}, &rawReply{text: c.text, calls: c.calls})
			if err != nil {
				t.Fatal(err)
			}
			if got := callLines(reply.Calls); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if c.rest != "" && reply.Text != c.rest {
				t.Errorf("text %q, want %q", reply.Text, c.rest)
			}
		})
	}
}

// Of a function per action, a model gives several calls at once: two presses are two.
func TestTwoNativePressesAreTwo(t *testing.T) {
	click := rawCall{name: "click", args: `{"index":5}`}
	tools := []Tool{{Name: "click", Schema: json.RawMessage(`{"type":"object","properties":{"index":{"type":"integer"}}}`)}, {Name: "goBack", Schema: json.RawMessage(`{"type":"object"}`)}}
	reply, err := (&Model{}).read(WayNative, Request{Tools: tools}, &rawReply{calls: []rawCall{click, click}})
	if err != nil || len(reply.Calls) != 2 {
		t.Errorf("%+v %v", reply.Calls, err)
	}
}

// Stray marks around a call take nothing away, and alone they are no call.
func TestStrayMarks(t *testing.T) {
	const call = `{"action":"click","params":{"index":5}}`
	for text, want := range map[string]string{
		call + " </think> />":                                           click5,
		call + "\n</think>":                                             click5,
		"I think so.\n" + call + "\n</think>":                           click5,
		"<tool_call>" + call + "</tool_call>\n</think>\n/>":             click5,
		"```json\n" + call + "\n```\n</thinking>":                       click5,
		"Perhaps " + call + " or not.\n</think>":                        "",
		"<think>\n" + call + "\n</think>":                               "",
		call + "\n<|im_end|>":                                           click5,
		call + " />":                                                    click5,
		`{"name":"click<|channel|>commentary","arguments":{"index":5}}`: click5,
		"null":                             "",
		"/>":                               "",
		"":                                 "",
		"```json\nnull\n```":               "",
		"{}":                               "",
		"[]":                               "",
		"I can't help with that.":          "",
		"Sure! Clicking the button now.":   "",
		"好的，我来点击按钮":                        "",
		"<tool_call>\nnull\n</tool_call>":  "",
		"<tool_call></tool_call>":          "",
		`{"action":null}`:                  "",
		`{"action":"none","params":{}}`:    "",
		"</think>":                         "",
		"<|channel|>final<|message|>Done.": "",
		"done":                             "",
		`"click"`:                          "",
	} {
		for _, way := range allWays {
			reply, err := (&Model{}).read(way, Request{Tools: []Tool{actionTool()}}, &rawReply{text: text})
			if got := callLines(reply.Calls); got != want {
				t.Errorf("%s: %q: %q, %v; want %q", way, text, got, err, want)
			}
			if want == "" && err == nil && way != WayNative {
				t.Errorf("%s: %q is no error", way, text)
			}
		}
	}
	native := &rawReply{calls: []rawCall{{name: "click<|channel|>commentary", args: `{"index":5}`}}}
	reply, err := (&Model{}).read(WayNative, Request{Tools: []Tool{actionTool()}}, native)
	if err != nil || callLines(reply.Calls) != click5 {
		t.Errorf("%q, %v", callLines(reply.Calls), err)
	}
}
