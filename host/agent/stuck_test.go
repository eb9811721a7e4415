package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// However a task comes to stand still, another way is named first; then its
// user is asked, and with their word it goes on to its end. The word stays with
// the model.
func TestAStuckTaskGoesOnWithItsPersonsWord(t *testing.T) {
	for name, c := range map[string]struct {
		call  func(i int) llm.Call
		does  action.Result
		told  int    // requests until a way is named
		words string // with which it is
		asked int    // turns until the user is
	}{
		"the same again": {
			func(int) llm.Call { return act("click", `{"index":1}`) },
			action.Result{Text: "OK", Line: "Clicked", Effect: "it changed", PageRev: 1},
			repeatNotice, "Try another way; not tried here yet", repeatStuck,
		},
		"a dead end": {
			func(i int) llm.Call { return act("click", fmt.Sprintf(`{"index":%d}`, i)) },
			action.Result{Err: &action.Error{Code: action.NotFound, Message: "no such element"}, Line: "Clicked", PageRev: 1},
			noEffectNotice, "Not tried here yet: scroll", noEffectStuck,
		},
		"no progress": {
			func(i int) llm.Call {
				return act("getElements", `{"query":"`+strings.Repeat("x", i+1)+`"}`)
			},
			action.Result{Text: "list", Line: "Looked", PageRev: 1},
			noProgressNotice, "nothing on the page changed", noProgressStuck,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s script
			for i := range c.asked {
				s = append(s, calls(c.call(i)))
			}
			s = append(s, calls(act("scroll", `{"direction":"down"}`)), done("It costs $12."))
			m := &fakeModel{script: s}
			h := &fakeHands{do: func(_ context.Context, call action.Call) action.Result {
				if call.Name == "scroll" {
					return action.Result{Text: "OK", Line: "Scrolled", Effect: "the list", PageRev: 1}
				}
				return c.does
			}}
			rec := newRecord()
			desk := NewUserChannel(rec)
			ended := make(chan error, 1)
			go func() { ended <- Run(t.Context(), Options{Text: "x", Model: m, Executor: h, Record: rec, User: desk}) }()
			if q := rec.await(t, wire.EvAsk); !strings.Contains(q.Text, "I'm stuck") {
				t.Errorf("asked %q", q.Text)
			}
			m.mu.Lock()
			n, told := len(m.reqs), m.reqs[c.told].Messages
			m.mu.Unlock()
			if text := told[len(told)-1].PlainText(); n != c.asked || !strings.Contains(text, c.words) {
				t.Errorf("asked after %d requests, want %d; told before\n%s", n, c.asked, text)
			}
			desk.Say("Look further down.")
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			if end := rec.last(); end.Type != wire.EvComplete || end.Text != "It costs $12." || !slices.Contains(rec.types(), wire.EvSaid) {
				t.Errorf("%+v", end)
			}
			for i, req := range m.reqs[c.asked:] {
				all := ""
				for _, msg := range req.Messages {
					all += msg.PlainText() + "\n"
				}
				if !strings.Contains(all, "Look further down.") {
					t.Errorf("request %d after it does not have the user's word", i+1)
				}
			}
		})
	}
}
