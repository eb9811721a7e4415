package standin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
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
	Think   any             `json:"think"`      // bool, or a level
	Keep    any             `json:"keep_alive"` // "15m", or seconds
	Options struct {
		NumCtx     int `json:"num_ctx"`
		NumPredict int `json:"num_predict"`
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

// models are all that the server lists; the first is the one that answers.
func (s *Server) models() []OllamaModel {
	caps := []string{"completion"}
	if s.opts.Format == OllamaTools {
		caps = append(caps, "tools")
	}
	if s.opts.Vision {
		caps = append(caps, "vision")
	}
	if s.opts.Thinks {
		caps = append(caps, "thinking")
	}
	own := OllamaModel{Name: s.opts.Model, Family: "standin", Capabilities: caps, Size: s.opts.Size, Parameters: s.opts.Parameters}
	if s.opts.Levels {
		own.Family = "gptoss"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat([]OllamaModel{own}, s.opts.Others, s.pulled)
}

const ollamaSize int64 = 5_200_000_000 // bytes, as listed

func (s *Server) ollamaTags(w http.ResponseWriter, _ *http.Request) {
	var list []any
	for _, m := range s.models() {
		list = append(list, map[string]any{
			"name": m.Name, "model": m.Name, "digest": "sha256:standin", "size": cmp.Or(m.Size, ollamaSize), "modified_at": "2026-01-01T00:00:00Z",
			"details": map[string]any{"family": m.Family, "parameter_size": cmp.Or(m.Parameters, "0B"), "quantization_level": cmp.Or(m.Quantization, "F16")},
		})
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": list})
}

// ollamaPs lists what is loaded.
func (s *Server) ollamaPs(w http.ResponseWriter, _ *http.Request) {
	if s.opts.Polled != nil {
		s.opts.Polled()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	if s.loadedWindow > 0 {
		size, vram := cmp.Or(s.opts.Size, ollamaSize), int64(0)
		if s.opts.Memory != nil {
			size, vram = s.opts.Memory(s.loadedWindow)
		}
		list = append(list, map[string]any{
			"name": s.opts.Model, "model": s.opts.Model, "size": size, "size_vram": vram, "context_length": s.loadedWindow, "digest": "sha256:standin",
		})
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": list})
}

// load makes the model ready, once for each window, and sends nothing meanwhile.
func (s *Server) load(ctx context.Context, window int) {
	s.loadMu.Lock()
	defer s.loadMu.Unlock()
	s.mu.Lock()
	there := s.loadedWindow == window
	s.mu.Unlock()
	if !there && s.opts.Load != nil {
		s.opts.Load(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loadedWindow = window; !there {
		s.loads = append(s.loads, window)
	}
}

// Loads are the windows that an Ollama's model was loaded with, in their order.
func (s *Server) Loads() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.loads)
}

func (s *Server) setLoaded(window int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loadedWindow = window
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var body struct{ Model, Name string }
	_ = json.NewDecoder(r.Body).Decode(&body) // an empty name is not found below
	for _, m := range s.models() {
		if name := body.Model + body.Name; name != m.Name && name+":latest" != m.Name {
			continue
		}
		info := map[string]any{"general.architecture": m.Family, m.Family + ".context_length": s.opts.Context}
		if s.opts.PerToken > 0 && m.Name == s.opts.Model { // of one layer and one head
			info[m.Family+".block_count"], info[m.Family+".attention.head_count"] = 1, 1
			info[m.Family+".attention.key_length"] = s.opts.PerToken / 4
		}
		if m.Pooled {
			info[m.Family+".pooling_type"] = 1
		}
		out := map[string]any{"template": "{{ .Prompt }}", "details": map[string]any{"family": m.Family, "parameter_size": m.Parameters, "quantization_level": m.Quantization}, "model_info": info}
		if !s.opts.Untold {
			out["capabilities"] = m.Capabilities
		}
		writeJSON(w, http.StatusOK, out)
		return
	}
	s.known(w, body.Model+body.Name)
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
	if level, ok := body.Think.(string); ok && !slices.Contains([]string{"low", "medium", "high"}, level) {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": fmt.Sprintf("invalid think value: %q (must be \"high\", \"medium\", \"low\", true, or false)", level)})
		return
	}
	if body.Think != nil && body.Think != false && !s.opts.Thinks {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": `"` + s.opts.Model + `" does not support thinking`})
		return
	}
	s.load(r.Context(), max(body.Options.NumCtx, 1))
	if r.Context().Err() != nil {
		return
	}
	if k := fmt.Sprint(body.Keep); k == "0" || k == "0s" {
		defer s.setLoaded(0)
	}
	if len(body.Messages) == 0 && body.Tools == nil {
		writeJSON(w, http.StatusOK, map[string]any{"model": body.Model, "message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": "load"})
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
	var turn Turn
	switch {
	case body.Options.NumPredict == 1: // it is to read the prompt alone: that is no turn
		s.record(&s.ahead, r, raw, conv)
		turn.Text = "…"
	case bytes.Contains(body.Format, []byte(`"wants"`)): // stands beside the task, whose brain has no part in it
		s.record(&s.requests, r, raw, conv)
		turn.Text = `{"wants":"open"}` // which asks nothing more
	default:
		turn = s.think(r, raw, conv)
	}
	if body.Think == false && !s.opts.Levels {
		turn.Reasoning = ""
	}
	frames := s.ollamaFrames(turn, conv, size, body.Options.NumPredict)
	if body.Stream != nil && !*body.Stream {
		writeJSON(w, http.StatusOK, joinFrames(frames))
		return
	}
	st := s.stream(w, r, "application/x-ndjson")
	for _, f := range frames {
		st.write(mustJSON(f) + "\n")
	}
}

// ollamaFrames are the pieces of a reply. What is thought counts with the rest
// towards most tokens (0: no bound), at which the reply is cut off.
func (s *Server) ollamaFrames(turn Turn, conv Conversation, size, most int) []map[string]any {
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
		for i := range turn.Calls {
			name, args := dress(turn, i, conv.Tools)
			out = append(out, frame(map[string]any{"content": "", "tool_calls": []any{
				map[string]any{"function": map[string]any{"name": name, "arguments": args}},
			}}))
		}
	}
	end := frame(map[string]any{"content": ""})
	end["done"], end["done_reason"] = true, "stop"
	tokens := 0
	for i := range out {
		const each = 2 // tokens of a piece of seven characters
		if most > 0 && tokens+each > most {
			out, end["done_reason"] = out[:i], "length"
			break
		}
		tokens += each
	}
	end["prompt_eval_count"], end["eval_count"] = size, tokens
	end["prompt_eval_duration"], end["eval_duration"] = size*int(time.Millisecond), tokens*int(20*time.Millisecond)
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
