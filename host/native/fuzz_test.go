package native

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"
)

// FuzzReadFrame: arbitrary bytes never panic, never make the reader allocate
// much more than came in, and always end.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{})
	f.Add(header(0xffffffff))
	f.Add(append(header(MaxFromChrome), "short"...))
	f.Add(append(frame(`{"kind":"req","id":1,"method":"ping"}`), frame(`{`)...))
	f.Add(frame(`{"kind":"chunk","chunk":{"id":1,"seq":0,"total":1,"data":"e30="}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := NewReader(bytes.NewReader(in), MaxFromChrome)
		read := 0
		for {
			b, err := r.ReadFrame()
			if err != nil {
				var coded *Error
				if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &coded) { //nolint:errorlint // exactly EOF
					t.Fatalf("an end of no known kind: %v", err)
				}
				if err == io.EOF && read != len(in) { //nolint:errorlint // exactly EOF
					t.Fatalf("an end in order after %d of %d bytes", read, len(in))
				}
				break
			}
			if read += headerSize + len(b); read > len(in) {
				t.Fatalf("%d bytes read of %d", read, len(in))
			}
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(8*len(in)+1<<20) {
			t.Fatalf("%d bytes of input made the reader allocate %d", len(in), got)
		}
		// Whatever is a message goes out as the same message.
		r = NewReader(bytes.NewReader(in), MaxFromChrome)
		for {
			m, err := r.ReadMessage()
			if errors.Is(err, &Error{Code: CodeMalformed}) {
				continue
			}
			if err != nil {
				return
			}
			var buf bytes.Buffer
			if err := NewWriter(&buf, MaxFromChrome).WriteMessage(&m); err != nil {
				t.Fatalf("%+v can't be written: %v", m, err)
			}
			again, err := NewReader(&buf, MaxFromChrome).ReadMessage()
			if err != nil || again.Kind != m.Kind || again.Chan != m.Chan || again.ID != m.ID || again.Method != m.Method ||
				string(again.Params) != string(m.Params) || string(again.Result) != string(m.Result) {
				t.Fatalf("wrote %+v, read %+v, %v", m, again, err)
			}
		}
	})
}

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
			w := NewWriter(y, MaxFromChrome)
			for _, in := range []string{one, two, `{"kind":"req","id":9007199254740991,"method":"nobody","chan":"probe of the fuzz test"}`} {
				if w.WriteFrame([]byte(in)) != nil {
					return
				}
			}
		}()
		r := NewReader(y, MaxFromChrome)
		for {
			m, err := r.ReadMessage()
			if err != nil {
				t.Fatalf("the peer answers no more: %v (%v)", err, p.Err())
			}
			if m.Kind != KindRes {
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
