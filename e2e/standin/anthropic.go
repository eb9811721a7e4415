package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"tabwright/llm"
)

type anthropicBody struct {
	Model    string          `json:"model"`
	System   json.RawMessage `json:"system"`
	Max      int             `json:"max_tokens"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []toolBody `json:"tools"`
}

func (s *Server) anthropicModels(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"data": []any{
		map[string]any{"type": "model", "id": s.opts.Model, "display_name": "Stand-in"},
	}, "has_more": false})
}

func anthropicError(kind, msg string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": msg}}
}

func (s *Server) anthropicChat(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body anthropicBody
	if err := json.Unmarshal(raw, &body); err != nil || body.Max <= 0 {
		writeJSON(w, http.StatusBadRequest, anthropicError("invalid_request_error", fmt.Sprintf("max_tokens is required (%v)", err)))
		return
	}
	if r.Header.Get("X-Api-Key") == "" {
		writeJSON(w, http.StatusUnauthorized, anthropicError("authentication_error", "x-api-key header is required"))
		return
	}
	if body.Model != s.opts.Model {
		writeJSON(w, http.StatusNotFound, anthropicError("not_found_error", "model: "+body.Model))
		return
	}
	conv := Conversation{Tools: toolNames(body.Tools)}
	conv.System, _ = contentOf(body.System)
	size := llm.EstimateTokens(conv.System)
	last := ""
	for _, m := range body.Messages {
		if m.Role == last { // stricter than Anthropic, as gateways are
			writeJSON(w, http.StatusBadRequest, anthropicError("invalid_request_error", "roles must alternate"))
			return
		}
		last = m.Role
		text, images := contentOf(m.Content)
		size += llm.EstimateTokens(text)
		conv.Messages = append(conv.Messages, Message{Role: m.Role, Text: text, Images: images})
	}
	turn := s.think(r, raw, conv)
	s.anthropicStream(s.stream(w, r, "text/event-stream"), turn, conv, size)
}

func (s *Server) anthropicStream(st *stream, turn Turn, conv Conversation, size int) {
	event := func(name string, v map[string]any) {
		v["type"] = name
		st.write("event: " + name + "\ndata: " + mustJSON(v) + "\n\n")
	}
	index := 0
	block := func(start map[string]any, kind, key string, parts []string) {
		event("content_block_start", map[string]any{"index": index, "content_block": start})
		for _, p := range parts {
			event("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": kind, key: p}})
		}
		event("content_block_stop", map[string]any{"index": index})
		index++
	}
	event("message_start", map[string]any{"message": map[string]any{
		"id": "msg_standin", "type": "message", "role": "assistant", "model": s.opts.Model, "content": []any{},
		"usage": map[string]any{"input_tokens": size, "output_tokens": 1},
	}})
	event("ping", map[string]any{})
	if turn.Reasoning != "" {
		block(map[string]any{"type": "thinking", "thinking": ""}, "thinking_delta", "thinking", chunks(turn.Reasoning))
	}
	text, stop := turn.Text, "end_turn"
	if len(conv.Tools) == 0 {
		text = asText(turn, false)
	}
	if text != "" {
		block(map[string]any{"type": "text", "text": ""}, "text_delta", "text", chunks(text))
	}
	out := llm.EstimateTokens(text)
	if len(conv.Tools) > 0 {
		for i := range turn.Calls {
			stop = "tool_use"
			name, args := dress(turn, i, conv.Tools)
			body := mustJSON(args)
			out += llm.EstimateTokens(body)
			block(map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d_%d", size, i), "name": name, "input": map[string]any{}},
				"input_json_delta", "partial_json", append([]string{""}, chunks(body)...))
		}
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": out}})
	event("message_stop", map[string]any{})
}
