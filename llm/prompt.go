package llm

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// instructions returns the built-in text for the ways in which the server does
// not tell the model about the tools. Request.Notes replaces it.
func instructions(way Way, tools []Tool) string {
	var b strings.Builder
	b.WriteString("# Actions\n")
	for _, t := range tools {
		b.WriteString("\n## " + t.Name + "\n")
		if t.Description != "" {
			b.WriteString(t.Description + "\n")
		}
		b.WriteString("JSON schema of its parameters: " + compact(t.Schema) + "\n")
	}
	b.WriteString("\n# Form of the answer\n\n")
	form := `{"thought": "one short sentence", "action": "` + tools[0].Name + `", "params": {}}`
	if len(tools) == 1 {
		form = "an object that fits the JSON schema above, which may begin with a \"thought\" of one short sentence"
		if s := schemaOf(tools[0]); len(s.actions) > 0 && s.hasParams() {
			form = `{"thought": "one short sentence", "action": "` + s.actions[0] + `", "params": {}}`
		}
	}
	if way == WayMarkdown {
		b.WriteString("Answer with exactly one JSON object in a Markdown block, and nothing after it:\n\n```json\n" + form + "\n```\n")
	} else {
		b.WriteString("Answer with exactly one JSON object and nothing else:\n" + form + "\n")
	}
	return b.String()
}

func compact(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return "{}"
	}
	// Compact the text itself: decoding it would lose the order of the
	// properties.
	var b strings.Builder
	inString, escaped := false, false
	for _, r := range string(raw) {
		if !inString && (r == '\n' || r == '\t' || r == '\r' || r == ' ') {
			continue
		}
		if r == '"' && !escaped {
			inString = !inString
		}
		escaped = r == '\\' && !escaped
		b.WriteRune(r)
	}
	return b.String()
}

// flatten returns the messages with calls and results as text, for the ways
// that have no tool messages. Calls have the form that the next answer should
// have. It joins neighbours of one role: the chat templates of Gemma and
// Mistral require that roles alternate.
func flatten(messages []Message, way Way, tools []Tool) []Message {
	var out []Message
	for _, m := range messages {
		switch {
		case m.Role == RoleTool:
			m = resultAsText(m)
		case m.Role == RoleAssistant && len(m.Calls) > 0:
			m = Text(RoleAssistant, renderCalls(m.PlainText(), m.Calls, way, tools))
		}
		n := len(out)
		if n > 0 && out[n-1].Role == m.Role && m.Role != RoleSystem {
			out[n-1].Parts = append(append([]Part(nil), out[n-1].Parts...), m.Parts...)
			continue
		}
		out = append(out, m)
	}
	return joinText(out)
}

// joinText puts the text of a message in one part, before its pictures.
func joinText(messages []Message) []Message {
	for i, m := range messages {
		if len(m.Parts) < 2 {
			continue
		}
		parts := []Part{}
		if text := m.PlainText(); text != "" {
			parts = append(parts, Part{Text: text})
		}
		for _, p := range m.Parts {
			if len(p.Image) > 0 {
				parts = append(parts, Part{Image: p.Image, MIME: p.MIME})
			}
		}
		messages[i].Parts = parts
	}
	return messages
}

// renderCalls returns calls in the form that the next answer should have. The thought
// before them is the model's memory of the pages it has left.
func renderCalls(thought string, calls []Call, way Way, tools []Tool) string {
	var blocks []string
	if way == WayMarkdown && thought != "" {
		blocks = append(blocks, thought)
	}
	for i, c := range calls {
		body := string(c.Args)
		if len(tools) != 1 || tools[0].Name != c.Name {
			b, err := marshalPlain(struct {
				Action string          `json:"action"`
				Params json.RawMessage `json:"params"`
			}{c.Name, orEmpty(c.Args)})
			if err == nil {
				body = string(b)
			}
		}
		switch {
		case way == WayMarkdown:
			body = "```json\n" + body + "\n```"
		case i == 0 && thought != "":
			body = withFirst(body, "thought", thought)
		}
		blocks = append(blocks, body)
	}
	return strings.Join(blocks, "\n")
}

// withFirst returns a JSON object with one more string before its other properties.
func withFirst(object, key, value string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(object), "{")
	b, err := marshalPlain(map[string]string{key: value})
	if !ok || err != nil {
		return object
	}
	first := strings.TrimSuffix(string(b), "}")
	if inner = strings.TrimSpace(inner); inner != "}" {
		first += ","
	}
	return first + inner
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(`{}`)
	}
	return raw
}

// renderRawCalls returns refused calls as text, to show them to the model.
func renderRawCalls(calls []rawCall) string {
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		lines = append(lines, "(called "+c.name+" with "+clip(c.args, 500)+")")
	}
	return strings.Join(lines, "\n")
}

// streaming asks langchaingo to stream. The deltas themselves come from our
// doer, which keeps text, reasoning and calls apart.
func streaming(o *llms.CallOptions) {
	o.StreamingFunc = func(context.Context, []byte) error { return nil }
}
