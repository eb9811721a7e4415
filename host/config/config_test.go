package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func yes(b bool) *bool { return &b }

func TestPrecedence(t *testing.T) {
	path := file(t, "model: of-file\nlang: zh\nbudgets: {steps: 10}\n")
	o := Overrides{Path: path, Env: env()}
	cases := []struct {
		name  string
		env   func(string) (string, bool)
		flags map[string]string
		model string
		steps int
	}{
		{"file", env(), nil, "of-file", 10},
		{"environment over file", env("TABWRIGHT_MODEL", "of-env", "TABWRIGHT_BUDGETS_STEPS", "20"), nil, "of-env", 20},
		{"flag over environment", env("TABWRIGHT_MODEL", "of-env"), map[string]string{"model": "of-flag", "budgets.steps": "30"}, "of-flag", 30},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o.Env, o.Flags = c.env, c.flags
			got, err := Load(o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Model.Model != c.model || got.Budgets.Steps != c.steps || got.Lang != "zh" {
				t.Errorf("%+v", got)
			}
			if got.Provider != "ollama" || got.LogLevel != "info" {
				t.Errorf("defaults: %+v", got)
			}
		})
	}
}

func TestLoadEverySetting(t *testing.T) {
	path := file(t, `
# mine
provider: openai
model: gpt-x
base_url: https://models.example/v1
num_ctx: 16384
vision: yes
tools: false
think: yes
temperature: 0
keep_alive: 15m
timeout: 90s
size: small
mode: pointer
family: holo1
price_in: 0.25
price_out: 2
headers: "X-Title: Tabwright; X-A: b"
lang: en
budgets:
  steps: 40
  tokens: 500000
  money: 1.5
  minutes: 30
upload_dirs:
  - /srv/files
  - /tmp/x/../y
browser: /usr/bin/chromium
log_level: debug
critic: off
validator: on
search: bing
history: none
providers:
  ollama:
    base_url: http://127.0.0.1:11434
    model: qwen3:8b
`)
	got, err := Load(Overrides{Path: path, Env: env()})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Model: Model{
			Provider: "openai", Model: "gpt-x", BaseURL: "https://models.example/v1", NumCtx: 16384,
			Vision: yes(true), Tools: yes(false), Think: "true", Temperature: new(float64), KeepAlive: "15m", Timeout: 90 * time.Second,
			Size: "small", Mode: "pointer", Family: "holo1", PriceIn: 0.25, PriceOut: 2, Headers: "X-Title: Tabwright; X-A: b",
		},
		Lang: "en", Budgets: Budgets{Steps: 40, Tokens: 500000, Minutes: 30, Money: 1.5}, UploadDirs: []string{"/srv/files", "/tmp/y"},
		Browser: "/usr/bin/chromium", LogLevel: "debug", Critic: "off", Validator: "on", Search: "bing", History: "none",
		Providers: map[string]Model{"ollama": {Provider: "ollama", Model: "qwen3:8b", BaseURL: "http://127.0.0.1:11434"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	// What Get writes, set reads: the table can't lose a setting.
	again := Config{}
	for _, s := range Settings() {
		v := s.Get(got)
		if v == "" {
			t.Errorf("%s has no value", s.Name)
			continue
		}
		if err := s.set(&again, v); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if s.Doc == "" {
			t.Errorf("%s has no description", s.Name)
		}
	}
	again.Providers = got.Providers
	if !reflect.DeepEqual(again, got) {
		t.Errorf("got  %+v\nwant %+v", again, got)
	}
}

func TestFileFaultsHaveLines(t *testing.T) {
	cases := []struct{ name, content, want string }{
		{"unknown", "model: x\nmodle: y\n", ":2: there is no setting “modle”; did you mean model or mode?"},
		{"unknown below", "budgets:\n  stps: 3\n", ":2: there is no setting “budgets.stps”; did you mean budgets.steps?"},
		{"unknown of a provider", "providers:\n  ollama:\n    modle: x\n", ":3: there is no setting “modle”; did you mean model or mode?"},
		{"a group", "budget:\n  steps: 3\n", ":1: there is no setting “budget”; did you mean budgets?"},
		{"without its group", "steps: 3\n", ":1: there is no setting “steps”; did you mean budgets.steps?"},
		{"misspelt provider", "providers:\n  opnai: {}\n", ":2: no provider is called “opnai”; did you mean openai?"},
		{"nothing like it", "colour: red\n", ":1: there is no setting “colour”"},
		{"number", "\n\nnum_ctx: many\n", ":3: num_ctx: “many” is not a whole number"},
		{"range", "budgets:\n  steps: 0\n", ":2: budgets.steps: 0 is not between 1 and 10000"},
		{"too little", "budgets:\n  minutes: 0.05\n", ":2: budgets.minutes: 0.05 is not between 0.1 and 1440"},
		{"no amount", "budgets:\n  minutes: long\n", ":2: budgets.minutes: “long” is not an amount between 0.1 and 1440"},
		{"word", "lang: fr\n", ":1: lang: “fr” is not one of: en, zh"},
		{"provider", "provider: acme\n", ":1: provider: “acme” is not one of: ollama"},
		{"twice", "model: a\nmodel: b\n", ":2: “model” stands here a second time"},
		{"list for a word", "model: [a, b]\n", ":1: model: one value belongs here"},
		{"word for a group", "budgets: 3\n", ":1: budgets: settings belong under it, indented"},
		{"no settings", "- a\n- b\n", ":1: settings are written as name: value"},
		{"broken", "model: 'x\n", "found unexpected end of stream"},
		{"tab", "budgets:\n\tsteps: 3\n", ":2: found character that cannot start any token"},
		{"second document", "model: a\n---\nmodel: b\n", "a second document"},
		{"key", "api_key: sk-1\n", ":1: keys do not belong in this file"},
		{"address", "base_url: localhost\n", ":1: base_url: it is not an address"},
		{"password in the address", "base_url: http://me:pw@host/\n", "does not belong in the address"},
		{"relative folder", "upload_dirs: [files]\n", "not the full path"},
		{"nested folder", "upload_dirs: [[a]]\n", "each entry is one word"},
		{"bool", "vision: perhaps\n", ":1: vision: “perhaps” is neither true nor false"},
		{"duration", "timeout: soon\n", "not a duration"},
		{"no time", "timeout: 0s\n", "not longer than nothing"},
		{"unknown provider", "providers:\n  acme: {}\n", ":2: no provider is called “acme”"},
		{"provider under provider", "providers:\n  ollama:\n    provider: openai\n", ":3: there is no setting “provider”"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, c.content)
			_, err := Load(Overrides{Path: path, Env: env()})
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%q lacks %q", err, c.want)
			}
			if strings.Contains(err.Error(), "sk-1") || strings.Contains(err.Error(), "pw@") {
				t.Errorf("the error shows a secret: %q", err)
			}
		})
	}
}

func TestAllFaultsAreToldAtOnce(t *testing.T) {
	path := file(t, "lang: fr\nnum_ctx: x\n")
	_, err := Load(Overrides{Path: path, Env: env("TABWRIGHT_VISION", "2"), Flags: map[string]string{"budgets.steps": "-1", "nonsense": "1"}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{":1: lang", ":2: num_ctx", "TABWRIGHT_VISION: ", "--set budgets.steps: ", "--set nonsense: there is no setting “nonsense”"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	var one *Error
	if !errors.As(err, &one) {
		t.Error("no *Error inside")
	}
}

func TestMissingFile(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	got, err := Load(Overrides{Env: env()})
	if err != nil || !reflect.DeepEqual(got, Default()) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Load(Overrides{Path: "/does/not/exist", Env: env()}); err == nil {
		t.Error("a file that was named and is missing is an error")
	}
	for _, empty := range []string{"", "# only a comment\n", "null\n", "---\n"} {
		got, err := Load(Overrides{Path: file(t, empty), Env: env()})
		if err != nil || !reflect.DeepEqual(got, Default()) {
			t.Errorf("%q: %+v, %v", empty, got, err)
		}
	}
}

func TestHomeInUploadDirs(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	got, err := Load(Overrides{Path: file(t, "upload_dirs: [~, ~/docs]\n"), Env: env()})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{home, filepath.Join(home, "docs")}; !reflect.DeepEqual(got.UploadDirs, want) {
		t.Errorf("%v", got.UploadDirs)
	}
}

func TestForProvider(t *testing.T) {
	c := Config{
		Model: Model{Provider: "openai", Model: "gpt-x", BaseURL: "https://a/"},
		Providers: map[string]Model{
			"ollama": {Model: "qwen3:8b", NumCtx: 8192},
			"openai": {Model: "not this one", NumCtx: 100000, Vision: yes(true)},
		},
	}
	if got := c.For("ollama"); got.Provider != "ollama" || got.Model != "qwen3:8b" || got.BaseURL != "" || got.NumCtx != 8192 {
		t.Errorf("ollama: %+v", got)
	}
	for _, name := range []string{"", "openai"} {
		if got := c.For(name); got.Provider != "openai" || got.Model != "gpt-x" || got.NumCtx != 100000 || got.Vision == nil || got.BaseURL != "https://a/" {
			t.Errorf("%q: %+v", name, got)
		}
	}
	if got := c.For("google"); !reflect.DeepEqual(got, Model{Provider: "google"}) {
		t.Errorf("google: %+v", got)
	}
}

func TestSaveKeepsWhatAPersonWrote(t *testing.T) {
	path := file(t, "# my settings\nmodel: old # good\nbudgets:\n  steps: 10 # enough\nlang: zh\n")
	err := Save(path, map[string]string{"model": "new", "provider": "openai", "lang": "", "budgets.tokens": "1000", "upload_dirs": "/a:/b"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "# my settings\nmodel: new # good\nbudgets:\n  steps: 10 # enough\n  tokens: 1000\nprovider: openai\nupload_dirs:\n  - /a\n  - /b\n"
	if string(b) != want {
		t.Errorf("got:\n%s\nwant:\n%s", b, want)
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
	got, err := Load(Overrides{Path: path, Env: env()})
	if err != nil || got.Model.Model != "new" || got.Lang != "" || len(got.UploadDirs) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSaveIntoNothing(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, model := range []string{"qwen3:8b", "null", "yes", "0x10", "a: b", "#1", "- x", "*a"} {
		if err := Save("", map[string]string{"model": model}); err != nil {
			t.Fatal(err)
		}
		got, err := Load(Overrides{Env: env()})
		if err != nil || got.Model.Model != model {
			t.Errorf("%q came back as %q, %v", model, got.Model.Model, err)
		}
	}
}

func TestSaveRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		changes map[string]string
	}{
		"a file with faults": {"modle: x\n", map[string]string{"model": "y"}},
		"an unknown setting": {"", map[string]string{"modle": "y"}},
		"a wrong value":      {"", map[string]string{"num_ctx": "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.content)
			if err := Save(path, c.changes); err == nil {
				t.Error("no error")
			}
			if b, _ := os.ReadFile(path); string(b) != c.content {
				t.Errorf("the file changed: %q", b)
			}
		})
	}
}

func TestDirsFollowTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "c"))
	t.Setenv("XDG_DATA_HOME", "relative")
	t.Setenv("XDG_STATE_HOME", "")
	p := Dirs()
	if p.File != filepath.Join(dir, "c/tabwright/config.yaml") {
		t.Error(p.File)
	}
	if p.Data != filepath.Join(dir, ".local/share/tabwright") || p.State != filepath.Join(dir, ".local/state/tabwright") {
		t.Errorf("%+v", p)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"model: x\nbudgets: {steps: 3}\n", "a: &a [*a]\n", "? [a]\n: b\n", "providers: {ollama: {model: x}}\n",
		"upload_dirs: [/a, /b]\n", "model: !!binary aGk=\n", "<<: {model: x}\n", "---\n...\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := Default()
		if parse(b, "f", &c) != nil {
			return
		}
		// What is accepted is within the table's bounds.
		for _, s := range settings {
			if v := s.Get(c); v != "" {
				if err := s.set(&Config{}, v); err != nil {
					t.Errorf("%s was read as %q, which can't be set: %v", s.Name, v, err)
				}
			}
		}
	})
}
