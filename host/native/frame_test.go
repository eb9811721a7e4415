package native

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"tabwright/host/native/wire"
)

func frame(payload string) []byte {
	return append(binary.NativeEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

func header(n uint32) []byte { return binary.NativeEndian.AppendUint32(nil, n) }

func TestReadFrame(t *testing.T) {
	tests := []struct {
		name  string
		in    []byte
		limit uint32
		want  []string
		code  wire.Code // of the error after them
		is    error     // or what it wraps
	}{
		{"nothing", nil, 100, nil, "", io.EOF},
		{"two frames", append(frame("{}"), frame("[1]")...), 100, []string{"{}", "[1]"}, "", io.EOF},
		{"empty frame", append(frame(""), frame("x")...), 100, []string{"", "x"}, "", io.EOF},
		{"at the limit", frame("12345"), 5, []string{"12345"}, "", io.EOF},
		{"over the limit", frame("123456"), 5, nil, wire.CodeTooLarge, nil},
		{"4 GB", header(0xffffffff), MaxFromChrome, nil, wire.CodeTooLarge, nil},
		{"header cut", []byte{1, 0}, 100, nil, "", io.ErrUnexpectedEOF},
		{"body missing", header(10), 100, nil, "", io.ErrUnexpectedEOF},
		{"body cut", frame("123456")[:8], 100, nil, "", io.ErrUnexpectedEOF},
		{"64 MiB promised, little sent", append(header(MaxFromChrome), make([]byte, 200_000)...), MaxFromChrome, nil, "", io.ErrUnexpectedEOF},
		{"larger than what is kept", frame(strings.Repeat("x", 3<<20)), MaxFromChrome, []string{strings.Repeat("x", 3<<20)}, "", io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{bytes.NewReader(tt.in), iotest.HalfReader(bytes.NewReader(tt.in))} {
				r := NewReader(in, tt.limit)
				for _, want := range tt.want {
					got, err := r.ReadFrame()
					if err != nil || string(got) != want {
						t.Fatalf("got %.40q, %v; want %.40q", got, err, want)
					}
				}
				for range 2 { // the error stays
					_, err := r.ReadFrame()
					if tt.code != "" && !errors.Is(err, &wire.Error{Code: tt.code}) || tt.is != nil && !errors.Is(err, tt.is) {
						t.Fatalf("got %v, want %s %v", err, tt.code, tt.is)
					}
				}
			}
		})
	}
}

func TestAHeaderAloneAllocatesLittle(t *testing.T) {
	for _, in := range [][]byte{header(0xffffffff), header(MaxFromChrome)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := NewReader(bytes.NewReader(in), MaxFromChrome).ReadFrame(); err == nil {
			t.Fatal("no error")
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("a header of %v made us allocate %d bytes", in, got)
		}
	}
}

// calls counts the Write calls.
type calls struct {
	bytes.Buffer
	sizes []int
}

func (c *calls) Write(b []byte) (int, error) {
	c.sizes = append(c.sizes, len(b))
	return c.Buffer.Write(b)
}

func TestWriterFramesAndChunks(t *testing.T) {
	for _, limit := range []uint32{1 << 10, 4096, MaxToChrome} {
		for _, n := range []int{0, 10, int(limit) - 60, int(limit), int(limit) + 1, 3*int(limit) + 17} {
			for _, channel := range []string{"", "panel-1", `odd "é" name`} {
				params, _ := json.Marshal(strings.Repeat("é", n/2))
				m := &wire.Message{Kind: wire.KindEvt, Chan: channel, Method: "x", Params: params}
				var w calls
				if err := NewWriter(&w, limit).WriteMessage(m); err != nil {
					t.Fatal(err)
				}
				r := NewReader(&w, limit) // refuses what is over the limit
				var a Assembler
				var got *wire.Message
				frames := 0
				for got == nil {
					in, err := r.ReadMessage()
					if err != nil {
						t.Fatalf("limit %d, size %d: %v", limit, n, err)
					}
					frames++
					if in.Chan != channel {
						t.Fatalf("chunk on channel %q, want %q", in.Chan, channel)
					}
					if in.Kind != wire.KindChunk {
						got = &in
						break
					}
					if got, err = a.Add(&in); err != nil {
						t.Fatal(err)
					}
				}
				if string(got.Params) != string(params) || got.Chan != channel {
					t.Errorf("limit %d, size %d: came back otherwise", limit, n)
				}
				if len(w.sizes) != frames {
					t.Errorf("%d Write calls for %d frames", len(w.sizes), frames)
				}
				if a.held != 0 || len(a.open) != 0 {
					t.Errorf("the assembler still holds %d bytes", a.held)
				}
			}
		}
	}
}

func TestWriteFrameOverTheLimit(t *testing.T) {
	var w calls
	err := NewWriter(&w, MaxToChrome).WriteFrame(make([]byte, MaxToChrome+1))
	if !errors.Is(err, &wire.Error{Code: wire.CodeTooLarge}) || w.Len() != 0 {
		t.Errorf("%v, %d bytes written", err, w.Len())
	}
	if err := NewWriter(&w, MaxToChrome).WriteFrame(make([]byte, MaxToChrome)); err != nil || w.Len() != int(MaxToChrome)+4 {
		t.Errorf("%v, %d bytes written", err, w.Len())
	}
}

func TestEncodeMatchesEncodingJSON(t *testing.T) {
	for _, m := range []wire.Message{
		{Kind: wire.KindReq, ID: 1, Method: "a.b", Params: json.RawMessage(`{"x":[1,2]}`)},
		{Kind: wire.KindRes, Chan: `é"\`, ID: 18446744073709551615, Result: json.RawMessage(`null`)},
		{Kind: wire.KindRes, ID: 2, Error: &wire.Error{Code: wire.CodeTimeout, Message: "late", Data: json.RawMessage(`{}`)}},
		{Kind: wire.KindChunk, Chunk: &wire.Chunk{ID: 1, Seq: 2, Total: 3, Data: []byte{0, 255}}},
		{Kind: wire.KindCancel, ID: 9},
	} {
		got, err := Encode(&m)
		want, _ := json.Marshal(m)
		if err != nil || string(got[HeaderSize:]) != string(want) {
			t.Errorf("got %s, %v\nwant %s", got[HeaderSize:], err, want)
		}
	}
	got, err := Encode(&wire.Message{Kind: wire.KindRes, ID: 1, Result: json.RawMessage("\"cut \xc3\"")})
	if err != nil || !strings.Contains(string(got), "cut \uFFFD") {
		t.Errorf("a byte that is not UTF-8: %q, %v", got, err)
	}
}

func TestAssemblerRefuses(t *testing.T) {
	chunk := func(channel string, id uint64, seq, total int, data string) *wire.Message {
		return &wire.Message{Kind: wire.KindChunk, Chan: channel, Chunk: &wire.Chunk{ID: id, Seq: seq, Total: total, Data: []byte(data)}}
	}
	long := strings.Repeat("x", MaxMessage/2+1)
	open := func(n int) (ms []*wire.Message) {
		for i := range n {
			ms = append(ms, chunk("", uint64(i+1), 0, 2, "x"))
		}
		return ms
	}
	tests := []struct {
		name string
		in   []*wire.Message // all but the last are fine
		code wire.Code
	}{
		{"gap", []*wire.Message{chunk("", 1, 0, 3, "a"), chunk("", 1, 2, 3, "c")}, wire.CodeMalformed},
		{"twice", []*wire.Message{chunk("", 1, 0, 3, "a"), chunk("", 1, 1, 3, "b"), chunk("", 1, 1, 3, "b")}, wire.CodeMalformed},
		{"begun again", []*wire.Message{chunk("", 1, 0, 3, "a"), chunk("", 1, 0, 3, "a")}, wire.CodeMalformed},
		{"no beginning", []*wire.Message{chunk("", 1, 1, 3, "b")}, wire.CodeMalformed},
		{"negative", []*wire.Message{chunk("", 1, -1, 3, "b")}, wire.CodeMalformed},
		{"other total", []*wire.Message{chunk("", 1, 0, 3, "a"), chunk("", 1, 1, 4, "b")}, wire.CodeMalformed},
		{"no slices", []*wire.Message{chunk("", 1, 0, 0, "")}, wire.CodeMalformed},
		{"too many slices", []*wire.Message{chunk("", 1, 0, maxChunkTotal+1, "")}, wire.CodeMalformed},
		{"other channel", []*wire.Message{chunk("a", 1, 0, 2, "a"), chunk("b", 1, 1, 2, "b")}, wire.CodeMalformed},
		{"content is no message", []*wire.Message{chunk("", 1, 0, 1, "{")}, wire.CodeMalformed},
		{"content of another channel", []*wire.Message{chunk("a", 1, 0, 1, `{"kind":"evt","chan":"b","method":"x"}`)}, wire.CodeMalformed},
		{"chunk in a chunk", []*wire.Message{chunk("", 1, 0, 1, `{"kind":"chunk","chunk":{"id":1,"seq":0,"total":1,"data":""}}`)}, wire.CodeMalformed},
		{"too many at once", open(maxOpenChunks + 1), wire.CodeTooLarge},
		{"too long", []*wire.Message{chunk("", 1, 0, 3, long), chunk("", 1, 1, 3, long)}, wire.CodeTooLarge},
		{"too long together", []*wire.Message{chunk("", 1, 0, 3, long), chunk("", 2, 0, 3, long)}, wire.CodeTooLarge},
		{"no chunk", []*wire.Message{{Kind: wire.KindChunk}}, wire.CodeMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a Assembler
			for i, m := range tt.in {
				_, err := a.Add(m)
				if last := i == len(tt.in)-1; !last && err != nil || last && !errors.Is(err, &wire.Error{Code: tt.code}) {
					t.Fatalf("slice %d: %v", i, err)
				}
			}
			held := 0
			for _, s := range a.open {
				held += len(s.data)
			}
			if held != a.held {
				t.Errorf("counts %d bytes, holds %d", a.held, held)
			}
		})
	}
}
