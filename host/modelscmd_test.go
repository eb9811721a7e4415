package main

import (
	"bytes"
	"strings"
	"testing"

	"tabwright/e2e/standin"
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
