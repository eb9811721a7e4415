package cli

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/control/models"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
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
	if err := listModels(t.Context(), &out, standinConfig(s), "", false); err != nil {
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

// Of a model that points its format stands in the list.
func TestModelsListsThoseThatPoint(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools, Model: "fara-1.5:9b", Vision: true})
	defer s.Close()
	var out bytes.Buffer
	if err := listModels(t.Context(), &out, standinConfig(s), "", false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "pointer, fara-1.5") {
		t.Errorf("its mode is missing:\n%s", out.String())
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
		models := &models.Catalog{Config: config}
		list := models.List(t.Context())
		using := map[bool]string{false: "ollama/standin:latest", true: "ollama/a-chat:1b"}[untold] // the one with tools
		if len(list.Models) != 2 || list.Using != using || list.Error != nil {
			t.Errorf("untold %v: %+v", untold, list)
		}
		var out bytes.Buffer
		if err := listModels(t.Context(), &out, config, "", false); err != nil || strings.Contains(out.String(), "embedding") || strings.Contains(out.String(), "minilm") {
			t.Errorf("untold %v: %v\n%s", untold, err, out.String())
		}
		for _, id := range []string{"ollama/all-minilm", "ollama/qwen3-embedding:4b"} {
			unfit := &wire.Error{Code: llm.CodeUnfit}
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
			if err := serve.Unfit(t.Context(), cfg); llm.CodeOf(err) != want {
				t.Errorf("the doctor finds with %s: %v", name, err)
			}
		}
		if err := checkModel(t.Context(), &out, config, "all-minilm", false); err == nil || !strings.Contains(err.Error(), "embedding model") {
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
		if err := listModels(t.Context(), &out, config, "", false); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v, want %q in:\n%s", err, want, out.String())
		}
	}
	shows("dom, markdown, small prompt; learned: no native, no schema")
	models := &models.Catalog{Config: config, Ways: ways}
	if list := models.List(t.Context()); len(list.Models) != 1 || !slices.Equal(list.Models[0].Learned, []string{"native", "schema"}) {
		t.Errorf("%+v", list)
	}
	var unknown *wire.Error
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
	pictures := 0
	able := standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		newest := c.Newest()
		if strings.Contains(newest, "number 42") {
			return standin.Turn{Calls: []standin.Call{{Name: "report", Args: map[string]any{"number": 42}}}}
		}
		if len(c.Messages) > 0 && c.Messages[len(c.Messages)-1].Images > 0 {
			pictures++
			return standin.Turn{Text: []string{"Blue.", "Red."}[pictures%2]}
		}
		return standin.Turn{Text: "ready"}
	})
	s := standin.New(standin.Options{Format: standin.OpenAI, Brain: able})
	defer s.Close()
	var out bytes.Buffer
	if err := checkModel(t.Context(), &out, standinConfig(s), s.Model(), false); err != nil {
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
	err := checkModel(t.Context(), &out, standinConfig(talker), talker.Model(), false)
	if err == nil || !strings.Contains(err.Error(), "no way to an action works") || strings.Count(out.String(), "  no   ") != 4 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// The list says what each model is and can do, sorted by how well it fits, with one
// recommended, and what can't work with why; nothing of that is chosen by itself.
func TestModelsBySuitability(t *testing.T) {
	chat := func(name, family, parameters string, gb float64, caps ...string) standin.OllamaModel {
		return standin.OllamaModel{Name: name, Family: family, Parameters: parameters, Quantization: "Q4_K_M", Size: int64(gb * 1e9), Capabilities: append([]string{"completion"}, caps...)}
	}
	others := []standin.OllamaModel{
		chat("llama3.2:1b", "llama", "1.2B", 1.3, "tools"),
		chat("qwen3:8b", "qwen3", "8.2B", 5.2, "tools", "thinking"),
		chat("qwen3.5:4b", "qwen35", "4.7B", 3.4, "tools", "thinking", "vision"),
		chat("gemma3:4b", "gemma3", "4.3B", 3.3, "vision"),
		chat("qwen3.5:27b", "qwen35", "27.8B", 17, "tools", "thinking"),
		{Name: "gpt-oss:120b-cloud", Family: "gptoss", Parameters: "116.8B", Size: 400, Capabilities: []string{"completion", "tools", "thinking"}},
		{Name: "nomic-embed-text:latest", Family: "nomic-bert", Capabilities: []string{"embedding"}},
	}
	s := standin.New(standin.Options{Format: standin.OllamaTools, Model: "qwen2.5:0.5b", Size: 400e6, Parameters: "494M", Others: others})
	defer s.Close()
	memory := int64(16e9)
	config := func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Memory: memory, Env: func(string) string { return "" }}, nil
	}
	models := &models.Catalog{Config: config}
	list := models.List(t.Context())
	var names []string
	recommended := 0
	for _, m := range list.Models {
		names = append(names, strings.TrimPrefix(m.ID, "ollama/"))
		if m.Recommended {
			recommended++
		}
	}
	want := []string{"qwen3.5:4b", "qwen3:8b", "llama3.2:1b", "qwen2.5:0.5b", "gemma3:4b", "gpt-oss:120b-cloud", "qwen3.5:27b"}
	if !slices.Equal(names, want) || recommended != 1 || !list.Models[0].Recommended || list.Using != "ollama/qwen3.5:4b" {
		t.Errorf("%v, %d recommended, using %s, want %v", names, recommended, list.Using, want)
	}
	best, cloud, big := list.Models[0], list.Models[5], list.Models[6]
	if !best.Tools || !best.Vision || !best.Thinks || best.Size != 34e8 || best.Parameters != "4.7B" || best.Quantization != "Q4_K_M" || best.Context != 16384 || best.MaxContext != 32768 {
		t.Errorf("%+v", best)
	}
	if cloud.Local || big.Problem == nil || big.Problem.Code != llm.CodeNoMemory || !strings.Contains(big.Problem.Message, "needs about 17.0 GB of memory, and this computer has 16.0 GB") {
		t.Errorf("%+v %+v", cloud, big.Problem)
	}
	var out bytes.Buffer
	if err := listModels(t.Context(), &out, config, "", false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ollama/qwen3.5:4b ", "3.4 GB 4.7B Q4_K_M", "Recommended on this computer: qwen3.5:4b\n", "Won't work: qwen3.5:27b needs about 17.0 GB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	// Where none can work, none is chosen, and a task says why.
	memory = 300e6
	list = models.List(t.Context())
	if list.Using != "" || list.Error == nil || list.Error.Code != llm.CodeNoMemory || !strings.Contains(list.Error.Message, "memory") {
		t.Errorf("using %q: %+v", list.Using, list.Error)
	}
	if _, err := models.Open(t.Context(), ""); !errors.Is(err, &wire.Error{Code: llm.CodeNoMemory}) {
		t.Errorf("opened: %v", err)
	}
	// What the user names is used all the same.
	if _, err := models.Open(t.Context(), "ollama/qwen3.5:27b"); err != nil {
		t.Errorf("named: %v", err)
	}
}

// A model with which every way to an action failed is not chosen by itself.
func TestAModelThatNeverActsIsNotChosen(t *testing.T) {
	talk := standin.BrainFunc(func(standin.Conversation) standin.Turn { return standin.Turn{Text: "I would rather talk."} })
	s := standin.New(standin.Options{Format: standin.OllamaMarkdown, Brain: talk})
	defer s.Close()
	config := func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}
	cfg, _ := config("")
	cfg.Model = s.Model()
	m, err := llm.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	models := &models.Catalog{Config: config}
	if list := models.List(t.Context()); list.Using != "ollama/"+s.Model() {
		t.Fatalf("%+v", list)
	}
	for range 6 { // two of each way
		_, _ = m.Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "go")}, Tools: []llm.Tool{{Name: "act", Schema: []byte(`{"type":"object"}`)}}}, nil)
	}
	list := models.List(t.Context())
	if list.Using != "" || list.Error == nil || list.Error.Code != llm.CodeNoWay {
		t.Errorf("%+v %+v", list.Using, list.Error)
	}
	if err := models.Forget(s.Model()); err != nil {
		t.Fatal(err)
	}
	if list := models.List(t.Context()); list.Using == "" {
		t.Errorf("forgotten, and not chosen: %+v", list.Error)
	}
}

// Of several models of a server that tells names alone none is chosen by itself.
func TestOneOfManyIsNotChosenByItsName(t *testing.T) {
	for names, want := range map[string]string{`{"id":"babbage-002"},{"id":"gpt-x"}`: "", `{"id":"gpt-x"}`: "custom/gpt-x"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"data":[` + names + `]}`))
		}))
		models := &models.Catalog{Config: func(string) (llm.Config, error) {
			return llm.Config{Provider: "custom", BaseURL: server.URL, Env: func(string) string { return "" }}, nil
		}}
		list := models.List(t.Context())
		if list.Using != want || (list.Error == nil) != (want != "") || list.Error != nil && list.Error.Code != llm.CodeNoChoice {
			t.Errorf("%s: using %q, %+v", names, list.Using, list.Error)
		}
		server.Close()
	}
}

// The suggestion is of a present family, and fits the machine.
func TestSuggestedModel(t *testing.T) {
	for gb, want := range map[int64]string{0: "qwen3.5:4b", 4: "qwen3.5:2b", 8: "qwen3.5:4b", 16: "qwen3.5:9b", 64: "qwen3.6:35b"} {
		if got := llm.SuggestedModel(gb << 30); got != want {
			t.Errorf("%d GB: %s, want %s", gb, got, want)
		}
	}
}
