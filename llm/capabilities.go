package llm

import (
	"context"
	"sync"
)

// The sources a capability may come from, lowest precedence first.
const (
	sourceTable  = "table"
	sourceServer = "server"
	sourceSeen   = "seen"
	sourceUser   = "user"
)

// serverCaps is what a server says about a model; nil means that it says nothing.
type serverCaps struct {
	tools, vision, thinking *bool
	embedding               bool // it makes vectors and can't answer
	levels                  bool // it takes a level of thinking, not on or off
	context                 int
	size                    string // number of parameters, as the server writes it
	needs                   footprint
	price                   *Price
}

// memory is what this process has learnt about one model on one server. It outlives a
// Model, so that a new task does not repeat the same failures.
type memory struct {
	mu       sync.Mutex
	build    string // the server's version and the model's digest, as last heard
	server   *serverCaps
	best     Way         // the best way that is not dropped
	failures map[Way]int // failures in a row
	noVision bool        // a picture was refused
	// noTemperature is true if a temperature was refused.
	noTemperature bool
	// jsonObject is true if the server refused the type json_schema and named
	// json_object.
	jsonObject bool
	// window is the window with which the model fits the machine, if it did not with a
	// larger one; 0: no larger one was tried.
	window int
	// loading is closed when the Load under way ends; nil: none is.
	loading chan struct{}
}

func (m *memory) get(flag *bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return *flag
}

func (m *memory) set(flag *bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*flag = true
}

var (
	memoriesMu sync.Mutex
	memories   = map[string]*memory{}
)

func memoryFor(key string) *memory {
	memoriesMu.Lock()
	defer memoriesMu.Unlock()
	m := memories[key]
	if m == nil {
		m = &memory{failures: map[Way]int{}}
		memories[key] = m
	}
	return m
}

// Capabilities returns what the model can do. It merges, lowest precedence first, the
// built-in table, what the server says, what has failed before, and what the user says.
func (m *Model) Capabilities(ctx context.Context) (Capabilities, error) {
	m.recall(ctx)
	m.mem.mu.Lock()
	said := m.mem.server
	m.mem.mu.Unlock()
	if said == nil {
		got, err := m.askServer(ctx)
		if err != nil {
			return Capabilities{}, err
		}
		said = &got
		m.mem.mu.Lock()
		m.mem.server = said
		m.mem.mu.Unlock()
	}
	if said.embedding {
		return Capabilities{}, embeddingModel(m.cfg.Model)
	}
	return m.mergeCaps(*said), nil
}

// embeddingModel returns the error for a model that can't answer.
func embeddingModel(name string) *Error {
	return &Error{
		Code: CodeUnfit, Message: name + " is an embedding model: it makes vectors of texts and can't answer",
		Hint: "choose another model: tabwright models",
	}
}

func (m *Model) mergeCaps(said serverCaps) Capabilities {
	c := Capabilities{
		Tools: m.prov.tools, Vision: m.prov.vision, Context: m.prov.context,
		Source: map[string]string{"tools": sourceTable, "vision": sourceTable, "thinking": sourceTable, "context": sourceTable},
	}
	if said.tools != nil {
		c.Tools, c.Source["tools"] = *said.tools, sourceServer
	}
	if said.vision != nil {
		c.Vision, c.Source["vision"] = *said.vision, sourceServer
	}
	if said.thinking != nil {
		c.Thinking, c.Source["thinking"] = *said.thinking, sourceServer
	}
	c.levels = said.levels
	if said.context > 0 {
		c.Context, c.Source["context"] = said.context, sourceServer
	}
	m.mem.mu.Lock()
	if c.Tools && m.mem.best != "" && m.mem.best != WayNative {
		c.Tools, c.Source["tools"] = false, sourceSeen
	}
	if c.Vision && m.mem.noVision {
		c.Vision, c.Source["vision"] = false, sourceSeen
	}
	m.mem.mu.Unlock()
	if m.cfg.Tools != nil {
		c.Tools, c.Source["tools"] = *m.cfg.Tools, sourceUser
	}
	if m.cfg.Vision != nil {
		c.Vision, c.Source["vision"] = *m.cfg.Vision, sourceUser
	}
	m.setPointer(&c)
	c.MaxContext = c.Context
	if m.prov.format == formatOllama {
		c.Context = windowFor(c.MaxContext, 0, said.needs, m.cfg.memory())
		m.mem.mu.Lock()
		if m.mem.window > 0 {
			c.Context = min(c.Context, m.mem.window)
		}
		m.mem.mu.Unlock()
		// A task keeps the window that it began with: for another one Ollama would load
		// the model again.
		if !m.window.CompareAndSwap(0, int64(c.Context)) {
			c.Context = int(m.window.Load())
		}
	}
	if m.cfg.NumCtx > 0 {
		// The user's window counts, up to what the model takes.
		c.Context, c.Source["context"] = m.cfg.NumCtx, sourceUser
		if said.context > 0 {
			c.Context = windowFor(said.context, m.cfg.NumCtx, footprint{}, 0)
		}
	}
	c.Size, c.Source["size"] = sizeOf(m.prov, m.cfg.Model, said.size), sourceTable
	if m.cfg.Size != "" {
		c.Size, c.Source["size"] = m.cfg.Size, sourceUser
	}
	c.Local = m.IsLocal()
	c.Price = said.price
	if m.cfg.Price != nil {
		c.Price = m.cfg.Price
	}
	c.Way = m.Way(c)
	return c
}
