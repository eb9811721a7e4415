package rpc

import (
	"context"
	"encoding/json"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestInOrder: calls that are made one after another, each once the one before
// it was sent and long before it is answered, begin in that order.
func TestInOrder(t *testing.T) {
	a, b := net.Pipe()
	from, to := NewPeer(a, PeerOptions{}), NewPeer(b, PeerOptions{})
	var mu sync.Mutex
	var begun []int
	go1 := make(chan struct{})
	to.HandleInOrder("step", func(_ context.Context, raw json.RawMessage) func() (any, error) {
		var n int
		if err := json.Unmarshal(raw, &n); err != nil {
			t.Error(err)
		}
		mu.Lock()
		begun = append(begun, n)
		mu.Unlock()
		return func() (any, error) {
			<-go1 // nothing is answered before all were sent
			return n, nil
		}
	})
	from.Start()
	to.Start()
	t.Cleanup(func() {
		_ = from.Close()
		_ = to.Close()
		from.Wait()
		to.Wait()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	const calls = 200 // more than are answered at once
	var done sync.WaitGroup
	var want []int
	for n := range calls {
		want = append(want, n)
		sent := make(chan struct{})
		done.Go(func() {
			var got int
			if err := from.Call(WithSent(ctx, func() { close(sent) }), "step", n, &got); err != nil || got != n {
				t.Errorf("call %d: %d, %v", n, got, err)
			}
		})
		select {
		case <-sent:
		case <-ctx.Done():
			t.Fatal("a call was not sent")
		}
	}
	close(go1)
	done.Wait()
	if !slices.Equal(begun, want) {
		t.Errorf("begun in the order %v", begun)
	}
}
