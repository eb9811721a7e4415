package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/prompts"
)

// decide answers in the form of a small decision.
func decide(t *testing.T, reply string) func(llm.Request) (*llm.Reply, error) {
	return func(r llm.Request) (*llm.Reply, error) {
		t.Helper()
		if r.Form == nil {
			t.Fatal("the model is asked for no small decision")
		}
		call, err := r.Form.Read(json.RawMessage(reply))
		if err != nil {
			t.Fatal(err)
		}
		return &llm.Reply{Calls: []llm.Call{call}, Way: llm.WaySchema, Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}
}

// A tiny model is asked for one decision at a time: one message with the page, the
// task and what was done, and a form that fits.
func TestSmallDecisions(t *testing.T) {
	m := &fakeModel{
		caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192},
		script: script{
			decide(t, `{"task_done":false,"action":"click","element":"Pay [4]"}`),
			decide(t, `{"task_done":false,"action":"click","element":"Add [3]"}`),
			decide(t, `{"task_done":true,"answer":"The mug is in the cart."}`),
		},
	}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if strings.Contains(string(c.Params), "4") {
			return action.Result{Action: c.Name, Line: "Could not click", Text: "ERROR disabled: Pay takes no clicks", Err: &action.Error{Code: action.Disabled, Message: "Pay takes no clicks"}}
		}
		return action.Result{Action: c.Name, Text: "OK: clicked button \"Add\".\n Effect: new text \"1 mug\"", Line: "Clicked", Effect: "new text", PageRev: 2}
	}}
	end := try(t, m, h, func(o *Options) { auto(o); o.Text = "put the mug into the cart" }).last()
	if end.Text != "The mug is in the cart." {
		t.Errorf("end: %+v", end)
	}
	for i, want := range []struct{ done, giveUp string }{
		{"Done so far: nothing.", "no"},
		{"1. ERROR disabled: Pay takes no clicks", "yes"},
		{"2. OK: clicked button \"Add\". Effect: new text \"1 mug\"", "no"},
	} {
		r := m.reqs[i]
		if len(r.Messages) != 1 || !strings.Contains(r.Form.System, "task_done") {
			t.Fatalf("request %d: %+v", i, r)
		}
		text := r.Messages[0].PlainText()
		if !strings.Contains(text, want.done) || strings.Count(text, "put the mug into the cart") != 2 {
			t.Errorf("request %d:\n%s", i, text)
		}
		if got := strings.Contains(string(r.Form.Schema), `"done"`); got != (want.giveUp == "yes") {
			t.Errorf("request %d: may give up: %v\n%s", i, got, r.Form.Schema)
		}
	}
}

// A claim to be done that was sent back can't be made again at once.
func TestSmallDecisionAfterAClaim(t *testing.T) {
	m := &fakeModel{
		caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192},
		script: script{
			decide(t, `{"task_done":true,"answer":"I have put it into the cart."}`),
			func(r llm.Request) (*llm.Reply, error) {
				if strings.Contains(string(r.Form.Schema), "true") {
					t.Errorf("it may claim so again: %s", r.Form.Schema)
				}
				return decide(t, `{"task_done":false,"action":"click","element":"Add [3]"}`)(r)
			},
			decide(t, `{"task_done":true,"answer":"It is in the cart."}`),
		},
	}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "OK", Line: "Clicked", Effect: "new text", PageRev: 2}
	}}
	end := try(t, m, h, func(o *Options) { auto(o); o.Text = "put the mug into the cart" }).last()
	if end.Text != "It is in the cart." {
		t.Errorf("end: %+v", end)
	}
}

// In a short window results shrink, then the oldest steps go; the task never does.
func TestSmallDecisionsFitTheWindow(t *testing.T) {
	h := history{task: "find the mug", lang: "en"}
	for range 60 {
		h.turns = append(h.turns, turn{did: []string{strings.Repeat("clicked a link. ", 30)}, lines: []string{"Clicked a link"}})
	}
	d := decisionData("find the mug")
	for _, room := range []int{9000, 4000, 1500} {
		ms := h.decision(d, nil, room)
		text := ms[0].PlainText()
		if got := estimate(ms); got > room || len(ms) != 1 || !strings.Contains(text, "60. clicked a link") || strings.Count(text, "find the mug") != 2 {
			t.Errorf("room %d: %d tokens in %d messages", room, got, len(ms))
		}
	}
}

// Models that call tools natively, and large ones, are asked as before.
func TestWhoDecides(t *testing.T) {
	for _, c := range []struct {
		size string
		way  llm.Way
		want bool
	}{
		{llm.SizeTiny, llm.WaySchema, true},
		{llm.SizeSmall, llm.WaySchema, true},
		{llm.SizeSmall, llm.WayNative, false},
		{llm.SizeTiny, llm.WayMarkdown, false},
		{llm.SizeLarge, llm.WaySchema, false},
	} {
		m := &fakeModel{caps: llm.Capabilities{Size: c.size, Way: c.way, Context: 8192}, script: script{calls(act("click", `{"index":1}`)), done("ok")}}
		try(t, m, &fakeHands{}, nil)
		if got := m.reqs[0].Form != nil; got != c.want {
			t.Errorf("%s, %s: %v", c.size, c.way, got)
		}
	}
}

func decisionData(task string) prompts.DecisionData {
	return prompts.DecisionData{Lang: "en", Nonce: "abcd2345", Ask: task, Page: "[1] button \"Add\""}
}

// What the user answers is theirs: whole, and outside of what came from the page. A task
// that goes on is not told that nothing was done.
func TestSmallDecisionsKeepTheUsersWords(t *testing.T) {
	address := strings.Repeat("Mill Lane ", 60)
	h := history{task: "order tea", lang: "en", turns: []turn{{did: []string{"Where to?"}, said: []string{"Where to? " + address}, lines: []string{""}}}}
	text := h.decision(decisionData("order tea"), nil, 9000)[0].PlainText()
	before, _, _ := strings.Cut(text, "<<<page")
	if !strings.Contains(before, strings.TrimSpace(address)) || len(h.said) > 0 {
		t.Errorf("the user's words are not whole:\n%s", text)
	}
	h = history{task: "order tea", lang: "en", dropped: []string{"Clicked Add"}}
	text = h.decision(decisionData("order tea"), nil, 9000)[0].PlainText()
	if strings.Contains(text, "nothing") || !strings.Contains(text, "Clicked Add") {
		t.Errorf("a task that goes on:\n%s", text)
	}
}
