package rpc

import (
	"context"
	"encoding/json"
	"net"
	"testing"
	"time"

	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// FuzzPeer: arbitrary frames never panic a peer, never hang it, and leave it
// answering unless a frame ended the connection.
func FuzzPeer(f *testing.F) {
	f.Add(`{"kind":"req","id":1,"method":"echo","params":[1]}`, `{"kind":"cancel","id":1}`)
	f.Add(`{"kind":"req","id":1,"chan":"p","method":"hang"}`, `{"kind":"cancel","id":1,"chan":"p"}`)
	f.Add(`{"kind":"req","id":1,"method":"panic"}`, `{"kind":"req","id":1,"method":"panic"}`)
	f.Add(`{"kind":"evt","method":"echo"}`, `{"kind":"res","id":1,"result":{}}`)
	f.Add(`{"kind":"chunk","chunk":{"id":1,"seq":0,"total":2,"data":"eyJraW5kIjoi"}}`,
		`{"kind":"chunk","chunk":{"id":1,"seq":1,"total":2,"data":"ZXZ0IiwibWV0aG9kIjoieCJ9"}}`)
	f.Add(`{"kind":"req","id":-1,"method":7,"chan":[]}`, ``)
	f.Fuzz(func(t *testing.T, one, two string) {
		x, y := net.Pipe()
		p := NewPeer(x, PeerOptions{Handlers: 2, Channels: 2})
		p.Handle("echo", echo)
		p.Handle("panic", func(context.Context, *Channel, json.RawMessage) (any, error) { panic("fuzz") })
		p.Handle("hang", func(ctx context.Context, _ *Channel, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		p.Start()
		_ = y.SetDeadline(time.Now().Add(10 * time.Second)) // of a hang
		go func() {
			w := native.NewWriter(y, native.MaxFromChrome)
			for _, in := range []string{one, two, `{"kind":"req","id":9007199254740991,"method":"nobody","chan":"probe of the fuzz test"}`} {
				if w.WriteFrame([]byte(in)) != nil {
					return
				}
			}
		}()
		r := native.NewReader(y, native.MaxFromChrome)
		for {
			m, err := r.ReadMessage()
			if err != nil {
				t.Fatalf("the peer answers no more: %v (%v)", err, p.Err())
			}
			if m.Kind != wire.KindRes {
				t.Fatalf("the peer sent %+v", m)
			}
			if m.Chan == "probe of the fuzz test" {
				break
			}
		}
		_ = p.Close()
		_ = y.Close()
		p.Wait()
	})
}
