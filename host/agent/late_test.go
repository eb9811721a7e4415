package agent

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// A yes that comes in the moment of Stop must never win.
func TestAYesAfterStopIsNo(t *testing.T) {
	for range 200 { // select takes either of two ready cases
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(ErrStopped)
		answers := make(chan wire.ConfirmAnswer, 1)
		answers <- wire.ConfirmAnswer{Allow: true}
		if a := NewUserChannel(newRecord()).wait(ctx, wire.ConfirmInfo{}, answers); a.Allow || a.By != "stop" {
			t.Fatalf("answer %+v", a)
		}
	}
}

// What was said while the model still thought is no answer to the question it
// then asks.
func TestWordsBeforeAQuestionAreNoAnswer(t *testing.T) {
	rec := newRecord()
	desk := NewUserChannel(rec)
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
		ended <- Run(t.Context(), Options{Text: "buy a mug", Model: m, Executor: h, Record: rec, User: desk})
	}()
	rec.await(t, wire.EvAsk)
	desk.Say("blue")
	if said := rec.await(t, wire.EvSaid); said.Text != "blue" {
		t.Errorf("the answer is %q", said.Text)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	steered := false
	for _, ty := range rec.types() {
		steered = steered || ty == wire.EvSteered
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

// talker streams before it replies.
type talker struct {
	*fakeModel
	says []llm.Delta
}

func (m talker) Chat(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Reply, error) {
	for _, d := range m.says {
		sink(d)
	}
	return m.fakeModel.Chat(ctx, r, func(llm.Delta) {})
}

// What a model does before its reply is there is told: that it is loaded, with its
// size, and that it thinks; what it thinks is passed on as it comes.
func TestLoadingAndThinkingAreTold(t *testing.T) {
	m := talker{&fakeModel{script: script{done("ok")}}, []llm.Delta{
		{Kind: llm.DeltaLoading, Text: "qwen3:8b (5.2 GB)"},
		{Kind: llm.DeltaLoaded},
		{Kind: llm.DeltaReasoning, Text: "hm"},
		{Kind: llm.DeltaReasoning, Text: ", so"},
		{Kind: llm.DeltaText, Text: "Now."},
		{Kind: llm.DeltaCall, Text: "{"},
	}}
	rec := &deltaRecord{fakeRecord: newRecord()}
	if err := Run(t.Context(), Options{Text: "go", Model: m, Executor: &fakeHands{}, Record: rec, User: NewUserChannel(rec)}); err != nil {
		t.Fatal(err)
	}
	var progress []string
	for _, e := range rec.events {
		if e.Type == wire.EvProgress {
			progress = append(progress, e.Text+" "+e.In["zh"])
		}
	}
	if want := []string{"Loading qwen3:8b (5.2 GB) … 正在加载 qwen3:8b (5.2 GB) …", "Thinking … 正在思考 …"}; !slices.Equal(progress, want) {
		t.Errorf("told %q, want %q", progress, want)
	}
	if want := []string{"reasoning hm", "reasoning , so", "text Now."}; !slices.Equal(rec.deltas, want) {
		t.Errorf("passed on %q, want %q", rec.deltas, want)
	}
}

type deltaRecord struct {
	*fakeRecord
	deltas []string
}

func (r *deltaRecord) Delta(kind, text string) { r.deltas = append(r.deltas, kind+" "+text) }

// A model on this machine that was silent for too long is not waited for again;
// one in the cloud is.
func TestALocalTimeoutIsNotTriedAgain(t *testing.T) {
	for _, local := range []bool{true, false} {
		m := &fakeModel{caps: llm.Capabilities{Local: local}, script: script{fails(llm.CodeTimeout), done("ok")}}
		end := try(t, m, &fakeHands{}, nil).last()
		if tries := len(m.reqs); local != (tries == 1) || local != (end.Type == wire.EvFailed) {
			t.Errorf("local %v: %d tries, %+v", local, tries, end)
		}
	}
}

// A reply that an error broke off is asked for again, after the wait that the server
// named, where the error is one that passes.
func TestAnErrorInTheMiddleOfAReply(t *testing.T) {
	for _, c := range []struct {
		e         llm.Error
		wantRetry bool
	}{
		{llm.Error{Code: llm.CodeOverloaded, Begun: true}, true},
		{llm.Error{Code: llm.CodeRateLimited, Begun: true, RetryAfter: 20 * time.Millisecond}, true},
		{llm.Error{Code: llm.CodeRateLimited, Begun: true, RetryAfter: time.Hour}, false},
		{llm.Error{Code: llm.CodeOverloaded}, false}, // it was sent again already
		{llm.Error{Code: llm.CodeNoCredit, Begun: true}, false},
	} {
		broken := func(llm.Request) (*llm.Reply, error) { return nil, &c.e }
		m := &fakeModel{script: script{broken, done("ok")}}
		end := try(t, m, &fakeHands{}, nil).last()
		if retry := len(m.reqs) > 1; retry != c.wantRetry || retry != (end.Type == wire.EvComplete) {
			t.Errorf("%+v: %d requests, %+v", c.e, len(m.reqs), end)
		}
	}
}

// A model whose reply was cut off is asked to think less, until it acts.
func TestACutOffReplyAsksForLessThought(t *testing.T) {
	cutOff := func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Stop: llm.StopLength}, &llm.Error{Code: llm.CodeBadReply, Message: "the reply was cut off"}
	}
	m := &fakeModel{script: script{cutOff, calls(act("click", `{"index":1}`)), done("ok")}}
	if end := try(t, m, &fakeHands{}, nil).last(); end.Type != wire.EvComplete || m.reqs[0].Brief || !m.reqs[1].Brief || m.reqs[2].Brief {
		t.Errorf("%+v", end)
	}
	m = &fakeModel{script: script{cutOff, cutOff, cutOff}}
	if e := try(t, m, &fakeHands{}, nil).last().Error; e == nil || e.Code != CodeNoReply || !strings.Contains(e.Message, "cut off") {
		t.Errorf("%+v", e)
	}
	// Room is left in the window for what a model thinks.
	plain, thinks := &run{caps: llm.Capabilities{Context: 16384}}, &run{caps: llm.Capabilities{Context: 16384, Thinking: true}}
	tight := &run{caps: llm.Capabilities{Context: 5500, Thinking: true}}
	if plain.reserveTokens() != maxOutput || thinks.reserveTokens() != maxOutput+mostThought || tight.reserveTokens() != maxOutput {
		t.Errorf("reserved %d, %d and %d", plain.reserveTokens(), thinks.reserveTokens(), tight.reserveTokens())
	}
}

// The answer is passed on as it is written, and taken back before the model is asked
// again: where a check refused it, and where its stream broke.
func TestTheAnswerStreamsUntilItIsRefused(t *testing.T) {
	for name, first := range map[string]func(llm.Request) (*llm.Reply, error){
		"refused":    done("It costs $7.77."),
		"cut off":    fails(llm.CodeStreamCut),
		"unreadable": fails(llm.CodeBadReply),
	} {
		m := talker{&fakeModel{script: script{first, done("It costs 4 coins.")}}, []llm.Delta{
			{Kind: llm.DeltaCall, Text: "{"}, {Kind: llm.DeltaAnswer, Text: "It co"}, {Kind: llm.DeltaAnswer, Text: "sts"},
		}}
		rec := &deltaRecord{fakeRecord: newRecord()}
		o := Options{Text: "what does it cost?", Model: m, Executor: &fakeHands{}, Record: rec, User: NewUserChannel(rec)}
		auto(&o)
		if err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if want := []string{"answer It co", "answer sts", "retract ", "answer It co", "answer sts"}; !slices.Equal(rec.deltas, want) || len(m.reqs) < 2 {
			t.Errorf("%s: passed on %q after %d requests, want %q", name, rec.deltas, len(m.reqs), want)
		}
		if want := (llm.AnswerParam{Action: "done", Param: "answer"}); m.reqs[0].Answer != want {
			t.Errorf("%s: asked for %+v", name, m.reqs[0].Answer)
		}
	}
}
