package control

import (
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// A plan is edited in the panel and by nobody else; it is on disk when the
// panel has its answer.
func TestAPlanIsEditedInThePanel(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	m := b.Manager
	if err := m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", State: wire.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
	desk := agent.NewUserChannel(&record{m: m, task: "t1"})
	m.mu.Lock()
	m.live = map[string]*live{"t1": {id: "t1", desk: desk, cancel: func(error) {}}}
	m.mu.Unlock()
	t.Cleanup(func() {
		m.mu.Lock()
		delete(m.live, "t1")
		m.mu.Unlock()
	})
	relay, cli := dial(), dial()
	for p, role := range map[*rpc.Peer]string{relay: wire.RoleRelay, cli: wire.RoleCLI} {
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
	}
	edit := wire.PlanEditParams{Task: "t1", Plan: []wire.PlanStep{{Text: "search", State: wire.PlanDone}, {Text: "  compare\nprices "}, {Text: " "}, {Text: "tell"}}}
	wantCode(t, cli.Call(t.Context(), wire.MethodPlanEdit, edit, nil), wire.CodePanelOnly)
	panel := relay.Chan("p1")
	if err := panel.Call(t.Context(), wire.MethodPlanEdit, edit, nil); err != nil {
		t.Fatal(err)
	}
	events, err := m.Journal.Events("t1", 0)
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	ev := events[0]
	if ev.Type != wire.EvPlan || ev.Level != agent.LevelUser || ev.Text != "[x] search\n[>] compare prices\n[ ] tell" || len(ev.Plan) != 3 {
		t.Errorf("%+v", ev)
	}
	for name, p := range map[string]wire.PlanEditParams{
		"too long a step": {Task: "t1", Plan: []wire.PlanStep{{Text: strings.Repeat("x", longestStep+1)}}},
		"too many":        {Task: "t1", Plan: slicesOf(mostPlanSteps + 1)},
		"no such state":   {Task: "t1", Plan: []wire.PlanStep{{Text: "x", State: "paid"}}},
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, panel.Call(t.Context(), wire.MethodPlanEdit, p, nil), wire.CodeInvalidParams)
		})
	}
	wantCode(t, panel.Call(t.Context(), wire.MethodPlanEdit, wire.PlanEditParams{Task: "t9"}, nil), wire.CodeNoTask)
}

func slicesOf(n int) []wire.PlanStep {
	out := make([]wire.PlanStep, n)
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
	if _, err := rpc.Ask[wire.HelloResult](t.Context(), cli, wire.MethodHello, hello(wire.RoleCLI)); err != nil {
		t.Fatal(err)
	}
	got, err := rpc.Ask[wire.ModelCheck](t.Context(), cli, wire.MethodModelCheck, wire.ModelRef{ID: "ollama/" + s.Model()})
	if err != nil || got.Way != "native" || len(got.Checks) != 5 || len(s.Requests()) != 5 {
		t.Fatalf("%+v, %v after %d requests", got, err, len(s.Requests()))
	}
	for _, c := range got.Checks {
		if want := c.Name != llm.ProbeVision; c.OK != want {
			t.Errorf("%+v", c)
		}
	}
	_, err = rpc.Ask[wire.ModelCheck](t.Context(), cli, wire.MethodModelCheck, wire.ModelRef{ID: "custom/m"})
	wantCode(t, err, wire.Code(llm.CodeUnreachable))
}
