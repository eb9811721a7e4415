package llm

import (
	"strings"
	"testing"
)

// Whatever the pieces, the same is shown.
func TestShape(t *testing.T) {
	cases := []struct {
		name, in, text, reasoning, call, answer string
		way                                     Way
	}{
		{name: "prose", in: "Hello `you` <b>.", text: "Hello `you` <b>.", way: WayMarkdown},
		{name: "schema", in: `{"thought":"buy \"it\" now \u4f60\n","action":"click","params":{}}`, text: "buy \"it\" now 你\n", call: `{"thought":"buy \"it\" now \u4f60\n","action":"click","params":{}}`, way: WaySchema},
		{name: "no thought", in: `{"action":"click","params":{"text":"x"}}`, call: `{"action":"click","params":{"text":"x"}}`, way: WaySchema},
		{name: "fence", in: "I go.\n```json\n{\"thought\": \"so\", \"action\": \"x\"}\n```\nDone.", text: "I go.\nso\nDone.", call: "json\n{\"thought\": \"so\", \"action\": \"x\"}", way: WayMarkdown},
		{name: "think", in: "<think>hm</think>Hi {x}", text: "Hi {x}", reasoning: "hm", way: WayMarkdown},
		{name: "tool call", in: "Ok <tool_call>{\"name\":1}</tool_call>", text: "Ok ", call: "<tool_call>{\"name\":1}</tool_call>", way: WayMarkdown},
		{name: "native keeps its JSON", in: "<think>a</think>```json\n{}\n```", text: "```json\n{}\n```", reasoning: "a", way: WayNative},
		{name: "an answer", in: `{"thought":"so","action":"done","params":{"success":true,"answer":"Two \"mugs\".\n\u4f60 {a}"}}`, text: "so", answer: "Two \"mugs\".\n你 {a}", way: WaySchema},
		{name: "an answer before its action", in: "```json\n{\"params\":{\"answer\":\"Yes\"},\"action\":\"done\"}\n```", answer: "Yes", way: WayMarkdown},
		{name: "an answer beside its action", in: `{"action": "done", "answer": "Yes"}`, answer: "Yes", way: WayMarkdown},
		{name: "an answer in a tag", in: `<tool_call>{"name":"browser_action","arguments":{"action":"done","params":{"answer":"Yes"}}}</tool_call>`, answer: "Yes", way: WayMarkdown},
		{name: "an answer that was cut off", in: `{"action":"done","params":{"answer":"Two mu`, answer: "Two mu", way: WaySchema},
		{name: "the last of several", in: "```json\n[{\"action\":\"click\",\"params\":{\"answer\":\"no\"}},{\"action\":\"done\",\"params\":{\"answer\":\"Yes\"}}]\n```", answer: "Yes", way: WayMarkdown},
		{name: "an answer of another action", in: `{"action":"askUser","params":{"answer":"no"}}`, way: WaySchema},
		{name: "an answer in a value", in: `{"action":"done","params":{"note":"\"answer\":\"no\"","answer":"Yes"}}`, answer: "Yes", way: WaySchema},
		{name: "a mark that is none", in: "a < b ``c", text: "a < b ``c", way: WayMarkdown},
	}
	for _, c := range cases {
		for size := 1; size <= len(c.in)+1; size += 3 {
			got := map[string]string{}
			s := &shaper{way: c.way, want: AnswerParam{"done", "answer"}, out: func(kind, text string) { got[kind] += text }}
			for _, p := range pieces(c.in, size) {
				s.feed(p)
			}
			s.end()
			if got[DeltaText] != c.text || got[DeltaReasoning] != c.reasoning || got[DeltaAnswer] != c.answer || c.call != "" && got[DeltaCall] != c.call {
				t.Errorf("%s in pieces of %d: %q", c.name, size, got)
			}
		}
		if got := shapedText(c.in, c.way); got != strings.TrimSpace(c.text) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
