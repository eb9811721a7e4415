package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
	"go.yaml.in/yaml/v3"
)

type fakeRing struct {
	m   map[string]string
	err error
}

func (r fakeRing) Get(_, user string) (string, error) {
	if r.err != nil {
		return "", r.err
	}
	v, ok := r.m[user]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return v, nil
}

func (r fakeRing) Set(_, user, secret string) error {
	if r.err == nil {
		r.m[user] = secret
	}
	return r.err
}

func (r fakeRing) Delete(_, user string) error {
	if r.err != nil {
		return r.err
	}
	if _, ok := r.m[user]; !ok {
		return keyring.ErrNotFound
	}
	delete(r.m, user)
	return nil
}

type stuckRing struct{ release chan struct{} }

func (r stuckRing) Get(string, string) (string, error) { <-r.release; return "", keyring.ErrNotFound }
func (r stuckRing) Set(string, string, string) error   { <-r.release; return nil }
func (r stuckRing) Delete(string, string) error        { <-r.release; return nil }

func TestKeysInTheKeyring(t *testing.T) {
	dir := t.TempDir()
	r := fakeRing{m: map[string]string{}}
	k := &keyStore{ring: r, file: filepath.Join(dir, "keys.json"), patience: time.Minute}
	if _, err := k.Get("openai"); !errors.Is(err, ErrNoKey) {
		t.Errorf("%v", err)
	}
	where, err := k.Set("openai", "sk-one")
	if err != nil || where != InKeyring || r.m["openai"] != "sk-one" {
		t.Errorf("%s, %v, %v", where, err, r.m)
	}
	if got, err := k.Get("openai"); err != nil || got.Reveal() != "sk-one" {
		t.Errorf("%q, %v", got.Reveal(), err)
	}
	if _, err := os.Stat(k.file); !os.IsNotExist(err) {
		t.Error("the key is in a file as well")
	}
	if err := k.Delete("openai"); err != nil {
		t.Error(err)
	}
	if err := k.Delete("openai"); err != nil {
		t.Errorf("a second delete: %v", err)
	}
	if _, err := k.Get("openai"); !errors.Is(err, ErrNoKey) {
		t.Errorf("%v", err)
	}
	if _, err := k.Set("openai", ""); err == nil {
		t.Error("an empty key was stored")
	}
}

func TestKeysWithoutKeyring(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, r := range map[string]ring{
		"no D-Bus":       fakeRing{err: errors.New("dbus: no session bus")},
		"nobody answers": stuckRing{release},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			k := &keyStore{ring: r, file: filepath.Join(dir, "deep", "keys.json"), patience: 10 * time.Millisecond}
			where, err := k.Set("openai", "sk-two")
			if err != nil || where != InFile {
				t.Fatalf("%s, %v", where, err)
			}
			st, err := os.Stat(k.file)
			if err != nil || st.Mode().Perm() != 0o600 {
				t.Fatalf("%v, %v", st, err)
			}
			if d, _ := os.Stat(filepath.Dir(k.file)); d.Mode().Perm() != 0o700 {
				t.Errorf("folder %v", d.Mode())
			}
			if got, err := k.Get("openai"); err != nil || got.Reveal() != "sk-two" {
				t.Errorf("%v, %v", got.Reveal(), err)
			}
			if err := k.Delete("openai"); err != nil {
				t.Error(err)
			}
			if _, err := k.Get("openai"); !errors.Is(err, ErrNoKey) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(k.file); !os.IsNotExist(err) {
				t.Error("an empty file of keys stayed")
			}
		})
	}
}

// A key stored while there was no keyring must not come back after a newer
// one went into the keyring.
func TestKeyMovesIntoTheKeyring(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	without := &keyStore{ring: fakeRing{err: errors.New("no bus")}, file: file, patience: time.Minute}
	if _, err := without.Set("glm", "older"); err != nil {
		t.Fatal(err)
	}
	with := &keyStore{ring: fakeRing{m: map[string]string{}}, file: file, patience: time.Minute}
	if got, err := with.Get("glm"); err != nil || got.Reveal() != "older" {
		t.Errorf("%q, %v", got.Reveal(), err)
	}
	if where, err := with.Set("glm", "newer"); err != nil || where != InKeyring {
		t.Fatal(where, err)
	}
	if _, err := without.Get("glm"); !errors.Is(err, ErrNoKey) {
		t.Errorf("the older key is still in the file: %v", err)
	}
}

func TestDamagedKeysFileDoesNotShowItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(`{"openai": "sk-hush", oops}`), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &keyStore{ring: fakeRing{err: errors.New("no bus")}, file: file, patience: time.Minute}
	_, err := k.Get("openai")
	if err == nil || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
}

func TestSecretNeverShows(t *testing.T) {
	s := Secret("hush")
	holder := struct {
		Key  Secret `json:"key" yaml:"key"`
		Keys map[string]Secret
		P    *Secret
	}{s, map[string]Secret{"a": s}, &s}
	var shown []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t"} {
		shown = append(shown, fmt.Sprintf(verb, s), fmt.Sprintf(verb, holder), fmt.Sprintf(verb, []Secret{s}))
	}
	j, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	y, err := yaml.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	shown = append(shown, string(j), string(y), fmt.Sprint(s), fmt.Errorf("x %w %v", errors.New("y"), s).Error())
	for _, out := range shown {
		if strings.Contains(out, "hush") || strings.Contains(strings.ToLower(out), fmt.Sprintf("%x", "hush")) {
			t.Errorf("shown: %s", out)
		}
	}
	if s.Reveal() != "hush" {
		t.Error("Reveal")
	}
}

func TestLLMConfigAndItsKey(t *testing.T) {
	c := Config{Model: Model{Provider: "openai", Model: "gpt-x"}}
	k := &keyStore{ring: fakeRing{m: map[string]string{"openai": "stored", "glm": "of-glm"}}, file: filepath.Join(t.TempDir(), "k"), patience: time.Minute}
	cases := []struct{ provider, variable, want string }{
		{"", "", "stored"},
		{"openai", "", "stored"},
		{"", "TABWRIGHT_API_KEY", "of-env"},
		{"", "TABWRIGHT_OPENAI_API_KEY", "of-env"},
		{"glm", "", "of-glm"},
		{"glm", "TABWRIGHT_API_KEY", "of-glm"}, // that variable is for the configured provider
		{"glm", "TABWRIGHT_GLM_API_KEY", "of-env"},
		{"ollama", "", ""},
	}
	for _, tc := range cases {
		t.Run(tc.provider+" "+tc.variable, func(t *testing.T) {
			for _, v := range []string{"TABWRIGHT_API_KEY", "TABWRIGHT_OPENAI_API_KEY", "TABWRIGHT_GLM_API_KEY"} {
				t.Setenv(v, "")
			}
			if tc.variable != "" {
				t.Setenv(tc.variable, "of-env")
			}
			got, err := c.LLM(tc.provider, k)
			if err != nil || got.APIKey != tc.want {
				t.Errorf("%q, %v; want %q", got.APIKey, err, tc.want)
			}
		})
	}
	if got, err := c.LLM("", nil); err != nil || got.Model != "gpt-x" {
		t.Errorf("%+v, %v", got, err)
	}
}
