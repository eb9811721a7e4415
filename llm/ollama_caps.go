package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

type ollamaShow struct {
	Capabilities []string                   `json:"capabilities"`
	ModelInfo    map[string]json.RawMessage `json:"model_info"`
	Template     string                     `json:"template"`
	Details      struct {
		Family       string   `json:"family"`
		Families     []string `json:"families"`
		Parameters   string   `json:"parameter_size"`
		Quantization string   `json:"quantization_level"`
	} `json:"details"`
	Projector map[string]json.RawMessage `json:"projector_info"`
}

// architecture returns the model's architecture, or "".
func (s ollamaShow) architecture() (arch string) {
	_ = json.Unmarshal(s.ModelInfo["general.architecture"], &arch) // absent: unknown
	return arch
}

// embeds reports whether a model makes vectors and can't answer. If the server lists
// no capabilities, it shows by the pooling type in the model's info, as newer servers
// find out themselves.
func (s ollamaShow) embeds() bool {
	if len(s.Capabilities) > 0 {
		return !contains(s.Capabilities, "completion")
	}
	arch := s.architecture()
	_, pooled := s.ModelInfo[arch+".pooling_type"]
	return pooled || embeddingFamily(arch) || embeddingFamily(s.Details.Family)
}

// embeddingFamily reports whether models of an architecture only make vectors.
func embeddingFamily(name string) bool { return strings.Contains(name, "bert") }

// capabilities asks /api/show.
func (o *ollamaLLM) capabilities(ctx context.Context) (serverCaps, error) {
	var show ollamaShow
	if err := o.getJSON(ctx, http.MethodPost, "/api/show", map[string]any{"model": o.model}, &show); err != nil {
		return serverCaps{}, err
	}
	return show.caps(), nil
}

// caps returns what the server says of a model. Servers before 0.6.4 list no
// capabilities; they show by the template and the projector.
func (s ollamaShow) caps() serverCaps {
	tools, vision, thinking := contains(s.Capabilities, "tools"), contains(s.Capabilities, "vision"), contains(s.Capabilities, "thinking")
	if len(s.Capabilities) == 0 {
		tools = strings.Contains(s.Template, ".Tools")
		vision = len(s.Projector) > 0
		for _, f := range s.Details.Families {
			vision = vision || f == "clip" || f == "mllama"
		}
	}
	caps := serverCaps{
		tools: &tools, vision: &vision, thinking: &thinking, size: s.Details.Parameters, embedding: s.embeds(),
		levels: contains([]string{"gptoss", "gpt-oss"}, s.architecture()),
		needs:  footprintOf(s.ModelInfo, s.Details.Quantization),
	}
	for k, v := range s.ModelInfo {
		if strings.HasSuffix(k, ".context_length") && !strings.Contains(k, ".vision.") {
			var n float64
			if json.Unmarshal(v, &n) == nil {
				caps.context = int(n)
			}
		}
	}
	return caps
}

func numCtxOf(req Request, caps Capabilities) int {
	if req.NumCtx > 0 {
		return req.NumCtx
	}
	return caps.Context
}

// overran returns an error if the server, which does not know truncate:false, has
// silently cut the prompt: by its own count the prompt fills the whole window,
// although a reply came.
func (m *Model) overran(req Request, caps Capabilities, raw *rawReply) *Error {
	numCtx := numCtxOf(req, caps)
	if m.prov.format != formatOllama || numCtx <= 0 || raw.usage.Input < numCtx {
		return nil
	}
	return &Error{
		Code:    CodeContextOverflow,
		Message: fmt.Sprintf("the prompt fills the window of %d tokens, and %s has cut it", numCtx, m.prov.label),
		Hint:    "shorten the conversation or raise the context window",
	}
}

// keepAlive returns how long the server should keep the model in memory.
func (m *Model) keepAlive() string {
	if m.cfg.KeepAlive != "" {
		return m.cfg.KeepAlive
	}
	return "15m" // a user may take that long over a question
}

// ollamaOptions returns Ollama's own options. It returns an error for a prompt that
// is clearly over the window: servers that don't know truncate:false would silently
// cut off its beginning.
func (m *Model) ollamaOptions(way Way, req Request, caps Capabilities, size, maxOutput int) (llms.CallOption, error) {
	numCtx := numCtxOf(req, caps)
	// The estimate is rather high, so it must be well over.
	if size > numCtx+numCtx/4 {
		return nil, &Error{
			Code:    CodeContextOverflow,
			Message: fmt.Sprintf("the prompt takes about %d tokens, the window of %s holds %d", size, m.cfg.Model, numCtx),
			Hint:    "shorten the conversation or raise the context window",
		}
	}
	return func(o *llms.CallOptions) {
		if o.Metadata == nil {
			o.Metadata = map[string]any{}
		}
		o.Metadata[metaNumCtx] = numCtx
		o.Metadata[metaKeepAlive] = m.keepAlive()
		o.MaxTokens = maxOutput
		// A model may think in its text without its server knowing, so a request with
		// tools gets room for thoughts. Plain words of a model that does not think
		// are left to the server's own bound: if we stop reading, it does not report
		// counts.
		switch {
		case req.Warm:
			o.MaxTokens = 1
		case caps.Thinking || len(req.Tools) > 0:
			o.Metadata[metaReply] = maxOutput
			marks := numCtx / 50 // for marks of the chat template, which the estimate leaves out
			o.MaxTokens = roomy(maxOutput, maxOutput+mostThought, numCtx-marks-size)
		}
		o.Metadata[metaThink] = m.think(way, req, caps)
	}, nil
}
