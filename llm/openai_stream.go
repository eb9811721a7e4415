package llm

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// oaChunk is a chunk as servers with OpenAI's format really send it: with or
// without index, id once or on every piece, reasoning under two names.
type oaChunk struct {
	Choices []struct {
		Delta        oaDelta `json:"delta"`
		Message      oaDelta `json:"message"` // a whole message in one chunk
		FinishReason string  `json:"finish_reason"`
		Error        any     `json:"error"`
	} `json:"choices"`
	Usage  json.RawMessage `json:"usage"`
	XUsage struct {
		Usage json.RawMessage `json:"usage"` // Groq
	} `json:"x_groq"`
	Error   any    `json:"error"`
	Object  string `json:"object"`
	Message string `json:"message"`
}

type oaDelta struct {
	Content          json.RawMessage `json:"content"`
	Reasoning        string          `json:"reasoning"`
	ReasoningContent string          `json:"reasoning_content"`
	Refusal          string          `json:"refusal"`
	ToolCalls        []oaToolDelta   `json:"tool_calls"`
	FunctionCall     *oaFunction     `json:"function_call"`
}

type oaToolDelta struct {
	Index    *int       `json:"index"`
	ID       string     `json:"id"`
	Type     string     `json:"type"`
	Function oaFunction `json:"function"`
}

type oaFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// openAIStream returns a function that reads a chat completion stream and
// writes it again for langchaingo: text as it comes, complete tool calls at the
// end, then the reason, the usage and [DONE]. It fails on error frames and on
// an early end.
func openAIStream(p provider, model string) func(*callState, io.Reader, io.Writer) error {
	return func(state *callState, in io.Reader, out io.Writer) error {
		s := &oaStream{prov: p, model: model, state: state, out: out}
		events := newSSEReader(in)
		for {
			ev, err := events.next()
			if errors.Is(err, io.EOF) {
				// Some servers do not send [DONE], but all send the reason.
				if s.finish != "" {
					return s.end()
				}
				return cutStream(p, nil)
			}
			if err != nil {
				return err
			}
			data := strings.TrimSpace(string(ev.data))
			if data == "" {
				continue
			}
			if data == "[DONE]" {
				if s.finish == "" {
					return cutStream(p, nil)
				}
				return s.end()
			}
			if err := s.chunk([]byte(data), ev.name); err != nil {
				return err
			}
		}
	}
}

// openAIWhole returns a chat completion that came in one piece as a stream of
// one chunk.
func openAIWhole(body []byte) ([]byte, bool) {
	var whole struct {
		Choices []map[string]json.RawMessage `json:"choices"`
		Usage   json.RawMessage              `json:"usage"`
	}
	if json.Unmarshal(body, &whole) != nil || len(whole.Choices) == 0 || len(whole.Choices[0]["message"]) == 0 {
		return nil, false
	}
	choice := whole.Choices[0]
	if reason := string(choice["finish_reason"]); reason == "" || reason == "null" {
		choice["finish_reason"] = json.RawMessage(`"stop"`) // it is complete without one, too
	}
	chunk, err := json.Marshal(map[string]any{"choices": []any{choice}, "usage": whole.Usage})
	if err != nil {
		return nil, false
	}
	return slices.Concat([]byte("data: "), chunk, []byte("\n\ndata: [DONE]\n\n")), true
}

type oaStream struct {
	prov   provider
	model  string
	state  *callState
	out    io.Writer
	calls  callMerger
	finish string
	usage  json.RawMessage
}

func (s *oaStream) chunk(data []byte, event string) error {
	var c oaChunk
	if err := json.Unmarshal(data, &c); err != nil {
		if event == "error" {
			return classify(s.prov, s.model, 0, clip(string(data), 300))
		}
		return &Error{Code: CodeStreamError, Message: s.prov.label + " sent a piece that is not JSON: " + clip(string(data), 120), Err: err}
	}
	if c.Error != nil || event == "error" || c.Object == "error" {
		return s.frameError(data)
	}
	if len(c.Usage) > 0 && string(c.Usage) != "null" {
		s.usage = c.Usage
	} else if len(c.XUsage.Usage) > 0 {
		s.usage = c.XUsage.Usage
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	if choice.Error != nil || choice.FinishReason == "error" {
		if inner, err := json.Marshal(choice.Error); err == nil && choice.Error != nil {
			data = inner
		}
		return s.frameError(data)
	}
	if err := s.delta(choice.Delta); err != nil {
		return err
	}
	if err := s.delta(choice.Message); err != nil {
		return err
	}
	if choice.FinishReason != "" {
		s.finish = choice.FinishReason
	}
	return nil
}

func (s *oaStream) frameError(data []byte) error {
	e := classify(s.prov, s.model, 0, errorText(data), data)
	if e.Code == CodeStreamError {
		e.Message = s.prov.label + " broke off: " + errorText(data)
	}
	return e
}

func (s *oaStream) delta(d oaDelta) error {
	for _, r := range []string{d.ReasoningContent, d.Reasoning} {
		if r != "" {
			s.state.emit(DeltaReasoning, r)
			if err := s.write("reasoning_content", r); err != nil {
				return err
			}
			break // OpenRouter may send the same text under both names
		}
	}
	text := contentText(d.Content) + d.Refusal
	if text != "" {
		s.state.emit(DeltaText, text)
		if err := s.write("content", text); err != nil {
			return err
		}
	}
	for _, t := range d.ToolCalls {
		s.call(t)
	}
	if d.FunctionCall != nil {
		zero := 0
		s.call(oaToolDelta{Index: &zero, Function: *d.FunctionCall})
	}
	return nil
}

func (s *oaStream) call(t oaToolDelta) {
	c, args := s.calls.add(t)
	if c.reader == nil {
		c.reader = &callReader{want: s.state.answer}
	}
	c.reader.setName(c.name)
	s.state.call(c.reader, args)
}

// contentText returns the text of a string or of a list of text parts (Mistral).
func contentText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}

func (s *oaStream) write(key, text string) error {
	for _, piece := range pieces(text, pieceSize) {
		if err := s.line(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{key: piece}}}}); err != nil {
			return err
		}
	}
	return nil
}

func (s *oaStream) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(append([]byte("data: "), b...), '\n', '\n'))
	return err
}

func (s *oaStream) end() error {
	if s.finish == "function_call" {
		s.finish = "tool_calls" // langchaingo panics on the old one in a stream
	}
	for _, c := range s.calls.list {
		if c.id == "" {
			c.id = newCallID()
		}
		s.state.keepArgs(c.id, c.args)
		// langchaingo takes a delta with a type as a new call and one without
		// as more arguments for the last.
		if err := s.toolLine(c.id, "function", c.name, ""); err != nil {
			return err
		}
		for _, piece := range pieces(c.args, pieceSize) {
			if err := s.toolLine("", "", "", piece); err != nil {
				return err
			}
		}
	}
	if err := s.line(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{}, "finish_reason": s.finish}}}); err != nil {
		return err
	}
	s.state.keepCost(costOf(s.usage))
	if usage := countsOnly(s.usage); usage != nil {
		if err := s.line(map[string]any{"choices": []any{}, "usage": usage}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(s.out, "data: [DONE]\n\n")
	return err
}

func (s *oaStream) toolLine(id, typ, name, args string) error {
	call := map[string]any{"id": id, "type": typ, "function": map[string]any{"name": name, "arguments": args}}
	return s.line(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"tool_calls": []any{call}}}}})
}

// countsOnly returns only the counts of a usage block: a field of an unexpected
// type would make langchaingo skip the whole line.
func countsOnly(raw json.RawMessage) map[string]int {
	var u struct {
		Prompt     float64 `json:"prompt_tokens"`
		Completion float64 `json:"completion_tokens"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return nil
	}
	return map[string]int{"prompt_tokens": int(u.Prompt), "completion_tokens": int(u.Completion), "total_tokens": int(u.Prompt + u.Completion)}
}

// costOf returns a request's cost, as OpenRouter and similar gateways report
// it, or nil.
func costOf(raw json.RawMessage) *float64 {
	var u struct {
		Cost *float64 `json:"cost"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil || u.Cost == nil || *u.Cost < 0 {
		return nil
	}
	return u.Cost
}

// callMerger joins the pieces of parallel tool calls.
type callMerger struct {
	list []*mergedCall
}

type mergedCall struct {
	index    int
	id, name string
	args     string
	reader   *callReader
}

// add adds a piece to its call, and returns the call and the piece's arguments.
// It finds the call by id first, then by index: Ollama and some gateways send
// index 0 for all parallel calls, so another id is another call. DashScope
// repeats id and type on every piece. A piece without id belongs to the newest
// call of its index.
func (m *callMerger) add(t oaToolDelta) (c *mergedCall, args string) {
	args = argsText(t.Function.Arguments)
	c = m.find(t)
	if c == nil {
		index := len(m.list)
		if t.Index != nil {
			index = *t.Index
		}
		c = &mergedCall{index: index}
		m.list = append(m.list, c)
	}
	if c.id == "" {
		c.id = t.ID
	}
	switch {
	case c.name == "":
		c.name = t.Function.Name
	case t.Function.Name != "" && t.Function.Name != c.name && c.args == "":
		c.name += t.Function.Name // the name itself may come in pieces
	}
	c.args += args
	return c, args
}

func (m *callMerger) find(t oaToolDelta) *mergedCall {
	newest := func(match func(*mergedCall) bool) *mergedCall {
		for i := len(m.list) - 1; i >= 0; i-- {
			if match(m.list[i]) {
				return m.list[i]
			}
		}
		return nil
	}
	if t.ID != "" {
		if c := newest(func(c *mergedCall) bool { return c.id == t.ID }); c != nil {
			return c
		}
		// A new call has a name. A piece without one belongs to a call that
		// gets its id late, or whose id changes with every piece.
		if t.Function.Name != "" || t.Index == nil {
			return nil
		}
		return newest(func(c *mergedCall) bool { return c.index == *t.Index })
	}
	if t.Index != nil {
		c := newest(func(c *mergedCall) bool { return c.index == *t.Index })
		// Without ids and with one index for all calls, another name after
		// complete arguments begins the next call.
		if c != nil && c.id == "" && t.Function.Name != "" && json.Valid([]byte(c.args)) {
			return nil
		}
		return c
	}
	if t.Function.Name != "" || len(m.list) == 0 {
		return nil
	}
	return m.list[len(m.list)-1]
}

// argsText returns arguments as text. They should be a string, but some servers
// send an object.
func argsText(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
