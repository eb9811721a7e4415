package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// atOnce is how many models Ollama is asked about at once.
const atOnce = 8

// listTimeout bounds a question about the server's models, for which the user waits.
const listTimeout = 10 * time.Second

// ListModels asks a server for its models that can answer. Ollama's are sorted by how
// well they fit this machine, others by name.
func ListModels(ctx context.Context, cfg Config) ([]ModelInfo, error) {
	cfg, p, err := resolve(cfg, false)
	if err != nil {
		return nil, err
	}
	client := clientOf(cfg)
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var out []ModelInfo
	if p.format == formatOllama {
		out, err = ollamaModels(ctx, cfg, p, client)
	} else {
		out, err = openModels(ctx, cfg, p, client)
		sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ollamaTag is a model as Ollama lists it.
type ollamaTag struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`
	Size    int64  `json:"size"`
	Details struct {
		Family       string `json:"family"`
		Parameters   string `json:"parameter_size"`
		Quantization string `json:"quantization_level"`
	} `json:"details"`
}

// tags asks Ollama which models it has.
func (o *ollamaLLM) tags(ctx context.Context) ([]ollamaTag, error) {
	var list struct {
		Models []ollamaTag `json:"models"`
	}
	err := o.getJSON(ctx, http.MethodGet, "/api/tags", nil, &list)
	return list.Models, err
}

func ollamaModels(ctx context.Context, cfg Config, p provider, client *http.Client) ([]ModelInfo, error) {
	o := &ollamaLLM{client: client, prov: p, base: cfg.BaseURL, key: cfg.APIKey, headers: cfg.Headers}
	tags, err := o.tags(ctx)
	if err != nil {
		return nil, err
	}
	running, _ := o.ps(ctx)
	all := make([]*candidate, len(tags))
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, tag := range tags {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var show ollamaShow
			if o.getJSON(ctx, http.MethodPost, "/api/show", map[string]any{"model": tag.Name}, &show) != nil {
				show.Details.Family, show.Details.Parameters, show.Details.Quantization = tag.Details.Family, tag.Details.Parameters, tag.Details.Quantization // all that is known
			}
			if !show.embeds() {
				all[i] = candidateOf(cfg, p, tag, show)
				all[i].inMemory = running.holds(tag.Name)
			}
		})
	}
	wg.Wait()
	var can []candidate
	for _, c := range all {
		if c != nil {
			can = append(can, *c)
		}
	}
	return rankModels(can, cfg.memory()), nil
}

// candidateOf returns what is known of one of Ollama's models.
func candidateOf(cfg Config, p provider, tag ollamaTag, show ollamaShow) *candidate {
	said := show.caps()
	cfg.Model = tag.Name
	key := modelKey(cfg.Provider, cfg.BaseURL, tag.Name)
	m := &Model{cfg: cfg, prov: p, mem: memoryFor(key), key: key}
	caps := m.mergeCaps(said)
	return &candidate{
		ModelInfo: ModelInfo{
			Name: tag.Name, Size: tag.Size, Context: said.context, Window: caps.Context, Remote: tag.Size > 0 && tag.Size < leastSize,
			Family: tag.Details.Family, Parameters: tag.Details.Parameters, Quantization: tag.Details.Quantization,
			Details: strings.Join(strings.Fields(tag.Details.Family+" "+tag.Details.Parameters+" "+tag.Details.Quantization), " "),
			Tools:   caps.Tools, Vision: caps.Vision, Thinking: caps.Thinking,
		},
		needs: said.needs, noWay: m.mem.noWay(),
	}
}

// openModel is one entry of /models. OpenAI and Anthropic return only the id,
// OpenRouter, vLLM and llama.cpp more.
type openModel struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	DisplayName   string `json:"display_name"`
	ContextLength int    `json:"context_length"` // OpenRouter
	MaxModelLen   int    `json:"max_model_len"`  // vLLM
	Meta          struct {
		Ctx int `json:"n_ctx"`
	} `json:"meta"` // llama.cpp
	Parameters []string `json:"supported_parameters"` // OpenRouter
	Pricing    struct {
		Prompt     string `json:"prompt"` // dollars for one token
		Completion string `json:"completion"`
	} `json:"pricing"` // OpenRouter
	Architecture struct {
		Input  []string `json:"input_modalities"`
		Output []string `json:"output_modalities"`
	} `json:"architecture"`
}

// answers reports whether a model can answer: by the output that the server names,
// else by its name. Servers that list only names have "embed" in those of embedding
// models.
func (m openModel) answers() bool {
	if len(m.Architecture.Output) > 0 {
		return contains(m.Architecture.Output, "text")
	}
	return !strings.Contains(strings.ToLower(m.ID), "embed")
}

// price returns OpenRouter's prices for a million tokens, or nil if there are none.
func (m openModel) price() *Price {
	in, err1 := strconv.ParseFloat(m.Pricing.Prompt, 64)
	out, err2 := strconv.ParseFloat(m.Pricing.Completion, 64)
	if err1 != nil || err2 != nil || in < 0 || out < 0 { // -1 is a price that varies
		return nil
	}
	return &Price{Input: in * 1e6, Output: out * 1e6}
}

func (m openModel) context() int { return max(m.ContextLength, m.MaxModelLen, m.Meta.Ctx) }

func openModels(ctx context.Context, cfg Config, p provider, client *http.Client) ([]ModelInfo, error) {
	list, err := fetchModels(ctx, cfg, p, client)
	if err != nil {
		return nil, err
	}
	var out []ModelInfo
	for _, m := range list {
		if !m.answers() {
			continue
		}
		details := m.DisplayName
		if details == "" && m.Name != m.ID {
			details = m.Name
		}
		// Gemini lists models/NAME and takes NAME.
		out = append(out, ModelInfo{Name: strings.TrimPrefix(m.ID, "models/"), Context: m.context(), Details: details})
	}
	return out, nil
}

func fetchModels(ctx context.Context, cfg Config, p provider, client *http.Client) ([]openModel, error) {
	url := cfg.BaseURL + "/models"
	if p.format == formatAnthropic {
		url += "?limit=1000"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, &Error{Code: CodeInvalidConfig, Message: "bad base URL", Err: err}
	}
	if p.format == formatAnthropic {
		req.Header.Set("X-Api-Key", cfg.APIKey)
		req.Header.Set("Anthropic-Version", "2023-06-01")
	} else if cfg.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+cfg.APIKey)
	}
	for k, v := range cfg.Headers {
		req.Header.Set(k, v)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, transportError(ctx, p.label+" at "+req.URL.Host, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxLine))
	if err != nil {
		return nil, transportError(ctx, p.label, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, statusError(p, cfg.Model, resp.StatusCode, resp.Header, body)
	}
	var list struct {
		Data []openModel `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, &Error{Code: CodeServerError, Message: "the list of models of " + p.label + " can't be read", Err: err}
	}
	return list.Data, nil
}

// askServer asks the server what this model can do. Only Ollama always tells. Other
// servers are asked only if they may list more than names, and it is no error if they
// don't.
func (m *Model) askServer(ctx context.Context) (serverCaps, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	if o, ok := m.lc.(*ollamaLLM); ok {
		return o.capabilities(ctx)
	}
	if m.prov.name != "openrouter" && m.prov.name != "custom" {
		return serverCaps{}, nil
	}
	list, err := fetchModels(ctx, m.cfg, m.prov, m.client)
	if err != nil {
		if CodeOf(err) == CodeCancelled {
			return serverCaps{}, err
		}
		return serverCaps{}, nil // a server without a list is still a server
	}
	var caps serverCaps
	for _, e := range list {
		if e.ID != m.cfg.Model {
			continue
		}
		caps.context, caps.price = e.context(), e.price()
		if len(e.Parameters) > 0 {
			tools := contains(e.Parameters, "tools")
			caps.tools = &tools
		}
		if len(e.Architecture.Input) > 0 {
			vision := contains(e.Architecture.Input, "image")
			caps.vision = &vision
		}
	}
	return caps, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
