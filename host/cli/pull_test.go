package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// A pull shows how far it has come, and says plainly what went wrong.
func TestModelsPull(t *testing.T) {
	var fail error
	stop := func() {}
	s := standin.New(standin.Options{
		Format: standin.OllamaTools, Library: map[string]int64{"qwen3.5:4b": 3_400_000_000},
		Pulling: func(context.Context, int64) error { stop(); return fail },
	})
	defer s.Close()
	config := func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}
	var out bytes.Buffer
	if err := pullModel(t.Context(), &out, config, "qwen3.5:4b", false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pulling manifest\n", "qwen3.5:4b: 25 % of 3.4 GB", "qwen3.5:4b: 100 % of 3.4 GB", "qwen3.5:4b is there."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	found, err := llm.ListModels(t.Context(), llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }})
	if err != nil || len(found) != 2 || found[0].Name != "qwen3.5:4b" {
		t.Errorf("%+v, %v", found, err)
	}
	for said, want := range map[string]string{
		"pull model manifest: file does not exist":                                                          llm.CodeModelNotFound,
		"write /root/.ollama/models/blobs/sha256-a: no space left on device":                                llm.CodeDiskFull,
		`Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host`:           llm.CodeNoNetwork,
		"pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama": llm.CodeTooOld,
	} {
		fail = errors.New(said)
		err := pullModel(t.Context(), &out, config, "qwen3.5:4b", false)
		if llm.CodeOf(err) != want || !strings.Contains(err.Error(), "qwen3.5:4b") {
			t.Errorf("%s: %v", said, err)
		}
	}
	if err := pullModel(t.Context(), &out, config, "nobody/has:this", false); llm.CodeOf(err) != llm.CodeModelNotFound {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"", "-x", "a b", "../x", "a\nb", "http://x/y", "a:b:c:d", "a/b/c/d/e", "a..b", strings.Repeat("a", 300)} {
		if err := pullModel(t.Context(), &out, config, bad, false); err == nil || llm.CheckPullName(bad) == nil {
			t.Errorf("%q was taken for a name", bad)
		}
	}
	for _, good := range []string{"qwen3.5", "qwen3.5:4b-q4_K_M", "hf.co/bartowski/Some_Model-GGUF:Q4_K_M", "localhost:5000/x/y:z", "user/model"} {
		if err := llm.CheckPullName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	fail = nil
	ctx, cancel := context.WithCancel(t.Context())
	stop = cancel
	if err := pullModel(ctx, &out, config, "qwen3.5:4b", false); !strings.Contains(err.Error(), "resumes here") {
		t.Errorf("%v", err)
	}
}
