package llm

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// toContent returns a conversation as langchaingo's messages, in the shape that
// its client for this format sends correctly.
func toContent(f format, system string, messages []Message) []llms.MessageContent {
	var out []llms.MessageContent
	if system != "" {
		out = append(out, llms.TextParts(llms.ChatMessageTypeSystem, system))
	}
	var pictures []Part // of tool results; they are sent in a user message after them
	flush := func() {
		if len(pictures) > 0 {
			out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: userParts(f, pictures)})
			pictures = nil
		}
	}
	for _, m := range messages {
		if m.Role != RoleTool {
			flush()
		}
		switch m.Role {
		case RoleSystem:
			out = append(out, llms.TextParts(llms.ChatMessageTypeSystem, m.PlainText()))
		case RoleAssistant:
			out = append(out, assistant(f, m)...)
		case RoleTool:
			text := m.PlainText()
			if text == "" {
				text = "(nothing)" // Anthropic refuses empty text
			}
			out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
				llms.ToolCallResponse{ToolCallID: m.CallID, Name: m.Name, Content: text},
			}})
			for _, p := range m.Parts {
				if len(p.Image) > 0 {
					pictures = append(pictures, p)
				}
			}
		case RoleUser:
			if parts := userParts(f, m.Parts); len(parts) > 0 {
				out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: parts})
			}
		}
	}
	flush()
	return out
}

func assistant(f format, m Message) []llms.MessageContent {
	var parts []llms.ContentPart
	if text := m.PlainText(); strings.TrimSpace(text) != "" {
		parts = append(parts, llms.TextContent{Text: text})
	}
	for _, c := range m.Calls {
		args := string(c.Args)
		if args == "" {
			args = "{}"
		}
		parts = append(parts, llms.ToolCall{ID: c.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: c.Name, Arguments: args}})
	}
	if len(parts) == 0 {
		return nil
	}
	if f != formatAnthropic {
		return []llms.MessageContent{{Role: llms.ChatMessageTypeAI, Parts: parts}}
	}
	// langchaingo sends only Parts[0] of an assistant message to Anthropic.
	out := make([]llms.MessageContent, 0, len(parts))
	for _, p := range parts {
		out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{p}})
	}
	return out
}

func userParts(f format, parts []Part) []llms.ContentPart {
	var out []llms.ContentPart
	for _, p := range parts {
		if p.Text != "" {
			out = append(out, llms.TextContent{Text: p.Text})
		}
		if len(p.Image) == 0 {
			continue
		}
		mime := p.MIME
		if mime == "" {
			mime = "image/png"
		}
		if f == formatOpenAI {
			// BinaryPart goes out as a type OpenAI does not know.
			out = append(out, llms.ImageURLPart("data:"+mime+";base64,"+base64.StdEncoding.EncodeToString(p.Image)))
		} else {
			out = append(out, llms.BinaryPart(mime, p.Image))
		}
	}
	return out
}

// pairCalls returns messages in which every call has a result and every result a
// call. It adds a result to a call without one (it was stopped), and turns a
// result without a call (it was compacted away) into text: servers refuse such a
// history.
func pairCalls(messages []Message) []Message {
	out := make([]Message, 0, len(messages))
	var open []Call
	closeOpen := func() {
		for _, c := range open {
			out = append(out, ToolResult(c, "(this call was not carried out)"))
		}
		open = nil
	}
	for _, m := range messages {
		if m.Role == RoleTool {
			i := indexOfCall(open, m.CallID)
			if i < 0 {
				closeOpen()
				out = append(out, resultAsText(m))
				continue
			}
			open = append(append([]Call(nil), open[:i]...), open[i+1:]...)
			out = append(out, m)
			continue
		}
		closeOpen()
		out = append(out, m)
		if m.Role == RoleAssistant {
			open = append([]Call(nil), m.Calls...)
		}
	}
	closeOpen()
	return out
}

func indexOfCall(calls []Call, id string) int {
	for i, c := range calls {
		if c.ID == id {
			return i
		}
	}
	return -1
}

func resultAsText(m Message) Message {
	name := m.Name
	if name == "" {
		name = "the action"
	}
	out := Message{Role: RoleUser, Parts: []Part{{Text: "Result of " + name + ":\n" + m.PlainText()}}}
	for _, p := range m.Parts {
		if len(p.Image) > 0 {
			out.Parts = append(out.Parts, p)
		}
	}
	return out
}

func hasImages(messages []Message) bool {
	for _, m := range messages {
		for _, p := range m.Parts {
			if len(p.Image) > 0 {
				return true
			}
		}
	}
	return false
}

// withoutImages returns the messages without their pictures.
func withoutImages(messages []Message) []Message {
	if !hasImages(messages) {
		return messages
	}
	out := make([]Message, len(messages))
	for i, m := range messages {
		out[i] = m
		out[i].Parts = nil
		for _, p := range m.Parts {
			p.Image, p.MIME = nil, ""
			if p.Text != "" {
				out[i].Parts = append(out[i].Parts, p)
			}
		}
	}
	return out
}

// refusesImages reports whether an error means that the server takes no pictures.
func refusesImages(e *Error) bool {
	if e.Code != CodeBadRequest && e.Code != CodeUnsupported && e.Code != CodeServerError {
		return false
	}
	low := strings.ToLower(e.Message)
	for _, w := range []string{"image", "vision", "multimodal", "mmproj", "content type"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// pictureLimit matches what servers say of pictures that are too many or too
// large.
var pictureLimit = regexp.MustCompile(`(?i)at most [1-9]\d* image|too many (?:image|picture|media)|(?:image|media|picture)s?\b[^.]{0,80}(?:exceed|too (?:large|big|many)|larger than|maximum)|` +
	`exceed[^.]{0,40}(?:image|media|picture)|payload size exceeds|number of images|image items in the same prompt|image count`)

// limitsImages reports whether an error means that the server takes pictures,
// but not so many or such large ones.
func limitsImages(e *Error) bool {
	if e.Status == http.StatusRequestEntityTooLarge && e.Code == CodeContextOverflow && !strings.Contains(strings.ToLower(e.Message), "token") {
		return true
	}
	switch e.Code {
	case CodeBadRequest, CodeUnsupported, CodeServerError, CodeStreamError:
		return pictureLimit.MatchString(e.Message)
	}
	return false
}

// fewerImages returns the messages with only the newest of several pictures; if
// there was only one, without it.
func fewerImages(messages []Message) []Message {
	n := 0
	for _, m := range messages {
		for _, p := range m.Parts {
			if len(p.Image) > 0 {
				n++
			}
		}
	}
	if n < 2 {
		return withoutImages(messages)
	}
	out := make([]Message, len(messages))
	for i, m := range messages {
		out[i] = m
		out[i].Parts = nil
		for _, p := range m.Parts {
			if len(p.Image) > 0 {
				if n--; n > 0 {
					p.Image, p.MIME = nil, ""
				}
			}
			if p.Text != "" || len(p.Image) > 0 {
				out[i].Parts = append(out[i].Parts, p)
			}
		}
	}
	return out
}

// wantsJSONObject reports whether an error is from a server that takes a schema
// only with the type json_object, or not at all. Such an error names the types
// that it takes.
func wantsJSONObject(msg string) bool {
	low := strings.ToLower(msg)
	return strings.Contains(low, "response_format") && strings.Contains(low, "'json_object'") &&
		(strings.Contains(low, "input should be") || strings.Contains(low, "permitted: "))
}

// refusesTemperature reports whether an error means that the model takes no
// temperature.
func refusesTemperature(e *Error) bool {
	return (e.Code == CodeBadRequest || e.Code == CodeUnsupported) && strings.Contains(strings.ToLower(e.Message), "temperature")
}

func toTools(tools []Tool) []llms.Tool {
	out := make([]llms.Tool, 0, len(tools))
	for _, t := range tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out = append(out, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: schema,
		}})
	}
	return out
}

// rawReply is a reply whose calls are not checked yet; their arguments are text.
type rawReply struct {
	text, reasoning, stop string
	calls                 []rawCall
	usage                 Usage
}

type rawCall struct{ id, name, args string }

// collect joins the choices of a response: Anthropic's client returns each block
// as one.
func collect(resp *llms.ContentResponse, state *callState) *rawReply {
	raw := &rawReply{usage: Usage{Cost: state.reportedCost()}}
	raw.usage.InputTime, raw.usage.OutputTime = state.reportedTimes()
	for _, c := range resp.Choices {
		if c == nil {
			continue
		}
		raw.text += c.Content
		reasoning := c.ReasoningContent
		if reasoning == "" {
			// For a text block Anthropic's client fills this from tags in the
			// text, which are still there.
			if s, ok := c.GenerationInfo["ThinkingContent"].(string); ok && c.Content == "" {
				reasoning = s
			}
		}
		raw.reasoning += reasoning
		if c.StopReason != "" {
			raw.stop = stopReason(c.StopReason)
		}
		for _, tc := range c.ToolCalls {
			if tc.FunctionCall == nil {
				continue
			}
			args := tc.FunctionCall.Arguments
			if exact, ok := state.exactArgs(tc.ID); ok {
				args = exact
			}
			raw.calls = append(raw.calls, rawCall{id: tc.ID, name: tc.FunctionCall.Name, args: args})
		}
		info := maps.Clone(c.GenerationInfo)
		raw.usage.Input = max(raw.usage.Input, count(info, "PromptTokens", "InputTokens"))
		raw.usage.Output = max(raw.usage.Output, count(info, "CompletionTokens", "OutputTokens"))
	}
	return raw
}

func count(info map[string]any, keys ...string) int {
	for _, k := range keys {
		if n, ok := info[k].(int); ok && n > 0 {
			return n
		}
	}
	return 0
}

// stopReason returns our constant for a provider's reason.
func stopReason(s string) string {
	switch strings.ToLower(s) {
	case "length", "max_tokens", "model_context_window_exceeded", "model_length":
		return StopLength
	case "tool_calls", "tool_use", "function_call":
		return StopCalls
	case "content_filter", "refusal", "safety", "sensitive":
		return StopFilter
	default:
		return StopEnd
	}
}
