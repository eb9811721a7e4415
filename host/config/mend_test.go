package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What can be read of a file with faults stays, and nothing of it is lost.
func TestMend(t *testing.T) {
	for _, c := range []struct {
		name, text string
		stays      []string // in the mended file
		gone       []string // from it
	}{
		{
			"a name and a value that may not stand",
			"# mine\nprovider: openai # the one at work\nmodle: gpt-x\nbudgets:\n  steps: many\n  minutes: 30\n",
			[]string{"# mine", "provider: openai # the one at work", "minutes: 30"},
			[]string{"modle", "many"},
		},
		{
			"under a provider", "providers:\n  openai:\n    model: gpt-x\n    nose: 1\n  nobody:\n    model: x\nlang: zh\n",
			[]string{"model: gpt-x", "lang: zh"},
			[]string{"nose", "nobody"},
		},
		{"a second time", "model: a\nmodel: b\n", []string{"model: a"}, []string{"model: b"}},
		{"nothing but faults under a name", "budgets:\n  step: 3\nlang: en\n", []string{"lang: en"}, []string{"budgets"}},
		{"no YAML at all", "model: [a\n  lang: en: zh\n", nil, []string{"model"}},
		{"a list", "- model\n- lang\n", nil, []string{"model"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			kept, err := Mend(path)
			if err != nil {
				t.Fatal(err)
			}
			if old, err := os.ReadFile(kept); err != nil || string(old) != c.text || Kept(path) != kept {
				t.Errorf("kept %q, %v; Kept says %q", old, err, Kept(path))
			}
			if _, err := Load(Overrides{Path: path, Env: func(string) (string, bool) { return "", false }}); err != nil {
				t.Errorf("still faulty: %v", err)
			}
			now, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.stays {
				if !strings.Contains(string(now), s) {
					t.Errorf("lost %q:\n%s", s, now)
				}
			}
			for _, s := range c.gone {
				if strings.Contains(string(now), s) {
					t.Errorf("%q still stands:\n%s", s, now)
				}
			}
			if again, err := Mend(path); again != "" || err != nil {
				t.Errorf("mended a second time: %q, %v", again, err)
			}
		})
	}
}
