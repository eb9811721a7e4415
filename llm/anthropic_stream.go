package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// anEvent is any event of Anthropic's message stream.
type anEvent struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string          `json:"id"`
		Model string          `json:"model"`
		Usage json.RawMessage `json:"usage"`
	} `json:"message"`
	Block struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		JSON       string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage json.RawMessage `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// anUsage is the token counts. What was read from or written to the prompt
// cache is input too.
type anUsage struct {
	Input  float64 `json:"input_tokens"`
	Output float64 `json:"output_tokens"`
	Made   float64 `json:"cache_creation_input_tokens"`
	Read   float64 `json:"cache_read_input_tokens"`
}

// anthropicStream returns a function that reads a message stream and writes it
// again for langchaingo: with blocks of known types only, renumbered, and
// deltas in short lines. It leaves the input of tools out and keeps its exact
// text in the call state: langchaingo would turn large numbers into floats and
// fail on input that is not JSON.
func anthropicStream(p provider, model string) func(*callState, io.Reader, io.Writer) error {
	return func(state *callState, in io.Reader, out io.Writer) error {
		s := &anStream{prov: p, model: model, state: state, out: out, blocks: map[int]*anBlock{}}
		events := newSSEReader(in)
		for {
			ev, err := events.next()
			if errors.Is(err, io.EOF) {
				return cutStream(p, nil)
			}
			if err != nil {
				return err
			}
			var e anEvent
			if err := json.Unmarshal(ev.data, &e); err != nil {
				return &Error{Code: CodeStreamError, Message: p.label + " sent a piece that is not JSON: " + clip(string(ev.data), 120), Err: err}
			}
			done, err := s.event(e, ev)
			if err != nil {
				return err
			}
			if done {
				return nil
			}
		}
	}
}

// anthropicWhole returns a message that came in one piece as the events of a
// stream.
func anthropicWhole(body []byte) ([]byte, bool) {
	var whole struct {
		ID      string                       `json:"id"`
		Model   string                       `json:"model"`
		Content []map[string]json.RawMessage `json:"content"`
		Stop    string                       `json:"stop_reason"`
		Usage   json.RawMessage              `json:"usage"`
	}
	if json.Unmarshal(body, &whole) != nil || whole.Content == nil {
		return nil, false
	}
	var out bytes.Buffer
	event := func(name string, fields map[string]any) {
		fields["type"] = name
		if b, err := json.Marshal(fields); err == nil {
			out.WriteString("event: " + name + "\ndata: " + string(b) + "\n\n")
		}
	}
	event("message_start", map[string]any{"message": map[string]any{"id": whole.ID, "model": whole.Model, "usage": whole.Usage}})
	for i, block := range whole.Content {
		thought := block["thinking"]
		delete(block, "thinking")
		event("content_block_start", map[string]any{"index": i, "content_block": block})
		if len(thought) > 0 {
			event("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "thinking_delta", "thinking": thought}})
		}
		event("content_block_stop", map[string]any{"index": i})
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": cmp.Or(whole.Stop, "end_turn")}, "usage": whole.Usage})
	event("message_stop", map[string]any{})
	return out.Bytes(), true
}

type anStream struct {
	prov   provider
	model  string
	state  *callState
	out    io.Writer
	blocks map[int]*anBlock
	count  int
	opened bool
	stop   string
	usage  anUsage
}

type anBlock struct {
	index  int
	kind   string
	id     string
	input  strings.Builder
	reader *callReader
	given  string // input that came complete in the start event
}

func (s *anStream) event(e anEvent, raw sseEvent) (done bool, err error) {
	switch e.Type {
	case "error":
		ce := classify(s.prov, s.model, 0, errorText(raw.data), raw.data)
		if ce.Code == CodeStreamError {
			ce.Message = s.prov.label + " broke off: " + errorText(raw.data)
		}
		return false, ce
	case "message_start":
		_ = json.Unmarshal(e.Message.Usage, &s.usage) // counts only: a reply is good without
		s.opened = true
		return false, s.line(map[string]any{"type": "message_start", "message": map[string]any{
			"id": e.Message.ID, "model": e.Message.Model, "role": "assistant", "type": "message",
			"usage": map[string]any{"input_tokens": s.usage.total()},
		}})
	case "content_block_start":
		return false, s.startBlock(e)
	case "content_block_delta":
		return false, s.blockDelta(e)
	case "content_block_stop":
		return false, s.stopBlock(e.Index)
	case "message_delta":
		if e.Delta.StopReason != "" {
			s.stop = e.Delta.StopReason
		}
		if len(e.Usage) > 0 {
			_ = json.Unmarshal(e.Usage, &s.usage) // the same
		}
		return false, nil
	case "message_stop":
		return true, s.end()
	}
	return false, nil // ping, and types to come
}

func (u anUsage) total() int { return int(u.Input + u.Made + u.Read) }

func (s *anStream) startBlock(e anEvent) error {
	switch e.Block.Type {
	case "text", "thinking", "tool_use":
	default:
		return nil // redacted_thinking, server tools: nothing to read
	}
	b := &anBlock{index: s.count, kind: e.Block.Type, id: e.Block.ID}
	if b.kind == "tool_use" {
		if b.id == "" {
			b.id = newCallID()
		}
		if in := string(e.Block.Input); in != "" && in != "null" {
			b.given = in
		}
		b.reader = &callReader{want: s.state.answer}
		b.reader.setName(e.Block.Name)
	}
	s.blocks[e.Index] = b
	s.count++
	block := map[string]any{"type": b.kind}
	if b.kind == "tool_use" {
		block["id"], block["name"] = b.id, e.Block.Name
	}
	if err := s.line(map[string]any{"type": "content_block_start", "index": b.index, "content_block": block}); err != nil {
		return err
	}
	if b.kind == "text" && e.Block.Text != "" {
		return s.text(b, e.Block.Text)
	}
	return nil
}

func (s *anStream) blockDelta(e anEvent) error {
	b := s.blocks[e.Index]
	if b == nil {
		return nil
	}
	switch {
	case e.Delta.Type == "text_delta" && b.kind == "text":
		return s.text(b, e.Delta.Text)
	case e.Delta.Type == "thinking_delta" && b.kind == "thinking":
		s.state.emit(DeltaReasoning, e.Delta.Thinking)
		return s.deltas(b, "thinking_delta", "thinking", e.Delta.Thinking)
	case e.Delta.Type == "input_json_delta" && b.kind == "tool_use":
		b.input.WriteString(e.Delta.JSON)
		s.state.call(b.reader, e.Delta.JSON)
	}
	return nil
}

func (s *anStream) text(b *anBlock, text string) error {
	s.state.emit(DeltaText, text)
	return s.deltas(b, "text_delta", "text", text)
}

func (s *anStream) deltas(b *anBlock, typ, key, text string) error {
	for _, piece := range pieces(text, pieceSize) {
		if err := s.line(map[string]any{"type": "content_block_delta", "index": b.index, "delta": map[string]any{"type": typ, key: piece}}); err != nil {
			return err
		}
	}
	return nil
}

func (s *anStream) stopBlock(index int) error {
	b := s.blocks[index]
	if b == nil {
		return nil
	}
	delete(s.blocks, index)
	if b.kind == "tool_use" {
		args := b.input.String()
		if strings.TrimSpace(args) == "" {
			args = b.given
		}
		s.state.keepArgs(b.id, args)
	}
	return s.line(map[string]any{"type": "content_block_stop", "index": b.index})
}

// end writes the end of the message. If the stream ended without a reason or
// inside a block, a gateway lost its upstream, and end returns that error.
func (s *anStream) end() error {
	if !s.opened || s.stop == "" || len(s.blocks) > 0 {
		return cutStream(s.prov, nil)
	}
	if s.count == 0 { // langchaingo calls a reply without blocks an error
		if err := s.line(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text"}}); err != nil {
			return err
		}
	}
	err := s.line(map[string]any{
		"type": "message_delta", "delta": map[string]any{"stop_reason": s.stop},
		"usage": map[string]any{"output_tokens": int(s.usage.Output), "input_tokens": s.usage.total()},
	})
	if err != nil {
		return err
	}
	return s.line(map[string]any{"type": "message_stop"})
}

func (s *anStream) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(append([]byte("data: "), b...), '\n', '\n'))
	return err
}
