package llm

import (
	"encoding/json"
	"net/http"
	"time"
)

// Role says who wrote a message.
type Role string

// The four roles that every wire format has.
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

// Message is one entry of a conversation. Only assistant messages have Calls. Only tool
// results have CallID and Name, which name the call that they answer.
type Message struct {
	Role   Role   `json:"role"`
	Parts  []Part `json:"parts,omitempty"`
	Calls  []Call `json:"calls,omitempty"`
	CallID string `json:"callId,omitempty"`
	Name   string `json:"name,omitempty"`
}

// Text returns a message of one text part.
func Text(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Text: text}}}
}

// ToolResult returns the message that answers call with text.
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

// Tool is a function that a model may call. Schema is the JSON schema of its params.
// Aliases are accepted in a reply, but the model is not told of them.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Aliases     []Alias         `json:"-"`
	// Pixel is how many of the tool's units one pixel of the request's picture has, for
	// aliases that name a point on it; 0: one.
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
	// Cost is what the provider says that the request cost, in its own currency; nil if
	// it does not say, or if the user has set prices.
	Cost *float64 `json:"cost,omitempty"`
	// InputTime and OutputTime are how long reading and writing took, as the server says;
	// zero if it does not.
	InputTime  time.Duration `json:"-"`
	OutputTime time.Duration `json:"-"`
}

// Request is one question to a model. Zero MaxOutput and NumCtx mean the model's
// defaults. MaxOutput bounds the reply in tokens; thoughts before it have a bound of
// their own.
type Request struct {
	System    string    `json:"system"`
	Messages  []Message `json:"messages"`
	Tools     []Tool    `json:"tools,omitempty"`
	MaxOutput int       `json:"maxOutput,omitempty"`
	NumCtx    int       `json:"numCtx,omitempty"`
	// Notes are added to System, by way. They replace the built-in text that lists the
	// tools and the form of the answer. The native way needs none.
	Notes map[Way]string `json:"notes,omitempty"`
	// Answer names the parameter of a call that is streamed as DeltaAnswer.
	Answer AnswerParam `json:"-"`
	// Warm has Ollama read the prompt and write only one token.
	Warm bool `json:"-"`
	// Brief asks a model that thinks not to, or to think less if it can't do without: for
	// simple questions, or after a reply that was cut off.
	Brief bool `json:"brief,omitempty"`
	// NoThought leaves out the short thought with which a reply that a schema constrains
	// begins otherwise.
	NoThought bool `json:"noThought,omitempty"`
	// Aside marks a question beside the task, whose result does not count for or
	// against a way.
	Aside bool `json:"-"`
	// Form, if set, replaces the tools' own schema in the schema way.
	Form *Form `json:"-"`
}

// The kinds of a Delta.
const (
	DeltaText      = "text"
	DeltaReasoning = "reasoning"
	DeltaCall      = "call"
	DeltaAnswer    = "answer"  // a piece of the answer in a call (Request.Answer), besides that of the call
	DeltaLoading   = "loading" // the server loads the model, named with its size; nothing streams meanwhile
	DeltaLoaded    = "loaded"  // the server has loaded the model
	DeltaWaiting   = "waiting" // the server asks to wait for this time; then the request is sent again
)

// Delta is a piece of a reply that streams, or an event before that. A delta of kind
// call has a raw piece of a tool call, only to show progress.
type Delta struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Reply is a complete reply. Calls are checked against their tools' schemas; Mends says
// what had to be corrected for that.
type Reply struct {
	Text      string   `json:"text"`
	Reasoning string   `json:"reasoning,omitempty"`
	Calls     []Call   `json:"calls,omitempty"`
	Usage     Usage    `json:"usage"`
	Way       Way      `json:"way"`
	Stop      string   `json:"stop"`
	Mends     []string `json:"mends,omitempty"`
}

// Way is how a model is asked for an action.
type Way string

// The ways, best first.
const (
	WayNative   Way = "native"
	WaySchema   Way = "schema"
	WayMarkdown Way = "markdown"
)

// The reasons why a reply ended, the same for every provider.
const (
	StopEnd    = "stop"
	StopCalls  = "tool_calls"
	StopLength = "length"
	StopFilter = "content_filter"
)

// Capabilities is what a model can do. Context is the window that is used, in tokens,
// and MaxContext the most that the model takes. Source says where tools, vision,
// thinking, context and size come from: table, server, seen or user.
type Capabilities struct {
	Tools      bool              `json:"tools"`
	Vision     bool              `json:"vision"`
	Thinking   bool              `json:"thinking"`
	Context    int               `json:"context"`
	MaxContext int               `json:"maxContext"`
	Size       string            `json:"size"`             // tiny, small, medium, large: which prompt it gets
	Way        Way               `json:"way,omitempty"`    // how the next action will be asked for
	Family     string            `json:"family,omitempty"` // the pointer.Family, if it acts by screenshots and coordinates
	Local      bool              `json:"local"`            // runs on this machine
	Price      *Price            `json:"price,omitempty"`  // nil if not known
	Source     map[string]string `json:"source"`
	levels     bool              // it takes a level of thinking, not on or off
}

// Price is what a million tokens cost, in the currency of the user or the provider
// (providers use US dollars).
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// Cost returns the price of some tokens.
func (p Price) Cost(u Usage) float64 {
	return (float64(u.Input)*p.Input + float64(u.Output)*p.Output) / 1e6
}

// Config says which model to use and how. Only Model is always needed; the rest comes
// from the provider's row and the environment. An empty Provider is Ollama.
type Config struct {
	Provider string
	Model    string
	BaseURL  string
	APIKey   string
	Headers  map[string]string
	NumCtx   int
	Vision   *bool
	Tools    *bool
	// Size is tiny, small, medium or large, if the user sets it.
	Size string
	// Mode is dom, hybrid or pointer, if the user sets how the model is shown a page.
	// Family is the format of a model that points. If they are empty, they depend on
	// the model.
	Mode, Family string
	// Price is the user's; with nil the provider's counts.
	Price *Price
	// Timeout is how long the server may be silent, not how long a reply may take: a
	// local model may think for a long time. Zero means five minutes.
	Timeout time.Duration

	// Think is one of ThinkLevels, for a model that can be told how much to think. Empty
	// leaves it to the model.
	Think string
	// Temperature is the user's; with nil the model's default counts.
	Temperature *float64
	// KeepAlive is how long Ollama keeps the model loaded ("15m").
	KeepAlive string
	// Ways stores the way chosen for a model, for later processes.
	Ways WayStore
	// Retries is how often a request is sent again if the server turns it away (429,
	// 503, model loading) and nothing of a reply has come. Zero means two, a negative
	// number none.
	Retries int
	// HTTPClient replaces the default client, which takes its proxy from the
	// environment.
	HTTPClient *http.Client
	// Memory replaces the memory of this machine, in bytes, for tests.
	Memory int64
	// Env replaces os.Getenv, for tests.
	Env func(string) string
}

// WayStore stores the best way that still works for a model. key names provider, server
// and model. build is the server's version and the model's digest, empty if the server
// tells neither; a way that was saved for another build does not count. Several
// goroutines call the methods.
type WayStore interface {
	LoadWay(key, build string) (Way, bool)
	SaveWay(key, build string, way Way)
	ForgetWay(key string)
	Keys() []string // keys of the models with a saved way
}

// ModelInfo is one model that a server offers.
type ModelInfo struct {
	Name    string `json:"name"`
	Size    int64  `json:"size,omitempty"`    // bytes on disk
	Context int    `json:"context,omitempty"` // the most tokens that it takes
	Details string `json:"details,omitempty"`
	// For Ollama's models: what they are and can do, and the window that would be used.
	Family       string `json:"family,omitempty"`
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Tools        bool   `json:"tools,omitempty"`
	Vision       bool   `json:"vision,omitempty"`
	Thinking     bool   `json:"thinking,omitempty"`
	Window       int    `json:"window,omitempty"`
	Remote       bool   `json:"remote,omitempty"` // it runs elsewhere
	// Recommended is true for at most one model of a list. Problem says why a model can't
	// work.
	Recommended bool   `json:"recommended,omitempty"`
	Problem     *Error `json:"problem,omitempty"`
}
