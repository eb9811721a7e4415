package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/control"
	"tabwright/host/native"
	"tabwright/llm"
)

func standinConfig(s *standin.Server) configOf {
	return func(string) (llm.Config, error) {
		return llm.Config{
			Provider: s.Provider(), Model: s.Model(), BaseURL: s.URL(), APIKey: "k", Env: func(string) string { return "" },
		}, nil
	}
}

func TestModelsLists(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools, Vision: true, Context: 40000})
	defer s.Close()
	var out bytes.Buffer
	if err := listModels(t.Context(), &out, standinConfig(s), ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ollama/standin:latest", "16k of 40k", "hybrid, native, small prompt", "local"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("a list took %d requests for a reply", n)
	}
}

// A model that can't answer is neither listed nor chosen, and named it is refused:
// by what the server says of it, and on a server that says nothing by what it is.
func TestEmbeddingModelsAreLeftOut(t *testing.T) {
	others := []standin.OllamaModel{
		{Name: "all-minilm:latest", Family: "bert", Capabilities: []string{"embedding"}},
		{Name: "qwen3-embedding:4b", Family: "qwen3", Capabilities: []string{"embedding"}, Pooled: true},
		{Name: "a-chat:1b", Family: "qwen3", Capabilities: []string{"completion", "insert"}},
	}
	for _, untold := range []bool{false, true} {
		s := standin.New(standin.Options{Format: standin.OllamaTools, Others: others, Untold: untold})
		defer s.Close()
		config := func(string) (llm.Config, error) {
			return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
		}
		models := &control.Models{Config: config}
		list := models.List(t.Context())
		if len(list.Models) != 2 || list.Using != "ollama/a-chat:1b" || list.Error != nil {
			t.Errorf("untold %v: %+v", untold, list)
		}
		var out bytes.Buffer
		if err := listModels(t.Context(), &out, config, ""); err != nil || strings.Contains(out.String(), "embedding") || strings.Contains(out.String(), "minilm") {
			t.Errorf("untold %v: %v\n%s", untold, err, out.String())
		}
		for _, id := range []string{"ollama/all-minilm", "ollama/qwen3-embedding:4b"} {
			unfit := &native.Error{Code: llm.CodeUnfit}
			if err := models.Use(t.Context(), id); !errors.Is(err, unfit) || !strings.Contains(err.Error(), "embedding model") {
				t.Errorf("%s was chosen: %v", id, err)
			}
			if _, err := models.Open(t.Context(), id); !errors.Is(err, unfit) {
				t.Errorf("%s was opened: %v", id, err)
			}
		}
		for name, want := range map[string]string{"all-minilm:latest": llm.CodeUnfit, "a-chat:1b": ""} {
			cfg, _ := config("")
			cfg.Model = name
			if err := unfit(t.Context(), cfg); llm.CodeOf(err) != want {
				t.Errorf("the doctor finds with %s: %v", name, err)
			}
		}
		if err := checkModel(t.Context(), &out, config, "all-minilm"); err == nil || !strings.Contains(err.Error(), "embedding model") {
			t.Errorf("%v", err)
		}
	}
}

// What was learned of a model is shown, and forgotten by name.
func TestModelsForget(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools})
	defer s.Close()
	ways := &llm.FileWays{Path: filepath.Join(t.TempDir(), "ways.json")}
	build := "0.6.5 sha256:standin"
	ways.SaveWay("ollama "+s.URL()+" "+s.Model(), build, llm.WayMarkdown)
	config := func(string) (llm.Config, error) {
		cfg, err := standinConfig(s)("")
		cfg.Ways = ways
		return cfg, err
	}
	shows := func(want string) {
		t.Helper()
		var out bytes.Buffer
		if err := listModels(t.Context(), &out, config, ""); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v, want %q in:\n%s", err, want, out.String())
		}
	}
	shows("dom, markdown, small prompt; learned: no native, no schema")
	models := &control.Models{Config: config, Ways: ways}
	if list := models.List(t.Context()); len(list.Models) != 1 || !slices.Equal(list.Models[0].Learned, []string{"native", "schema"}) {
		t.Errorf("%+v", list)
	}
	var unknown *native.Error
	if err := models.Forget("nobody"); !errors.As(err, &unknown) || unknown.Code != llm.CodeModelNotFound || !strings.Contains(unknown.Hint, "ollama/standin:latest") {
		t.Errorf("%+v", unknown)
	}
	if err := models.Forget("standin"); err != nil {
		t.Fatal(err)
	}
	shows("dom, native, small prompt  local")
}

// A model that answers in each way, and one that only talks.
func TestModelsCheck(t *testing.T) {
	able := standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		newest := c.Newest()
		if strings.Contains(newest, "number 42") {
			return standin.Turn{Calls: []standin.Call{{Name: "report", Args: map[string]any{"number": 42}}}}
		}
		if len(c.Messages) > 0 && c.Messages[len(c.Messages)-1].Images > 0 {
			return standin.Turn{Text: "Red."}
		}
		return standin.Turn{Text: "ready"}
	})
	s := standin.New(standin.Options{Format: standin.OpenAI, Brain: able})
	defer s.Close()
	var out bytes.Buffer
	if err := checkModel(t.Context(), &out, standinConfig(s), s.Model()); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got := strings.Count(out.String(), "  yes  "); got != 5 {
		t.Errorf("%d of 5 kinds work:\n%s", got, out.String())
	}
	talker := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
		return standin.Turn{Text: "I like mugs."}
	})})
	defer talker.Close()
	out.Reset()
	err := checkModel(t.Context(), &out, standinConfig(talker), talker.Model())
	if err == nil || !strings.Contains(err.Error(), "no way to an action works") || strings.Count(out.String(), "  no   ") != 4 {
		t.Errorf("%v\n%s", err, out.String())
	}
}
