package llm_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// A server that loads its model is silent for longer than is borne otherwise: that
// is said, and is no time-out as long as it answers whether it is there. What is
// thought comes as it is thought.
func TestLoadingIsSaidAndNoTimeout(t *testing.T) {
	polls := make(chan struct{}, 100)
	const limit = time.Second
	s := start(t, standin.Options{
		Format: standin.OllamaTools, Thinks: true,
		Polled: func() { polls <- struct{}{} },
		Load: func(ctx context.Context) {
			for range 6 { // of four within the limit
				select {
				case <-polls:
				case <-ctx.Done():
				}
			}
		},
		Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
			return standin.Turn{Reasoning: "I had better click.", Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
		}),
	})
	cfg := config(s)
	cfg.Timeout, cfg.Retries = limit, -1
	m := model(t, cfg)
	var kinds []string
	var thought strings.Builder
	sink := func(d llm.Delta) {
		if d.Kind == llm.DeltaReasoning {
			thought.WriteString(d.Text)
		}
		if d.Kind == llm.DeltaLoading {
			d.Kind += " " + d.Text
		}
		kinds = append(kinds, d.Kind)
	}
	began := time.Now()
	reply, err := m.Chat(t.Context(), ask("go"), sink)
	if err != nil || len(reply.Calls) != 1 || thought.String() != "I had better click." {
		t.Fatalf("%s, %v, thought %q", show(reply), err, thought.String())
	}
	if took := time.Since(began); took < limit {
		t.Fatalf("it was not silent for long: %s", took)
	}
	want := []string{"loading standin:latest (5.2 GB)", "loaded", "reasoning", "call"}
	if kinds = slices.Compact(kinds); !slices.Equal(kinds, want) {
		t.Errorf("said %v, want %v", kinds, want)
	}
	kinds = nil
	if _, err := m.Chat(t.Context(), ask("go"), sink); err != nil || slices.Contains(kinds, "loaded") {
		t.Errorf("it is in memory: %v, %v", kinds, err)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests for a reply", n)
	}
}

// Whoever waits for a model that loads can go at once.
func TestLoadingIsCancelledAtOnce(t *testing.T) {
	loading, gone := make(chan struct{}), make(chan struct{})
	s := start(t, standin.Options{Format: standin.OllamaTools, Load: func(ctx context.Context) {
		close(loading)
		<-ctx.Done()
		close(gone)
	}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-loading
		cancel()
	}()
	if _, err := model(t, config(s)).Chat(ctx, ask("go"), nil); llm.CodeOf(err) != llm.CodeCancelled {
		t.Errorf("%v", err)
	}
	<-gone
}

// What says that a model could not be loaded is an error, and no loading.
func TestAFailedLoadIsNoLoading(t *testing.T) {
	cfg, bodies := openAIServer(t, func(int, string) (int, string) { return 500, "error loading model: unknown model architecture" })
	_, err := model(t, cfg).Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
	if err == nil || len(*bodies) > 3 || !strings.Contains(err.Error(), "unknown model architecture") {
		t.Errorf("%v after %d requests", err, len(*bodies))
	}
}

// A server that turns requests away while it loads its model is asked until it has.
func TestAServerThatLoadsIsAskedAgain(t *testing.T) {
	cfg, bodies := openAIServer(t, func(n int, _ string) (int, string) {
		if n <= 6 {
			return 503, "Loading model"
		}
		return 200, say("ready")
	})
	var said []string
	reply, err := model(t, cfg).Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, func(d llm.Delta) {
		said = append(said, strings.TrimSpace(d.Kind+" "+d.Text))
	})
	if want := []string{"loading m", "loaded", "text ready"}; err != nil || reply.Text != "ready" || len(*bodies) != 7 || !slices.Equal(said, want) {
		t.Errorf("%s, %v after %d requests, said %v", show(reply), err, len(*bodies), said)
	}
}
