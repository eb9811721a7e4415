package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// raw drives a Peer with frames of our own making.
type raw struct {
	t testing.TB
	r *native.Reader
	w *native.Writer
}

func rawPeer(t testing.TB, opts PeerOptions, set func(p *Peer)) raw {
	t.Helper()
	x, y := net.Pipe()
	p := NewPeer(x, opts)
	if set != nil {
		set(p)
	}
	p.Start()
	t.Cleanup(func() {
		_ = p.Close()
		_ = y.Close()
		p.Wait()
	})
	return raw{t, native.NewReader(y, native.MaxFromChrome), native.NewWriter(y, native.MaxFromChrome)}
}

func (r raw) send(frames ...string) {
	r.t.Helper()
	for _, f := range frames {
		if err := r.w.WriteFrame([]byte(f)); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r raw) read() string {
	r.t.Helper()
	b, err := r.r.ReadFrame()
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

func TestMalformedMessages(t *testing.T) {
	r := rawPeer(t, PeerOptions{}, func(p *Peer) { p.Handle("echo", echo) })
	tests := []struct{ name, frame, want string }{
		{"no JSON", `{"kind":`, ``},
		{"empty", ``, ``},
		{"not an object", `[1,2]`, ``},
		{"not UTF-8", "{\"kind\":\"evt\",\"method\":\"\xff\"}", ``},
		{"unknown kind", `{"kind":"shout","id":3}`, ``},
		{"request without method", `{"kind":"req","id":4}`, `{"kind":"res","id":4,"error":{"code":"malformed","message":"a request needs id and method"}}`},
		{"request without id", `{"kind":"req","method":"echo"}`, ``},
		{"event without method", `{"kind":"evt"}`, ``},
		{"answer to nobody", `{"kind":"res","id":77,"result":1}`, ``},
		{"cancel of nothing", `{"kind":"cancel","id":77}`, ``},
		{"cancel without id", `{"kind":"cancel"}`, ``},
		{"chunk without chunk", `{"kind":"chunk"}`, ``},
		{"chunk from the middle", `{"kind":"chunk","chunk":{"id":1,"seq":3,"total":9,"data":"eA=="}}`, ``},
		{"channel name too long", `{"kind":"req","id":5,"method":"echo","chan":"` + strings.Repeat("c", 300) + `"}`, ``},
		{"unknown event", `{"kind":"evt","method":"nobody"}`, ``},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.send(tt.frame)
			if tt.want != "" {
				if got := r.read(); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			}
			// Whatever it was, the connection goes on.
			r.send(fmt.Sprintf(`{"kind":"req","id":%d,"method":"echo","params":[%d]}`, 1000+i, i))
			if got, want := r.read(), fmt.Sprintf(`{"kind":"res","id":%d,"result":[%d]}`, 1000+i, i); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestBusyAndDuplicates(t *testing.T) {
	release := make(chan struct{})
	r := rawPeer(t, PeerOptions{Handlers: 1, Channels: 1}, func(p *Peer) {
		p.Handle("echo", echo)
		p.Handle("hang", func(context.Context, *Channel, json.RawMessage) (any, error) {
			<-release
			return "first", nil
		})
	})
	r.send(`{"kind":"req","id":1,"chan":"a","method":"hang"}`, `{"kind":"req","id":1,"chan":"a","method":"hang"}`,
		`{"kind":"req","id":1,"chan":"b","method":"echo"}`)
	if got := r.read(); !strings.Contains(got, `"chan":"b"`) || !strings.Contains(got, `"code":"busy"`) {
		t.Errorf("a channel too many: %s", got)
	}
	for i := range maxWaiting {
		r.send(fmt.Sprintf(`{"kind":"req","id":%d,"method":"echo"}`, i+2))
	}
	r.send(`{"kind":"req","id":5000,"method":"echo"}`)
	if got := r.read(); !strings.Contains(got, `"id":5000,"error":{"code":"busy"`) {
		t.Errorf("a request too many: %s", got)
	}
	// Cancelling one that waits answers it at once.
	r.send(`{"kind":"cancel","id":3}`)
	if got := r.read(); !strings.Contains(got, `"id":3,"error":{"code":"cancelled"`) {
		t.Errorf("withdrawn while waiting: %s", got)
	}
	close(release)
	for i := range maxWaiting { // 1,024 waiting − 1 withdrawn + the first
		if got := r.read(); strings.Contains(got, "error") {
			t.Fatalf("answer %d: %s", i, got)
		}
	}
}

func TestHugeMessagesAreChunked(t *testing.T) {
	big := strings.Repeat("é-", 1_700_000) // over 5 MB, slices fall inside characters
	a, b := pair(t, PeerOptions{MaxWrite: native.MaxToChrome}, PeerOptions{MaxRead: native.MaxToChrome}, func(a, b *Peer) {
		a.Handle("big", func(context.Context, *Channel, json.RawMessage) (any, error) { return big, nil })
		a.Handle("too big", func(context.Context, *Channel, json.RawMessage) (any, error) {
			return json.RawMessage(`"` + strings.Repeat("x", native.MaxMessage) + `"`), nil
		})
		b.Handle("len", func(_ context.Context, from *Channel, params json.RawMessage) (any, error) {
			return fmt.Sprintf("%s %d", from.Name(), len(params)), nil
		})
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // megabytes, under the race detector, beside others
	defer cancel()
	if got, err := Ask[string](ctx, b, "big", nil); err != nil || got != big {
		t.Fatalf("%d bytes, %v; want %d", len(got), err, len(big))
	}
	if got, err := Ask[string](ctx, a.Chan("panel"), "len", big); err != nil || got != fmt.Sprintf("panel %d", len(big)+2) {
		t.Fatalf("%q, %v", got, err)
	}
	_, err := Ask[string](ctx, b, "too big", nil)
	wantCode(t, err, wire.CodeTooLarge)
	wantCode(t, a.Call(ctx, "len", json.RawMessage(`"`+strings.Repeat("x", native.MaxMessage)+`"`), nil), wire.CodeTooLarge)
}

func TestFourGigabytesEndsTheConnection(t *testing.T) {
	x, y := net.Pipe()
	p := NewPeer(x, PeerOptions{})
	p.Start()
	go func() { _, _ = io.Copy(y, bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff, '{'})) }()
	<-p.Done()
	wantCode(t, p.Err(), wire.CodeTooLarge)
	p.Wait()
	_ = y.Close()
}
