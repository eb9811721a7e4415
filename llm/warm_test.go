package llm_test

import (
	"encoding/json"
	"slices"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// A model that was loaded with a part beside the graphics card is loaded with a
// smaller window the next time, in which it fits, and the task keeps the one that it
// began with; where no window would do, it stays.
func TestASmallerWindowWhereItDoesNotFit(t *testing.T) {
	const perToken, weights, card = 100_000, 4_000_000_000, 5_200_000_000
	memory := func(window int) (size, vram int64) {
		size = weights + int64(window)*perToken
		return size, min(size, card)
	}
	s := start(t, standin.Options{
		Format: standin.OllamaTools, Thinks: true, Context: 16384, Memory: memory, PerToken: perToken,
		Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
			return standin.Turn{Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
		}),
	})
	cfg := config(s)
	cfg.Memory = 64 << 30
	first := model(t, cfg)
	for range 2 {
		if _, err := first.Chat(t.Context(), ask("go"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if loads := s.Loads(); !slices.Equal(loads, []int{16384}) {
		t.Errorf("one task loaded %v", loads)
	}
	second := model(t, cfg)
	caps, err := second.Capabilities(t.Context())
	if err != nil || caps.Context < 8192 || caps.Context >= 12000 || caps.Context%1024 != 0 {
		t.Errorf("the next window: %d, %v", caps.Context, err)
	}
	for range 2 {
		if _, err := second.Chat(t.Context(), ask("go"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if loads := s.Loads(); !slices.Equal(loads, []int{16384, caps.Context}) {
		t.Errorf("loaded %v", loads)
	}
	// The user's window is theirs.
	cfg.NumCtx = 16384
	if caps, err := model(t, cfg).Capabilities(t.Context()); err != nil || caps.Context != 16384 {
		t.Errorf("%d, %v", caps.Context, err)
	}
}

// Warming up loads the model with the very window of a task, and reads the prompt
// without writing an answer; the task then loads nothing.
func TestLoadAheadOfATask(t *testing.T) {
	s := start(t, standin.Options{Format: standin.OllamaTools, Thinks: true, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
		return standin.Turn{Reasoning: "hm", Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
	})})
	m := model(t, config(s))
	if err := m.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Requests()); n != 0 || len(s.Loads()) != 1 {
		t.Errorf("%d requests, loads %v", n, s.Loads())
	}
	req := ask("go")
	req.Warm = true
	_, _ = m.Chat(t.Context(), req, nil) // it is cut off at once
	var body struct {
		Options struct {
			Predict int `json:"num_predict"`
		}
	}
	if err := json.Unmarshal(s.Ahead()[0].Body, &body); err != nil || body.Options.Predict != 1 {
		t.Errorf("num_predict %d, %v", body.Options.Predict, err)
	}
	var said []string
	_, err := model(t, config(s)).Chat(t.Context(), ask("go"), func(d llm.Delta) { said = append(said, d.Kind) })
	if err != nil || slices.Contains(said, llm.DeltaLoading) || len(s.Loads()) != 1 {
		t.Errorf("%v, said %v, loads %v", err, said, s.Loads())
	}
	if learnt := m.Learnt(); len(learnt) != 0 {
		t.Errorf("learnt %v of a reply that was not wanted", learnt)
	}
}
