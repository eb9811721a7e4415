package llm

import (
	"encoding/json"
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
)

// newAnthropic returns langchaingo's Anthropic client over our doer.
func newAnthropic(cfg Config, p provider, client *http.Client) (llms.Model, error) {
	m, err := anthropic.New(
		anthropic.WithToken(cfg.APIKey), anthropic.WithModel(cfg.Model), anthropic.WithBaseURL(cfg.BaseURL),
		anthropic.WithHTTPClient(&doer{
			client: client, prov: p, model: cfg.Model, headers: cfg.Headers,
			request: anthropicRequest,
			stream:  anthropicStream(p, cfg.Model),
			whole:   anthropicWhole,
		}),
	)
	if err != nil {
		return nil, &Error{Code: CodeInvalidConfig, Message: "can't set up the Anthropic client", Err: err}
	}
	return m, nil
}

// anthropicRequest joins neighbouring messages of one role: langchaingo sends
// only the first part of assistant and tool messages, so each part went in as a
// message of its own, and gateways want roles to alternate. It also marks the
// system text, which does not change during a task, for the prompt cache.
func anthropicRequest(state *callState, body map[string]json.RawMessage) error {
	if state.noTemperature {
		delete(body, "temperature")
	}
	var msgs []struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(body["messages"], &msgs); err != nil {
		return err
	}
	joined := msgs[:0]
	for _, m := range msgs {
		if n := len(joined); n > 0 && joined[n-1].Role == m.Role {
			joined[n-1].Content = append(joined[n-1].Content, m.Content...)
			continue
		}
		joined = append(joined, m)
	}
	raw, err := json.Marshal(joined)
	if err != nil {
		return err
	}
	body["messages"] = raw
	var system string
	if json.Unmarshal(body["system"], &system) == nil && system != "" {
		body["system"], err = json.Marshal([]map[string]any{{
			"type": "text", "text": system, "cache_control": map[string]string{"type": "ephemeral"},
		}})
	}
	return err
}
