package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/safety"
)

// arbiter is a model that gives one verdict.
type arbiter struct {
	reply *llm.Reply
	err   error
	asked llm.Request
}

func (j *arbiter) Chat(_ context.Context, r llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	j.asked = r
	return j.reply, j.err
}

func (j *arbiter) Capabilities(context.Context) (llm.Capabilities, error) {
	return llm.Capabilities{}, nil
}

func ruling(args string) *llm.Reply {
	return &llm.Reply{Calls: []llm.Call{{Name: "verdict", Args: json.RawMessage(args)}}}
}

func TestCriticAsksTheModel(t *testing.T) {
	for name, c := range map[string]struct {
		m      arbiter
		doubts bool
		fails  bool
	}{
		"it fits":         {arbiter{reply: ruling(`{"fits":true}`)}, false, false},
		"it does not":     {arbiter{reply: ruling(`{"fits":false}`)}, true, false},
		"nothing is said": {arbiter{reply: ruling(`{}`)}, false, true},
		"only words":      {arbiter{reply: &llm.Reply{Text: "It does not fit."}}, false, true},
		"no server":       {arbiter{err: errors.New("connection refused")}, false, true},
	} {
		critic := &Critic{Model: &c.m, Task: "find a mug", Lang: "en"}
		doubts, err := critic.Doubts(t.Context(), safety.CriticFacts{Action: "click", Site: "shop.test", Destination: "https://elsewhere.test"})
		if doubts != c.doubts || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v", name, doubts, err)
		}
		said := c.m.asked.System + c.m.asked.Messages[0].PlainText()
		if !strings.Contains(said, "find a mug") || !strings.Contains(said, `"destination":"https://elsewhere.test"`) || len(c.m.asked.Tools) != 1 || !c.m.asked.Brief {
			t.Errorf("%s: it is asked %q", name, said)
		}
	}
}

// Only a yes that says so, on a card that offered it, is remembered.
func TestRememberOnTheDesk(t *testing.T) {
	page := safety.Page{URL: "https://mail.test/"}
	card := func(name string) action.Card {
		act := safety.Act{Action: "click", Base: safety.Write, Page: page, Target: &safety.Target{Tag: "button", Role: "button", Name: name, Text: name, HasHandler: true}}
		return action.Card{Action: "click", Site: "mail.test", Decision: safety.Judge(act, safety.Context{})}
	}
	for name, c := range map[string]struct {
		button          string
		allow, remember bool
		offered, kept   bool
	}{
		"always":           {"Send message", true, true, true, true},
		"this once":        {"Send message", true, false, true, false},
		"no, and for good": {"Send message", false, true, true, false},
		"a payment":        {"Pay now", true, true, false, false},
		"a deletion":       {"Delete account", true, true, false, false},
	} {
		rec := newRecord()
		d := NewUserChannel(rec)
		kept := ""
		d.Remember = func(site string, class safety.Class) error { kept = site + " " + string(class); return nil }
		done := make(chan action.Answer, 1)
		go func() {
			a, err := d.Confirm(t.Context(), card(c.button))
			if err != nil {
				t.Error(err)
			}
			done <- a
		}()
		info := *rec.await(t, wire.EvConfirmRequest).Confirm // the channel fills in the answer
		if err := d.Answer(wire.ConfirmAnswer{ID: info.ID, Allow: c.allow, Remember: c.remember}); err != nil {
			t.Fatal(err)
		}
		if a := <-done; a.Allow != c.allow {
			t.Errorf("%s: %+v", name, a)
		}
		if info.Remember != c.offered || (kept == "mail.test communicate") != c.kept || !c.kept && kept != "" {
			t.Errorf("%s: offered %v, kept %q", name, info.Remember, kept)
		}
	}
}

// What the critic's requests take is the task's: it stands in the step's usage
// and ends a task whose budget of tokens it uses up.
func TestCriticSpendsTheTasksTokens(t *testing.T) {
	spender := &arbiter{reply: ruling(`{"fits":true}`)}
	spender.reply.Usage = llm.Usage{Input: 4000, Output: 7}
	critic := &Critic{Model: spender, Task: "find a mug", Lang: "en"}
	hands := &fakeHands{do: func(ctx context.Context, c action.Call) action.Result {
		if _, err := critic.Doubts(ctx, safety.CriticFacts{Action: c.Name}); err != nil {
			t.Error(err)
		}
		return action.Result{Action: c.Name, Text: "Clicked.", Line: "Clicked."}
	}}
	m := &fakeModel{script: []func(llm.Request) (*llm.Reply, error){calls(act("click", `{"index":1}`)), done("yes")}}
	rec := newRecord()
	o := Options{Text: "find a mug", Lang: "en", Model: m, Executor: hands, User: NewUserChannel(rec), Record: rec, Critic: critic, Budget: Budget{Tokens: 4000}}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	step := rec.await(t, wire.EvToolResult)
	if u := step.Usage; u == nil || u.InputTokens != 4100 || u.OutputTokens != 17 || u.StepInputTokens != 4100 {
		t.Errorf("the step's usage is %+v", u)
	}
	if end := rec.await(t, wire.EvFailed); end.Error == nil || end.Error.Code != CodeBudget {
		t.Errorf("the task ended with %+v", end)
	}
}
