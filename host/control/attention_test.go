package control

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// What waits for the user, and which tabs are worked in, is told to the
// profile it concerns, whole, each time it changes, and to a relay that comes
// back.
func TestAttention(t *testing.T) {
	m := manager(t)
	dial, b, _ := startBroker(t, func(b *Broker) { b.Manager = m })
	heard := make(chan wire.AttentionInfo, 16)
	join := func() *rpc.Peer {
		p := dial()
		rpc.On(p, wire.EventAttention, func(_ context.Context, _ *rpc.Channel, a wire.AttentionInfo) (wire.Empty, error) {
			heard <- a
			return wire.Empty{}, nil
		})
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(wire.RoleRelay)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	next := func(what string, ok func(wire.AttentionInfo) bool) {
		t.Helper()
		var last wire.AttentionInfo
		for {
			select {
			case last = <-heard:
				if ok(last) {
					return
				}
			case <-time.After(10 * time.Second):
				got, _ := json.Marshal(last)
				t.Fatalf("%s was not told; last %s", what, got)
			}
		}
	}
	relay := join()
	next("nothing", func(a wire.AttentionInfo) bool { return len(a.Waiting) == 0 && len(a.Working) == 0 })

	place := nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	started, err := b.Manager.Start(t.Context(), wire.TaskStartParams{Text: "x"}, Place{Driver: place, Profile: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	info := started.Task
	emit := func(e wire.Event) {
		t.Helper()
		e.Task = info
		if _, err := b.Manager.Journal.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	next("the tab", func(a wire.AttentionInfo) bool { return slices.Equal(a.Working, []int{7}) })
	card := wire.ConfirmInfo{ID: "c1", Class: "purchase", Target: `button "Pay"`, Site: "shop.test", Amount: "€5", Expires: 99}
	emit(wire.Event{Type: wire.EvConfirmRequest, Confirm: &card})
	want := wire.WaitingInfo{Task: info, ID: "c1", Kind: wire.WaitConfirm, TabID: 7, Class: "purchase", Text: `button "Pay"`, Site: "shop.test", Amount: "€5", Expires: 99}
	waits := func(a wire.AttentionInfo) bool {
		return len(a.Working) == 0 && len(a.Waiting) == 1 && a.Waiting[0] == want
	}
	next("the card", waits)
	_ = relay.Close()
	back := join()
	next("the card, to the relay that came back,", waits)
	card.Answer = "deny" // long after it ended by the clock
	emit(wire.Event{Type: wire.EvConfirmResult, Confirm: &card})
	next("the answer", func(a wire.AttentionInfo) bool {
		return len(a.Waiting) == 0 && len(a.Working) == 1 && len(a.Expired) == 0
	})
	card.ID, card.Answer, want.ID = "c2", "", "c2"
	emit(wire.Event{Type: wire.EvConfirmRequest, Confirm: &card})
	next("the next card", waits)
	card.Answer = "expired"
	emit(wire.Event{Type: wire.EvConfirmResult, Confirm: &card})
	next("that it ran out", func(a wire.AttentionInfo) bool {
		return len(a.Waiting) == 0 && len(a.Expired) == 1 && a.Expired[0] == want
	})
	emit(wire.Event{Type: wire.EvPaused})
	next("the pause, and no card a second time", func(a wire.AttentionInfo) bool {
		return len(a.Waiting) == 0 && len(a.Working) == 0 && len(a.Expired) == 0
	})
	_ = back.Close() // it may have heard that too late to show it
	join()
	next("that it ran out, to the relay that came back,", func(a wire.AttentionInfo) bool {
		return len(a.Waiting) == 0 && len(a.Expired) == 1 && a.Expired[0] == want
	})
	emit(wire.Event{Type: wire.EvResumed})
	next("that it goes on, and no card a second time", func(a wire.AttentionInfo) bool {
		return len(a.Working) == 1 && len(a.Expired) == 0
	})
	emit(wire.Event{Type: wire.EvAsk, Text: "Which?"})
	next("the question", func(a wire.AttentionInfo) bool {
		return len(a.Waiting) == 1 && a.Waiting[0].Kind == wire.WaitAsk && a.Waiting[0].Text == "Which?"
	})
	if err := b.Manager.Stop(t.Context(), info); err != nil {
		t.Fatal(err)
	}
	next("the end", func(a wire.AttentionInfo) bool { return len(a.Waiting) == 0 && len(a.Working) == 0 })
}
