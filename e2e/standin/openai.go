package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"tabwright/llm"
)

type openAIBody struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools  []toolBody `json:"tools"`
	Format struct {
		Type string `json:"type"`
	} `json:"response_format"`
	Stream  bool `json:"stream"`
	Options struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

func (s *Server) openAIModels(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": s.opts.Model, "object": "model", "owned_by": "standin", "max_model_len": s.opts.Context},
	}})
}

// contentOf reads a string or a list of parts.
func contentOf(raw json.RawMessage) (text string, images int) {
	if json.Unmarshal(raw, &text) == nil {
		return text, 0
	}
	var parts []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"` // tool_result
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", 0
	}
	for _, p := range parts {
		switch p.Type {
		case "image_url", "image":
			images++
			continue
		case "tool_result":
			p.Text, _ = contentOf(p.Content)
		}
		if p.Text == "" {
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += p.Text
	}
	return text, images
}

func (s *Server) openAIChat(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body openAIBody
	if err := json.Unmarshal(raw, &body); err != nil {
		writeJSON(w, http.StatusBadRequest, openAIError(err.Error(), "invalid_request_error"))
		return
	}
	if body.Model != s.opts.Model {
		writeJSON(w, http.StatusNotFound, openAIError("The model `"+body.Model+"` does not exist", "model_not_found"))
		return
	}
	conv := Conversation{Tools: toolNames(body.Tools), Schema: body.Format.Type == "json_schema"}
	size := 0
	for _, m := range body.Messages {
		text, images := contentOf(m.Content)
		size += llm.EstimateTokens(text)
		if m.Role == "system" {
			conv.System += text
			continue
		}
		conv.Messages = append(conv.Messages, Message{Role: m.Role, Text: text, Images: images})
	}
	turn := s.think(r, raw, conv)
	if !body.Stream {
		writeJSON(w, http.StatusBadRequest, openAIError("the stand-in only streams", "invalid_request_error"))
		return
	}
	s.openAIStream(s.stream(w, r, "text/event-stream"), turn, conv, size, body.Options.Usage)
}

func openAIError(msg, code string) map[string]any {
	return map[string]any{"error": map[string]any{"message": msg, "type": "invalid_request_error", "code": code}}
}

// openAIStream splits tool calls as OpenAI does: a first delta with id, type
// and name, then arguments in pieces that carry the index alone.
func (s *Server) openAIStream(st *stream, turn Turn, conv Conversation, size int, usage bool) {
	chunk := func(delta map[string]any, finish any) {
		st.write("data: " + mustJSON(map[string]any{
			"id": "chatcmpl-standin", "object": "chat.completion.chunk", "created": 1, "model": s.opts.Model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		}) + "\n\n")
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range chunks(turn.Reasoning) {
		chunk(map[string]any{"reasoning_content": p}, nil)
	}
	text, finish := turn.Text, "stop"
	if len(conv.Tools) == 0 {
		text = asText(turn, conv.Schema)
	}
	for _, p := range chunks(text) {
		chunk(map[string]any{"content": p}, nil)
	}
	out := llm.EstimateTokens(text)
	if len(conv.Tools) > 0 {
		for i := range turn.Calls {
			finish = "tool_calls"
			name, args := dress(turn, i, conv.Tools)
			body := mustJSON(args)
			out += llm.EstimateTokens(body)
			chunk(map[string]any{"tool_calls": []any{map[string]any{
				"index": i, "id": fmt.Sprintf("call_%d_%d", size, i), "type": "function", "function": map[string]any{"name": name, "arguments": ""},
			}}}, nil)
			for _, p := range chunks(body) {
				chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
			}
		}
	}
	chunk(map[string]any{}, finish)
	if usage {
		st.write("data: " + mustJSON(map[string]any{
			"id": "chatcmpl-standin", "object": "chat.completion.chunk", "choices": []any{},
			"usage": map[string]any{"prompt_tokens": size, "completion_tokens": out, "total_tokens": size + out},
		}) + "\n\n")
	}
	st.write("data: [DONE]\n\n")
}
