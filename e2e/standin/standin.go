package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Format is the wire format a server speaks.
type Format int

// The formats. OllamaTools is a model with native tool calls; OllamaSchema
// one without, whose server constrains output by a schema; OllamaMarkdown one
// on a server that can do neither (before Ollama 0.5).
const (
	OllamaTools Format = iota
	OllamaMarkdown
	OllamaSchema
	OpenAI
	Anthropic
)

// ModelName is the one model a server offers unless Options say otherwise.
const ModelName = "standin:latest"

// Brain decides the next turn of the stand-in model. Calls never overlap.
type Brain interface {
	Next(conv Conversation) Turn
}

// BrainFunc makes a Brain of a function.
type BrainFunc func(Conversation) Turn

// Next calls f.
func (f BrainFunc) Next(conv Conversation) Turn { return f(conv) }

// Message is one message of a conversation, its text whatever the format.
type Message struct {
	Role   string // system, user, assistant, tool
	Text   string
	Images int
}

// Conversation is what the model was sent.
type Conversation struct {
	System   string
	Messages []Message
	Tools    []string // names of the functions offered natively
	Schema   bool     // the output is to be constrained by a schema
}

// Newest is the text of the newest message that is not the model's own,
// which holds the observation.
func (c Conversation) Newest() string {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if r := c.Messages[i].Role; r == "user" || r == "tool" {
			return c.Messages[i].Text
		}
	}
	return ""
}

// Call is an action the model wants: its name and params. The server dresses
// it for the format, as a function of that name, as browser_action, or as JSON.
type Call struct {
	Name string
	Args map[string]any
}

// Turn is one reply of the model.
type Turn struct {
	Text      string
	Reasoning string
	Calls     []Call
	// Plan and PlanDone go with the first call: the steps of a plan, and the numbers
	// of those that are done.
	Plan     []string
	PlanDone []int
}

// plan is what goes with the first call, under the name that its steps have.
func (t Turn) plan(steps string) map[string]any {
	out := map[string]any{}
	if len(t.Plan) > 0 {
		out[steps] = t.Plan
	}
	if len(t.PlanDone) > 0 {
		out["done_steps"] = t.PlanDone
	}
	return out
}

// Options describe a server.
type Options struct {
	Format Format
	Brain  Brain
	// Delay is the pause between the pieces of a stream.
	Delay time.Duration
	// Model is the name offered; ModelName by default.
	Model string
	// Context is the context length reported; 32768 by default.
	Context int
	// Vision makes the model one that sees.
	Vision bool
	// Thinks makes an Ollama's model one that thinks, unless it is told not to; with
	// Levels it is one that is told how much, and can't do without (gpt-oss).
	Thinks bool
	Levels bool
	// Size is how many bytes an Ollama's model takes on disk; ollamaSize by default.
	// Parameters is how many it has, as Ollama writes it; "0B" by default.
	Size       int64
	Parameters string
	// Memory is what an Ollama's model takes when it is loaded with a window, and how
	// much of that is on the graphics card; nil: its size, and nothing.
	Memory func(window int) (size, vram int64)
	// PerToken is what a token of its window takes in memory, by what the server says of
	// the model; 0: it does not say.
	PerToken int64
	// Library is what an Ollama can pull, by name, with its bytes.
	Library map[string]int64
	// Pulling is called after each piece that is pulled; an error of its ends the pull.
	Pulling func(ctx context.Context, done int64) error
	// Others are further models that an Ollama lists, none of which answers here.
	Others []OllamaModel
	// Untold makes an Ollama one that lists no capabilities, as before 0.6.4.
	Untold bool
	// Load is called while an Ollama loads its model, silent meanwhile; it returns
	// when the model is loaded. Nil: it is loaded at once.
	Load func(context.Context)
	// Polled is called each time an Ollama is asked which models are loaded.
	Polled func()
	// Assess answers the check of a result; nil finds every result done.
	Assess func(Conversation) (done bool, missing string)
	// Version is what an Ollama says it is; 0.6.5 by default.
	Version string
	// Addr is where to listen; a free loopback port by default.
	Addr string
	// Gone is called when a client disconnects before the end of the reply.
	Gone func()
}

// OllamaModel is a model as Ollama lists it.
type OllamaModel struct {
	Name         string
	Family       string
	Capabilities []string
	Pooled       bool // its vectors are pooled: an embedding model
	Size         int64
	Parameters   string
	Quantization string
}

// Request is one request for a reply, as it was received.
type Request struct {
	Path         string
	Header       http.Header
	Body         json.RawMessage
	Conversation Conversation
}

// Server is a running stand-in.
type Server struct {
	opts Options
	http *http.Server
	addr string
	err  error

	mu           sync.Mutex
	requests     []Request
	ahead        []Request // that only read a prompt
	brainMu      sync.Mutex
	loadMu       sync.Mutex
	loadedWindow int   // the window that the model is loaded with; 0: it is not loaded
	loads        []int // the windows it was loaded with
	pulled       []OllamaModel
	served       sync.WaitGroup
}

// New starts a server on loopback. If that fails, Err says so and URL is "".
func New(opts Options) *Server {
	if opts.Model == "" {
		opts.Model = ModelName
	}
	if opts.Context == 0 {
		opts.Context = 32768
	}
	if opts.Version == "" {
		opts.Version = "0.6.5"
	}
	if opts.Addr == "" {
		opts.Addr = "127.0.0.1:0"
	}
	s := &Server{opts: opts}
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", opts.Addr)
	if err != nil {
		s.err = fmt.Errorf("start the stand-in model: %w", err)
		return s
	}
	s.addr = ln.Addr().String()
	s.http = &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	s.served.Add(1)
	go func() {
		defer s.served.Done()
		_ = s.http.Serve(ln) // ends with Close
	}()
	return s
}

// Err says why the server could not be started.
func (s *Server) Err() error { return s.err }

// URL is the base URL to configure: with /v1 for OpenAI and Anthropic.
func (s *Server) URL() string {
	if s.addr == "" {
		return ""
	}
	u := "http://" + s.addr
	if s.opts.Format == OpenAI || s.opts.Format == Anthropic {
		u += "/v1"
	}
	return u
}

// Model is the name of the model it offers.
func (s *Server) Model() string { return s.opts.Model }

// Provider is the provider under which to configure it.
func (s *Server) Provider() string {
	switch s.opts.Format {
	case OpenAI:
		return "openai"
	case Anthropic:
		return "anthropic"
	case OllamaTools, OllamaMarkdown, OllamaSchema:
	}
	return "ollama"
}

// Close stops the server and breaks off what it is streaming.
func (s *Server) Close() {
	if s.http != nil {
		_ = s.http.Close()
		s.served.Wait()
	}
}

// Ahead returns the requests so far that only let the model read a prompt.
func (s *Server) Ahead() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.ahead...)
}

// Requests returns the requests for replies so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Handler is the server without its listener.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	switch s.opts.Format {
	case OllamaTools, OllamaMarkdown, OllamaSchema:
		mux.HandleFunc("GET /api/version", s.ollamaVersion)
		mux.HandleFunc("GET /api/tags", s.ollamaTags)
		mux.HandleFunc("POST /api/show", s.ollamaShow)
		mux.HandleFunc("GET /api/ps", s.ollamaPs)
		mux.HandleFunc("POST /api/chat", s.ollamaChat)
		mux.HandleFunc("POST /api/pull", s.ollamaPull)
	case OpenAI:
		mux.HandleFunc("GET /v1/models", s.openAIModels)
		mux.HandleFunc("POST /v1/chat/completions", s.openAIChat)
	case Anthropic:
		mux.HandleFunc("GET /v1/models", s.anthropicModels)
		mux.HandleFunc("POST /v1/messages", s.anthropicChat)
	}
	if s.opts.Gone == nil {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer context.AfterFunc(r.Context(), s.opts.Gone)()
		mux.ServeHTTP(w, r)
	})
}

// record keeps a request for Requests or Ahead.
func (s *Server) record(to *[]Request, r *http.Request, body []byte, conv Conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*to = append(*to, Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body, Conversation: conv})
}

// think records the request and asks the brain.
func (s *Server) think(r *http.Request, body []byte, conv Conversation) Turn {
	s.record(&s.requests, r, body, conv)
	s.brainMu.Lock()
	defer s.brainMu.Unlock()
	if slices.Equal(conv.Tools, []string{"verdict"}) {
		// The critic's question stands beside the task, whose brain has no part in it.
		return Turn{Calls: []Call{{Name: "verdict", Args: map[string]any{"fits": true}}}}
	}
	if slices.Equal(conv.Tools, []string{"assess"}) {
		return s.assess(conv)
	}
	if s.opts.Brain == nil {
		return Turn{Text: "I am a stand-in without a brain."}
	}
	turn := s.opts.Brain.Next(conv)
	if args := turn.plan("steps"); len(args) > 0 && slices.Contains(conv.Tools, "plan") {
		turn.Calls = append([]Call{{"plan", args}}, turn.Calls...)
	}
	return turn
}

// assess answers the check of a result, which stands beside the task too.
func (s *Server) assess(conv Conversation) Turn {
	args := map[string]any{"done": true}
	if s.opts.Assess != nil {
		if done, missing := s.opts.Assess(conv); !done {
			args = map[string]any{"done": false, "missing": missing}
		}
	}
	return Turn{Calls: []Call{{Name: "assess", Args: args}}}
}

// stream writes pieces with flushes between them until the reader goes.
type stream struct {
	w     http.ResponseWriter
	ctx   context.Context //nolint:containedctx // lives as long as the request
	delay time.Duration
	gone  bool
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, contentType string) *stream {
	w.Header().Set("Content-Type", contentType)
	return &stream{w: w, ctx: r.Context(), delay: s.opts.Delay}
}

func (s *stream) write(text string) {
	if s.gone {
		return
	}
	if s.delay > 0 {
		t := time.NewTimer(s.delay)
		select {
		case <-s.ctx.Done():
			t.Stop()
			s.gone = true
			return
		case <-t.C:
		}
	}
	if _, err := fmt.Fprint(s.w, text); err != nil || s.ctx.Err() != nil {
		s.gone = true
		return
	}
	_ = http.NewResponseController(s.w).Flush() // a recorder in a test can't
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the reader may be gone
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}

// chunks cuts text into pieces of a few characters, as tokens come.
func chunks(text string) []string {
	const size = 7
	var out []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(size, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

// dress turns a call of a turn into the function offered: one of its name, else
// browser_action with action and params, and the plan beside the first.
func dress(t Turn, i int, tools []string) (name string, args map[string]any) {
	c := t.Calls[i]
	args = c.Args
	if args == nil {
		args = map[string]any{}
	}
	for _, t := range tools {
		if t == c.Name {
			return c.Name, args
		}
	}
	return "browser_action", t.beside(i, map[string]any{"action": c.Name, "params": args})
}

// beside adds the plan to the first call of a turn.
func (t Turn) beside(i int, call map[string]any) map[string]any {
	if i == 0 {
		maps.Copy(call, t.plan("plan"))
	}
	return call
}

// asText writes a turn for a model without tools: a bare object where the
// output is constrained, else prose and JSON in Markdown.
func asText(t Turn, constrained bool) string {
	if len(t.Calls) == 0 {
		return t.Text
	}
	if constrained {
		c := t.Calls[0]
		return mustJSON(struct { // in the order the schema has them
			Thought string         `json:"thought"`
			Action  string         `json:"action"`
			Params  map[string]any `json:"params"`
			Plan    []string       `json:"plan,omitempty"`
			Done    []int          `json:"done_steps,omitempty"`
		}{t.Text, c.Name, orEmpty(c.Args), t.Plan, t.PlanDone})
	}
	out := t.Text
	for i, c := range t.Calls {
		if out != "" {
			out += "\n\n"
		}
		out += "```json\n" + mustJSON(t.beside(i, map[string]any{"action": c.Name, "params": orEmpty(c.Args)})) + "\n```"
	}
	return out
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
