package agent

import (
	"context"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// TestTheTabIsHandedOverAndBack: while the user has the tab nothing is done,
// and what the model had planned before is not done afterwards.
func TestTheTabIsHandedOverAndBack(t *testing.T) {
	rec := newRecord()
	desk := NewUserChannel(rec)
	m := &fakeModel{script: script{calls(act("requestLogin", `{}`), act("click", `{"index":1}`)), done("ok")}}
	clicked := false
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if c.Name == "requestLogin" {
			return action.Result{Handover: "Please sign in on shop.test", Text: "OK", PageRev: 1}
		}
		clicked = true
		return action.Result{Text: "OK", PageRev: 1}
	}}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Text: "x", Model: m, Executor: h, Record: rec, User: desk})
	}()
	if q := rec.await(t, wire.EvAsk); q.Text != "Please sign in on shop.test" {
		t.Errorf("question %q", q.Text)
	}
	desk.Say("I am in")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, msg := range m.reqs[1].Messages {
		told += msg.PlainText() + "\n"
	}
	if clicked || !strings.Contains(told, "I am in") {
		t.Errorf("clicked %t; the model was told\n%s", clicked, told)
	}
}
