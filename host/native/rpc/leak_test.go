package rpc

import (
	"context"
	"encoding/json"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

// TestNoGoroutineIsLeft opens and closes peers in the middle of everything and
// looks at every stack afterwards.
func TestNoGoroutineIsLeft(t *testing.T) {
	for range 20 {
		x, y := net.Pipe()
		a, b := NewPeer(x, PeerOptions{Handlers: 2}), NewPeer(y, PeerOptions{})
		begun := make(chan struct{}, 100)
		hang := func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		a.Handle("hang", hang)
		a.Handle("evt", hang)
		a.Start()
		b.Start()
		calls := make(chan error, 10)
		for i := range 10 { // two run, eight wait
			c := b.Chan([]string{"", "p1"}[i%2])
			go func() { calls <- c.Call(context.Background(), "hang", nil, nil) }()
		}
		_ = b.Notify("evt", nil)
		_ = b.Notify("evt", nil)
		_ = b.Chan("p1").Notify("evt", nil)
		for range 4 {
			<-begun
		}
		_ = a.Close()
		for range 10 {
			wantCode(t, <-calls, wire.CodeClosed)
		}
		a.Wait()
		b.Wait()
	}
	// A goroutine that has said it is done may not have left its stack yet.
	var left []string
	for limit := time.Now().Add(5 * time.Second); time.Now().Before(limit); runtime.Gosched() {
		if left = ours(); len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind:\n%s", strings.Join(left, "\n\n"))
}

// ours gives the stacks of this package's own goroutines.
func ours() (left []string) {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(stack, "rpc.(*Peer)") || strings.Contains(stack, "rpc.(*Channel)") {
			left = append(left, stack)
		}
	}
	return left
}
