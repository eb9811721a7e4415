package extension_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// stage plays a host with one task for the panel to show.
type stage struct {
	mu     sync.Mutex
	task   wire.TaskInfo
	events []wire.Event
	chans  []string // that follow the task
	host   *paneltest.Host
	models wire.ModelList
	calls  chan wire.Message // what the panel asked for, but for reading
}

func newStage() *stage {
	return &stage{
		calls:  make(chan wire.Message, 64),
		models: wire.ModelList{Models: []wire.ModelInfo{{ID: "ollama/small", Local: true}}, Using: "ollama/small"},
	}
}

func (s *stage) handle(_ context.Context, h *paneltest.Host, m wire.Message) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.Method {
	case wire.MethodHello:
		s.host, s.chans = h, nil
		return wire.HelloResult{Protocol: 1, Version: "test", Session: "s"}, nil
	case wire.MethodPanelState:
		return wire.PanelState{Version: "test", Models: s.models, Tasks: s.tasks(), Tour: true}, nil
	case wire.MethodTaskList:
		return wire.TaskList{Tasks: s.tasks()}, nil
	case wire.MethodModelList:
		return s.models, nil
	case wire.MethodTaskSubscribe:
		var p wire.SubscribeParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return nil, err
		}
		for _, e := range s.events {
			if e.Seq > p.Seq {
				_ = h.Event(m.Chan, wire.EventTask, e)
			}
		}
		s.chans = append(s.chans, m.Chan)
		return wire.Subscribed{}, nil
	case wire.MethodTaskStart:
		var p wire.TaskStartParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return nil, err
		}
		s.task = wire.TaskInfo{Task: "t1", Text: p.Text, State: wire.TaskRunning, Model: s.models.Using, TabID: p.TabID}
		s.add(wire.Event{Type: wire.EvStarted, Text: p.Text})
		s.calls <- m
		return s.task, nil
	case wire.MethodTourStart:
		s.models.Models = append(s.models.Models, wire.ModelInfo{ID: "stand-in/tour-script", Local: true, StandIn: true})
		s.calls <- m
		return wire.TourInfo{URL: "http://shop.test:1/", Task: "buy a mug", Mod: "stand-in/tour-script"}, nil
	default:
		s.calls <- m
		return wire.Empty{}, nil
	}
}

func (s *stage) tasks() []wire.TaskInfo {
	if s.task.Task == "" {
		return nil
	}
	return []wire.TaskInfo{s.task}
}

func (s *stage) add(e wire.Event) {
	e.Task, e.Seq = "t1", uint64(len(s.events)+1)
	s.events = append(s.events, e)
	for _, c := range s.chans {
		_ = s.host.Event(c, wire.EventTask, e)
	}
}

// emit adds an event to the task and sends it to who follows.
func (s *stage) emit(e wire.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(e)
}

func (s *stage) call(ctx context.Context, t *testing.T, method string) wire.Message {
	t.Helper()
	for {
		select {
		case <-ctx.Done():
			t.Fatalf("the panel did not call %s", method)
		case m := <-s.calls:
			if m.Method == method {
				return m
			}
		}
	}
}

func decode[T any](t *testing.T, m wire.Message) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(m.Params, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// panel opens the panel's page on a stage.
func panel(t *testing.T, s *stage) (context.Context, *paneltest.Browser, *paneltest.Page) {
	t.Helper()
	ctx, b := launch(t, s.handle)
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, b, p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func step(n int, outcome string) wire.Event {
	s := &wire.StepInfo{N: n, Action: "click", Line: fmt.Sprintf("Clicked number %d", n), Outcome: outcome}
	if outcome == "" {
		return wire.Event{Type: wire.EvToolCall, Step: s}
	}
	return wire.Event{Type: wire.EvToolResult, Step: s}
}

var payCard = wire.ConfirmInfo{
	ID: "c1", Action: "click", Class: "purchase", Target: `button "Pay"`, Site: "shop.test", URL: "https://shop.test/pay",
	Reasons: []string{"It pays."}, Amount: "€12.30",
}

func all(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('[data-testid=%q]')]`, id)
}

func TestPanelRunsATask(t *testing.T) {
	s := newStage()
	ctx, b := launch(t, s.handle)
	page, err := b.Open(ctx, site(t), 800, 600)
	must(t, err)
	must(t, page.Until(ctx, `document.title === "outer"`))
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)

	must(t, p.Type(ctx, "composer", "find a mug\nthe blue one"))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	start := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart))
	if start.Text != "find a mug\nthe blue one" {
		t.Errorf("started with %q", start.Text)
	}
	var tab wire.TabInfo
	must(t, s.host.Call(ctx, wire.MethodTabsGet, wire.TabParams{TabID: start.TabID}, &tab))
	if tab.Title != "outer" {
		t.Errorf("the task begins in tab %+v, not in the page beside the panel", tab)
	}
	must(t, p.Until(ctx, all("message-user")+`.map(e => e.textContent).join() === "You: find a mug\nthe blue one"`))

	s.emit(step(1, ""))
	must(t, p.Until(ctx, paneltest.ByTestID("step")+`?.dataset.state === "running"`))
	s.emit(step(1, "ok"))
	s.emit(step(2, ""))
	s.emit(step(2, "error"))
	must(t, p.Until(ctx, all("step")+`.map(e => e.dataset.state).join() === "ok,error"`))

	// Markdown from a model can neither load nor run anything.
	_ = s.host.Event(s.chans[0], wire.EventDelta, wire.DeltaEvent{Task: "t1", Kind: "text", Text: "Hm, **bold**"})
	must(t, p.Until(ctx, `document.querySelector(".streaming b, .streaming strong")?.textContent === "bold"`))
	s.emit(wire.Event{Type: wire.EvComplete, Text: "Found [it](https://shop.test/x) <img src=x onerror=alert(1)> ![p](http://evil.test/p.png) " +
		"<script>window.bad = 1</script> [bad](javascript:window.bad=1) <form><input></form> <b style='position:fixed'>x</b>"})
	must(t, p.Until(ctx, paneltest.ByTestID("message-agent")+`?.dataset.final === "true"`))
	var got struct {
		Loads int
		Links []string
		Style bool
		Bad   bool
	}
	must(t, p.Eval(ctx, `(() => { const m = `+paneltest.ByTestID("message-agent")+`; return {
		Loads: m.querySelectorAll("img,script,form,input,iframe,style").length, Style: !!m.querySelector("[style]"), Bad: "bad" in window,
		Links: [...m.querySelectorAll("a")].map(a => a.getAttribute("href") + " " + a.target + " " + a.rel) } })()`, &got))
	if got.Loads != 0 || got.Style || got.Bad || len(got.Links) != 2 || got.Links[0] != "https://shop.test/x _blank noopener noreferrer" || strings.Contains(got.Links[1], "javascript") {
		t.Errorf("the answer became %+v", got)
	}

	// A finished task is followed by a new one; a new chat is empty.
	must(t, p.Click(ctx, "new-chat"))
	must(t, p.Until(ctx, all("message-user")+`.length === 0 && document.querySelector("h1")`))
}

func TestPanelConfirms(t *testing.T) {
	for _, allow := range []bool{true, false} {
		t.Run(fmt.Sprintf("allow=%v", allow), func(t *testing.T) {
			s := newStage()
			s.task = wire.TaskInfo{Task: "t1", State: wire.TaskConfirming, Model: "ollama/small"}
			s.emit(wire.Event{Type: wire.EvStarted, Text: "buy it"})
			s.emit(wire.Event{Type: wire.EvConfirmRequest, Confirm: &payCard})
			ctx, _, p := panel(t, s)
			card, allowButton := paneltest.ByTestID("confirm-card"), paneltest.ByTestID("confirm-allow")

			// Not armed yet: not even the user's click counts, and never a script's.
			must(t, p.Until(ctx, card))
			var early struct{ Disabled, Focus bool }
			must(t, p.Eval(ctx, `({Disabled: `+allowButton+`.disabled, Focus: true})`, &early))
			if !early.Disabled {
				t.Error("Allow is armed at once")
			}
			must(t, p.Until(ctx, card+`.dataset.armed === "true"`))
			var text string
			must(t, p.Eval(ctx, card+`.innerText`, &text))
			for _, want := range []string{"Pay", "shop.test", "€12.30", "It pays.", "the “Pay” button"} {
				if !strings.Contains(text, want) {
					t.Errorf("the card lacks %q:\n%s", want, text)
				}
			}
			must(t, p.Until(ctx, `document.activeElement === `+card))
			must(t, p.Press(ctx, "Enter", 13, "\r")) // on the card
			must(t, p.Eval(ctx, allowButton+`.focus()`, nil))
			must(t, p.Press(ctx, "Enter", 13, "\r")) // on Allow itself
			must(t, p.Eval(ctx, allowButton+`.click()`, nil))
			must(t, p.Eval(ctx, allowButton+`.dispatchEvent(new MouseEvent("click", {bubbles: true}))`, nil))

			if allow {
				must(t, p.Click(ctx, "confirm-allow"))
			} else {
				must(t, p.Click(ctx, "confirm-deny"))
			}
			// Whatever came before would stand in front of this answer.
			a := decode[wire.ConfirmAnswer](t, s.call(ctx, t, wire.MethodConfirm))
			if a != (wire.ConfirmAnswer{Task: "t1", ID: "c1", Allow: allow}) {
				t.Errorf("answered %+v", a)
			}
			done := payCard
			done.Answer, done.By = map[bool]string{true: "allow", false: "deny"}[allow], "panel"
			s.emit(wire.Event{Type: wire.EvConfirmResult, Confirm: &done})
			must(t, p.Until(ctx, `!`+card+` && `+paneltest.ByTestID("confirm-answered")+`.dataset.answer === "`+done.Answer+`"`))
			select {
			case m := <-s.calls:
				t.Errorf("and then %s %s", m.Method, m.Params)
			default:
			}
		})
	}
}

func TestPanelComesBackWhole(t *testing.T) {
	s := newStage()
	s.task = wire.TaskInfo{Task: "t1", State: wire.TaskRunning, Model: "ollama/small"}
	s.emit(wire.Event{Type: wire.EvStarted, Text: "buy it"})
	s.emit(step(1, ""))
	s.emit(step(1, "ok"))
	ctx, b, p := panel(t, s)
	whole := func(p *paneltest.Page, n int) {
		t.Helper()
		must(t, p.Until(ctx, fmt.Sprintf(`%s.length === 1 && %s.length === %d && %s.dataset.phase === "ready"`,
			all("message-user"), all("step"), n, paneltest.ByTestID("status"))))
	}
	whole(p, 1)

	// Closed and opened again.
	must(t, p.Close(ctx))
	s.emit(step(2, ""))
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	whole(p, 2)

	// The host goes and comes back: what happened meanwhile is there, once.
	s.mu.Lock()
	old := s.host
	s.mu.Unlock()
	_ = old.Close()
	<-old.Done
	s.emit(step(3, ""))
	whole(p, 3)

	// Chrome stops the service worker.
	w, err := b.Worker(ctx)
	must(t, err)
	must(t, w.Close(ctx))
	s.emit(step(4, ""))
	whole(p, 4)

	// Steer, pause, stop.
	must(t, p.Type(ctx, "composer", "hurry"))
	must(t, p.Click(ctx, "send"))
	if say := decode[wire.SayParams](t, s.call(ctx, t, wire.MethodTaskSay)); say.Task != "t1" || say.Text != "hurry" || len(say.Attach) != 0 {
		t.Errorf("said %+v", say)
	}
	// The words stay in sight until the task has heard them.
	must(t, p.Until(ctx, all("message-user")+`.map(e => e.className.trim()).join() === "person,person pending"`))
	s.emit(wire.Event{Type: wire.EvSteered, Text: "hurry"})
	must(t, p.Until(ctx, all("message-user")+`.map(e => e.className.trim()).join() === "person,person"`))
	must(t, p.Click(ctx, "pause"))
	s.call(ctx, t, wire.MethodTaskPause)
	s.emit(wire.Event{Type: wire.EvPaused})
	must(t, p.Click(ctx, "resume"))
	s.call(ctx, t, wire.MethodTaskResume)
	s.emit(wire.Event{Type: wire.EvResumed})
	must(t, p.Click(ctx, "stop"))
	s.call(ctx, t, wire.MethodTaskStop)
	s.emit(wire.Event{Type: wire.EvCancelled, Text: "Stopped."})
	must(t, p.Until(ctx, `!`+paneltest.ByTestID("stop")+` && `+all("step")+`.every(e => e.dataset.state !== "running")`))
}

func TestPanelWithoutHostThenWith(t *testing.T) {
	ctx, b := launch(t, nil)
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	must(t, p.Until(ctx, paneltest.ByTestID("host-missing")+`?.innerText.includes("tabwright install")`))
	must(t, p.Until(ctx, paneltest.ByTestID("host-missing")+`.innerText.includes("Specified native messaging host not found.")`))
	s := newStage()
	must(t, b.Register(ctx, s.handle))
	began := time.Now()
	must(t, p.Click(ctx, "retry"))
	must(t, p.Until(ctx, paneltest.ByTestID("composer")+`?.disabled === false`))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the panel waited %v although the user asked", took)
	}
}

func TestPanelWithoutModelTakesTheTour(t *testing.T) {
	s := newStage()
	s.models = wire.ModelList{Error: &wire.Error{Code: "unreachable", Message: "Ollama isn't running.", Hint: "Install it."}}
	ctx, _, p := panel(t, s)
	must(t, p.Until(ctx, paneltest.ByTestID("no-model")+`?.innerText.includes("Ollama isn't running")`))
	must(t, p.Click(ctx, "tour"))
	s.call(ctx, t, wire.MethodTourStart)
	must(t, p.Until(ctx, paneltest.ByTestID("composer")+`.value === "buy a mug" && document.querySelector(".tag")`))
	must(t, p.Click(ctx, "send"))
	start := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart))
	if start.Model != "stand-in/tour-script" || start.TabID == 0 || start.Text != "buy a mug" {
		t.Errorf("the tour started %+v", start)
	}
	var tab wire.TabInfo
	must(t, s.host.Call(ctx, wire.MethodTabsGet, wire.TabParams{TabID: start.TabID}, &tab))
	if tab.URL != "http://shop.test:1/" {
		t.Errorf("the tour began in %+v", tab)
	}
}

func TestRealSidePanel(t *testing.T) {
	s := newStage()
	ctx, _, p := besidePage(t, s.handle)
	must(t, p.Type(ctx, "composer", "look here"))
	must(t, p.Click(ctx, "send"))
	start := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart))
	var tab wire.TabInfo
	must(t, s.host.Call(ctx, wire.MethodTabsGet, wire.TabParams{TabID: start.TabID}, &tab))
	if tab.Title != "outer" || !tab.Active {
		t.Errorf("the task begins in %+v, not in the tab the user looks at", tab)
	}

	// A long chat scrolls inside; the head stays where it is.
	for i := 1; i < 60; i++ {
		s.emit(step(i, ""))
		s.emit(step(i, "ok"))
	}
	must(t, p.Until(ctx, all("step")+`.length === 59`))
	must(t, p.Until(ctx, `(() => { const c = document.querySelector(".chat"); return c.scrollTop > 100 && c.scrollHeight - c.scrollTop - c.clientHeight < 48 })()`))
	var frame struct{ Width, Head, Page float64 }
	must(t, p.Eval(ctx, paneltest.ByTestID("step")+`.scrollIntoView({block: "center"})`, nil))
	must(t, p.Eval(ctx, `({Width: innerWidth, Head: document.querySelector("header").getBoundingClientRect().top, Page: document.scrollingElement.scrollTop})`, &frame))
	if frame.Head != 0 || frame.Page != 0 || frame.Width < 300 {
		t.Errorf("the panel is %+v", frame)
	}
}
