package llm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// The way that was found out outlives the process, and is found out anew when
// server or model are others than then.
func TestAWayOutlivesTheProcess(t *testing.T) {
	store := &llm.FileWays{Path: filepath.Join(t.TempDir(), "state", "ways.json")}
	// A model that says it calls natively and only talks, until it is updated.
	talker := standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		if len(c.Tools) > 0 {
			return standin.Turn{Text: "I would click."}
		}
		return standin.Turn{Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
	})
	s := start(t, standin.Options{Format: standin.OllamaTools, Brain: talker, Version: "0.6.5"})
	cfg := config(s)
	cfg.Ways = store
	wayOf := func(cfg llm.Config) llm.Way {
		m := model(t, cfg)
		caps, err := m.Capabilities(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return m.Way(caps)
	}
	m := model(t, cfg)
	for range 2 { // twice of no use: dropped
		reply, err := m.Chat(t.Context(), ask("go"), nil)
		if err != nil {
			t.Fatal(err)
		}
		m.ReportBad(reply)
	}
	if w := wayOf(cfg); w != llm.WaySchema {
		t.Fatalf("in the same process: %s", w)
	}
	llm.ForgetAll()
	if w := wayOf(cfg); w != llm.WaySchema {
		t.Errorf("in the next process: %s; the file holds %s", w, contents(t, store.Path))
	}
	llm.ForgetAll()
	store.SaveWay("ollama "+cfg.BaseURL+" "+cfg.Model, "0.6.4 sha256:standin", llm.WayMarkdown)
	if w := wayOf(cfg); w != llm.WayNative {
		t.Errorf("what was saved for another version still counts: %s", w)
	}
}

// A server that is updated while the process runs is taken for new.
func TestAnUpdateForgetsWhatWasLearnt(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools, Version: "0.6.5"})
	cfg := config(s)
	cfg.Ways = &llm.FileWays{Path: filepath.Join(t.TempDir(), "ways.json")}
	m := model(t, cfg)
	for range 2 {
		reply, err := m.Chat(t.Context(), ask("go"), nil)
		if err != nil {
			t.Fatal(err)
		}
		m.ReportBad(reply)
	}
	s.Close()
	addr := strings.TrimPrefix(s.URL(), "http://")
	s = standin.New(standin.Options{Format: standin.OllamaTools, Version: "0.7.0", Addr: addr})
	if s.Err() != nil {
		t.Skip(s.Err()) // somebody else took the port
	}
	defer s.Close()
	m = model(t, cfg)
	caps, err := m.Capabilities(t.Context())
	if err != nil || !caps.Tools || m.Way(caps) != llm.WayNative {
		t.Errorf("after the update: %+v, %v", caps, err)
	}
}

// Where a server tells no build, a way counts for thirty days; a broken file is
// as good as none.
func TestFileWays(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	f := &llm.FileWays{Path: filepath.Join(t.TempDir(), "ways.json"), Now: func() time.Time { return now }}
	f.SaveWay("openai m", "", llm.WayMarkdown)
	if w, ok := f.LoadWay("openai m", ""); !ok || w != llm.WayMarkdown {
		t.Fatalf("%s %v", w, ok)
	}
	now = now.AddDate(0, 0, 31)
	if _, ok := f.LoadWay("openai m", ""); ok {
		t.Error("it counts for ever")
	}
	for i := range 300 {
		now = now.Add(time.Second)
		f.SaveWay("m"+strings.Repeat("x", i), "b", llm.WaySchema)
	}
	if n := strings.Count(contents(t, f.Path), `"way"`); n != 200 {
		t.Errorf("%d are kept", n)
	}
	if _, ok := f.LoadWay("m", "b"); ok {
		t.Error("the oldest was kept")
	}
	if err := os.WriteFile(f.Path, []byte(`{"m": {"way": "schema"`), 0o600); err != nil {
		t.Fatal(err)
	}
	f.SaveWay("n", "b", llm.WaySchema)
	if w, ok := f.LoadWay("n", "b"); !ok || w != llm.WaySchema {
		t.Errorf("after a broken file: %s %v", w, ok)
	}
	// What an older version kept may have been learnt of replies cut off in mid-thought.
	if err := os.WriteFile(f.Path, []byte(`{"m": {"way": "markdown", "build": "b"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if w, ok := f.LoadWay("m", "b"); ok || len(f.Keys()) > 0 {
		t.Errorf("what an older version kept still counts: %s", w)
	}
	if err := os.WriteFile(f.Path, []byte(`{"m": {"v": 2, "way": "telepathy", "build": "b"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if w, ok := f.LoadWay("m", "b"); ok {
		t.Errorf("an unknown way %s", w)
	}
}

// What OpenRouter says that a request cost is passed on, unless the user has
// prices of their own.
func TestTheProvidersCost(t *testing.T) {
	cfg, _ := openAIServer(t, func(int, string) (int, string) {
		return 200, oa(`{"content":"hi"}`, "null") + oa("{}", `"stop"`) +
			`data: {"choices":[],"usage":{"prompt_tokens":194,"completion_tokens":2,"cost":0.95,"cost_details":{"upstream_inference_cost":19}}}` + "\n\ndata: [DONE]\n\n"
	})
	req := llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}
	reply, err := model(t, cfg).Chat(t.Context(), req, nil)
	if err != nil || reply.Usage.Cost == nil || *reply.Usage.Cost != 0.95 || reply.Usage.Input != 194 {
		t.Errorf("%s, %v", show(reply), err)
	}
	cfg.Price = &llm.Price{Input: 1, Output: 1}
	if reply, err = model(t, cfg).Chat(t.Context(), req, nil); err != nil || reply.Usage.Cost != nil {
		t.Errorf("%s, %v", show(reply), err)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
