package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/safety"
)

// life is a task of a node from its start, or from its being taken up, until it
// ends or the broker is killed.
type life struct {
	dies  string   // the button in whose click the broker is killed
	cut   string   // … in whose click the user takes over, once it was sent
	stays bool     // the user never lets the task go on
	holds string   // the button whose click has the user pause the task
	ends  string   // … before whose click is sent the broker ends in order
	says  []string // the model's calls: buttons; the last is done
	limit time.Duration

	desk    *agent.UserChannel
	cancel  context.CancelCauseFunc
	clicked []string
	asked   []string // the buttons of cards that ask whether to do something again
	told    string   // all that the model was sent
	nolimit bool     // something was done without a limit of time
}

func (l *life) Do(ctx context.Context, c action.Call) action.Result {
	if _, ok := ctx.Deadline(); !ok {
		l.nolimit = true
	}
	if c.Name == "done" {
		return action.Result{Action: c.Name, Done: &action.Done{Success: true, Answer: "ok"}}
	}
	button := buttonOf(c.Params)
	if button == l.ends {
		l.cancel(agent.ErrEnded)
		return action.Result{Err: &action.Error{Code: action.Timeout, Message: "cut short", Err: ctx.Err()}}
	}
	if err := l.desk.OnActStart(ctx, c, fmt.Sprintf("button %q", button), "shop.test", safety.Auto); err != nil {
		return action.Result{Err: &action.Error{Code: action.Unsupported, Message: err.Error(), Err: err}}
	}
	l.clicked = append(l.clicked, button)
	switch button {
	case l.dies:
		runtime.Goexit()
	case l.cut:
		parked := l.desk.TakeOver()
		if !l.stays {
			go func() {
				<-parked
				l.desk.Unpause()
			}()
		}
		<-ctx.Done()
		return action.Result{Sent: true, Err: &action.Error{Code: action.Timeout, Message: "cut short", Err: ctx.Err()}}
	case l.holds:
		l.desk.Pause()
	}
	return action.Result{Line: "Clicked", Sent: true, PageRev: 1}
}

// LetGo is where the broker is killed while the user has the page.
func (l *life) LetGo(context.Context) error {
	if l.stays {
		runtime.Goexit()
	}
	return nil
}

func (l *life) Observe(context.Context, action.ObserveOptions) (action.Observation, error) {
	return action.Observation{Text: `button "Other" [1]`, URL: "https://shop.test/", Title: "Shop", PageRev: 1}, nil
}

func (l *life) Capabilities(context.Context) (llm.Capabilities, error) {
	return llm.Capabilities{Local: true}, nil
}

func (l *life) Chat(_ context.Context, r llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	for _, m := range r.Messages {
		l.told += m.PlainText() + "\n"
	}
	args := `{"action":"done","params":{"success":true,"answer":"ok"}}`
	if len(l.says) > 0 {
		args = fmt.Sprintf(`{"action":"click","params":{"button":%q}}`, l.says[0])
		l.says = l.says[1:]
	}
	return &llm.Reply{Calls: []llm.Call{{ID: "c", Name: action.FunctionName, Args: json.RawMessage(args)}}}, nil
}

func buttonOf(params json.RawMessage) string {
	var p struct{ Button string }
	_ = json.Unmarshal(params, &p) // none has no button
	return p.Button
}

func clicks(buttons ...string) (out []wire.PartAct) {
	for _, b := range buttons {
		out = append(out, wire.PartAct{Action: "click", Params: fmt.Appendf(nil, `{"button":%q}`, b)})
	}
	return out
}

// live has a task live: its past is read from the journal as that of one that is
// taken up.
func (l *life) live(t *testing.T, m *Manager, part *wire.FlowPart) {
	t.Helper()
	events, err := m.Journal.Events("t1", 0)
	must(t, err)
	past := agent.PastOf(events, "en")
	if a, ok, err := m.Journal.Unfinished("t1"); ok {
		must(t, err)
		past.Unfinished = &a
	}
	past.Doubts, err = m.Journal.Doubts("t1")
	must(t, err)
	before, after, err := m.remainingHooks("t1", part)
	must(t, err)
	rec := &record{m: m, task: "t1"}
	l.desk = agent.NewUserChannel(rec)
	l.desk.Ask = func(_ context.Context, c wire.ConfirmInfo) action.Answer {
		if c.Again != nil {
			l.asked = append(l.asked, strings.Trim(strings.TrimPrefix(c.Again.Target, "button "), `"`))
		}
		return action.Answer{By: "test"}
	}
	o := agent.Options{Text: "buy", Lang: "en", Model: l, Executor: l, User: l.desk, Record: rec, Budget: agent.Budget{Time: l.limit}}
	if len(events) > 0 {
		o.Past = &past
		must(t, rec.Emit(wire.Event{Type: wire.EvResumed}))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	l.cancel = cancel
	over := make(chan struct{})
	go func() {
		defer close(over)
		m.runWithHooks(ctx, "t1", o, before, after, func(o agent.Options) { m.work(ctx, "t1", o, agent.Run) })
	}()
	select {
	case <-over:
	case <-time.After(20 * time.Second):
		cancel(errors.New("too long"))
		<-over
		t.Fatal("it did not end")
	}
	if l.nolimit {
		t.Error("something was done without a limit of time")
	}
}

func node(t *testing.T) *Manager {
	t.Helper()
	m := manager(t)
	must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy", State: wire.TaskRunning}}))
	return m
}

// Whatever cuts a hook short once it was sent, and however often: it is not sent
// again, and nothing like it without the user's yes.
func TestACutHookIsNotBlindlyRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []string
		lives         []*life
		clicked       string // over all lives
		doubts        int    // that the journal has at the end
	}{
		"killed in one hook after the other": {
			before: []string{"Pay", "Send"}, after: []string{"File"},
			lives:   []*life{{dies: "Pay"}, {dies: "Send"}, {says: []string{"Pay", "Send"}}},
			clicked: "Pay Send File", doubts: 2,
		},
		"killed after the hook that comes after one that was cut": {
			before: []string{"Pay", "Send"}, after: []string{"File"},
			lives:   []*life{{dies: "Pay"}, {dies: "Look", says: []string{"Look"}}, {says: []string{"Pay"}}},
			clicked: "Pay Send Look File", doubts: 2,
		},
		"killed in a hook after the task": {
			after:   []string{"Pay", "File"},
			lives:   []*life{{dies: "Pay", says: []string{"Look"}}, {dies: "Add", says: []string{"Add"}}, {says: []string{"Pay"}}},
			clicked: "Look Pay Add File", doubts: 2,
		},
		"killed in a last hook while the user has the page": {
			before: []string{"Pay"}, after: []string{"File"},
			lives:   []*life{{cut: "Pay", stays: true}, {dies: "Look", says: []string{"Look"}}, {says: []string{"Pay"}}},
			clicked: "Pay Look File", doubts: 2,
		},
		"the user took over": {
			before: []string{"Pay", "Send"}, after: []string{"File"},
			lives:   []*life{{cut: "Pay", says: []string{"Pay"}}},
			clicked: "Pay Send File", doubts: 1,
		},
		"the broker ended before one was sent": {
			before: []string{"Pay", "Send"}, lives: []*life{{ends: "Pay"}, {says: []string{"Look"}}}, clicked: "Pay Send Look",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := node(t)
			part := &wire.FlowPart{Before: clicks(c.before...), After: clicks(c.after...)}
			var clicked, asks []string
			for _, l := range c.lives {
				asks = slices.Clone(l.says)
				l.live(t, m, part)
				clicked = append(clicked, l.clicked...)
			}
			if got := strings.Join(clicked, " "); got != c.clicked {
				t.Errorf("clicked %q, want %q", got, c.clicked)
			}
			last := c.lives[len(c.lives)-1]
			if c.doubts > 0 && !slices.Equal(last.asked, asks) {
				t.Errorf("asked of %q, want %q", last.asked, asks)
			}
			for _, button := range last.asked {
				if !strings.Contains(last.told, `not known whether this step was carried out: click button "`+button) {
					t.Errorf("the model is not told of %s: %s", button, last.told)
				}
			}
			doubts, err := m.Journal.Doubts("t1")
			must(t, err)
			if len(doubts) != c.doubts {
				t.Errorf("in doubt are %+v, want %d", doubts, c.doubts)
			}
			checkSteps(t, m)
		})
	}
}

// checkSteps checks that every step that began has one result, and that the task
// is complete.
func checkSteps(t *testing.T, m *Manager) {
	t.Helper()
	events, err := m.Journal.Events("t1", 0)
	must(t, err)
	open := map[int]int{}
	for _, ev := range events {
		switch ev.Type {
		case wire.EvToolCall:
			open[ev.Step.N]++
		case wire.EvToolResult:
			open[ev.Step.N]--
		default:
		}
	}
	for n, count := range open {
		if count != 0 {
			t.Errorf("step %d has %d calls more than results", n, count)
		}
	}
	if last := events[len(events)-1]; last.Type != wire.EvComplete {
		t.Errorf("it ended with %s %+v", last.Type, last.Error)
	}
}

// A pause or a takeover that is forgotten in a hook ends with the task's limit of
// time.
func TestAHookHasTheLimitOfItsTask(t *testing.T) {
	for name, c := range map[string]struct {
		part wire.FlowPart
		life life
	}{
		"paused before":     {wire.FlowPart{Before: clicks("Pay", "Send")}, life{holds: "Pay"}},
		"paused after":      {wire.FlowPart{After: clicks("Pay", "Send")}, life{holds: "Pay"}},
		"paused in between": {wire.FlowPart{Before: clicks("Pay")}, life{holds: "Pay"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := node(t)
			c.life.limit = 300 * time.Millisecond
			c.life.live(t, m, &c.part)
			events, err := m.Journal.Events("t1", 0)
			must(t, err)
			last := events[len(events)-1]
			if last.Type != wire.EvFailed || last.Error == nil || last.Error.Code != agent.CodeBudget {
				t.Errorf("it ended with %s %+v", last.Type, last.Error)
			}
			if len(c.life.clicked) != 1 {
				t.Errorf("clicked %q", c.life.clicked)
			}
		})
	}
}

// An act before or after a node's task that was sent is not sent again when the
// task is taken up.
func TestHooksAreNotRepeated(t *testing.T) {
	part := &wire.FlowPart{Before: clicks("a", "b"), After: clicks("c", "d")}
	m := node(t)
	left := func(want string) {
		t.Helper()
		before, after, err := m.remainingHooks("t1", part)
		must(t, err)
		var out []string
		for _, h := range slices.Concat(before, []hook{{act: clicks("|")[0]}}, after) {
			out = append(out, buttonOf(h.act.Params))
		}
		if got := strings.Join(out, " "); got != want {
			t.Errorf("left is %q, not %q", got, want)
		}
	}
	step := func(n int, typ wire.EventType, e *wire.Error) {
		t.Helper()
		_, err := m.Journal.Append(wire.Event{Task: "t1", Type: typ, Step: &wire.StepInfo{N: n, Action: "click", Error: e}})
		must(t, err)
	}
	left("a b | c d")
	step(-1, wire.EvToolCall, nil)
	left("a b | c d") // interrupted before anything was sent
	step(-1, wire.EvToolResult, &wire.Error{Code: agent.CodeInterrupted})
	left("a b | c d")
	step(-1, wire.EvToolCall, nil)
	must(t, m.Journal.StartAct("t1", journal.Act{Action: "click", Step: -1}))
	left("b | c d") // sent, and nobody knows what came of it
	step(-1, wire.EvToolResult, nil)
	step(-1, wire.EvToolResult, nil) // once more is no other hook
	left("b | c d")
	step(-2, wire.EvToolResult, nil)
	step(1, wire.EvToolResult, nil) // the model's own is not counted
	must(t, m.Journal.StartAct("t1", journal.Act{Action: "click", Step: 2}))
	left("| c d")
	step(2, wire.EvToolResult, nil)
	step(-3, wire.EvToolCall, nil)
	must(t, m.Journal.StartAct("t1", journal.Act{Action: "click", Step: -3}))
	left("| d")
	m = node(t) // of the version before, which gave hooks no numbers
	step(0, wire.EvToolResult, nil)
	step(1, wire.EvToolResult, nil)
	left("b | c d")
	step(0, wire.EvToolCall, nil)
	must(t, m.Journal.StartAct("t1", journal.Act{Action: "click"}))
	left("| c d")
	ctx, cancel := context.WithCancelCause(t.Context())
	o := agent.Options{Lang: "en"}
	if ev := o.EndOf(ctx, &action.Error{Code: action.Denied, Message: "no"}); ev.Type != wire.EvFailed || ev.Error == nil || ev.Error.Code != "denied" {
		t.Errorf("%+v", ev)
	}
	cancel(agent.ErrEnded)
	if ev := o.EndOf(ctx, ctx.Err()); ev.Type != wire.EvInterrupted {
		t.Errorf("the program ends in the middle: %+v", ev)
	}
}
