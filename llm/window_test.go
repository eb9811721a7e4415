package llm

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWindowFor(t *testing.T) {
	const gib = 1 << 30
	// Llama 3.1 8B: 32 layers, 8 key heads of 128, 128 KiB a token, about 4.8 GB of weights at Q4.
	eight := footprint{weights: 4800 << 20, perToken: 128 << 10}
	for name, c := range map[string]struct {
		limit, cap int
		needs      footprint
		memory     int64
		want       int
	}{
		"nothing known":                {want: 8192},
		"limit alone":                  {limit: 131072, want: 16384},
		"a small model":                {limit: 2048, want: 2048},
		"8 GiB hold the model barely":  {limit: 131072, needs: eight, memory: 8 * gib, want: 10240},
		"4 GiB do not":                 {limit: 131072, needs: eight, memory: 4 * gib, want: 4096},
		"64 GiB are capped":            {limit: 131072, needs: eight, memory: 64 * gib, want: 32768},
		"the model's limit is below":   {limit: 8192, needs: eight, memory: 64 * gib, want: 8192},
		"the user wants less":          {limit: 131072, cap: 6000, needs: eight, memory: 64 * gib, want: 6000},
		"the user wants more":          {limit: 131072, cap: 65536, needs: eight, memory: 8 * gib, want: 65536},
		"the user wants too much":      {limit: 32768, cap: 65536, want: 32768},
		"the user wants, nobody knows": {cap: 12000, want: 12000},
	} {
		if got := windowFor(c.limit, c.cap, c.needs, c.memory); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestFootprint(t *testing.T) {
	info := map[string]json.RawMessage{}
	for k, v := range map[string]string{
		"general.architecture": `"llama"`, "general.parameter_count": "8030261312", "llama.block_count": "32", "llama.embedding_length": "4096",
		"llama.attention.head_count": "32", "llama.attention.head_count_kv": "8",
	} {
		info[k] = json.RawMessage(v)
	}
	if f := footprintOf(info, "Q4_K_M"); f.perToken != 128<<10 || f.weights < 4<<30 || f.weights > 5<<30 {
		t.Errorf("%+v", f)
	}
	if f := footprintOf(nil, ""); f != (footprint{}) {
		t.Errorf("of nothing: %+v", f)
	}
}

func TestSizeOf(t *testing.T) {
	for _, c := range []struct{ provider, model, said, want string }{
		{"ollama", "qwen3:8b", "8.2B", SizeSmall},
		{"ollama", "mystery", "70.6B", SizeMedium},
		{"ollama", "mystery", "", SizeSmall},
		{"ollama", "smollm:135m", "", SizeTiny},
		{"ollama", "qwen3:1.7b", "2.0B", SizeTiny},
		{"ollama", "gemma2:2b", "2.6B", SizeSmall},
		{"custom", "Meta-Llama-3.3-70B-Instruct", "", SizeMedium},
		{"openrouter", "meta-llama/llama-3.1-405b-instruct", "", SizeLarge},
		{"openrouter", "anthropic/claude", "", SizeMedium},
		{"openai", "gpt-4.1-mini", "", SizeLarge},
		{"deepseek", "deepseek-chat", "", SizeMedium},
		{"qwen", "qwen2.5-7b-instruct", "", SizeSmall},
	} {
		p, _ := providerNamed(c.provider)
		if got := sizeOf(p, c.model, c.said); got != c.want {
			t.Errorf("%s %s %q: %s, want %s", c.provider, c.model, c.said, got, c.want)
		}
	}
}

func TestPrice(t *testing.T) {
	m := openModel{}
	if m.price() != nil {
		t.Error("a price out of nothing")
	}
	m.Pricing.Prompt, m.Pricing.Completion = "0.000003", "0.000015"
	p := m.price()
	if p == nil || math.Abs(p.Cost(Usage{Input: 1000, Output: 2000})-0.033) > 1e-9 {
		t.Errorf("%+v", p)
	}
	m.Pricing.Prompt = "-1"
	if m.price() != nil {
		t.Error("a price that varies is none")
	}
}
