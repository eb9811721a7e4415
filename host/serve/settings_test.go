package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"tabwright/host/config"
	"tabwright/host/native/wire"
)

// What the panel changes is in the user's file, holds for the next task, and
// no answer ever holds a key.
func TestPanelSettings(t *testing.T) {
	keyring.MockInit()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TABWRIGHT_LANG", "zh")
	t.Setenv("OPENAI_API_KEY", "")
	s := panelSettings{&Environment{Keys: config.OpenKeys("")}}
	live := &liveSettings{}
	if err := s.Set(map[string]string{"budgets.steps": "7", "history": "none", "search": "bing", "validator": "on"}); err != nil {
		t.Fatal(err)
	}
	if got := live.now(); got.Budget.Steps != 7 || !got.Forget || !strings.Contains(got.SearchURL, "bing.com") || got.Validator != "on" || got.Lang != "zh" {
		t.Errorf("%+v", got)
	}
	err := s.Set(map[string]string{"budgets.steps": "0", "lang": "en", "model": "x"})
	var ne *wire.Error
	if !errors.As(err, &ne) || ne.Code != wire.CodeInvalidParams {
		t.Fatal(err)
	}
	var data wire.RefusedData
	if err := json.Unmarshal(ne.Data, &data); err != nil || len(data.Settings) != 2 || data.Settings["budgets.steps"] == "" || data.Settings["lang"] == "" ||
		data.Say["budgets.steps"].Say != "between" || strings.Join(data.Say["budgets.steps"].Args, " ") != "0 1 10000" || data.Say["lang"].Say != "by_env" {
		t.Errorf("%s, %v", ne.Data, err)
	}
	const key = "sk-very-secret-key-123"
	if err := s.SetKey("openai", "  "+key+"\n"); err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][2]string{{"nobody", key}, {"openai", ""}, {"openai", "two words"}, {"openai", strings.Repeat("x", 5000)}} {
		if err := s.SetKey(bad[0], bad[1]); err == nil {
			t.Errorf("kept for %s", bad[0])
		} else if len(bad[1]) > 5 && strings.Contains(err.Error(), bad[1]) {
			t.Errorf("the refusal gives the key back: %v", err)
		}
	}
	info, err := s.Show()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(info)
	if err != nil || strings.Contains(string(b), key) {
		t.Errorf("%s, %v", b, err)
	}
	source := func(info wire.SettingsInfo) (source string) {
		for _, k := range info.Keys {
			if k.Provider == "openai" {
				source = k.Source
			}
		}
		return source
	}
	if source(info) != "stored" {
		t.Errorf("%+v", info.Keys)
	}
	if got, err := s.env.Keys.Get("openai"); err != nil || got.Reveal() != key {
		t.Errorf("%v, %v", got, err)
	}
	if err := s.RemoveKey("openai"); err != nil {
		t.Fatal(err)
	}
	if info, err = s.Show(); err != nil || source(info) != "" {
		t.Errorf("%+v, %v", info.Keys, err)
	}
	// A file that is broken is said to be, and the last good settings hold.
	if err := os.WriteFile(config.Dirs().File, []byte("modle: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Show(); !errors.As(err, &ne) || ne.Code != wire.CodeSettings {
		t.Error(err)
	}
	if live.now().Budget.Steps != 7 {
		t.Error("a broken file took the settings away")
	}
	// It can be mended from the panel, and nothing of it is lost.
	var fault wire.FaultData
	if err := json.Unmarshal(ne.Data, &fault); err != nil || fault.Fix != wire.FixSettings {
		t.Errorf("%s, %v", ne.Data, err)
	}
	if c := settingsCheck(); c.OK || c.Mend != wire.FixSettings || !strings.Contains(c.Detail, "modle") {
		t.Errorf("%+v", c)
	}
	if err := (panelDoctor{}).Mend(t.Context(), wire.FixSettings); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Show(); err != nil {
		t.Error(err)
	}
	c := settingsCheck()
	if !c.OK || c.Say != "kept" {
		t.Fatalf("%+v", c)
	}
	if old, err := os.ReadFile(c.Args[1]); err != nil || string(old) != "modle: x\n" {
		t.Errorf("kept %q, %v", old, err)
	}
}

// Where no model is set, the doctor names the one that a task would take.
func TestProbeNamesTheFirstModel(t *testing.T) {
	keyring.MockInit()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"models":[{"name":"qwen3:8b"},{"name":"llama3.2:3b"}]}`))
	}))
	defer server.Close()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TABWRIGHT_BASE_URL", server.URL)
	st, err := modelProbe{}.Probe(t.Context())
	if err != nil || st.Model != "qwen3:8b" || !st.First {
		t.Errorf("%+v, %v", st, err)
	}
	t.Setenv("TABWRIGHT_MODEL", "llama3.2:3b")
	if st, err = (modelProbe{}).Probe(t.Context()); err != nil || st.Model != "llama3.2:3b" || st.First {
		t.Errorf("%+v, %v", st, err)
	}
}
