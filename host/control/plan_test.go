package control

import (
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/llm"
)

// A plan is edited in the panel and by nobody else; it is on disk when the
// panel has its answer.
func TestAPlanIsEditedInThePanel(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	m := b.Manager
	if err := m.Journal.Create(journal.Task{TaskInfo: native.TaskInfo{Task: "t1", State: native.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	desk := agent.NewDesk(&record{m: m, task: "t1"})
	m.mu.Lock()
	m.live = map[string]*live{"t1": {id: "t1", desk: desk, cancel: func(error) {}}}
	m.mu.Unlock()
	t.Cleanup(func() {
		m.mu.Lock()
		delete(m.live, "t1")
		m.mu.Unlock()
	})
	relay, cli := dial(), dial()
	for p, role := range map[*native.Peer]string{relay: RoleRelay, cli: RoleCLI} {
		p.Start()
		if _, err := native.Ask[native.HelloResult](t.Context(), p, native.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
	}
	edit := native.PlanEditParams{Task: "t1", Plan: []native.PlanStep{{Text: "search", State: native.PlanDone}, {Text: "  compare\nprices "}, {Text: " "}, {Text: "tell"}}}
	wantCode(t, cli.Call(t.Context(), native.MethodPlanEdit, edit, nil), CodePanelOnly)
	panel := relay.Chan("p1")
	if err := panel.Call(t.Context(), native.MethodPlanEdit, edit, nil); err != nil {
		t.Fatal(err)
	}
	events, err := m.Journal.Events("t1", 0)
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	ev := events[0]
	if ev.Type != native.EvPlan || ev.Level != agent.LevelPerson || ev.Text != "[x] search\n[>] compare prices\n[ ] tell" || len(ev.Plan) != 3 {
		t.Errorf("%+v", ev)
	}
	for name, p := range map[string]native.PlanEditParams{
		"too long a step": {Task: "t1", Plan: []native.PlanStep{{Text: strings.Repeat("x", longestStep+1)}}},
		"too many":        {Task: "t1", Plan: slicesOf(mostPlanSteps + 1)},
		"no such state":   {Task: "t1", Plan: []native.PlanStep{{Text: "x", State: "paid"}}},
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, panel.Call(t.Context(), native.MethodPlanEdit, p, nil), native.CodeInvalidParams)
		})
	}
	wantCode(t, panel.Call(t.Context(), native.MethodPlanEdit, native.PlanEditParams{Task: "t9"}, nil), CodeNoTask)
}

func slicesOf(n int) []native.PlanStep {
	out := make([]native.PlanStep, n)
	for i := range out {
		out[i].Text = "a step"
	}
	return out
}

// models.check sends real requests and says what works; a server that is not
// there is an error that says so.
func TestModelsCheckOverTheWire(t *testing.T) {
	able := standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		if strings.Contains(c.Newest(), "number 42") {
			return standin.Turn{Calls: []standin.Call{{Name: "report", Args: map[string]any{"number": 42}}}}
		}
		return standin.Turn{Text: "ready"}
	})
	s := standin.New(standin.Options{Format: standin.OllamaTools, Brain: able})
	defer s.Close()
	dial, _, _ := startBroker(t, func(b *Broker) {
		b.Manager.Models.Config = func(provider string) (llm.Config, error) {
			c := llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}
			if provider == "custom" {
				c.Provider, c.BaseURL = "custom", "http://127.0.0.1:1/v1"
			}
			return c, nil
		}
	})
	cli := dial()
	cli.Start()
	if _, err := native.Ask[native.HelloResult](t.Context(), cli, native.MethodHello, hello(RoleCLI)); err != nil {
		t.Fatal(err)
	}
	got, err := native.Ask[native.ModelCheck](t.Context(), cli, native.MethodModelCheck, native.ModelRef{ID: "ollama/" + s.Model()})
	if err != nil || got.Way != "native" || len(got.Checks) != 5 || len(s.Requests()) != 5 {
		t.Fatalf("%+v, %v after %d requests", got, err, len(s.Requests()))
	}
	for _, c := range got.Checks {
		if want := c.Name != llm.ProbeVision; c.OK != want {
			t.Errorf("%+v", c)
		}
	}
	_, err = native.Ask[native.ModelCheck](t.Context(), cli, native.MethodModelCheck, native.ModelRef{ID: "custom/m"})
	wantCode(t, err, native.Code(llm.CodeUnreachable))
}
