package control

import (
	"context"
	"slices"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/e2e/testwait"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// A pull goes on without the panel that asked for it, is found again, and can be
// ended; one of a name runs at a time.
func TestPullOverTheWire(t *testing.T) {
	going, goOn := make(chan struct{}, 9), make(chan struct{})
	s := standin.New(standin.Options{
		Format: standin.OllamaTools, Library: map[string]int64{"qwen3.5:4b": 4000, "gemma4:e4b": 8000},
		Pulling: func(ctx context.Context, _ int64) error {
			going <- struct{}{}
			select {
			case <-goOn:
			case <-ctx.Done():
			}
			return nil
		},
	})
	defer s.Close()
	dial, b, _ := startBroker(t, func(b *Broker) {
		b.Manager.Models.Config = func(string) (llm.Config, error) {
			return llm.Config{Provider: "ollama", BaseURL: s.URL(), Env: func(string) string { return "" }}, nil
		}
	})
	join := func() (*rpc.Peer, *rpc.Channel) {
		p := dial()
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(wire.RoleRelay)); err != nil {
			t.Fatal(err)
		}
		return p, p.Chan("p1")
	}
	ask := func(p *rpc.Channel, method, name string) wire.PullList {
		t.Helper()
		list, err := rpc.Ask[wire.PullList](t.Context(), p, method, wire.ModelRef{ID: name})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	line, first := join()
	wantCode(t, first.Call(t.Context(), wire.MethodModelPull, wire.ModelRef{ID: "no name"}, nil), wire.CodeInvalidParams)
	ask(first, wire.MethodModelPull, "qwen3.5:4b")
	<-going
	if list := ask(first, wire.MethodModelPull, "ollama/qwen3.5:4b"); len(list.Pulls) != 1 || list.Pulls[0].State != wire.PullRunning {
		t.Errorf("it is pulled twice: %+v", list)
	}
	_ = line.Close()
	if b.isIdle() {
		t.Error("a broker that pulls has nothing to do")
	}
	_, second := join()
	list := testwait.Value(t, func() (wire.PullList, bool) {
		l := ask(second, wire.MethodModelPulls, "")
		return l, len(l.Pulls) == 1 && l.Pulls[0].Total == 4000
	})
	if p := list.Pulls[0]; p.Done != 1000 || p.State != wire.PullRunning {
		t.Errorf("%+v", p)
	}
	close(goOn)
	ended := func(name string) func() (wire.PullList, bool) {
		return func() (wire.PullList, bool) {
			l := ask(second, wire.MethodModelPulls, "")
			return l, slices.ContainsFunc(l.Pulls, func(p wire.PullInfo) bool { return p.Name == name && p.State != wire.PullRunning })
		}
	}
	if list := testwait.Value(t, ended("qwen3.5:4b")); list.Pulls[0].State != wire.PullDone {
		t.Errorf("%+v", list)
	}
	// What there is none of says so; what has ended can be taken off the list.
	ask(second, wire.MethodModelPull, "nobody:1b")
	if list := testwait.Value(t, ended("nobody:1b")); list.Pulls[1].State != wire.PullFailed || list.Pulls[1].Error.Code != llm.CodeModelNotFound {
		t.Errorf("%+v", list)
	}
	ask(second, wire.MethodModelPullStop, "nobody:1b")
	if list := ask(second, wire.MethodModelPullStop, "qwen3.5:4b"); len(list.Pulls) != 0 {
		t.Errorf("%+v", list)
	}
	goOn = make(chan struct{})
	for len(going) > 0 {
		<-going
	}
	ask(second, wire.MethodModelPull, "gemma4:e4b")
	<-going
	if list := ask(second, wire.MethodModelPullStop, "gemma4:e4b"); list.Pulls[0].State != wire.PullStopped {
		t.Errorf("%+v", list)
	}
	// It begins anew at once, whether or not the one before has come to its end.
	if list := ask(second, wire.MethodModelPull, "gemma4:e4b"); len(list.Pulls) != 1 || list.Pulls[0].State != wire.PullRunning {
		t.Errorf("%+v", list)
	}
	<-going
	close(goOn)
	if list := testwait.Value(t, ended("gemma4:e4b")); list.Pulls[0].State != wire.PullDone {
		t.Errorf("%+v", list)
	}
}
