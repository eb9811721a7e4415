package standin

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"tabwright/llm"
)

type ollamaBody struct {
	Model    string `json:"model"`
	Stream   *bool  `json:"stream"`
	Messages []struct {
		Role      string   `json:"role"`
		Content   string   `json:"content"`
		Images    []string `json:"images"`
		ToolCalls []any    `json:"tool_calls"`
	} `json:"messages"`
	Tools   []toolBody      `json:"tools"`
	Format  json.RawMessage `json:"format"`
	Options struct {
		NumCtx int `json:"num_ctx"`
	} `json:"options"`
}

type toolBody struct {
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
	Name string `json:"name"` // Anthropic
}

func toolNames(tools []toolBody) []string {
	var out []string
	for _, t := range tools {
		if t.Name != "" {
			out = append(out, t.Name)
		} else {
			out = append(out, t.Function.Name)
		}
	}
	return out
}

func (s *Server) ollamaVersion(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"version": s.opts.Version})
}

func (s *Server) ollamaTags(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"models": []any{map[string]any{
		"name": s.opts.Model, "model": s.opts.Model, "digest": "sha256:standin", "size": 1 << 20, "modified_at": "2026-01-01T00:00:00Z",
		"details": map[string]any{"family": "standin", "parameter_size": "0B", "quantization_level": "F16"},
	}}})
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var body struct{ Model, Name string }
	_ = json.NewDecoder(r.Body).Decode(&body) // an empty name is not found below
	if !s.known(w, body.Model+body.Name) {
		return
	}
	caps := []string{"completion"}
	if s.opts.Format == OllamaTools {
		caps = append(caps, "tools")
	}
	if s.opts.Vision {
		caps = append(caps, "vision")
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"capabilities": caps, "template": "{{ .Prompt }}", "details": map[string]any{"family": "standin"},
		"model_info": map[string]any{"general.architecture": "standin", "standin.context_length": s.opts.Context},
	})
}

func (s *Server) known(w http.ResponseWriter, model string) bool {
	if model == s.opts.Model || model+":latest" == s.opts.Model {
		return true
	}
	writeJSON(w, http.StatusNotFound, map[string]string{"error": `model "` + model + `" not found, try pulling it first`})
	return false
}

func (s *Server) ollamaChat(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body ollamaBody
	if err := json.Unmarshal(raw, &body); err != nil {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	if !s.known(w, body.Model) {
		return
	}
	if len(body.Tools) > 0 && s.opts.Format != OllamaTools {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": s.opts.Model + " does not support tools"})
		return
	}
	schema := strings.HasPrefix(string(body.Format), "{")
	if schema && s.opts.Format == OllamaMarkdown { // as servers before 0.5 said it
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "json: cannot unmarshal object into Go struct field ChatRequest.format of type string"})
		return
	}
	conv := Conversation{Tools: toolNames(body.Tools), Schema: schema}
	size := 0
	for _, m := range body.Messages {
		size += llm.EstimateTokens(m.Content)
		if m.Role == "system" {
			conv.System += m.Content
			continue
		}
		conv.Messages = append(conv.Messages, Message{Role: m.Role, Text: m.Content, Images: len(m.Images)})
	}
	turn := s.think(r, raw, conv)
	frames := s.ollamaFrames(turn, conv, size)
	if body.Stream != nil && !*body.Stream {
		writeJSON(w, http.StatusOK, joinFrames(frames))
		return
	}
	st := s.stream(w, r, "application/x-ndjson")
	for _, f := range frames {
		st.write(mustJSON(f) + "\n")
	}
}

func (s *Server) ollamaFrames(turn Turn, conv Conversation, size int) []map[string]any {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	frame := func(msg map[string]any) map[string]any {
		msg["role"] = "assistant"
		return map[string]any{"model": s.opts.Model, "created_at": now, "message": msg, "done": false}
	}
	var out []map[string]any
	for _, p := range chunks(turn.Reasoning) {
		out = append(out, frame(map[string]any{"content": "", "thinking": p}))
	}
	text := turn.Text
	if s.opts.Format != OllamaTools || len(conv.Tools) == 0 {
		text = asText(turn, conv.Schema)
	}
	for _, p := range chunks(text) {
		out = append(out, frame(map[string]any{"content": p}))
	}
	if s.opts.Format == OllamaTools && len(conv.Tools) > 0 {
		for _, c := range turn.Calls {
			name, args := dress(c, conv.Tools)
			out = append(out, frame(map[string]any{"content": "", "tool_calls": []any{
				map[string]any{"function": map[string]any{"name": name, "arguments": args}},
			}}))
		}
	}
	end := frame(map[string]any{"content": ""})
	end["done"], end["done_reason"] = true, "stop"
	end["prompt_eval_count"], end["eval_count"] = size, llm.EstimateTokens(text)
	return append(out, end)
}

// joinFrames makes the one answer of a request that does not stream.
func joinFrames(frames []map[string]any) map[string]any {
	text, thinking := "", ""
	var calls []any
	for _, f := range frames {
		msg, _ := f["message"].(map[string]any)
		t, _ := msg["content"].(string)
		th, _ := msg["thinking"].(string)
		c, _ := msg["tool_calls"].([]any)
		text, thinking, calls = text+t, thinking+th, append(calls, c...)
	}
	end := frames[len(frames)-1]
	msg := map[string]any{"role": "assistant", "content": text}
	if thinking != "" {
		msg["thinking"] = thinking
	}
	if len(calls) > 0 {
		msg["tool_calls"] = calls
	}
	end["message"] = msg
	return end
}
