package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"tabwright/llm"
)

// Config is how Tabwright is set up. Its zero fields were left to the model
// server or to the part that uses them.
type Config struct {
	Model
	Lang       string // en, zh; empty: by the words of the task
	Budgets    Budgets
	UploadDirs []string // folders from which files may be uploaded
	Browser    string   // the Chromium that --launch starts; empty: the first one found
	LogLevel   string
	Critic     string // auto, on or off: whether the model looks at its acts a second time
	Validator  string // auto, on or off: whether a result is checked before the task is done
	Search     string // a search engine's name or address; SearchURL gives the address
	History    string // keep, or none: ended tasks are removed

	// Providers holds settings that belong to one provider, for people who
	// change between several.
	Providers map[string]Model
}

// Model says which model thinks, and how to reach it.
type Model struct {
	Provider    string
	Model       string
	BaseURL     string
	NumCtx      int
	Vision      *bool // nil: as the provider's table or the server says
	Tools       *bool
	Think       string // one of llm.ThinkLevels; empty leaves it to the model
	Temperature *float64
	KeepAlive   string        // how long Ollama keeps the model loaded
	Timeout     time.Duration // the longest silence of the server that is borne
	Size        string        // small, medium, large; empty: by the model's name
	Mode        string        // dom, hybrid, pointer; empty: by the model
	Family      string        // the format of a model that points; empty: by the model's name
	PriceIn     float64       // of a million tokens read; 0 with PriceOut 0: as the provider says
	PriceOut    float64       // of a million tokens written
	Headers     string        // further headers of each request: Name: value; Name: value
}

// Budgets bound one task. Zero means the agent's own default.
type Budgets struct {
	Steps   int
	Tokens  int
	Minutes float64
	Money   float64 // in the currency of the prices
}

// Default is what holds where nothing is said.
func Default() Config {
	return Config{
		Model:    Model{Provider: "ollama"},
		LogLevel: "info",
		Critic:   "auto", Validator: "auto",
		Search: "duckduckgo", History: "keep",
	}
}

// Overrides is what a caller puts above file and environment.
type Overrides struct {
	// Path is the file to read; empty means the usual one, which need not
	// exist. A path that was named must.
	Path string
	// Flags holds settings by the names of Settings.
	Flags map[string]string
	// Env replaces os.LookupEnv, and Names are the variables there are then, for
	// tests.
	Env   func(string) (string, bool)
	Names []string
}

func (o Overrides) path() string {
	if o.Path != "" {
		return o.Path
	}
	return Dirs().File
}

func (o Overrides) lookup() func(string) (string, bool) {
	if o.Env != nil {
		return o.Env
	}
	return os.LookupEnv
}

func (o Overrides) names() []string {
	if o.Env != nil {
		return o.Names
	}
	return environmentNames()
}

// Load reads the settings. Everything that is wrong is told at once, each with
// the line, variable or flag it stands in.
func Load(o Overrides) (Config, error) {
	c := Default()
	path, must := o.path(), o.Path != ""
	b, err := os.ReadFile(path)
	switch {
	case err == nil:
		err = parse(b, path, &c)
	case os.IsNotExist(err) && !must:
		err = nil
	default:
		err = unreadable(path, err)
	}
	errs := append([]error{err}, unknownVars(o.names())...)

	env := o.lookup()
	for _, s := range settings {
		if v, ok := env(s.Env()); ok {
			if err := s.set(&c, v); err != nil {
				errs = append(errs, &Error{Source: s.Env(), Message: err.Error()})
			}
		}
	}
	for name, v := range o.Flags {
		s, ok := settingNamed(name)
		if !ok {
			errs = append(errs, unknownFlag(name))
			continue
		}
		if err := s.set(&c, v); err != nil {
			errs = append(errs, &Error{Source: "--set " + name, Message: err.Error()})
		}
	}
	return c, errors.Join(errs...)
}

// Error is one thing wrong with the settings.
type Error struct {
	Source  string // a file, a variable or a flag
	Line    int    // in a file; 0 where there is none
	Message string
	// Say names the kind of fault of a file: unreadable, syntax, unknown_setting;
	// empty for a value that may not stand there.
	Say string
	Err error
}

// Error gives where and what.
func (e *Error) Error() string {
	s := e.Source
	if e.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, e.Line)
	}
	s += ": " + e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func unreadable(path string, err error) *Error {
	return &Error{Source: path, Message: "can't be read", Say: "unreadable", Err: err}
}

// For gives the settings of a provider: those at the top where it is the
// configured one (or the name is empty), else its own of Providers.
func (c Config) For(provider string) Model {
	own, ok := c.Providers[provider]
	own.Provider = provider
	if provider != "" && provider != c.Provider {
		return own
	}
	m := c.Model
	if provider == "" {
		own, ok = c.Providers[c.Provider]
	}
	if !ok {
		return m
	}
	// What is said of this provider completes what is said at the top.
	fill(&m.Model, own.Model)
	fill(&m.BaseURL, own.BaseURL)
	fill(&m.NumCtx, own.NumCtx)
	fill(&m.Vision, own.Vision)
	fill(&m.Tools, own.Tools)
	fill(&m.Think, own.Think)
	fill(&m.Temperature, own.Temperature)
	fill(&m.KeepAlive, own.KeepAlive)
	fill(&m.Timeout, own.Timeout)
	fill(&m.Size, own.Size)
	fill(&m.Mode, own.Mode)
	fill(&m.Family, own.Family)
	fill(&m.PriceIn, own.PriceIn)
	fill(&m.PriceOut, own.PriceOut)
	fill(&m.Headers, own.Headers)
	return m
}

func fill[T comparable](dst *T, v T) {
	var zero T
	if *dst == zero {
		*dst = v
	}
}

// LLM gives what llm wants of a provider, with its key. A key in
// TABWRIGHT_API_KEY (for the configured provider) or TABWRIGHT_<PROVIDER>_API_KEY
// comes first, then the stored one; without either, llm looks into the
// variables that people already have for that provider.
func (c Config) LLM(provider string, keys Keys) (llm.Config, error) {
	m := c.For(provider)
	cfg := llm.Config{
		Provider: m.Provider, Model: m.Model, BaseURL: m.BaseURL, NumCtx: m.NumCtx,
		Vision: m.Vision, Tools: m.Tools, Think: m.Think, Temperature: m.Temperature, KeepAlive: m.KeepAlive, Timeout: m.Timeout,
		Size: m.Size, Mode: m.Mode, Family: m.Family, Headers: headerMap(m.Headers),
	}
	if m.PriceIn > 0 || m.PriceOut > 0 {
		cfg.Price = &llm.Price{Input: m.PriceIn, Output: m.PriceOut}
	}
	if v := firstSet(keyVars(m.Provider, c.Provider)); v != "" {
		cfg.APIKey = os.Getenv(v)
		seen.add(Secret(cfg.APIKey))
		return cfg, nil
	}
	if keys == nil {
		return cfg, nil
	}
	k, err := keys.Get(m.Provider)
	if errors.Is(err, ErrNoKey) {
		return cfg, nil
	}
	cfg.APIKey = k.Reveal()
	return cfg, err
}

// headerMap reads "Name: value; Name: value", which the setting has checked.
func headerMap(v string) map[string]string {
	if v == "" {
		return nil
	}
	out := map[string]string{}
	for _, part := range strings.Split(v, ";") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out
}
