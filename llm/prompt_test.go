package llm

import (
	"encoding/json"
	"testing"
)

// A model sees of its earlier steps what it thought, in the form in which it answers:
// the pages they were about are not shown again.
func TestThoughtsAreKept(t *testing.T) {
	two := []Tool{{Name: "click"}, {Name: "type"}}
	one := []Tool{{Name: "browser_action"}}
	call := func(name, args string) []Call { return []Call{{Name: name, Args: json.RawMessage(args)}} }
	for name, c := range map[string]struct {
		thought string
		calls   []Call
		tools   []Tool
		way     Way
		want    string
	}{
		"several tools": {`The "blue" one is £3 <cheap>.`, call("click", `{"index":2}`), two, WaySchema, `{"thought":"The \"blue\" one is £3 <cheap>.","action":"click","params":{"index":2}}`},
		"one tool":      {"Blue is £3.", call("browser_action", `{"action":"click","params":{"index":2}}`), one, WaySchema, `{"thought":"Blue is £3.","action":"click","params":{"index":2}}`},
		"no properties": {"Blue is £3.", call("browser_action", `{}`), one, WaySchema, `{"thought":"Blue is £3."}`},
		"no thought":    {"", call("click", `{"index":2}`), two, WaySchema, `{"action":"click","params":{"index":2}}`},
		"Markdown":      {"Blue is £3.", call("click", `{"index":2}`), two, WayMarkdown, "Blue is £3.\n```json\n{\"action\":\"click\",\"params\":{\"index\":2}}\n```"},
		"only in the first": {
			"Blue is £3.", append(call("click", `{"index":2}`), call("click", `{"index":3}`)...), two, WaySchema,
			"{\"thought\":\"Blue is £3.\",\"action\":\"click\",\"params\":{\"index\":2}}\n{\"action\":\"click\",\"params\":{\"index\":3}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := Message{Role: RoleAssistant, Calls: c.calls}
			if c.thought != "" {
				m.Parts = []Part{{Text: c.thought}}
			}
			if got := flatten([]Message{m}, c.way, c.tools)[0].PlainText(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
