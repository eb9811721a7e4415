package llm

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestResolve(t *testing.T) {
	cases := []struct {
		name     string
		cfg      Config
		env      map[string]string
		url, key string
		code     string
	}{
		{name: "ollama by default", cfg: Config{Model: "m"}, url: "http://127.0.0.1:11434"},
		{name: "OLLAMA_HOST, a host", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": "box"}, url: "http://box:11434"},
		{name: "OLLAMA_HOST, host and port", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": "box:9000"}, url: "http://box:9000"},
		{name: "OLLAMA_HOST, a port", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": ":9000"}, url: "http://127.0.0.1:9000"},
		{name: "OLLAMA_HOST, where it listens", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": "0.0.0.0"}, url: "http://127.0.0.1:11434"},
		{name: "OLLAMA_HOST, a URL", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": "https://box.test/ollama/"}, url: "https://box.test/ollama"},
		{name: "OLLAMA_HOST, IPv6", cfg: Config{Model: "m"}, env: map[string]string{"OLLAMA_HOST": "http://[::1]:9000"}, url: "http://[::1]:9000"},
		{name: "the OpenAI door of Ollama", cfg: Config{Model: "m", BaseURL: "http://localhost:11434/v1"}, url: "http://localhost:11434"},
		{name: "config before environment", cfg: Config{Provider: "openai", Model: "m", APIKey: "a", BaseURL: "https://x.test/v1"}, env: map[string]string{"OPENAI_API_KEY": "b", "OPENAI_BASE_URL": "https://y.test"}, url: "https://x.test/v1", key: "a"},
		{name: "OpenAI from the environment", cfg: Config{Provider: "openai", Model: "m"}, env: map[string]string{"OPENAI_API_KEY": "b", "OPENAI_BASE_URL": "https://y.test/v1/"}, url: "https://y.test/v1", key: "b"},
		{name: "Anthropic without /v1", cfg: Config{Provider: "anthropic", Model: "m"}, env: map[string]string{"ANTHROPIC_API_KEY": "c", "ANTHROPIC_BASE_URL": "https://y.test"}, url: "https://y.test/v1", key: "c"},
		{name: "google", cfg: Config{Provider: "google", Model: "m"}, env: map[string]string{"GOOGLE_API_KEY": "g"}, url: "https://generativelanguage.googleapis.com/v1beta/openai", key: "g"},
		{name: "custom, local and bare", cfg: Config{Provider: "custom", Model: "m", BaseURL: "127.0.0.1:8080/v1"}, url: "http://127.0.0.1:8080/v1"},
		{name: "custom, whole path", cfg: Config{Provider: "custom", Model: "m", BaseURL: "http://x.test/v1/chat/completions"}, url: "http://x.test/v1"},
		{name: "custom without URL", cfg: Config{Provider: "custom", Model: "m"}, code: CodeInvalidConfig},
		{name: "no key", cfg: Config{Provider: "deepseek", Model: "m"}, code: CodeUnauthorized},
		{name: "no model", cfg: Config{}, code: CodeInvalidConfig},
		{name: "no such provider", cfg: Config{Provider: "x", Model: "m"}, code: CodeInvalidConfig},
		{name: "no such scheme", cfg: Config{Provider: "custom", Model: "m", BaseURL: "ftp://x.test"}, code: CodeInvalidConfig},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Env = func(k string) string { return c.env[k] }
			got, _, err := resolve(c.cfg, true)
			if c.code != "" {
				if CodeOf(err) != c.code {
					t.Fatalf("error %v, want %s", err, c.code)
				}
				return
			}
			if err != nil || got.BaseURL != c.url || got.APIKey != c.key {
				t.Errorf("%q %q %v, want %q %q", got.BaseURL, got.APIKey, err, c.url, c.key)
			}
		})
	}
	for _, p := range Providers() {
		if vars, needed := ProviderKeyEnv(p); needed && (len(vars) == 0 || ProviderKeyPage(p) == "") {
			t.Errorf("%s needs a key, and nothing says where it is set or had", p)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for in, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "NaN": 0, "1e9": 0, "99999": time.Hour, "x": 0,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second,
	} {
		if got := retryAfter(http.Header{"Retry-After": {in}}, now); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

func TestEstimateTokens(t *testing.T) {
	for _, c := range []struct {
		text     string
		min, max int // around what the vocabularies in use make of it
	}{
		{"", 0, 0},
		{"hello", 1, 2},
		{strings.Repeat("The quick brown fox jumps over the lazy dog. ", 10), 90, 160},
		{"把最便宜的蓝色杯子放进购物车", 10, 16},
		{`{"action":"click","params":{"index":12}}`, 10, 25},
		{"https://shop.example/cart?id=123456&ref=abc", 10, 30},
	} {
		if got := EstimateTokens(c.text); got < c.min || got > c.max {
			t.Errorf("%.30q: %d tokens, want %d to %d", c.text, got, c.min, c.max)
		}
	}
}

func TestConstrainedSchema(t *testing.T) {
	one, err := constrainedSchema([]Tool{actionTool()}, true)
	if err != nil || !strings.Contains(string(one), `"properties":{"thought":`) || strings.Index(string(one), `"thought"`) > strings.Index(string(one), `"action"`) {
		t.Errorf("the thought does not come first: %s %v", one, err)
	}
	many, err := constrainedSchema(severalTools(), true)
	if err != nil || !strings.Contains(string(many), `"enum":["click","type","done"]`) {
		t.Errorf("%s %v", many, err)
	}
	bare, err := constrainedSchema([]Tool{actionTool()}, false)
	if err != nil || strings.Contains(string(bare), "thought") || !strings.Contains(string(bare), `"action"`) {
		t.Errorf("a thought nobody wants: %s %v", bare, err)
	}
	several, err := constrainedSchema(severalTools(), false)
	if err != nil || strings.Contains(string(several), "thought") || !strings.Contains(string(several), `"required":["action","params"]`) {
		t.Errorf("a thought nobody wants: %s %v", several, err)
	}
	for _, s := range []string{string(one), string(many), string(bare), string(several)} {
		if p := compile([]byte(s)); p.err != nil {
			t.Errorf("%s: %v", s, p.err)
		}
	}
}
