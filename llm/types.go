package llm

import (
	"encoding/json"
	"net/http"
	"time"
)

// Role says who wrote a message.
type Role string

// The four roles every wire format knows.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Part is a piece of a message: text, or an image with its MIME type.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image []byte `json:"image,omitempty"`
	MIME  string `json:"mime,omitempty"`
}

// Message is one entry of a conversation. Calls belong to assistant messages;
// CallID and Name belong to tool results and name the call they answer.
type Message struct {
	Role   Role   `json:"role"`
	Parts  []Part `json:"parts,omitempty"`
	Calls  []Call `json:"calls,omitempty"`
	CallID string `json:"callId,omitempty"`
	Name   string `json:"name,omitempty"`
}

// Text is a message of one text part.
func Text(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Text: text}}}
}

// ToolResult is the message that answers call with text.
func ToolResult(call Call, text string) Message {
	return Message{Role: RoleTool, Parts: []Part{{Text: text}}, CallID: call.ID, Name: call.Name}
}

// PlainText joins the text parts of m with newlines.
func (m Message) PlainText() string {
	var out string
	for _, p := range m.Parts {
		if p.Text == "" {
			continue
		}
		if out != "" {
			out += "\n"
		}
		out += p.Text
	}
	return out
}

// Tool is a function a model may call; Schema is the JSON schema of its params.
// Aliases are read in a reply, and not told to the model.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Aliases     []Alias         `json:"-"`
	// Pixel is how many units of the tool one pixel is of the picture that goes with the
	// request, for aliases that name a point on it; 0: one.
	Pixel float64 `json:"-"`
}

// Call is one call of a tool. Args is a JSON object.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// Usage counts the tokens the server says it has read and written.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	// Cost is what the provider says the request cost, in its own currency; nil
	// where it says nothing, or the user has prices of their own.
	Cost *float64 `json:"cost,omitempty"`
	// InputTime and OutputTime are how long the server says that reading and writing
	// took; zero where it does not say.
	InputTime  time.Duration `json:"-"`
	OutputTime time.Duration `json:"-"`
}

// Request is one question to a model. Zero MaxOutput and NumCtx mean the
// defaults of the model. MaxOutput bounds the reply; what the model thinks before
// it is bounded apart.
type Request struct {
	System    string    `json:"system"`
	Messages  []Message `json:"messages"`
	Tools     []Tool    `json:"tools,omitempty"`
	MaxOutput int       `json:"maxOutput,omitempty"`
	NumCtx    int       `json:"numCtx,omitempty"`
	// Notes is what is added to System when a way is used, in place of the
	// built-in text that lists the tools and the form of the answer. The
	// native way needs none.
	Notes map[Way]string `json:"notes,omitempty"`
	// Answer is what is streamed of a call as it is written, as DeltaAnswer.
	Answer AnswerParam `json:"-"`
	// Warm has an Ollama read the prompt and write next to nothing.
	Warm bool `json:"-"`
	// Brief asks a model that thinks to do without, or with less where it can't: for
	// what needs no thought, or after a reply that was cut off.
	Brief bool `json:"brief,omitempty"`
	// NoThought leaves the short thought out that a reply constrained by a schema
	// otherwise begins with.
	NoThought bool `json:"noThought,omitempty"`
	// Aside is a question beside the task: how it goes says nothing of the ways to an action.
	Aside bool `json:"-"`
	// Form, where set, takes the place of the tools' own schema in the schema way.
	Form *Form `json:"-"`
}

// The kinds of a Delta.
const (
	DeltaText      = "text"
	DeltaReasoning = "reasoning"
	DeltaCall      = "call"
	DeltaAnswer    = "answer"  // a piece of the answer that a call holds (Request.Answer), beside that of the call
	DeltaLoading   = "loading" // the server loads the model, named with its size; nothing streams meanwhile
	DeltaLoaded    = "loaded"  // … and has
	DeltaWaiting   = "waiting" // the server asks to wait for the time named; the request is sent again then
)

// Delta is a piece of a reply while it streams, or what happens before it does. A
// delta of kind call carries a raw piece of a tool call, for a progress display only.
type Delta struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Reply is a whole reply. Calls are checked against their tools' schemas;
// Mends says what had to be put right for that.
type Reply struct {
	Text      string   `json:"text"`
	Reasoning string   `json:"reasoning,omitempty"`
	Calls     []Call   `json:"calls,omitempty"`
	Usage     Usage    `json:"usage"`
	Way       Way      `json:"way"`
	Stop      string   `json:"stop"`
	Mends     []string `json:"mends,omitempty"`
}

// Way is how an action is got out of a model.
type Way string

// The ways, best first.
const (
	WayNative   Way = "native"
	WaySchema   Way = "schema"
	WayMarkdown Way = "markdown"
)

// The reasons a reply ended, the same for every provider.
const (
	StopEnd    = "stop"
	StopCalls  = "tool_calls"
	StopLength = "length"
	StopFilter = "content_filter"
)

// Capabilities is what a model can do. Context is the window that will be
// used (to budget against), MaxContext what the model could take. Source says
// for each of tools, vision, thinking and context who says so: table, server,
// seen or user.
type Capabilities struct {
	Tools      bool              `json:"tools"`
	Vision     bool              `json:"vision"`
	Thinking   bool              `json:"thinking"`
	Context    int               `json:"context"`
	MaxContext int               `json:"maxContext"`
	Size       string            `json:"size"`             // tiny, small, medium, large: which prompt it gets
	Way        Way               `json:"way,omitempty"`    // in which the next action will be asked for
	Family     string            `json:"family,omitempty"` // of package pointer, where it acts by screenshots and coordinates
	Local      bool              `json:"local"`            // runs on this machine
	Price      *Price            `json:"price,omitempty"`  // nil where nobody gives one
	Source     map[string]string `json:"source"`
	levels     bool              // it is told how much to think, not whether
}

// Price is what a million tokens cost, in the currency the user or the provider
// counts in (providers: US dollars).
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// Cost is the price of some tokens.
func (p Price) Cost(u Usage) float64 {
	return (float64(u.Input)*p.Input + float64(u.Output)*p.Output) / 1e6
}

// Config says which model to talk to and how. Only Provider and Model are
// always needed; the rest comes from the provider's row and the environment.
type Config struct {
	Provider string
	Model    string
	BaseURL  string
	APIKey   string
	Headers  map[string]string
	NumCtx   int
	Vision   *bool
	Tools    *bool
	// Size is tiny, small, medium or large where the user says so.
	Size string
	// Mode is dom, hybrid or pointer where the user says how the model is shown a page,
	// and Family the format of a model that points; empty goes by the model.
	Mode, Family string
	// Price is the user's; nil leaves it to the provider.
	Price *Price
	// Timeout is the longest silence of the server that is borne, not the
	// length of a whole reply: a local model may think for a long time. Zero
	// means five minutes.
	Timeout time.Duration

	// Think is one of ThinkLevels, for a model that thinks and can be told; empty
	// leaves it to the model.
	Think string
	// Temperature is the user's; nil leaves it to the model.
	Temperature *float64
	// KeepAlive is how long Ollama keeps the model loaded ("15m").
	KeepAlive string
	// Ways remembers the way chosen for a model across processes.
	Ways WayStore
	// Retries is how often a request that was turned away (429, 503, model
	// loading) is sent again, as long as nothing of a reply has arrived.
	// Zero means two, a negative number none.
	Retries int
	// HTTPClient replaces the default client, which takes its proxy from the
	// environment.
	HTTPClient *http.Client
	// Memory replaces what this machine's memory is, in bytes, for tests.
	Memory int64
	// Env replaces os.Getenv, for tests.
	Env func(string) string
}

// WayStore keeps the best way that still works for a model. Key names
// provider, server and model; build is the server's version and the model's
// digest, empty where the server tells neither. What was saved for another
// build counts for nothing. Its methods are called by several goroutines.
type WayStore interface {
	LoadWay(key, build string) (Way, bool)
	SaveWay(key, build string, way Way)
	ForgetWay(key string)
	Keys() []string // of which a way is kept
}

// ModelInfo is one model a server offers.
type ModelInfo struct {
	Name    string `json:"name"`
	Size    int64  `json:"size,omitempty"`    // bytes on disk
	Context int    `json:"context,omitempty"` // the most that it takes
	Details string `json:"details,omitempty"`
	// Of Ollama's models: what they are and can do, and the window that would be used.
	Family       string `json:"family,omitempty"`
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Tools        bool   `json:"tools,omitempty"`
	Vision       bool   `json:"vision,omitempty"`
	Thinking     bool   `json:"thinking,omitempty"`
	Window       int    `json:"window,omitempty"`
	Remote       bool   `json:"remote,omitempty"` // it runs elsewhere
	// Recommended is one of a list at most; Problem says why a model can't work.
	Recommended bool   `json:"recommended,omitempty"`
	Problem     *Error `json:"problem,omitempty"`
}
