package rpc

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"tabwright/host/native/wire"
)

func TestEventsKeepTheirOrderPerChannel(t *testing.T) {
	const n = 500
	var mu sync.Mutex
	got := map[string][]int{}
	all := make(chan struct{})
	hold := make(chan struct{})
	a, _ := pair(t, PeerOptions{}, PeerOptions{}, func(_, b *Peer) {
		b.Handle("echo", echo)
		On(b, "evt", func(_ context.Context, from *Channel, i int) (any, error) {
			if i == 0 && from.Name() == "p1" {
				<-hold // one channel stands still; the other and requests do not
			}
			mu.Lock()
			defer mu.Unlock()
			got[from.Name()] = append(got[from.Name()], i)
			if len(got["p1"])+len(got["p2"]) == 2*n {
				close(all)
			}
			return nil, nil
		})
	})
	for i := range n {
		for _, c := range []string{"p1", "p2"} {
			if err := a.Chan(c).Notify("evt", i); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Chan("p1").Call(bounded(t), "echo", 1, nil); err != nil {
		t.Fatalf("a slow event handler held up a request: %v", err)
	}
	close(hold)
	select {
	case <-all:
	case <-bounded(t).Done():
		t.Fatal("events got lost")
	}
	for c, is := range got {
		for i, v := range is {
			if i != v {
				t.Fatalf("channel %s: event %d came in place %d", c, v, i)
			}
		}
	}
}

func TestTwoChannels(t *testing.T) {
	a, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, b *Peer) {
		a.Handle("who", func(_ context.Context, from *Channel, _ json.RawMessage) (any, error) { return from.Name(), nil })
		b.Chan("p1").Handle("mine", func(context.Context, *Channel, json.RawMessage) (any, error) { return "p1 only", nil })
		// A question asked back on the channel that asked.
		a.Handle("ask back", func(ctx context.Context, from *Channel, _ json.RawMessage) (any, error) {
			return Ask[string](ctx, from, "mine", nil)
		})
	})
	ctx := bounded(t)
	for _, name := range []string{"", "p1", "p2"} {
		if got, err := Ask[string](ctx, b.Chan(name), "who", nil); err != nil || got != name {
			t.Errorf("channel %q: %q, %v", name, got, err)
		}
	}
	if got, err := Ask[string](ctx, b.Chan("p1"), "ask back", nil); err != nil || got != "p1 only" {
		t.Errorf("ask back: %q, %v", got, err)
	}
	_, err := Ask[string](ctx, b.Chan("p2"), "ask back", nil)
	wantCode(t, err, wire.CodeUnknownMethod)

	c := a.Chan("p1")
	_ = c.Close()
	wantCode(t, c.Notify("x", nil), wire.CodeClosed)
	wantCode(t, c.Call(ctx, "mine", nil, nil), wire.CodeClosed)
	if got, err := Ask[string](ctx, a.Chan("p1"), "mine", nil); err != nil || got != "p1 only" {
		t.Errorf("a channel opened again: %q, %v", got, err)
	}
	if a.Err() != nil {
		t.Errorf("closing a channel closed the connection: %v", a.Err())
	}
}

func TestChannelCloseEndsItsHandlersAndCalls(t *testing.T) {
	begun := make(chan *Channel, 1)
	ended := make(chan error, 1)
	a, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, b *Peer) {
		a.Handle("hang", func(ctx context.Context, from *Channel, _ json.RawMessage) (any, error) {
			begun <- from
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		})
	})
	res := make(chan error, 1)
	go func() { res <- b.Chan("p1").Call(bounded(t), "hang", nil, nil) }()
	_ = (<-begun).Close()
	wantCode(t, <-ended, wire.CodeClosed)
	if err := <-res; err == nil {
		t.Error("the call succeeded")
	}
	if a.Err() != nil {
		t.Errorf("the connection ended: %v", a.Err())
	}
}
