package llm_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/realmodel"
	"tabwright/llm"
)

// A real Ollama server with a model of random weights: capabilities are read,
// and an action constrained by the schema comes back and passes validation.
func TestRealOllama(t *testing.T) { testRealOllama(t, realmodel.OllamaVersion) }

// The same with a version that some users still have.
func TestRealOldOllama(t *testing.T) {
	if os.Getenv("TABWRIGHT_TEST_LONG") == "" {
		t.Skip("compiles a second Ollama: run by make test-all")
	}
	testRealOllama(t, realmodel.OldOllamaVersion)
}

func testRealOllama(t *testing.T, version string) {
	if testing.Short() {
		t.Skip("a real Ollama takes a build and a few seconds: left out by -short")
	}
	base := startOllama(t, version)

	cfg := llm.Config{Provider: "ollama", Model: "tiny", BaseURL: base, Env: func(string) string { return "" }}
	list, err := llm.ListModels(t.Context(), cfg) // without the embedding model
	if err != nil || len(list) != 1 || list[0].Name != "tiny:latest" {
		t.Fatalf("models %+v, %v", list, err)
	}
	m := model(t, cfg)
	caps, err := m.Capabilities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if caps.Tools || caps.Vision || caps.MaxContext != ggufContext || caps.Source["tools"] != "server" || caps.Source["context"] != "server" {
		t.Errorf("capabilities %+v", caps)
	}
	tool := llm.Tool{Name: "browser_action", Description: "Act.", Schema: json.RawMessage(`{"type":"object","properties":{
		"thought":{"type":"string","enum":["go","stop"]},
		"action":{"type":"string","enum":["click","scroll","done"]},
		"params":{"type":"object","properties":{"index":{"type":"integer","enum":[1,22,333]},"clear":{"type":"boolean"}},"required":["index","clear"]}},
		"required":["thought","action","params"]}`)}
	t.Run("loading is told once", func(t *testing.T) {
		var said []string
		for range 2 {
			_, err := m.Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}, MaxOutput: 4}, func(d llm.Delta) {
				if d.Kind == llm.DeltaLoading || d.Kind == llm.DeltaLoaded {
					said = append(said, d.Kind+" "+d.Text)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{"loading tiny (0.0 GB)", "loaded "}; !slices.Equal(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	})
	t.Run("schema-constrained actions", func(t *testing.T) {
		tries := 10
		if os.Getenv("TABWRIGHT_TEST_LONG") != "" {
			tries = 50
		}
		for i := range tries {
			var streamed strings.Builder
			reply, err := m.Chat(t.Context(), llm.Request{
				System: "You act.", Tools: []llm.Tool{tool}, MaxOutput: 200,
				Messages: []llm.Message{llm.Text(llm.RoleUser, fmt.Sprintf("press it, %d", i))},
			}, func(d llm.Delta) { streamed.WriteString(d.Text) })
			if err != nil {
				t.Fatalf("try %d: %v", i, err)
			}
			if reply.Way != llm.WaySchema || len(reply.Calls) != 1 || reply.Usage.Output == 0 || streamed.Len() == 0 {
				t.Fatalf("try %d: %+v", i, reply)
			}
			if _, mends, err := llm.CheckCall(reply.Calls[0], []llm.Tool{tool}); err != nil || len(mends) > 0 {
				t.Errorf("try %d: %s: %v %v", i, reply.Calls[0].Args, mends, err)
			}
		}
		t.Logf("%d of %d are valid", tries, tries)
	})
	t.Run("num_ctx takes effect", func(t *testing.T) {
		// The server's own count says it: a prompt of over a thousand tokens is
		// read whole in a window of 2048; one of 512 holds 512 of them, and what
		// was cut is an error, not an answer.
		ask := func(words, numCtx int) (*llm.Reply, error) {
			prompt := strings.Repeat("many words here ", words)
			return m.Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, prompt)}, NumCtx: numCtx, MaxOutput: 4}, nil)
		}
		whole, err := ask(80, 2048)
		if err != nil || whole.Usage.Input < 1200 || whole.Usage.Input > 1400 {
			t.Fatalf("in 2048: %+v, %v", whole, err)
		}
		_, err = ask(80, 512)
		// A new server refuses it in its own words.
		if llm.CodeOf(err) != llm.CodeContextOverflow || !strings.Contains(err.Error(), "512") && !strings.Contains(err.Error(), "exceeds the context length") {
			t.Errorf("in 512: %v", err)
		}
		short, err := ask(20, 512)
		if err != nil || short.Usage.Input < 300 || short.Usage.Input >= 512 {
			t.Errorf("shortened: %+v, %v", short, err)
		}
	})
	t.Run("cancel stops the server", func(t *testing.T) {
		const cancelAt = 5 // pieces
		// The model's weights are random: now and then it ends before it was cancelled.
		talk := func() (pieces int, err error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err = m.Chat(ctx, llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "talk")}, MaxOutput: 1_000_000}, func(llm.Delta) {
				// Not at the first: a cancel that comes while the server begins was
				// seen to be lost there, and its runner went on for a minute.
				if pieces++; pieces == cancelAt {
					cancel()
				}
			})
			return pieces, err
		}
		pieces, err := talk()
		for try := 1; err == nil && pieces < cancelAt && try < 10; try++ {
			pieces, err = talk()
		}
		// What the server had sent already is not handed on.
		if llm.CodeOf(err) != llm.CodeCancelled || pieces != cancelAt {
			t.Errorf("%v after %d pieces of a million", err, pieces)
		}
		// It serves one at a time: the next is answered only once it has stopped.
		next, cancelNext := context.WithTimeout(t.Context(), time.Minute)
		defer cancelNext()
		if _, err := m.Chat(next, llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "talk")}, MaxOutput: 4}, nil); err != nil {
			t.Errorf("the next request: %v", err)
		}
	})
	t.Run("model not found", func(t *testing.T) {
		other := cfg
		other.Model = "nowhere"
		_, err := model(t, other).Capabilities(t.Context())
		if llm.CodeOf(err) != llm.CodeModelNotFound || !strings.Contains(err.Error(), "ollama pull nowhere") {
			t.Errorf("%v", err)
		}
	})
	t.Run("an embedding model is refused", func(t *testing.T) {
		other := cfg
		other.Model = "vectors"
		err := model(t, other).Probe(t.Context(), func(llm.ProbeResult) { t.Error("something was asked of it") })
		if llm.CodeOf(err) != llm.CodeUnfit || !strings.Contains(err.Error(), "vectors is an embedding model") {
			t.Errorf("%v", err)
		}
	})
	t.Run("prompt over the window", func(t *testing.T) {
		_, err := m.Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, strings.Repeat("many words here ", 3000))}, NumCtx: 2048}, nil)
		if llm.CodeOf(err) != llm.CodeContextOverflow {
			t.Errorf("%v", err)
		}
	})
}

// startOllama starts a version of Ollama that has the random model, called tiny, and
// an embedding model, called vectors, and stops it with the test.
func startOllama(t *testing.T, version string) (base string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	bin, err := realmodel.BuildOllama(ctx, version, t.Output())
	if err != nil {
		t.Skipf("!!! NO REAL OLLAMA: THE MODEL LAYER WAS NOT TESTED AGAINST A REAL SERVER !!!\n%v", err)
	}
	dir := t.TempDir()
	s, err := realmodel.StartOllama(ctx, bin, "", filepath.Join(dir, "home"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's log:\n%s", s.Log())
		}
		s.Close()
	})
	raw := randomGGUF()
	if len(raw) > 500<<10 {
		t.Fatalf("the model is %d bytes, over 500 KB", len(raw))
	}
	create := func(name, template string, raw []byte) {
		t.Helper()
		sum := sha256.Sum256(raw)
		in := realmodel.Installed{
			GGUF: filepath.Join(dir, name+".gguf"), Model: realmodel.Model{Name: name, SHA256: hex.EncodeToString(sum[:]), Template: template},
		}
		err := os.WriteFile(in.GGUF, raw, 0o600)
		if err == nil {
			// One thread: several wait for each other at each layer, which takes for
			// ever on a machine that is busy.
			err = s.Create(ctx, in, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	create("tiny", "{{ if .System }}{{ .System }}\n{{ end }}{{ .Prompt }}\n", raw)
	create("vectors", "", embeddingGGUF())
	return s.Base
}
