package llm

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
)

// format is the wire format of a provider.
type format int

const (
	formatOllama format = iota
	formatOpenAI
	formatAnthropic
)

// provider is one row of the table: its address, the environment variables that
// users already have for it, and what its models are assumed to do unless the
// server says otherwise.
type provider struct {
	name    string
	label   string
	format  format
	baseURL string
	urlEnv  []string
	keyEnv  []string
	keyPage string // where a user gets a key
	needKey bool
	tools   bool
	vision  bool
	// schema is true if the server takes response_format json_schema.
	schema bool
	// legacyMax sends max_tokens, the only field that most servers with OpenAI's
	// format know (Ollama's /v1 silently ignores max_completion_tokens).
	legacyMax bool
	context   int
}

// providers are the built-in providers, in the order to show them.
var providers = []provider{
	{
		name: "ollama", label: "Ollama", format: formatOllama, baseURL: OllamaAddress,
		urlEnv: []string{"OLLAMA_HOST"}, keyEnv: []string{"OLLAMA_API_KEY"}, schema: true,
	},
	{
		name: "openai", label: "OpenAI", baseURL: "https://api.openai.com/v1", urlEnv: []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"},
		keyEnv: []string{"OPENAI_API_KEY"}, keyPage: "https://platform.openai.com/api-keys",
		needKey: true, tools: true, vision: true, schema: true, context: 128000, format: formatOpenAI,
	},
	{
		name: "anthropic", label: "Anthropic", format: formatAnthropic, baseURL: "https://api.anthropic.com/v1", urlEnv: []string{"ANTHROPIC_BASE_URL"},
		keyEnv: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}, keyPage: "https://console.anthropic.com/settings/keys",
		needKey: true, tools: true, vision: true, context: 200000,
	},
	{
		name: "google", label: "Google", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", urlEnv: []string{"GEMINI_BASE_URL"},
		keyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, keyPage: "https://aistudio.google.com/apikey",
		needKey: true, tools: true, vision: true, schema: true, legacyMax: true,
		context: 1000000, format: formatOpenAI,
	},
	{
		name: "deepseek", label: "DeepSeek", baseURL: "https://api.deepseek.com/v1", urlEnv: []string{"DEEPSEEK_BASE_URL"},
		keyEnv: []string{"DEEPSEEK_API_KEY"}, keyPage: "https://platform.deepseek.com/api_keys",
		needKey: true, tools: true, legacyMax: true, context: 64000, format: formatOpenAI,
	},
	{
		name: "qwen", label: "Qwen", baseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", urlEnv: []string{"DASHSCOPE_BASE_URL", "QWEN_BASE_URL"},
		keyEnv: []string{"DASHSCOPE_API_KEY", "QWEN_API_KEY"}, keyPage: "https://bailian.console.aliyun.com/?tab=model#/api-key",
		needKey: true, tools: true, vision: true, schema: true, legacyMax: true,
		context: 131072, format: formatOpenAI,
	},
	{
		name: "glm", label: "GLM", baseURL: "https://open.bigmodel.cn/api/paas/v4", urlEnv: []string{"ZHIPUAI_BASE_URL", "GLM_BASE_URL"},
		keyEnv:  []string{"ZHIPUAI_API_KEY", "ZHIPU_API_KEY", "GLM_API_KEY", "ZAI_API_KEY"},
		keyPage: "https://open.bigmodel.cn/usercenter/apikeys",
		needKey: true, tools: true, vision: true, legacyMax: true, context: 128000, format: formatOpenAI,
	},
	{
		name: "openrouter", label: "OpenRouter", baseURL: "https://openrouter.ai/api/v1", urlEnv: []string{"OPENROUTER_BASE_URL"},
		keyEnv: []string{"OPENROUTER_API_KEY"}, keyPage: "https://openrouter.ai/keys",
		needKey: true, tools: true, schema: true, legacyMax: true, context: 32768, format: formatOpenAI,
	},
	{
		name: "custom", label: "the server", urlEnv: []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"}, keyEnv: []string{"OPENAI_API_KEY"},
		schema: true, legacyMax: true, context: 8192, format: formatOpenAI,
	},
}

// Providers returns the names that Config.Provider takes, in the order to show
// them.
func Providers() []string {
	names := make([]string, len(providers))
	for i, p := range providers {
		names[i] = p.name
	}
	return names
}

// providerNamed returns the provider of that name, and false if there is none.
func providerNamed(name string) (provider, bool) {
	i := slices.IndexFunc(providers, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{}, false
	}
	return providers[i], true
}

// OllamaAddress is where Ollama listens by default.
const OllamaAddress = "http://127.0.0.1:11434"

// BaseURL returns the address that cfg and the environment lead to, or "" if cfg
// is not valid.
func BaseURL(cfg Config) string {
	if cfg.APIKey == "" {
		cfg.APIKey = "none" // resolve wants a key; only the address is used
	}
	cfg, _, err := resolve(cfg, false)
	if err != nil {
		return ""
	}
	return cfg.BaseURL
}

// ProviderKeyEnv returns the environment variables that may have the key of a
// provider, and whether the provider needs one.
func ProviderKeyEnv(name string) (vars []string, needed bool) {
	p, _ := providerNamed(name)
	return slices.Clone(p.keyEnv), p.needKey
}

// ProviderAddressEnv lists the environment variables that may hold the address of a
// provider's server.
func ProviderAddressEnv(name string) []string {
	p, _ := providerNamed(name)
	return slices.Clone(p.urlEnv)
}

// ProviderKeyPage returns the address where a user gets a key of a provider, or
// "" if there is none.
func ProviderKeyPage(name string) string {
	p, _ := providerNamed(name)
	return p.keyPage
}

func (p provider) keyHint() string {
	if len(p.keyEnv) == 0 {
		return "check the API key"
	}
	return "check the API key (config, or " + p.keyEnv[0] + ")"
}

func (p provider) missingModelHint(model string) string {
	if p.format == formatOllama && model != "" {
		return "ollama pull " + model
	}
	return "choose one of the models the server lists"
}

// resolve completes cfg from the environment and the provider's row; what cfg
// says comes first.
func resolve(cfg Config, needModel bool) (Config, provider, error) {
	if cfg.Provider == "" {
		cfg.Provider = "ollama"
	}
	p, ok := providerNamed(cfg.Provider)
	if !ok {
		return cfg, p, &Error{
			Code: CodeInvalidConfig, Message: fmt.Sprintf("no provider %q", cfg.Provider),
			Hint: "one of " + strings.Join(Providers(), ", "),
		}
	}
	if needModel && cfg.Model == "" {
		return cfg, p, &Error{Code: CodeInvalidConfig, Message: "no model chosen", Hint: "set a model"}
	}
	env := cfg.Env
	if env == nil {
		env = os.Getenv
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = firstEnv(env, p.urlEnv)
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = p.baseURL
	}
	if cfg.BaseURL == "" {
		return cfg, p, &Error{Code: CodeInvalidConfig, Message: "a custom provider needs a base URL", Hint: "for example http://127.0.0.1:8080/v1"}
	}
	base, err := normalizeURL(cfg.BaseURL, p.format)
	if err != nil {
		return cfg, p, &Error{Code: CodeInvalidConfig, Message: fmt.Sprintf("bad base URL: %v", err), Hint: "for example " + p.baseURL}
	}
	cfg.BaseURL = base
	if cfg.APIKey == "" {
		cfg.APIKey = firstEnv(env, p.keyEnv)
	}
	if cfg.APIKey == "" && p.needKey {
		return cfg, p, &Error{Code: CodeUnauthorized, Message: p.label + " needs an API key", Hint: "set it in the config or in " + p.keyEnv[0]}
	}
	return cfg, p, nil
}

func firstEnv(env func(string) string, names []string) string {
	for _, n := range names {
		if v := strings.TrimSpace(env(n)); v != "" {
			return v
		}
	}
	return ""
}

// normalizeURL returns a base URL in the form that the clients need. OLLAMA_HOST
// may be a bare host, a bare port or the address that a server listens on
// (0.0.0.0). ANTHROPIC_BASE_URL is usually given without the /v1 that
// langchaingo needs.
func normalizeURL(raw string, f format) (string, error) {
	raw = strings.TrimSpace(strings.Trim(strings.TrimSpace(raw), `"'`))
	bare := !strings.Contains(raw, "://")
	if bare {
		if f != formatOllama && !isLocalHost(raw) {
			raw = "https://" + raw
		} else {
			if strings.HasPrefix(raw, ":") {
				raw = "127.0.0.1" + raw
			}
			raw = "http://" + raw
		}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("%q is not a URL", clip(raw, 80))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("scheme %q is not http or https", u.Scheme)
	}
	host, port := u.Hostname(), u.Port()
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	if f == formatOllama && port == "" && bare {
		port = "11434"
	}
	if port != "" {
		u.Host = net.JoinHostPort(host, port)
	} else if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	} else {
		u.Host = host
	}
	u.Path = strings.TrimRight(u.Path, "/")
	switch f {
	case formatOllama:
		// Users paste the address of the OpenAI API of the same server.
		u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/v1"), "/api")
	case formatAnthropic:
		if !strings.HasSuffix(u.Path, "/v1") {
			u.Path += "/v1"
		}
	case formatOpenAI:
		u.Path = strings.TrimSuffix(u.Path, "/chat/completions")
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String(), nil
}

func isLocalHost(raw string) bool {
	host := raw
	if i := strings.IndexAny(host, "/:"); i >= 0 {
		host = host[:i]
	}
	return host == "" || host == "localhost" || net.ParseIP(host) != nil
}
