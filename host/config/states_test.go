package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a user reads in their file stays where it is: comments, order, empty
// lines, also a text of several lines.
func TestSaveKeepsTheLookOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		before  string
		changes map[string]string
		after   string
	}{
		"empty lines": {
			"# mine\n\nprovider: ollama\n\n# the small one\nmodel: a # fast\n\nbudgets:\n  steps: 10\n\n  # enough\n  minutes: 5\n",
			map[string]string{"model": "b", "budgets.minutes": "7.5", "lang": "zh"},
			"# mine\n\nprovider: ollama\n\n# the small one\nmodel: b # fast\n\nbudgets:\n  steps: 10\n\n  # enough\n  minutes: 7.5\nlang: zh\n",
		},
		"the first is taken out": {"# mine\nmodel: a\nlang: zh\n", map[string]string{"model": ""}, "# mine\nlang: zh\n"},
		"the last below a name":  {"lang: zh\nbudgets:\n  steps: 10\n", map[string]string{"budgets.steps": ""}, "lang: zh\n"},
		"comments alone":         {"# mine\n\n# nothing yet", map[string]string{"model": "a"}, "# mine\n\n# nothing yet\nmodel: a\n"},
		"nothing to take out":    {"# mine\n", map[string]string{"model": ""}, "# mine\n"},
		"all was taken out":      {"{}\n", map[string]string{"model": "a", "lang": "zh"}, "lang: zh\nmodel: a\n"},
		"a text of lines":        {"model: a\nbrowser: |-\n  x\n\n  y\n", map[string]string{"model": "b"}, "model: b\nbrowser: |-\n  x\n\n  y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.before)
			if err := Save(path, c.changes); err != nil {
				t.Fatal(err)
			}
			if b, _ := os.ReadFile(path); string(b) != c.after {
				t.Errorf("got:\n%s\nwant:\n%s", b, c.after)
			}
		})
	}
}

func TestChangeIsAllOrNothing(t *testing.T) {
	const before = "model: a\n"
	path := file(t, before)
	o := Overrides{Path: path, Env: env("TABWRIGHT_LANG", "zh"), Flags: map[string]string{"size": "small"}}
	err := Change(o, map[string]string{
		"model": "b", "budgets.steps": "0", "modle": "x", "lang": "en", "size": "large", "search": "https://x.example/", "upload_dirs": "relative", "budgets.money": "1",
	})
	var wrong []string
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			var c *ChangeError
			if errors.As(e, &c) {
				wrong = append(wrong, c.Name)
			}
		}
	}
	if got := strings.Join(wrong, " "); got != "budgets.steps lang modle search size upload_dirs" {
		t.Errorf("refused: %s (%v)", got, err)
	}
	if b, _ := os.ReadFile(path); string(b) != before {
		t.Errorf("the file changed: %q", b)
	}
	if err := Change(o, map[string]string{"model": "b", "search": "https://x.example/?q={query}"}); err != nil {
		t.Error(err)
	}
	c, err := Load(o)
	if err != nil || c.Model.Model != "b" || c.SearchURL() != "https://x.example/?q={query}" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A folder that is added must be there; one that the file has already may have
// gone, and stands in nobody's way.
func TestChangeWantsFoldersThatAreThere(t *testing.T) {
	dir := t.TempDir()
	gone, note := filepath.Join(dir, "gone"), filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := file(t, "upload_dirs: ["+gone+"]\n")
	o := Overrides{Path: path, Env: env()}
	for _, c := range []struct{ value, say string }{
		{gone + ":" + dir + ":" + filepath.Join(dir, "none"), "no_folder"},
		{dir + ":" + note, "not_folder"},
		{filepath.Join(note, "below"), "closed_folder"},
		{gone + ":" + dir, ""},
		{dir, ""},
		{gone, "no_folder"}, // it had been taken out
	} {
		err := Change(o, map[string]string{"upload_dirs": c.value})
		var v *ValueError
		if errors.As(err, &v); (err == nil) != (c.say == "") || v != nil && v.Say != c.say {
			t.Errorf("%s: %v, want %q", c.value, err, c.say)
		}
	}
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(Overrides{Path: file(t, "upload_dirs: ["+gone+"]\n"), Env: env()}); err != nil || len(c.UploadDirs) != 1 {
		t.Errorf("a folder that went: %v, %v", c.UploadDirs, err)
	}
}

func TestStatesSayWhereAValueComesFrom(t *testing.T) {
	path := file(t, "model: a\nbudgets:\n  steps: 9\nlang:\nheaders: 'Authorization: Bearer sk-secret; X-Title: T'\n")
	o := Overrides{Path: path, Env: env("TABWRIGHT_BUDGETS_STEPS", "12"), Flags: map[string]string{"size": "small"}}
	all, err := States(o)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]State{}
	for _, s := range all {
		got[s.Name] = s
	}
	for name, want := range map[string]struct {
		value  string
		source Source
		fixed  bool
	}{
		"model": {"a", FromFile, false}, "budgets.steps": {"12", FromEnv, true}, "size": {"small", FromFlag, true},
		"lang": {"", FromDefault, false}, "search": {"duckduckgo", FromDefault, false}, "history": {"keep", FromDefault, false},
		"headers": {"Authorization: …; X-Title: …", FromFile, false},
	} {
		if s := got[name]; s.Value != want.value || s.Source != want.source || s.Fixed() != want.fixed {
			t.Errorf("%s: %q from %s, fixed %v; want %+v", name, s.Value, s.Source, s.Fixed(), want)
		}
	}
	if len(all) != len(Settings()) {
		t.Errorf("%d states of %d settings", len(all), len(Settings()))
	}
	if _, err := States(Overrides{Path: file(t, "modle: x\n"), Env: env()}); err == nil {
		t.Error("a file with faults gives no error")
	}
}

// TestStatesHideKeysInAddresses: what stands in a server's address beside its
// place may be a key.
func TestStatesHideKeysInAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:11434":                         "http://127.0.0.1:11434",
		"https://llm.example/v1?api-version=2&key=sk-11": "https://llm.example/v1?api-version=…&key=…",
		"https://llm.example/v1#sk-11":                   "https://llm.example/v1",
		"https://me:sk-11@llm.example/v1":                "https://…@llm.example/v1",
		"http://a%zz:sk-11@llm.example":                  "…",
	} {
		if got := BareAddress(in); got != want {
			t.Errorf("%s is shown as %s, not %s", in, got, want)
		}
	}
	path := file(t, "base_url: https://llm.example/v1?key=sk-11\n")
	states, err := States(Overrides{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if strings.Contains(s.Value, "sk-11") {
			t.Errorf("%s is shown as %s", s.Name, s.Value)
		}
	}
	path = file(t, "base_url: https://me:sk-11@llm.example/v1\n")
	if _, err := States(Overrides{Path: path}); err == nil || strings.Contains(err.Error(), "sk-11") {
		t.Errorf("an address with a password: %v", err)
	}
}
