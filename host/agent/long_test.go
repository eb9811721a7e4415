package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/pagecontext"
)

const window8k = 8192

// A task of sixty steps on a model with a window of 8k, over the wire: no
// request is over the window, and task, plan and the user's words are still
// in the last one.
func TestSixtyStepsInAnEightKWindow(t *testing.T) {
	const task, answer = "compare the price of every blue mug", "only with a lid"
	plan := []string{"look at each mug", "say which is cheapest"}
	step, sums := 0, 0
	brain := standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		if len(c.Tools) == 0 {
			sums++
			return standin.Turn{Text: fmt.Sprintf("Summary %d: looked at mugs; the cheapest so far costs 9.50.", sums)}
		}
		step++
		switch {
		case step == 1:
			return standin.Turn{Plan: plan, Calls: []standin.Call{{Name: "askUser", Args: map[string]any{"question": "Which mugs count?"}}}}
		case step < 60:
			return standin.Turn{Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": step}}}}
		}
		return standin.Turn{Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": "Mug 7, 9.50."}}}}
	})
	s := standin.New(standin.Options{Format: standin.OllamaTools, Context: window8k, Thinks: true, Brain: brain})
	defer s.Close()
	m, err := llm.New(t.Context(), llm.Config{Provider: s.Provider(), Model: s.Model(), BaseURL: s.URL(), Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	h := &fakeHands{
		do: func(_ context.Context, c action.Call) action.Result {
			if c.Name == "askUser" {
				return action.Result{Ask: "Which mugs count?", PageRev: 1}
			}
			return action.Result{Text: fmt.Sprintf("Clicked %s. ", c.Params) + strings.Repeat("The page tells a lot about this mug. ", 40), Line: fmt.Sprintf("Clicked mug %s", c.Params), Effect: "x", PageRev: 1}
		},
		observe: func() (action.Observation, error) {
			seen++
			return action.Observation{Text: strings.Repeat(fmt.Sprintf("link \"Blue mug %d\" → /mug [%d]\n", seen, seen), 150), Title: fmt.Sprintf("Mug %d", seen), URL: "https://shop.test/", PageRev: 1}, nil
		},
	}
	rec := newRecord()
	desk := NewUserChannel(rec)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Text: task, Model: m, Executor: h, Record: rec, User: desk, Budget: Budget{Steps: 80}})
	}()
	rec.await(t, wire.EvAsk)
	desk.Say(answer)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if end := rec.last(); end.Type != wire.EvComplete || end.Text != "Mug 7, 9.50." {
		t.Fatalf("%+v %+v", end, end.Error)
	}
	sizes := make([]string, 0, 64)
	for i, r := range s.Requests() {
		n, numCtx := wireTokens(t, r.Body)
		sizes = append(sizes, fmt.Sprint(n))
		// A summary is not thought about, a step is.
		if thinks := !strings.Contains(string(r.Body), `"think":false`); thinks != (len(r.Conversation.Tools) > 0) {
			t.Errorf("request %d: think %v", i, thinks)
		}
		if numCtx != window8k || n > window8k {
			t.Errorf("request %d takes %d tokens with its reply, num_ctx %d", i, n, numCtx)
		}
	}
	t.Logf("tokens of each request, its reply reserved: %s", strings.Join(sizes, " "))
	last := s.Requests()[len(s.Requests())-1].Conversation
	first := last.Messages[0].Text
	for _, want := range []string{task, "1. look at each mug\n2. say which is cheapest", answer, "Summary"} {
		if !strings.Contains(first, want) {
			t.Errorf("the last request does not hold %q:\n%s", want, first)
		}
	}
	if step != 60 || sums == 0 {
		t.Errorf("%d steps, %d summaries", step, sums)
	}
}

// wireTokens estimates a whole request of Ollama as it was sent, with the room
// reserved for its reply.
func wireTokens(t *testing.T, body json.RawMessage) (n, numCtx int) {
	t.Helper()
	var b struct {
		Messages []struct {
			Content string          `json:"content"`
			Calls   json.RawMessage `json:"tool_calls"`
		}
		Tools   []json.RawMessage
		Options struct {
			NumCtx     int `json:"num_ctx"`
			NumPredict int `json:"num_predict"`
		}
	}
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatal(err)
	}
	for _, m := range b.Messages {
		n += 4 + llm.EstimateTokens(m.Content) + llm.EstimateTokens(string(m.Calls))
	}
	for _, tool := range b.Tools {
		n += llm.EstimateTokens(string(tool))
	}
	return n + b.Options.NumPredict, b.Options.NumCtx
}

func TestASmallWindowIsToldAndATinyOneRefused(t *testing.T) {
	m := &fakeModel{caps: llm.Capabilities{Context: 5500}, script: script{done("ok")}}
	rec := try(t, m, &fakeHands{}, nil)
	if rec.last().Type != wire.EvComplete || rec.events[0].Type != wire.EvNotify || !strings.Contains(rec.events[0].Text, "5500") {
		t.Errorf("%+v", rec.events)
	}
	rec = try(t, &fakeModel{caps: llm.Capabilities{Context: 1024}}, &fakeHands{}, nil)
	if e := rec.last().Error; e == nil || string(e.Code) != llm.CodeContextOverflow || !strings.Contains(e.Hint, "num_ctx") {
		t.Errorf("%+v", rec.last())
	}
}

// A server that finds the prompt too long gets a shorter one.
func TestARefusedPromptIsCompacted(t *testing.T) {
	var s script
	for i := range 12 {
		s = append(s, calls(act("click", fmt.Sprintf(`{"index":%d}`, i))))
	}
	s = append(s, fails(llm.CodeContextOverflow), fails(llm.CodeContextOverflow), done("ok"))
	h := &fakeHands{do: func(context.Context, action.Call) action.Result {
		return action.Result{Text: strings.Repeat("a long result ", 300), Line: "Clicked", Effect: "x", PageRev: 1}
	}}
	m := &fakeModel{caps: llm.Capabilities{Context: 16384}, script: s}
	if rec := try(t, m, h, nil); rec.last().Type != wire.EvComplete {
		t.Fatalf("%+v", rec.last())
	}
	a, b, c := estimate(m.reqs[12].Messages), estimate(m.reqs[13].Messages), estimate(m.reqs[14].Messages)
	if b >= a || c >= b {
		t.Errorf("sent again with %d, %d, %d tokens", a, b, c)
	}
	if !strings.Contains(m.reqs[14].Messages[0].PlainText(), "buy a mug") {
		t.Error("the task was dropped")
	}
}

func TestTheEstimateFollowsTheServersCount(t *testing.T) {
	r := &run{}
	req := llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, strings.Repeat("word ", 1000))}}
	count := func(n int) { r.correct(req, &llm.Reply{Usage: llm.Usage{Input: n}}) }
	guess := estimate(req.Messages)
	count(guess * 3 / 2)
	if r.scale < 1.4 {
		t.Errorf("scale %.2f after a count half as much again", r.scale)
	}
	for range 100 {
		count(guess / 10) // only what was not cached
	}
	if r.scale != 1 {
		t.Errorf("scale %.2f after many counts of what was not cached", r.scale)
	}
}

func TestABudgetEndsSoftly(t *testing.T) {
	var many script
	for i := range 3 {
		many = append(many, calls(act("click", fmt.Sprintf(`{"index":%d}`, i))))
	}
	many = append(many, words("Two mugs were compared; the third is missing."))
	for name, b := range map[string]Budget{"steps": {Steps: 3}, "money": {Money: 0.0003}, "tokens": {Tokens: 330}} {
		m := &fakeModel{script: many, caps: llm.Capabilities{Price: &llm.Price{Input: 1, Output: 1}}}
		rec := try(t, m, &fakeHands{}, func(o *Options) { o.Budget = b })
		end := rec.last()
		if end.Type != wire.EvFailed || end.Error.Code != CodeBudget || !strings.Contains(end.Text, "the third is missing") {
			t.Errorf("%s: %+v", name, end)
		}
		if last := m.reqs[len(m.reqs)-1]; len(last.Tools) != 0 || !last.Brief || !strings.Contains(last.Messages[0].PlainText(), "Did click") {
			t.Errorf("%s: the last request offers functions, has it think, or lacks the steps: %+v", name, last)
		}
		if end.Usage.Cost == nil || *end.Usage.Cost <= 0 {
			t.Errorf("%s: no cost in %+v", name, end.Usage)
		}
	}
	// Where the model fails, the steps are listed.
	rec := try(t, &fakeModel{script: many[:3]}, &fakeHands{}, func(o *Options) { o.Budget = Budget{Steps: 3} })
	if end := rec.last(); !strings.Contains(end.Text, "Did click") {
		t.Errorf("%+v", end)
	}
}

// What a provider says that its requests cost goes before the price of tokens.
func TestTheCostIsTheProvidersWhereItSaysIt(t *testing.T) {
	paid := 0.25
	costs := func(u llm.Usage, cs ...llm.Call) func(llm.Request) (*llm.Reply, error) {
		return func(llm.Request) (*llm.Reply, error) { return &llm.Reply{Calls: cs, Usage: u}, nil }
	}
	for name, c := range map[string]struct {
		price *llm.Price
		want  float64
	}{"no prices": {nil, 0.25}, "prices for the rest": {&llm.Price{Input: 1e6, Output: 0}, 3.25}} {
		m := &fakeModel{caps: llm.Capabilities{Price: c.price}, script: script{
			costs(llm.Usage{Input: 100, Cost: &paid}, act("click", `{"index":1}`)),
			costs(llm.Usage{Input: 3}, act("done", `{"success":true,"answer":"ok"}`)),
		}}
		if end := try(t, m, &fakeHands{}, nil).last(); end.Usage.Cost == nil || *end.Usage.Cost != c.want {
			t.Errorf("%s: %+v", name, end.Usage)
		}
	}
}

func TestStepsCarryTheirTokens(t *testing.T) {
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`)), done("ok")}, caps: llm.Capabilities{Local: true}}
	rec := try(t, m, &fakeHands{}, nil)
	for _, e := range rec.events {
		if e.Type == wire.EvToolResult && (e.Usage.StepInputTokens != 100 || e.Usage.StepOutputTokens != 10 || !e.Usage.Local || e.Usage.Cost != nil) {
			t.Errorf("%+v", e.Usage)
		}
	}
}

// The model that sees gets a picture of the first page, of a page whose list
// says little, and when it asks; never of others, and old ones are dropped.
func TestWhenAPictureIsSent(t *testing.T) {
	look := 0
	h := &pictureHands{fakeHands: fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		res := action.Result{Text: "OK", Effect: "x", PageRev: 1}
		if c.Name == "screenshot" {
			res.Image, res.MIME = []byte("asked"), "image/png"
		}
		return res
	}}, look: &look, poor: map[int]bool{3: true}}
	m := &fakeModel{caps: llm.Capabilities{Vision: true}, script: script{
		calls(act("click", `{"index":1}`)), calls(act("click", `{"index":2}`)), calls(act("click", `{"index":3}`)),
		calls(act("screenshot", `{}`)), calls(act("click", `{"index":4}`)), done("ok"),
	}}
	rec := newRecord()
	if err := Run(t.Context(), Options{Text: "x", Model: m, Executor: h, Record: rec, User: NewUserChannel(rec)}); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, r := range m.reqs {
		n := 0
		for _, msg := range r.Messages {
			for _, p := range msg.Parts {
				if len(p.Image) > 0 {
					n++
				}
			}
		}
		got = append(got, n)
	}
	if fmt.Sprint(got) != "[1 0 1 0 1 0]" {
		t.Errorf("pictures by request: %v", got)
	}
	blind := &fakeModel{script: script{done("ok")}}
	look = 0
	if err := Run(t.Context(), Options{Text: "x", Model: blind, Executor: h, Record: newRecord(), User: NewUserChannel(newRecord())}); err != nil {
		t.Fatal(err)
	}
	if h.taken != 2 {
		t.Errorf("%d pictures taken, want those of the first task alone", h.taken)
	}
}

// pictureHands takes pictures when asked; the pages of poor have no elements.
type pictureHands struct {
	fakeHands
	look  *int
	poor  map[int]bool
	taken int
}

func (h *pictureHands) Observe(_ context.Context, o action.ObserveOptions) (action.Observation, error) {
	*h.look++
	obs := action.Observation{Text: fmt.Sprintf("page %d", *h.look), PageRev: 1, Summary: &pagecontext.Summary{Elements: pagecontext.Counts{Links: 9}}}
	if o.Image {
		h.taken++
		obs.Image, obs.MIME = []byte("seen"), "image/png"
	}
	if h.poor[*h.look] {
		obs.Summary.Elements.Links = 0
	}
	return obs, nil
}
