package agent

import (
	"context"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native"
	"tabwright/llm"
)

// A yes that comes in the moment of Stop must never win.
func TestAYesAfterStopIsNo(t *testing.T) {
	for range 200 { // select takes either of two ready cases
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(ErrStopped)
		answers := make(chan native.ConfirmAnswer, 1)
		answers <- native.ConfirmAnswer{Allow: true}
		if a := NewDesk(newRecord()).wait(ctx, native.ConfirmInfo{}, answers); a.Allow || a.By != "stop" {
			t.Fatalf("answer %+v", a)
		}
	}
}

// What was said while the model still thought is no answer to the question it
// then asks.
func TestWordsBeforeAQuestionAreNoAnswer(t *testing.T) {
	rec := newRecord()
	desk := NewDesk(rec)
	m := &fakeModel{}
	m.script = script{
		func(llm.Request) (*llm.Reply, error) {
			desk.Say("be quick")
			return &llm.Reply{Calls: []llm.Call{act("askUser", `{"question":"Which colour?"}`)}}, nil
		},
		done("Done."),
	}
	h := &fakeHands{do: func(context.Context, action.Call) action.Result {
		return action.Result{Action: "askUser", Ask: "Which colour?", Text: "OK"}
	}}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Text: "buy a mug", Model: m, Hands: h, Record: rec, Desk: desk})
	}()
	rec.await(t, native.EvAsk)
	desk.Say("blue")
	if said := rec.await(t, native.EvSaid); said.Text != "blue" {
		t.Errorf("the answer is %q", said.Text)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	steered := false
	for _, ty := range rec.types() {
		steered = steered || ty == native.EvSteered
	}
	if !steered {
		t.Error("the words before were lost")
	}
}

// reportingModel counts the replies that were of no use.
type reportingModel struct {
	*fakeModel
	bad int
}

func (m *reportingModel) ReportBad(*llm.Reply) { m.bad++ }

func TestWordsInsteadOfAnActionAreReported(t *testing.T) {
	m := &reportingModel{fakeModel: &fakeModel{script: script{words("Let me think."), done("Done.")}}}
	try(t, m.fakeModel, &fakeHands{}, func(o *Options) { o.Model = m })
	if m.bad != 1 {
		t.Errorf("reported %d times, want once", m.bad)
	}
}
