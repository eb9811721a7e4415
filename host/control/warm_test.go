package control

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/llm"
)

// The model is loaded while the user writes, once, with the window that the task then
// uses, and has read what the task's first request begins with.
func TestWarmBeforeATask(t *testing.T) {
	s := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
		return standin.Turn{Text: "…"}
	})})
	defer s.Close()
	m := &Models{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
	}}
	for range 3 {
		m.Warm("en")
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
	_ = agent.Run(ctx, agent.Options{Text: "buy a mug", Lang: "en", Model: open.Model, Hands: &blank{}, Record: rec, Desk: agent.NewDesk(rec)})
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
	m := &Models{Config: config}
	m.Warm("en")
	await(t, func() (int, bool) { n := len(s.Ahead()); return n, n == 1 })
	m.endWarm()
	m.warmth.wg.Wait() // or the test hangs
	hold = true
	other := &Models{Config: func(string) (llm.Config, error) {
		cfg, err := config("")
		cfg.NumCtx = 4096 // another window: another loading
		return cfg, err
	}}
	other.Warm("en")
	<-loading
	other.Close()
	other.Warm("en")
	if other.warmth.load != nil {
		t.Error("it goes on after the end")
	}
	hosted := &Models{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "openai", Model: "gpt-x", BaseURL: s.URL(), APIKey: "k", Env: func(string) string { return "" }}, nil
	}}
	n := len(s.Ahead())
	hosted.Warm("en")
	hosted.warmth.wg.Wait()
	if len(s.Ahead())+len(s.Requests()) != n {
		t.Error("a hosted model was asked")
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
func (nothing) Emit(native.Event) error      { return nil }
func (nothing) Delta(string, string)         {}
func (nothing) ActStarted(journal.Act) error { return nil }
func (nothing) ActFinished() error           { return nil }
