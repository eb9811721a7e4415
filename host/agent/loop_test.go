package agent

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

// try runs a task with fakes and gives its record.
func try(t *testing.T, m *fakeModel, h *fakeHands, tune func(*Options)) *fakeRecord {
	t.Helper()
	rec := newRecord()
	o := Options{Text: "buy a mug", Model: m, Executor: h, Record: rec, User: NewUserChannel(rec)}
	if tune != nil {
		tune(&o)
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return rec
}

type script = []func(llm.Request) (*llm.Reply, error)

func TestATaskRunsToItsAnswer(t *testing.T) {
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`)), done("Bought.")}}
	h := &fakeHands{}
	rec := try(t, m, h, nil)
	want := []wire.EventType{
		wire.EvToolCall, wire.EvToolResult, wire.EvToolCall, wire.EvToolResult, wire.EvComplete,
	}
	if got := rec.types(); !reflect.DeepEqual(got, want) {
		t.Fatalf("events %v, want %v", got, want)
	}
	if end := rec.last(); end.Text != "Bought." || end.Usage.InputTokens != 200 || end.Usage.Steps != 2 {
		t.Errorf("end: %+v usage %+v", end, end.Usage)
	}
	// The second request carries the first call and its result, and the first
	// page only as a line.
	second := m.reqs[1]
	var texts []string
	for _, msg := range second.Messages {
		texts = append(texts, msg.PlainText())
	}
	all := strings.Join(texts, "\n---\n")
	if strings.Count(all, `button "Pay" [1]`) != 1 || !strings.Contains(all, "[page then:") {
		t.Errorf("the older page was not shrunk:\n%s", all)
	}
	if second.Messages[2].Calls == nil || second.Messages[3].CallID != "call_click" {
		t.Errorf("call and result are not paired: %+v", second.Messages)
	}
}

func TestABatchStopsWhenThePageIsAnother(t *testing.T) {
	m := &fakeModel{script: script{
		calls(act("click", `{"index":1}`), act("click", `{"index":2}`), act("click", `{"index":3}`)), done("ok"),
	}}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		rev := 1
		if strings.Contains(string(c.Params), "2") {
			rev = 2 // it navigated
		}
		return action.Result{Text: "OK", Effect: "x", PageRev: rev}
	}}
	try(t, m, h, nil)
	if got := h.names(); len(got) != 3 { // two clicks and done
		t.Fatalf("done: %v, the third click must not be done", got)
	}
	answers := 0
	for _, msg := range m.reqs[1].Messages {
		if msg.Role == llm.RoleTool {
			answers++
		}
	}
	if answers != 3 {
		t.Errorf("%d tool results for three calls", answers)
	}
}

// A dialog in the middle of a batch is shown to the model before anything
// answers it, and so is the page when it is gone.
func TestADialogStopsABatch(t *testing.T) {
	confirm := &browser.Dialog{Kind: "confirm", Message: "Delete all?"}
	for name, c := range map[string]struct {
		open  *browser.Dialog // when the model decides
		batch []llm.Call
		want  []string
	}{
		"another act comes after":  {nil, []llm.Call{act("click", `{"index":1}`), act("click", `{"index":2}`), act("click", `{"index":3}`)}, []string{"click", "click", "done"}},
		"an answer nobody asked":   {nil, []llm.Call{act("click", `{"index":1}`), act("handleDialog", `{"accept":true}`)}, []string{"click", "done"}},
		"acts after the answer":    {confirm, []llm.Call{act("handleDialog", `{"accept":true}`), act("click", `{"index":2}`)}, []string{"handleDialog", "done"}},
		"the answer alone is done": {confirm, []llm.Call{act("handleDialog", `{"accept":false}`)}, []string{"handleDialog", "done"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeModel{script: script{calls(c.batch...), done("ok")}}
			n := 0
			h := &fakeHands{
				do: func(_ context.Context, call action.Call) action.Result {
					if n++; n == 2 { // the first opened a dialog, which keeps this one from acting
						return action.Result{Err: &action.Error{Code: action.DialogOpen, Message: "A dialog is open."}, PageRev: 1}
					}
					return action.Result{Text: "OK", Effect: "a dialog opened", PageRev: 1}
				},
				observe: func() (action.Observation, error) {
					return action.Observation{Text: "a page", PageRev: 1, Dialog: c.open}, nil
				},
			}
			try(t, m, h, nil)
			if got := h.names(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("done: %v, want %v", got, c.want)
			}
			answers := 0
			for _, msg := range m.reqs[1].Messages {
				if msg.Role == llm.RoleTool {
					answers++
				}
			}
			if answers != len(c.batch) {
				t.Errorf("%d results for %d calls", answers, len(c.batch))
			}
		})
	}
}

func TestUnreadableRepliesAreExplainedThenEndTheTask(t *testing.T) {
	m := &fakeModel{script: script{fails(llm.CodeBadReply), done("ok")}}
	rec := try(t, m, &fakeHands{}, nil)
	if rec.last().Type != wire.EvComplete {
		t.Fatalf("one bad reply ended the task: %+v", rec.last())
	}
	msgs := m.reqs[1].Messages
	if !slices.ContainsFunc(msgs, func(x llm.Message) bool {
		return strings.Contains(x.PlainText(), "what came was bad_reply")
	}) {
		t.Error("the model was not told what was wrong")
	}
	m = &fakeModel{script: script{fails(llm.CodeBadReply), fails(llm.CodeBadReply), fails(llm.CodeBadReply)}}
	rec = try(t, m, &fakeHands{}, nil)
	if e := rec.last().Error; e == nil || e.Code != CodeNoReply {
		t.Errorf("after three: %+v", rec.last())
	}
}

// Words without a call never end a task as done: the model is shown the form of an
// action, twice; then the task ends as not done, with the words.
func TestWordsWithoutAnActionAreNoSuccess(t *testing.T) {
	for _, text := range []string{"Sure! Clicking the button now.", "null", "/>", "I can't help", "好的，我来点击按钮", "It costs $12.", "I will now click the Send button."} {
		m := &fakeModel{script: script{words(text), words(text), words(text), done("never asked")}}
		rec := try(t, m, &fakeHands{}, nil)
		end := rec.last()
		if end.Type != wire.EvFailed || end.Error.Code != CodeNotDone || !strings.Contains(end.Text, text) || len(m.reqs) != maxSilent {
			t.Errorf("%q after %d requests: %+v", text, len(m.reqs), end)
		}
		for _, req := range m.reqs[1:] {
			if !strings.Contains(req.Messages[len(req.Messages)-2].PlainText(), `browser_action, for instance with {"action": "click"`) {
				t.Errorf("the form is not shown: %+v", req.Messages)
			}
		}
		// What it says with done is checked and taken as its answer.
		m = &fakeModel{script: script{words(text), words(text), done(text)}}
		if end := try(t, m, &fakeHands{}, nil).last(); end.Type != wire.EvComplete || end.Text != text {
			t.Errorf("%q and then with done: %+v", text, end)
		}
		m = &fakeModel{script: script{words(text), words(text), calls(act("click", `{"index":1}`)), words(text), words(text), done("sent")}}
		if end := try(t, m, &fakeHands{}, nil).last(); end.Type != wire.EvComplete || end.Text != "sent" {
			t.Errorf("%q and then an act: %+v", text, end)
		}
	}
	// So it is where the action stands in the text.
	prose := func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Text: "Sure! Clicking.", Way: llm.WayMarkdown}, &llm.Error{Code: llm.CodeBadReply, Message: "there is no JSON"}
	}
	m := &fakeModel{script: script{prose, prose, prose}}
	if e := try(t, m, &fakeHands{}, nil).last().Error; e == nil || e.Code != CodeNoReply || !strings.Contains(e.Message, "Sure! Clicking.") {
		t.Errorf("%+v", e)
	}
	if messages := m.reqs[1].Messages; !strings.Contains(messages[len(messages)-2].PlainText(), prompts.Example) {
		t.Errorf("the form is not shown: %+v", messages)
	}
	m = &fakeModel{script: script{words(""), words(""), words("")}}
	if e := try(t, m, &fakeHands{}, nil).last().Error; e == nil || e.Code != CodeNoReply {
		t.Errorf("nothing said: %+v", e)
	}
}

// A reply that could not be read is none of words: the first such is answered.
func TestAnUnreadableReplyIsNoWords(t *testing.T) {
	m := &fakeModel{script: script{fails(llm.CodeBadReply), words("It costs $12."), done("ok")}}
	if end := try(t, m, &fakeHands{}, nil).last(); end.Type != wire.EvComplete || end.Text != "ok" {
		t.Errorf("%+v", end)
	}
}

func TestModelErrorsEndTheTaskWithTheirHint(t *testing.T) {
	m := &fakeModel{script: script{func(llm.Request) (*llm.Reply, error) {
		return nil, &llm.Error{Code: llm.CodeModelNotFound, Message: "no such model", Hint: "ollama pull x"}
	}}}
	rec := try(t, m, &fakeHands{}, nil)
	if e := rec.last().Error; e == nil || string(e.Code) != llm.CodeModelNotFound || e.Hint != "ollama pull x" {
		t.Errorf("%+v", rec.last())
	}
}

func TestNotDoneIsAFailure(t *testing.T) {
	m := &fakeModel{script: script{calls(act("done", `{"success":false,"answer":"The user said no."}`))}}
	rec := try(t, m, &fakeHands{}, nil)
	if e := rec.last(); e.Type != wire.EvFailed || e.Text != "The user said no." {
		t.Errorf("%+v", e)
	}
}

func TestBudgets(t *testing.T) {
	var many script
	for i := range 10 {
		many = append(many, calls(act("click", fmt.Sprintf(`{"index":%d}`, i))))
	}
	for name, b := range map[string]Budget{
		"steps":  {Steps: 4},
		"tokens": {Tokens: 350},
	} {
		rec := try(t, &fakeModel{script: many}, &fakeHands{}, func(o *Options) { o.Budget = b })
		if e := rec.last(); e.Error == nil || e.Error.Code != CodeBudget || e.Usage.Steps != 4 {
			t.Errorf("%s: %+v after %d steps", name, e.Error, e.Usage.Steps)
		}
	}
	slow := &fakeHands{do: func(ctx context.Context, _ action.Call) action.Result {
		<-ctx.Done()
		return action.Result{Err: &action.Error{Code: action.Timeout, Message: "stopped"}}
	}}
	rec := try(t, &fakeModel{script: many}, slow, func(o *Options) { o.Budget = Budget{Time: 20 * time.Millisecond} })
	if e := rec.last(); e.Error == nil || e.Error.Code != CodeBudget {
		t.Errorf("time: %+v", e)
	}
}

func TestStopEndsAModelThatStreams(t *testing.T) {
	rec := newRecord()
	ctx, cancel := context.WithCancelCause(t.Context())
	began := make(chan struct{})
	m := &blockingModel{began: began}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Text: "x", Model: m, Executor: &fakeHands{}, Record: rec, User: NewUserChannel(rec)})
	}()
	<-began
	cancel(ErrStopped)
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("Stop did not end the task")
	}
	if e := rec.last(); e.Type != wire.EvCancelled {
		t.Errorf("%+v", e)
	}
}

type blockingModel struct{ began chan struct{} }

func (m *blockingModel) Capabilities(context.Context) (llm.Capabilities, error) {
	return llm.Capabilities{}, nil
}

func (m *blockingModel) Chat(ctx context.Context, _ llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	close(m.began)
	<-ctx.Done()
	return nil, &llm.Error{Code: llm.CodeCancelled, Err: ctx.Err()}
}

func TestQuestionsSteeringAndPause(t *testing.T) {
	rec := newRecord()
	desk := NewUserChannel(rec)
	m := &fakeModel{script: script{calls(act("askUser", `{"question":"Which size?"}`)), calls(act("click", `{"index":1}`)), done("ok")}}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if c.Name == "askUser" {
			return action.Result{Ask: "Which size?", PageRev: 1}
		}
		desk.Say("the blue one")
		desk.Pause()
		return action.Result{Text: "OK", Effect: "x", PageRev: 1}
	}}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Text: "x", Model: m, Executor: h, Record: rec, User: desk})
	}()
	if q := rec.await(t, wire.EvAsk); q.Text != "Which size?" {
		t.Errorf("question %q", q.Text)
	}
	desk.Say("small")
	rec.await(t, wire.EvPaused)
	desk.Unpause()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	joined := ""
	for _, msg := range m.reqs[2].Messages {
		joined += msg.PlainText() + "\n"
	}
	for _, said := range []string{"small", "the blue one"} {
		if !strings.Contains(joined, said) {
			t.Errorf("the model was not told %q", said)
		}
	}
	if !slices.Contains(rec.types(), wire.EvSteered) || !slices.Contains(rec.types(), wire.EvResumed) {
		t.Errorf("events %v", rec.types())
	}
}

func TestAQuestionWithNobodyThereEndsTheTask(t *testing.T) {
	m := &fakeModel{script: script{calls(act("askUser", `{"question":"Which?"}`))}}
	h := &fakeHands{do: func(context.Context, action.Call) action.Result { return action.Result{Ask: "Which?"} }}
	rec := try(t, m, h, func(o *Options) { o.User.NoUser = true })
	if e := rec.last().Error; e == nil || e.Code != CodeNeedsUser {
		t.Errorf("%+v", rec.last())
	}
}

func TestGoingInCirclesIsSaidAndThenAsked(t *testing.T) {
	var same script
	for range repeatStuck + 2 {
		same = append(same, calls(act("click", `{"index":1}`)))
	}
	m := &fakeModel{script: same}
	rec := try(t, m, &fakeHands{}, func(o *Options) { o.User.NoUser = true })
	if e := rec.last().Error; e == nil || e.Code != CodeNeedsUser {
		t.Fatalf("%+v", rec.last())
	}
	if len(m.reqs) != repeatStuck {
		t.Errorf("%d requests, want the question after %d", len(m.reqs), repeatStuck)
	}
}

// A page that was left and opened again has other indices for the same links, a
// page with a clock is never the same to the letter, and one that is drawn anew
// at each click has an effect each time.
func TestCirclesAreSeenThroughNewIndicesAndClocks(t *testing.T) {
	name := func(i int) string { return []string{"Blue mug", "Red mug"}[i%2] }
	looks := 0
	page := func(clock bool) func() (action.Observation, error) {
		return func() (action.Observation, error) {
			looks++
			var es []pagecontext.Element
			text := "Mugs\n"
			if clock {
				text += fmt.Sprintf("It is 12:%02d\n", looks)
			}
			for i := range 2 {
				es = append(es, pagecontext.Element{Index: looks*10 + i, Role: "link", Name: name(i)})
				text += fmt.Sprintf("link %q [%d]\n", name(i), looks*10+i)
			}
			return action.Observation{Text: text, URL: "https://shop.test/", PageRev: looks, Elements: &pagecontext.Listing{Elements: es}}, nil
		}
	}
	// run clicks the link that comes at each turn, and says how often it was asked.
	run := func(clock bool, at func(turn int) int) int {
		looks = 0
		var s script
		for i := range alikeStuck + 2 {
			s = append(s, func(llm.Request) (*llm.Reply, error) {
				return &llm.Reply{Calls: []llm.Call{act("click", fmt.Sprintf(`{"index":%d}`, looks*10+at(i)))}}, nil
			})
		}
		m := &fakeModel{script: append(s, done("ok"))}
		rec := try(t, m, &fakeHands{observe: page(clock)}, func(o *Options) { o.User.NoUser = true })
		if e := rec.last().Error; e == nil || e.Code != CodeNeedsUser {
			t.Errorf("it was not asked: %+v", rec.last())
		}
		return len(m.reqs)
	}
	if n := run(false, func(int) int { return 0 }); n != repeatStuck {
		t.Errorf("asked after %d steps with new indices, want %d", n, repeatStuck)
	}
	if n := run(false, func(i int) int { return i % 2 }); n != 2*repeatStuck-1 {
		t.Errorf("asked after %d steps between two links, want %d", n, 2*repeatStuck-1)
	}
	if n := run(true, func(int) int { return 1 }); n != alikeStuck {
		t.Errorf("asked after %d steps on a page with a clock, want %d", n, alikeStuck)
	}
}

func TestALostBrowserIsWaitedFor(t *testing.T) {
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`)), done("ok")}}
	lost := true
	h := &fakeHands{do: func(context.Context, action.Call) action.Result {
		if lost {
			lost = false
			return action.Result{Sent: true, Err: &action.Error{Code: action.Detached, Message: "gone", Err: action.ErrBrowserGone}}
		}
		return action.Result{Text: "OK", PageRev: 1}
	}}
	waited := 0
	rec := try(t, m, h, func(o *Options) {
		o.WaitBrowser = func(context.Context) error { waited++; return nil }
	})
	if waited != 1 || rec.last().Type != wire.EvComplete {
		t.Fatalf("waited %d times, end %+v", waited, rec.last())
	}
	i := slices.IndexFunc(rec.events, func(e wire.Event) bool { return e.Type == wire.EvToolResult })
	if rec.events[i].Step.Outcome != outcomeUnknown {
		t.Errorf("outcome %q of an act whose browser went", rec.events[i].Step.Outcome)
	}
	rec = try(t, &fakeModel{script: script{calls(act("click", `{"index":1}`))}}, &fakeHands{observe: func() (action.Observation, error) {
		return action.Observation{}, &action.Error{Code: action.Detached, Err: action.ErrBrowserGone}
	}}, func(o *Options) {
		o.WaitBrowser = func(context.Context) error { return errors.New("two minutes passed") }
	})
	if e := rec.last().Error; e == nil || e.Code != CodeBrowserGone {
		t.Errorf("%+v", rec.last())
	}
}

func TestHistoryFitsASmallWindow(t *testing.T) {
	var s script
	for i := range 30 {
		s = append(s, calls(act("click", fmt.Sprintf(`{"index":%d}`, i))))
	}
	s = append(s, done("ok"))
	h := &fakeHands{
		do: func(context.Context, action.Call) action.Result {
			return action.Result{Text: strings.Repeat("a long result ", 60), Line: "Clicked a thing", Effect: "x", PageRev: 1}
		},
		observe: func() (action.Observation, error) {
			return action.Observation{Text: strings.Repeat(`button "Pay" [1] `+"\n", 300), Title: "Shop", PageRev: 1}, nil
		},
	}
	m := &fakeModel{caps: llm.Capabilities{Context: 8192}, script: s}
	rec := try(t, m, h, nil)
	if rec.last().Type != wire.EvComplete {
		t.Fatalf("%+v", rec.last())
	}
	for i, r := range m.reqs {
		if n := llm.EstimateRequest(r); n+maxOutput > 8192 {
			t.Errorf("request %d takes %d tokens", i, n)
		}
		if !strings.Contains(r.Messages[0].PlainText(), "buy a mug") {
			t.Errorf("request %d lost the task", i)
		}
	}
	// The results of older steps shrink to a line before any step is dropped.
	var oldest llm.Message
	for _, msg := range m.reqs[30].Messages {
		if msg.Role == llm.RoleTool {
			oldest = msg
			break
		}
	}
	if n := len([]rune(oldest.PlainText())); n == 0 || n > shrunkText+1 {
		t.Errorf("the oldest result still has %d characters", n)
	}
}

func TestATaskWhoseEndCannotBeRecordedSaysSo(t *testing.T) {
	rec := newRecord()
	rec.fail = wire.EvComplete
	err := Run(t.Context(), Options{Text: "x", Model: &fakeModel{script: script{done("ok")}}, Executor: &fakeHands{}, Record: rec, User: NewUserChannel(rec)})
	if err == nil {
		t.Fatal("no error")
	}
}

func TestLangOf(t *testing.T) {
	for text, want := range map[string]string{"buy a mug": "en", "买一个蓝色杯子": "zh", "": "en"} {
		if got := Language(text); got != want {
			t.Errorf("Language(%q) = %s", text, got)
		}
	}
}

// TestATaskOpensItsPage: an address that the gate asks about is the task's first step,
// and no model is asked before it is open.
func TestATaskOpensItsPage(t *testing.T) {
	const at = "https://list.test/unsubscribe"
	begin := func(o *Options) { o.Begin = at }
	m, h := &fakeModel{script: script{done("Read.")}}, &fakeHands{}
	rec := try(t, m, h, begin)
	if h.calls[0].Name != "navigate" || !strings.Contains(string(h.calls[0].Params), at) || rec.last().Type != wire.EvComplete {
		t.Errorf("calls %+v, end %+v", h.calls, rec.last())
	}
	m, h = &fakeModel{}, &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "denied", Err: &action.Error{Code: action.Denied, Message: "the user said no"}}
	}}
	rec = try(t, m, h, begin)
	if e := rec.last(); e.Type != wire.EvFailed || e.Error.Code != "denied" || len(m.reqs) > 0 || len(h.calls) != 1 {
		t.Errorf("after a no: %+v, %d requests, calls %v", e, len(m.reqs), h.names())
	}
}

// TestStoppedAfterThePressIsNoPlainNo: what a page did before it was refused is told as
// such, and what it shows since is not taken for done.
func TestStoppedAfterThePressIsNoPlainNo(t *testing.T) {
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`)), done("Saved."), done("The page shows it, but it was not saved.")}}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		e := &action.Error{Code: action.StoppedAfter, Message: action.ActedUnsaved + ": the user said no"}
		return action.Result{Action: c.Name, Text: e.Text(), Line: `Clicked "Save"`, Err: e, Sent: true, PageRev: 1}
	}}
	rec := try(t, m, h, func(o *Options) { o.Validator = ValidatorAuto })
	if len(m.reqs) < 3 {
		t.Fatalf("a claim to be done was taken: %d requests, end %+v", len(m.reqs), rec.last())
	}
	msgs := m.reqs[1].Messages
	if now := msgs[len(msgs)-1].PlainText(); !strings.Contains(now, "refused after the press") || !strings.Contains(now, "loading the page again") {
		t.Errorf("the model is told:\n%s", now)
	}
	for _, e := range rec.events {
		if e.Type == wire.EvToolResult && e.Step.Action == "click" && (e.Step.Outcome != "stopped_after" || e.Step.Error.Code != "stopped_after") {
			t.Errorf("the step: %+v", e.Step)
		}
	}
}

// A page that can't be loaded ends a task that begins there before its model is
// asked; one that is taken up goes on from what it did.
func TestAFirstPageThatIsNotThere(t *testing.T) {
	for _, past := range []*Past{nil, {}} {
		looks := 0
		h := &fakeHands{observe: func() (action.Observation, error) {
			if looks++; looks == 1 {
				return action.Observation{}, &action.Error{Code: action.NavigationFailed, Message: "could not open it"}
			}
			return action.Observation{Text: "an error page", URL: "https://shop.test/"}, nil
		}}
		m := &fakeModel{script: script{calls(act("done", `{"success":false,"answer":"It is down."}`))}}
		rec := try(t, m, h, func(o *Options) { o.Past = past })
		want := wire.Code(action.NavigationFailed)
		if past != nil {
			want = CodeNotDone
		}
		if e := rec.last().Error; e == nil || e.Code != want || (len(m.reqs) > 0) != (past != nil) {
			t.Errorf("taken up %v: %+v after %d requests", past != nil, rec.last(), len(m.reqs))
		}
	}
}
