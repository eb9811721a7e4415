package llm_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// A model that points is known by its name, as far as its server says that it sees,
// and by what the user says.
func TestModes(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name, model  string
		sees, untold bool // the server says so; says nothing
		cfg          llm.Config
		mode, family string
	}{
		{"by its name", "fara:7b", true, false, llm.Config{}, llm.ModePointer, "fara"},
		{"a server that says nothing", "fara-1.5:9b", false, true, llm.Config{}, llm.ModePointer, "fara-1.5"},
		{"a server that knows better", "fara:7b", false, false, llm.Config{}, llm.ModeDOM, ""},
		{"the user knows better still", "fara:7b", false, false, llm.Config{Vision: &yes}, llm.ModePointer, "fara"},
		{"no pictures, says the user", "fara:7b", true, false, llm.Config{Vision: &no}, llm.ModeDOM, ""},
		{"another that sees", "gemma3:4b", true, false, llm.Config{}, llm.ModeHybrid, ""},
		{"by the list all the same", "fara:7b", true, false, llm.Config{Mode: llm.ModeDOM}, llm.ModeDOM, ""},
		{"with marks all the same", "fara:7b", true, false, llm.Config{Mode: llm.ModeHybrid}, llm.ModeHybrid, ""},
		{"pointing by a setting", "qwen2.5vl:7b", true, false, llm.Config{Mode: llm.ModePointer}, llm.ModePointer, "qwen2.5-vl"},
		{"in a format", "mine:latest", true, false, llm.Config{Family: "ui-tars"}, llm.ModePointer, "ui-tars"},
		{"a general one", "qwen3-vl:8b", true, false, llm.Config{}, llm.ModeHybrid, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := standin.Options{Format: standin.OllamaTools, Model: c.model, Vision: c.sees}
			if c.untold {
				o.Format = standin.OpenAI
			}
			s := standin.New(o)
			defer s.Close()
			c.cfg.Provider = s.Provider()
			if c.untold {
				c.cfg.Provider = "custom"
			}
			c.cfg.Model, c.cfg.BaseURL, c.cfg.Env = c.model, s.URL(), func(string) string { return "" }
			m, err := llm.New(t.Context(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			caps, err := m.Capabilities(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if caps.Mode() != c.mode || caps.Family != c.family {
				t.Errorf("mode %s, family %q; want %s, %q", caps.Mode(), caps.Family, c.mode, c.family)
			}
		})
	}
}

// A call that a server takes out of the text, though it was told of no function, is
// put back: who asked reads it there.
func TestCallTakenOutOfTheText(t *testing.T) {
	reply := chatRaw(t, `{"message":{"role":"assistant","content":"I press it.","tool_calls":[{"function":{"name":"computer_use","arguments":{"action":"wait"}}}]},"done":true,"done_reason":"stop"}`)
	if want := "I press it.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\":\"wait\"}}\n</tool_call>"; reply != want {
		t.Errorf("the text is %q, want %q", reply, want)
	}
}

// chatRaw gives the text of a reply that an Ollama writes so.
func chatRaw(t *testing.T, frame string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/chat":
			_, _ = w.Write([]byte(frame + "\n")) // the client went away
		case "/api/show":
			_, _ = w.Write([]byte(`{"capabilities":["completion","vision"],"model_info":{}}`))
		default:
			_, _ = w.Write([]byte(`{}`))
		}
	}))
	defer s.Close()
	m, err := llm.New(t.Context(), llm.Config{Provider: "ollama", Model: "fara:7b", BaseURL: s.URL, Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := m.Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "go on")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}
