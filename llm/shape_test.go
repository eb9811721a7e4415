package llm

import (
	"strings"
	"testing"
)

// Whatever the pieces, the same is shown.
func TestShape(t *testing.T) {
	cases := []struct {
		name, in, text, reasoning, call string
		way                             Way
	}{
		{name: "prose", in: "Hello `you` <b>.", text: "Hello `you` <b>.", way: WayMarkdown},
		{name: "schema", in: `{"thought":"buy \"it\" now \u4f60\n","action":"click","params":{}}`, text: "buy \"it\" now 你\n", call: `{"thought":"buy \"it\" now \u4f60\n","action":"click","params":{}}`, way: WaySchema},
		{name: "no thought", in: `{"action":"click","params":{"text":"x"}}`, call: `{"action":"click","params":{"text":"x"}}`, way: WaySchema},
		{name: "fence", in: "I go.\n```json\n{\"thought\": \"so\", \"action\": \"x\"}\n```\nDone.", text: "I go.\nso\nDone.", call: "json\n{\"thought\": \"so\", \"action\": \"x\"}", way: WayMarkdown},
		{name: "think", in: "<think>hm</think>Hi {x}", text: "Hi {x}", reasoning: "hm", way: WayMarkdown},
		{name: "tool call", in: "Ok <tool_call>{\"name\":1}</tool_call>", text: "Ok ", call: "<tool_call>{\"name\":1}</tool_call>", way: WayMarkdown},
		{name: "native keeps its JSON", in: "<think>a</think>```json\n{}\n```", text: "```json\n{}\n```", reasoning: "a", way: WayNative},
		{name: "a mark that is none", in: "a < b ``c", text: "a < b ``c", way: WayMarkdown},
	}
	for _, c := range cases {
		for size := 1; size <= len(c.in)+1; size += 3 {
			got := map[string]string{}
			s := &shaper{way: c.way, out: func(kind, text string) { got[kind] += text }}
			for _, p := range pieces(c.in, size) {
				s.feed(p)
			}
			s.end()
			if got[DeltaText] != c.text || got[DeltaReasoning] != c.reasoning || got[DeltaCall] != c.call {
				t.Errorf("%s in pieces of %d: %q", c.name, size, got)
			}
		}
		if got := shapedText(c.in, c.way); got != strings.TrimSpace(c.text) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
