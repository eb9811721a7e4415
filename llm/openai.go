package llm

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// newOpenAI returns langchaingo's OpenAI client over our doer.
func newOpenAI(cfg Config, p provider, client *http.Client) (llms.Model, error) {
	key := cfg.APIKey
	if key == "" {
		key = "none" // langchaingo refuses to start without; local servers ignore it
	}
	m, err := openai.New(
		openai.WithToken(key), openai.WithModel(cfg.Model), openai.WithBaseURL(cfg.BaseURL),
		openai.WithHTTPClient(&doer{
			client: client, prov: p, model: cfg.Model, headers: cfg.Headers,
			request: openAIRequest(cfg.Model),
			stream:  openAIStream(p, cfg.Model),
			whole:   openAIWhole,
		}),
	)
	if err != nil {
		return nil, &Error{Code: CodeInvalidConfig, Message: "can't set up the OpenAI client", Err: err}
	}
	return m, nil
}

// openAIRequest returns a function that adds what langchaingo can't send, a
// JSON schema for the output. It also drops the temperature for models that
// refuse one, which langchaingo does only for some of them.
func openAIRequest(model string) func(*callState, map[string]json.RawMessage) error {
	return func(state *callState, body map[string]json.RawMessage) error {
		if state.noTemperature || fixedTemperature(model) {
			delete(body, "temperature")
		}
		if len(state.schema) > 0 {
			format := map[string]any{
				"type":        "json_schema",
				"json_schema": map[string]any{"name": state.schemaName, "strict": false, "schema": state.schema},
			}
			if state.jsonObject { // llama-cpp-python, and old versions of llama.cpp
				format = map[string]any{"type": "json_object", "schema": state.schema}
			}
			raw, err := json.Marshal(format)
			if err != nil {
				return err
			}
			body["response_format"] = raw
		}
		return nil
	}
}

// fixedTemperature reports whether a model is one of OpenAI's reasoning models,
// also behind a gateway that puts the vendor before the name.
func fixedTemperature(model string) bool {
	name := strings.ToLower(model)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	if len(name) >= 2 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9' {
		return true
	}
	return strings.HasPrefix(name, "gpt-5") && !strings.HasPrefix(name, "gpt-5-chat")
}
