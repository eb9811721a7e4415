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

// architecture is what the model is built as.
func (s ollamaShow) architecture() (arch string) {
	_ = json.Unmarshal(s.ModelInfo["general.architecture"], &arch) // absent: unknown
	return arch
}

// embeds says that a model makes vectors and answers nothing. Of a server that
// lists no capabilities, the model tells by how its vectors are pooled, as newer
// servers find it out themselves.
func (s ollamaShow) embeds() bool {
	if len(s.Capabilities) > 0 {
		return !contains(s.Capabilities, "completion")
	}
	arch := s.architecture()
	_, pooled := s.ModelInfo[arch+".pooling_type"]
	return pooled || embeddingFamily(arch) || embeddingFamily(s.Details.Family)
}

// embeddingFamily knows the architectures that only make vectors.
func embeddingFamily(name string) bool { return strings.Contains(name, "bert") }

// capabilities asks /api/show.
func (o *ollamaLLM) capabilities(ctx context.Context) (serverCaps, error) {
	var show ollamaShow
	if err := o.getJSON(ctx, http.MethodPost, "/api/show", map[string]any{"model": o.model}, &show); err != nil {
		return serverCaps{}, err
	}
	return show.caps(), nil
}

// caps is what the server says of a model. Servers before 0.6.4 list no capabilities:
// their template and projector say the same.
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

// overran finds that a server which does not know truncate:false has cut the
// prompt without a word: by its own count the prompt fills the window to the
// last token, which leaves none for the reply that came.
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

// keepAlive is how long the server is to keep the model in memory.
func (m *Model) keepAlive() string {
	if m.cfg.KeepAlive != "" {
		return m.cfg.KeepAlive
	}
	return "15m" // a user may take that long over a question
}

// ollamaOptions fills in what only Ollama knows, and refuses a prompt that is
// plainly over the window: servers that don't know truncate:false would cut
// off its beginning without a word.
func (m *Model) ollamaOptions(way Way, req Request, caps Capabilities, size, maxOutput int) (llms.CallOption, error) {
	numCtx := numCtxOf(req, caps)
	// The estimate leans high, so it must be well over.
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
		// A model may think in its text without its server knowing. Plain words of
		// one that the server says does not think are left to the server's own
		// bound: where we stop reading, it does not tell what it counted.
		switch {
		case req.Warm:
			o.MaxTokens = 1
		case caps.Thinking || len(req.Tools) > 0:
			o.Metadata[metaReply] = maxOutput
			marks := numCtx / 50 // of the chat template, which are in no estimate
			o.MaxTokens = roomy(maxOutput, maxOutput+mostThought, numCtx-marks-size)
		}
		o.Metadata[metaThink] = m.think(way, req, caps)
	}, nil
}
