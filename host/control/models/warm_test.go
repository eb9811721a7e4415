package models

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/e2e/testwait"
	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// The model is loaded while the user writes, once, with the window that the task then
// uses, and has read what the task's first request begins with.
func TestWarmBeforeATask(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
		return standin.Turn{Text: "…"}
	})})
	defer s.Close()
	m := &Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}}
	budget := agent.Budget{Steps: 7} // the user's, which the rules name
	for range 3 {
		m.Warm("en", budget)
		m.warmth.wg.Wait()
	}
	reqs := s.Ahead()
	if len(reqs) != 1 || len(s.Loads()) != 1 {
		t.Fatalf("%d requests, loads %v", len(reqs), s.Loads())
	}
	var warm, real struct {
		Messages []struct{ Role, Content string }
		Tools    json.RawMessage
		Options  map[string]any
	}
	if err := json.Unmarshal(reqs[0].Body, &warm); err != nil || warm.Options["num_predict"] != 1.0 {
		t.Fatalf("%v, %v", warm.Options, err)
	}
	// The task's own first request, of the same model.
	open, err := m.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	rec := &nothing{}
	_ = agent.Run(ctx, agent.Options{Text: "buy a mug", Lang: "en", Model: open.Model, Executor: &blank{}, Record: rec, User: agent.NewUserChannel(rec), Budget: budget})
	reqs = s.Requests()
	if len(reqs) < 1 {
		t.Fatal("the task asked nothing")
	}
	if err := json.Unmarshal(reqs[0].Body, &real); err != nil {
		t.Fatal(err)
	}
	if warm.Messages[0] != real.Messages[0] || string(warm.Tools) != string(real.Tools) || warm.Options["num_ctx"] != real.Options["num_ctx"] || len(s.Loads()) != 1 {
		t.Errorf("another prompt, or window: %v and %v, loads %v", warm.Options, real.Options, s.Loads())
	}
	m.Close()
}

// A task ends the reading ahead at once, and the end of the program the loading too; of
// what is not on this machine nothing is asked.
func TestWarmMakesWay(t *testing.T) {
	loading := make(chan struct{}, 1)
	var hold bool
	s := standin.New(standin.Options{
		Format: standin.OllamaTools,
		Load: func(ctx context.Context) {
			if hold {
				loading <- struct{}{}
				<-ctx.Done()
			}
		},
		Delay: time.Hour,
	})
	defer s.Close()
	config := func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}
	m := &Catalog{Config: config}
	m.Warm("en", agent.Budget{})
	testwait.Value(t, func() (int, bool) { n := len(s.Ahead()); return n, n == 1 })
	open, err := m.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m.EndWarm(open.Model)
	m.warmth.wg.Wait() // or the test hangs
	hold = true
	other := &Catalog{Config: func(string) (llm.Config, error) {
		cfg, err := config("")
		cfg.NumCtx = 4096 // another window: another loading
		return cfg, err
	}}
	other.Warm("en", agent.Budget{})
	<-loading
	other.Close()
	other.Warm("en", agent.Budget{})
	if other.warmth.now != nil {
		t.Error("it goes on after the end")
	}
	hosted := &Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "openai", Model: "gpt-x", BaseURL: s.URL(), APIKey: "k", Env: func(string) string { return "" }}, nil
	}}
	n := len(s.Ahead())
	hosted.Warm("en", agent.Budget{})
	hosted.warmth.wg.Wait()
	if len(s.Ahead())+len(s.Requests()) != n {
		t.Error("a hosted model was asked")
	}
}

// A task that overtakes the loading of its model waits for it, and takes the window
// that was found to fit: on a small card the model would be loaded twice otherwise.
func TestATaskWaitsForTheLoadingOfItsModel(t *testing.T) {
	const perToken, weights, card = 100_000, 4_000_000_000, 5_200_000_000
	loading, goOn := make(chan struct{}, 9), make(chan struct{})
	s := standin.New(standin.Options{
		Format: standin.OllamaTools, Context: 16384, PerToken: perToken,
		Memory: func(window int) (size, vram int64) {
			size = weights + int64(window)*perToken
			return size, min(size, card)
		},
		Load: func(ctx context.Context) {
			loading <- struct{}{}
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		},
		Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn { return standin.Turn{Text: "…"} }),
	})
	defer s.Close()
	m := &Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Memory: 64 << 30, Env: func(string) string { return "" }}, nil
	}}
	defer m.Close()
	m.Warm("en", agent.Budget{})
	<-loading
	open, err := m.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m.EndWarm(open.Model)
	rec := &progress{said: make(chan string, 99)}
	ended := make(chan error, 1)
	go func() {
		ended <- agent.Run(t.Context(), agent.Options{Text: "buy a mug", Lang: "en", Model: open.Model, Executor: &blank{}, Record: rec, User: agent.NewUserChannel(rec)})
	}()
	if said := <-rec.said; said != "Loading standin:latest (5.2 GB) …" {
		t.Errorf("said %q", said)
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	loads := s.Loads()
	if len(loads) != 2 || loads[0] != 16384 || loads[1] >= 12000 {
		t.Fatalf("loads %v", loads)
	}
	var req struct{ Options map[string]any }
	if err := json.Unmarshal(s.Requests()[0].Body, &req); err != nil || req.Options["num_ctx"] != float64(loads[1]) {
		t.Errorf("the task's window: %v, %v", req.Options, err)
	}
}

// progress is a record that tells what the user is told meanwhile.
type progress struct {
	nothing
	said chan string
}

func (p *progress) Emit(ev wire.Event) error {
	if ev.Type == wire.EvProgress {
		p.said <- ev.Text
	}
	return nil
}

// Whoever chooses another model while one is loaded ahead waits for that no more, and a
// task of another model does not, either.
func TestAnotherModelEndsTheWarmUp(t *testing.T) {
	loading, gone := make(chan struct{}, 9), make(chan struct{}, 9)
	s := standin.New(standin.Options{
		Format: standin.OllamaTools, Others: []standin.OllamaModel{{Name: "other:latest", Family: "standin", Capabilities: []string{"completion", "tools"}}},
		Load: func(ctx context.Context) {
			loading <- struct{}{}
			<-ctx.Done()
			gone <- struct{}{}
		},
	})
	defer s.Close()
	m := &Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", Model: "standin:latest", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}}
	defer m.Close()
	use := func(id string) {
		t.Helper()
		if err := m.Use(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	m.Warm("en", agent.Budget{})
	receive(t, loading)
	use("ollama/standin:latest")
	if m.warmth.now == nil {
		t.Error("the choice of the very model ended its loading")
	}
	use("ollama/other:latest")
	receive(t, gone)
	use("ollama/standin:latest")
	m.Warm("en", agent.Budget{}) // at once
	receive(t, loading)
	other, err := m.Open(t.Context(), "ollama/other:latest")
	if err != nil {
		t.Fatal(err)
	}
	m.EndWarm(other.Model)
	receive(t, gone)
}

// receive waits for a sign, for a while.
func receive(t *testing.T, from <-chan struct{}) {
	t.Helper()
	select {
	case <-from:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
	}
}

// blank is a page with nothing on it, and nothing a record that keeps nothing.
type (
	blank   struct{}
	nothing struct{}
)

func (blank) Do(context.Context, action.Call) action.Result { return action.Result{} }
func (blank) Observe(context.Context, action.ObserveOptions) (action.Observation, error) {
	return action.Observation{Text: "nothing", URL: "https://shop.test/", PageRev: 1}, nil
}
func (nothing) Emit(wire.Event) error      { return nil }
func (nothing) Delta(string, string)       {}
func (nothing) StartAct(journal.Act) error { return nil }
func (nothing) FinishAct() error           { return nil }
