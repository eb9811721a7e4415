package rpc

import (
	"context"
	"encoding/json"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

func TestHandlersAreBounded(t *testing.T) {
	const limit, asks = 4, 40
	var now, most atomic.Int32
	release := make(chan struct{})
	_, b := pair(t, PeerOptions{Handlers: limit}, PeerOptions{}, func(a, _ *Peer) {
		a.Handle("work", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			n := now.Add(1)
			defer now.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			<-release
			return nil, nil
		})
	})
	ctx := bounded(t)
	var wg sync.WaitGroup
	for range asks {
		wg.Go(func() {
			if err := b.Call(ctx, "work", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	// One that waits in the queue is withdrawn without ever running.
	short, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
	defer cancel()
	wantCode(t, b.Call(short, "work", nil, nil), wire.CodeTimeout)
	close(release)
	wg.Wait()
	if most.Load() != limit {
		t.Errorf("%d handlers ran at once, want %d", most.Load(), limit)
	}
}

func TestSlowReaderLosesTheConnection(t *testing.T) {
	x, y := net.Pipe() // nobody reads y
	defer y.Close()
	p := NewPeer(x, PeerOptions{QueueMessages: 10})
	p.Start()
	var err error
	for range 100 {
		if err = p.Notify("evt", nil); err != nil {
			break
		}
	}
	wantCode(t, err, wire.CodeOverflow)
	<-p.Done()
	wantCode(t, p.Err(), wire.CodeOverflow)
	p.Wait()
}

func TestEventFloodLosesTheConnection(t *testing.T) {
	hold := make(chan struct{})
	a, b := pair(t, PeerOptions{}, PeerOptions{QueueMessages: 10}, func(_, b *Peer) {
		b.Handle("evt", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			<-hold
			return nil, nil
		})
	})
	for range 100 {
		if a.Notify("evt", nil) != nil {
			break
		}
	}
	<-b.Done()
	close(hold)
	wantCode(t, b.Err(), wire.CodeOverflow)
	<-a.Done()
}
