package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// pair gives two started peers joined by a pipe; set prepares their handlers.
func pair(t testing.TB, ao, bo PeerOptions, set func(a, b *Peer)) (a, b *Peer) {
	t.Helper()
	x, y := net.Pipe()
	a, b = NewPeer(x, ao), NewPeer(y, bo)
	if set != nil {
		set(a, b)
	}
	a.Start()
	b.Start()
	t.Cleanup(func() {
		_ = a.Close()
		_ = b.Close()
		a.Wait()
		b.Wait()
	})
	return a, b
}

func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func wantCode(t testing.TB, err error, code wire.Code) {
	t.Helper()
	if !errors.Is(err, &wire.Error{Code: code}) {
		t.Fatalf("got %v, want code %s", err, code)
	}
}

func echo(_ context.Context, _ *Channel, params json.RawMessage) (any, error) { return params, nil }

func TestCallAnswers(t *testing.T) {
	_, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, _ *Peer) {
		a.Handle("echo", echo)
		a.Handle("nothing", func(context.Context, *Channel, json.RawMessage) (any, error) { return nil, nil })
		a.Handle("coded", func(context.Context, *Channel, json.RawMessage) (any, error) {
			return nil, fmt.Errorf("while trying: %w", &wire.Error{Code: "stale_ref", Message: "gone", Hint: "look again", Data: json.RawMessage(`{"ref":"e1"}`)})
		})
		a.Handle("plain", func(context.Context, *Channel, json.RawMessage) (any, error) { return nil, errors.New("boom") })
		a.Handle("panic", func(context.Context, *Channel, json.RawMessage) (any, error) { panic("secret of the stack") })
		a.Handle("broken", func(context.Context, *Channel, json.RawMessage) (any, error) { return json.RawMessage(`{`), nil })
		On(a, "typed", func(_ context.Context, _ *Channel, p wire.TabParams) (wire.TabInfo, error) {
			return wire.TabInfo{TabID: p.TabID, Title: "<&> é \u2028"}, nil
		})
	})
	ctx := bounded(t)
	tests := []struct {
		method string
		params any
		want   string
		code   wire.Code
	}{
		{"echo", map[string]int{"a": 1}, `{"a":1}`, ""},
		{"echo", json.RawMessage(`[ 1, "<x>" ]`), `[ 1, "<x>" ]`, ""},
		{"echo", "é\u2028\xff\"\\", `"é\u2028\ufffd\"\\"`, ""},
		{"nothing", nil, ``, ""},
		{"typed", wire.TabParams{TabID: 7}, `"tabId":7`, ""},
		{"typed", "no object", ``, wire.CodeInvalidParams},
		{"coded", nil, ``, "stale_ref"},
		{"plain", nil, ``, wire.CodeInternal},
		{"panic", nil, ``, wire.CodeInternal},
		{"broken", nil, ``, wire.CodeInternal},
		{"nobody", nil, ``, wire.CodeUnknownMethod},
		{"echo", json.RawMessage(`{`), ``, wire.CodeInvalidParams},
		{"echo", make(chan int), ``, wire.CodeInvalidParams},
	}
	for _, tt := range tests {
		t.Run(tt.method, func(t *testing.T) {
			var got json.RawMessage
			err := b.Call(ctx, tt.method, tt.params, &got)
			if tt.code != "" {
				wantCode(t, err, tt.code)
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the panic went over the wire: %v", err)
				}
				return
			}
			if err != nil || !strings.Contains(string(got), tt.want) {
				t.Fatalf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
	if info, err := Ask[wire.TabInfo](ctx, b, "typed", wire.TabParams{TabID: 9}); err != nil || info.TabID != 9 || info.Title != "<&> é \u2028" {
		t.Errorf("Ask: %+v, %v", info, err)
	}
	var e *wire.Error
	if err := b.Call(ctx, "coded", nil, nil); !errors.As(err, &e) || e.Hint != "look again" || string(e.Data) != `{"ref":"e1"}` {
		t.Errorf("the error lost its parts: %+v", e)
	}
	if err := b.Call(ctx, "typed", nil, new(string)); !errors.Is(err, &wire.Error{Code: wire.CodeMalformed}) {
		t.Errorf("a result of another type: %v", err)
	}
}

func TestOutOfOrderAndConcurrent(t *testing.T) {
	second := make(chan struct{})
	_, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, _ *Peer) {
		On(a, "wait", func(ctx context.Context, _ *Channel, n int) (int, error) {
			if n == 1 { // the first is answered only after the second was asked
				select {
				case <-second:
				case <-ctx.Done():
					return 0, ctx.Err()
				}
			} else {
				close(second)
			}
			return n * 10, nil
		})
	})
	ctx := bounded(t)
	first := make(chan error, 1)
	go func() {
		n, err := Ask[int](ctx, b, "wait", 1)
		if err == nil && n != 10 {
			err = fmt.Errorf("got %d", n)
		}
		first <- err
	}()
	if n, err := Ask[int](ctx, b, "wait", 2); err != nil || n != 20 {
		t.Fatalf("second: %d, %v", n, err)
	}
	if err := <-first; err != nil {
		t.Fatal(err)
	}
}

func TestCancelReachesTheHandler(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	_, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, _ *Peer) {
		a.Handle("echo", echo)
		a.Handle("hang", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			close(begun)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		})
	})
	ctx, cancel := context.WithCancel(bounded(t))
	go func() {
		<-begun
		cancel()
	}()
	err := b.Call(ctx, "hang", nil, nil)
	wantCode(t, err, wire.CodeCancelled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap context.Canceled", err)
	}
	wantCode(t, <-ended, wire.CodeCancelled)
	if err := b.Call(bounded(t), "echo", 1, nil); err != nil {
		t.Fatalf("the connection is no longer in order: %v", err)
	}
}

func TestTimeouts(t *testing.T) {
	ended := make(chan struct{}, 2)
	_, b := pair(t, PeerOptions{}, PeerOptions{Timeout: 20 * time.Millisecond}, func(a, _ *Peer) {
		a.Handle("hang", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			ended <- struct{}{}
			return nil, ctx.Err()
		})
	})
	wantCode(t, b.Call(context.Background(), "hang", nil, nil), wire.CodeTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	err := b.Call(ctx, "hang", nil, nil)
	wantCode(t, err, wire.CodeTimeout)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v does not wrap context.DeadlineExceeded", err)
	}
	<-ended
	<-ended
	done, stop := context.WithCancel(context.Background())
	stop()
	wantCode(t, b.Call(done, "hang", nil, nil), wire.CodeCancelled)
}

func TestCloseInTheMiddle(t *testing.T) {
	for _, side := range []string{"ours", "theirs"} {
		t.Run(side, func(t *testing.T) {
			begun := make(chan struct{})
			ended := make(chan error, 1)
			a, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, _ *Peer) {
				a.Handle("hang", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
					close(begun)
					<-ctx.Done()
					ended <- context.Cause(ctx)
					return nil, ctx.Err()
				})
			})
			res := make(chan error, 1)
			go func() { res <- b.Call(bounded(t), "hang", nil, nil) }()
			<-begun
			if side == "ours" {
				_ = b.Close()
			} else {
				_ = a.Close()
			}
			wantCode(t, <-res, wire.CodeClosed)
			wantCode(t, <-ended, wire.CodeClosed)
			a.Wait()
			b.Wait()
			for _, p := range []*Peer{a, b} {
				wantCode(t, p.Err(), wire.CodeClosed)
				wantCode(t, p.Notify("x", nil), wire.CodeClosed)
				wantCode(t, p.Call(context.Background(), "x", nil, nil), wire.CodeClosed)
				wantCode(t, p.Chan("late").Notify("x", nil), wire.CodeClosed)
				if err := p.Flush(bounded(t)); err == nil {
					t.Error("flush of a closed peer")
				}
			}
		})
	}
}

func TestCallBeforeStart(t *testing.T) {
	x, y := net.Pipe()
	defer y.Close()
	p := NewPeer(x, PeerOptions{})
	wantCode(t, p.Call(context.Background(), "x", nil, nil), wire.CodeInternal)
	if p.Err() != nil {
		t.Error("closed before it was closed")
	}
	_ = p.Close()
	p.Wait()
}

func TestFlush(t *testing.T) {
	x, y := net.Pipe()
	p := NewPeer(x, PeerOptions{})
	p.Start()
	if err := p.Notify("last.word", strings.Repeat("x", 5000)); err != nil {
		t.Fatal(err)
	}
	got := make(chan wire.Message, 1)
	go func() {
		m, _ := native.NewReader(y, native.MaxFromChrome).ReadMessage()
		got <- m
	}()
	if err := p.Flush(bounded(t)); err != nil {
		t.Fatal(err)
	}
	_ = p.Close()
	if m := <-got; m.Method != "last.word" {
		t.Errorf("got %+v", m)
	}
	p.Wait()
}

func TestInlineEventsComeBeforeLaterAnswers(t *testing.T) {
	var seen atomic.Int32
	a, b := pair(t, PeerOptions{}, PeerOptions{}, func(a, b *Peer) {
		a.Handle("ask", func(_ context.Context, from *Channel, _ json.RawMessage) (any, error) {
			if err := a.Notify("boom", nil); err != nil {
				return nil, err
			}
			return nil, a.Notify("evt", 1)
		})
		b.HandleInline("evt", func(json.RawMessage) { seen.Add(1) })
		b.HandleInline("boom", func(json.RawMessage) { panic("inline") })
	})
	ctx := bounded(t)
	for i := range int32(200) {
		if err := b.Call(ctx, "ask", nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := seen.Load(); got != i+1 {
			t.Fatalf("answer %d came with %d events seen", i+1, got)
		}
	}
	// Of the root channel only: a panel can't speak for the browser.
	other := make(chan string, 1)
	b.Handle("evt", func(_ context.Context, from *Channel, _ json.RawMessage) (any, error) {
		other <- from.Name()
		return nil, nil
	})
	if err := a.Chan("p1").Notify("evt", 1); err != nil {
		t.Fatal(err)
	}
	if got := <-other; got != "p1" || seen.Load() != 200 {
		t.Errorf("channel %q, %d events", got, seen.Load())
	}
}

func TestAfterAnswer(t *testing.T) {
	r := rawPeer(t, PeerOptions{}, func(p *Peer) {
		p.Handle("both", func(ctx context.Context, from *Channel, _ json.RawMessage) (any, error) {
			done := make(chan struct{})
			AfterAnswer(ctx, func() {
				defer close(done)
				_ = from.Notify("later", nil)
			})
			select {
			case <-done:
				t.Error("called before the answer")
			default:
			}
			return "answer", from.Notify("sooner", nil)
		})
		p.Handle("event", func(ctx context.Context, from *Channel, _ json.RawMessage) (any, error) {
			AfterAnswer(ctx, func() { _ = from.Notify("at once", nil) })
			return nil, nil
		})
	})
	r.send(`{"kind":"req","id":1,"method":"both"}`)
	for _, want := range []string{"sooner", "answer", "later"} {
		if got := r.read(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	r.send(`{"kind":"evt","method":"event"}`)
	if got := r.read(); !strings.Contains(got, "at once") {
		t.Errorf("got %s", got)
	}
}

func BenchmarkPeerRoundTrip(b *testing.B) {
	_, p := pair(b, PeerOptions{MaxWrite: native.MaxToChrome}, PeerOptions{}, func(a, _ *Peer) { a.Handle("echo", echo) })
	params := json.RawMessage(`{"tabId":7,"method":"Runtime.evaluate","params":{"expression":"1+1"}}`)
	ctx := bounded(b)
	b.ReportAllocs()
	for b.Loop() {
		var out json.RawMessage
		if err := p.Call(ctx, "echo", params, &out); err != nil {
			b.Fatal(err)
		}
	}
}
