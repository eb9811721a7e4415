package control

import (
	"testing"

	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// The panel speaks for the user, and who began a task for that task; any other
// program on the socket may only tell it something, and attach nothing.
func TestWhoseWordATaskHears(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	m := b.Manager
	for _, id := range []string{"t1", "t2"} {
		if err := m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: id, State: wire.TaskRunning}}); err != nil {
			t.Fatal(err)
		}
		desk := agent.NewUserChannel(&record{m: m, task: id})
		m.mu.Lock()
		if m.live == nil {
			m.live = map[string]*live{}
		}
		m.live[id] = &live{id: id, desk: desk, cancel: func(error) {}}
		m.mu.Unlock()
	}
	t.Cleanup(func() {
		m.mu.Lock()
		clear(m.live)
		m.mu.Unlock()
	})
	relay, cli := dial(), dial()
	for p, role := range map[*rpc.Peer]string{relay: wire.RoleRelay, cli: wire.RoleCLI} {
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
	}
	say := wire.SayParams{Task: "t1", Text: "go on", Attach: []wire.Attachment{{Kind: agent.AttachSelection, Text: "x", URL: "https://bank.example/"}}}
	wantCode(t, cli.Call(t.Context(), wire.MethodTaskSay, say, nil), wire.CodePanelOnly)
	wantCode(t, relay.Call(t.Context(), wire.MethodTaskSay, say, nil), wire.CodePanelOnly) // of the relay itself, no panel's port
	if err := relay.Chan("p1").Call(t.Context(), wire.MethodTaskSay, say, nil); err != nil {
		t.Errorf("the panel: %v", err)
	}
	if err := cli.Call(t.Context(), wire.MethodTaskSay, wire.SayParams{Task: "t1", Text: "go on"}, nil); err != nil {
		t.Errorf("a program's words: %v", err)
	}

	c := &conn{b: b}
	from := cli.Root()
	c.addBegun("t2")
	if !c.speaksFor(from, "t2") || c.speaksFor(from, "t1") {
		t.Error("whoever began a task speaks for that one and for no other")
	}
	for range mostBegun {
		c.addBegun("later")
	}
	if len(c.begun) != mostBegun || c.speaksFor(from, "t2") {
		t.Errorf("%d are remembered", len(c.begun))
	}
}
