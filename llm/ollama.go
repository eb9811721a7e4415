package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
)

// ollamaLLM is an llms.Model on Ollama's native API over plain HTTP. Only that
// API takes num_ctx, a schema as format, think and keep_alive. langchaingo's
// own client has no tools, no schema and no errors on cancel.
type ollamaLLM struct {
	client  *http.Client
	prov    provider
	base    string
	model   string
	key     string
	headers map[string]string
}

var _ llms.Model = (*ollamaLLM)(nil)

// The metadata keys that carry Ollama's own options through llms.CallOptions.
const (
	metaNumCtx    = "ollama:num_ctx"
	metaReply     = "ollama:reply"
	metaThink     = "ollama:think"
	metaKeepAlive = "ollama:keep_alive"
)

type ollamaRequest struct {
	Model     string          `json:"model"`
	Messages  []ollamaMessage `json:"messages"`
	Tools     []llms.Tool     `json:"tools,omitempty"`
	Format    json.RawMessage `json:"format,omitempty"`
	Options   map[string]any  `json:"options"`
	Think     any             `json:"think,omitempty"` // bool, or a level
	KeepAlive string          `json:"keep_alive,omitempty"`
	Stream    bool            `json:"stream"`
	// Truncate is false, so that a prompt that is too long is refused with 400.
	// By default Ollama silently cuts off its beginning. Old servers ignore it.
	Truncate bool `json:"truncate"`
	Shift    bool `json:"shift"` // the same for a reply that is too long
}

type ollamaMessage struct {
	Role      string       `json:"role"`
	Content   string       `json:"content"`
	Thinking  string       `json:"thinking,omitempty"`
	Images    [][]byte     `json:"images,omitempty"` // base64 in JSON
	ToolCalls []ollamaCall `json:"tool_calls,omitempty"`
	ToolName  string       `json:"tool_name,omitempty"`
	ToolID    string       `json:"tool_call_id,omitempty"`
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Index     int             `json:"index,omitempty"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type ollamaFrame struct {
	Message    ollamaMessage `json:"message"`
	Done       bool          `json:"done"`
	DoneReason string        `json:"done_reason"`
	Prompt     int           `json:"prompt_eval_count"`
	Eval       int           `json:"eval_count"`
	PromptTime time.Duration `json:"prompt_eval_duration"`
	EvalTime   time.Duration `json:"eval_duration"`
	Error      any           `json:"error"`
}

// Call sends one prompt.
func (o *ollamaLLM) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, o, prompt, options...)
}

// GenerateContent sends one conversation and reads the streamed reply. An error
// frame, and a stream that ends without done:true, are errors.
func (o *ollamaLLM) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var opts llms.CallOptions
	for _, opt := range options {
		opt(&opts)
	}
	state := stateFrom(ctx)
	body, err := o.request(messages, opts, state)
	if err != nil {
		return nil, err
	}
	if err := o.load(ctx, state, body); err != nil {
		return nil, err
	}
	resp, err := o.send(ctx, http.MethodPost, "/api/chat", body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	state.begin()
	r := ollamaReader{llm: o, state: state, opts: opts}
	r.most, _ = opts.Metadata[metaReply].(int)
	return r.read(ctx, resp.Body)
}

func (o *ollamaLLM) request(messages []llms.MessageContent, opts llms.CallOptions, state *callState) (*ollamaRequest, error) {
	model := o.model
	if opts.Model != "" {
		model = opts.Model
	}
	body := &ollamaRequest{Model: model, Tools: opts.Tools, Format: state.schema, Stream: true, Options: map[string]any{}}
	if !state.noTemperature {
		body.Options["temperature"] = opts.Temperature
	}
	if opts.MaxTokens > 0 {
		body.Options["num_predict"] = opts.MaxTokens // thoughts are counted, too
	}
	numCtx, _ := opts.Metadata[metaNumCtx].(int)
	if numCtx <= 0 {
		numCtx = unknownWindow
	}
	body.Options["num_ctx"] = numCtx
	if opts.Seed != 0 {
		body.Options["seed"] = opts.Seed
	}
	if len(opts.StopWords) > 0 {
		body.Options["stop"] = opts.StopWords
	}
	body.Think = opts.Metadata[metaThink]
	body.KeepAlive, _ = opts.Metadata[metaKeepAlive].(string)
	if opts.JSONMode && len(state.schema) == 0 {
		body.Format = json.RawMessage(`"json"`)
	}
	for _, m := range messages {
		msg, err := ollamaFrom(m)
		if err != nil {
			return nil, err
		}
		body.Messages = append(body.Messages, msg)
	}
	return body, nil
}

// ollamaFrom returns a langchaingo message as one of Ollama's.
func ollamaFrom(m llms.MessageContent) (ollamaMessage, error) {
	out := ollamaMessage{}
	switch m.Role {
	case llms.ChatMessageTypeSystem:
		out.Role = "system"
	case llms.ChatMessageTypeAI:
		out.Role = "assistant"
	case llms.ChatMessageTypeTool, llms.ChatMessageTypeFunction:
		out.Role = "tool"
	case llms.ChatMessageTypeHuman, llms.ChatMessageTypeGeneric:
		out.Role = "user"
	default:
		return out, &Error{Code: CodeBadRequest, Message: fmt.Sprintf("no such role: %s", m.Role)}
	}
	var texts []string
	for _, part := range m.Parts {
		switch p := part.(type) {
		case llms.TextContent:
			texts = append(texts, p.Text)
		case llms.BinaryContent:
			out.Images = append(out.Images, p.Data)
		case llms.ToolCall:
			var c ollamaCall
			c.ID = p.ID
			if p.FunctionCall != nil {
				c.Function.Name = p.FunctionCall.Name
				c.Function.Arguments = json.RawMessage(p.FunctionCall.Arguments)
			}
			if !json.Valid(c.Function.Arguments) {
				c.Function.Arguments = json.RawMessage(`{}`)
			}
			out.ToolCalls = append(out.ToolCalls, c)
		case llms.ToolCallResponse:
			texts = append(texts, p.Content)
			out.ToolName, out.ToolID = p.Name, p.ToolCallID
		default:
			return out, &Error{Code: CodeBadRequest, Message: fmt.Sprintf("Ollama takes no part of type %T", part)}
		}
	}
	out.Content = strings.Join(texts, "\n")
	return out, nil
}

// send makes one request. Its errors are of type *Error.
func (o *ollamaLLM) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var r io.Reader
	if body != nil {
		raw, err := marshalPlain(body)
		if err != nil {
			return nil, &Error{Code: CodeBadRequest, Message: "the request can't be written", Err: err}
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, o.base+path, r)
	if err != nil {
		return nil, &Error{Code: CodeInvalidConfig, Message: "bad address of Ollama", Err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	if o.key != "" {
		req.Header.Set("Authorization", "Bearer "+o.key)
	}
	for k, v := range o.headers {
		req.Header.Set(k, v)
	}
	resp, err := o.client.Do(req)
	if err != nil {
		e := transportError(ctx, "Ollama at "+req.URL.Host, err)
		if e.Code == CodeUnreachable {
			e.Hint = "is Ollama running? start it with: ollama serve"
		}
		return nil, e
	}
	stateFrom(ctx).alive()
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, statusError(o.prov, o.model, resp.StatusCode, resp.Header, raw)
	}
	return resp, nil
}

// getJSON sends a request whose answer is one JSON value.
func (o *ollamaLLM) getJSON(ctx context.Context, method, path string, body, into any) error {
	resp, err := o.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxLine)).Decode(into); err != nil {
		return &Error{Code: CodeServerError, Message: "the answer of Ollama to " + path + " can't be read", Err: err}
	}
	return nil
}

// ollamaReader reads one streamed reply.
type ollamaReader struct {
	llm    *ollamaLLM
	state  *callState
	opts   llms.CallOptions
	choice llms.ContentChoice
	most   int // tokens of the reply without thoughts; 0: no bound
	frames int // pieces that have come, each a token
	next   int // bytes of content at which it is measured again
}

func (r *ollamaReader) read(ctx context.Context, body io.Reader) (*llms.ContentResponse, error) {
	lines := bufio.NewReaderSize(&liveReader{r: body, state: r.state}, 32<<10)
	for {
		line, err := readLine(lines)
		if err != nil {
			if ctx.Err() != nil {
				return nil, transportError(ctx, r.llm.prov.label, err)
			}
			return nil, cutStream(r.llm.prov, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var f ollamaFrame
		if err := json.Unmarshal(line, &f); err != nil {
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) && syntax.Offset >= int64(len(line)) {
				return nil, cutStream(r.llm.prov, err)
			}
			return nil, &Error{Code: CodeStreamError, Message: "Ollama sent a line that is not JSON: " + clip(string(line), 120), Err: err}
		}
		if f.Error != nil {
			return nil, r.frameError(line)
		}
		if err := r.frame(ctx, f); err != nil {
			return nil, err
		}
		if !f.Done && r.tooLong() {
			r.choice.StopReason = StopLength
			r.choice.GenerationInfo = map[string]any{"CompletionTokens": r.frames}
			f.Done = true // closing the connection ends it on the server
		}
		if f.Done {
			return &llms.ContentResponse{Choices: []*llms.ContentChoice{&r.choice}}, nil
		}
	}
}

// tooLong reports whether the reply without its thoughts has passed its bound.
// The server's own bound counts both.
func (r *ollamaReader) tooLong() bool {
	const step = 512
	if r.most <= 0 || len(r.choice.Content) < r.next {
		return false
	}
	r.next = len(r.choice.Content) + step
	_, reply := splitReasoning(r.choice.Content)
	return EstimateTokens(reply) > r.most+r.most/4 // the estimate leans high
}

func (r *ollamaReader) frameError(line []byte) error {
	e := classify(r.llm.prov, r.llm.model, 0, errorText(line))
	if e.Code == CodeStreamError {
		e.Message = "Ollama broke off: " + errorText(line)
	}
	return e
}

func (r *ollamaReader) frame(ctx context.Context, f ollamaFrame) error {
	r.frames++
	r.choice.Content += f.Message.Content
	r.choice.ReasoningContent += f.Message.Thinking
	r.state.emit(DeltaReasoning, f.Message.Thinking)
	r.state.emit(DeltaText, f.Message.Content)
	for _, c := range f.Message.ToolCalls {
		args := argsText(c.Function.Arguments)
		if c.ID == "" {
			c.ID = newCallID() // before 0.12 calls have no id
		}
		r.state.keepArgs(c.ID, args)
		r.state.emit(DeltaCall, args)
		r.choice.ToolCalls = append(r.choice.ToolCalls, llms.ToolCall{
			ID: c.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: c.Function.Name, Arguments: args},
		})
	}
	if f.Message.Content != "" && r.opts.StreamingFunc != nil {
		if err := r.opts.StreamingFunc(ctx, []byte(f.Message.Content)); err != nil {
			return fmt.Errorf("the reader of the stream stopped: %w", err)
		}
	}
	if f.Message.Thinking+f.Message.Content != "" && r.opts.StreamingReasoningFunc != nil {
		if err := r.opts.StreamingReasoningFunc(ctx, []byte(f.Message.Thinking), []byte(f.Message.Content)); err != nil {
			return fmt.Errorf("the reader of the stream stopped: %w", err)
		}
	}
	if f.Done {
		r.choice.StopReason = f.DoneReason
		r.choice.GenerationInfo = map[string]any{"PromptTokens": f.Prompt, "CompletionTokens": f.Eval}
		r.state.keepTimes(f.PromptTime, f.EvalTime)
	}
	return nil
}
