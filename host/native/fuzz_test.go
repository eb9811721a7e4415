package native

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"

	"tabwright/host/native/wire"
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
				var coded *wire.Error
				if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &coded) { //nolint:errorlint // exactly EOF
					t.Fatalf("an end of no known kind: %v", err)
				}
				if err == io.EOF && read != len(in) { //nolint:errorlint // exactly EOF
					t.Fatalf("an end in order after %d of %d bytes", read, len(in))
				}
				break
			}
			if read += HeaderSize + len(b); read > len(in) {
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
			if errors.Is(err, &wire.Error{Code: wire.CodeMalformed}) {
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
