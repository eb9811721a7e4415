package native

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"tabwright/host/native/wire"
)

// The limits of native messaging. Chrome kills the port at the first frame
// from the host that is one byte over MaxToChrome (seen on Chromium 156); it
// never sends one over MaxFromChrome. The socket legs use the larger one both
// ways.
const (
	MaxToChrome   uint32 = 1 << 20
	MaxFromChrome uint32 = 64 << 20
	// MaxMessage bounds a whole message, in one frame or in chunks.
	MaxMessage = 64 << 20
)

const (
	// HeaderSize is the room that a frame's length takes.
	HeaderSize = 4
	// firstRead is how much is allocated on the word of a header alone; the
	// rest grows as bytes really arrive.
	firstRead = 64 << 10
	// keepBuffer is the largest buffer a Reader keeps between frames.
	keepBuffer = 1 << 20
)

// Reader reads frames: a uint32 length in native byte order, then that many
// bytes of UTF-8 JSON.
type Reader struct {
	r   *bufio.Reader
	max uint32
	buf []byte
	err error
}

// NewReader reads frames of up to limit bytes from r.
func NewReader(r io.Reader, limit uint32) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, firstRead), max: limit}
}

// ReadFrame gives the bytes of the next frame, good until the next call. At
// the end between two frames it is io.EOF; an end inside a frame wraps
// io.ErrUnexpectedEOF; a length over the limit is CodeTooLarge, after which
// the stream can't be found again, so every later call says the same.
func (r *Reader) ReadFrame() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	b, err := r.read()
	if err != nil {
		r.err = err
		return nil, err
	}
	return b, nil
}

func (r *Reader) read() ([]byte, error) {
	var head [HeaderSize]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, fmt.Errorf("read frame header: %w", err)
	}
	size := binary.NativeEndian.Uint32(head[:])
	if size > r.max {
		return nil, &wire.Error{
			Code:    wire.CodeTooLarge,
			Message: fmt.Sprintf("a frame of %d bytes is over the limit of %d", size, r.max),
			Hint:    "the other side does not speak native messaging, or did not chunk",
		}
	}
	if cap(r.buf) > keepBuffer {
		r.buf = nil
	}
	buf, want := r.buf[:0], int(size)
	for len(buf) < want {
		// Never more than what has arrived already doubles, so that a header
		// alone can't make us allocate the limit.
		step := min(want-len(buf), max(firstRead, len(buf)))
		at := len(buf)
		if cap(buf) < at+step {
			grown := make([]byte, at, at+step)
			copy(grown, buf)
			buf = grown
		}
		buf = buf[:at+step]
		if n, err := io.ReadFull(r.r, buf[at:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, fmt.Errorf("read frame of %d bytes, ended after %d: %w", size, at+n, err)
		}
	}
	r.buf = buf
	return buf, nil
}

// ReadMessage reads the next frame as a Message. A frame that is not one is
// CodeMalformed (with whatever could be read of it, for an answer), and the
// next call goes on with the next frame.
func (r *Reader) ReadMessage() (wire.Message, error) {
	b, err := r.ReadFrame()
	if err != nil {
		return wire.Message{}, err
	}
	return DecodeMessage(b)
}

// Writer writes frames, each with one Write call; it may be used from several
// goroutines.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	max     uint32
	chunkID uint64
}

// NewWriter writes frames of up to limit bytes to w. A limit under 1 KiB is
// raised to that: a chunk's envelope must fit.
func NewWriter(w io.Writer, limit uint32) *Writer {
	return &Writer{w: w, max: max(limit, 1<<10)}
}

// WriteFrame writes payload as one frame. One over the limit is CodeTooLarge
// and nothing is written.
func (w *Writer) WriteFrame(payload []byte) error {
	if uint64(len(payload)) > uint64(w.max) {
		return wire.TooLarge(len(payload), int(w.max))
	}
	buf := make([]byte, HeaderSize, HeaderSize+len(payload))
	return w.put(append(buf, payload...))
}

// WriteMessage writes m as one frame, or as chunks if it is over the limit.
func (w *Writer) WriteMessage(m *wire.Message) error {
	buf, err := Encode(m)
	if err != nil {
		return err
	}
	return w.WriteEncoded(m.Chan, buf)
}

// WriteEncoded writes an encoded message that has headerSize bytes of room in
// front, in chunks if it must.
func (w *Writer) WriteEncoded(channel string, buf []byte) error {
	size := len(buf) - HeaderSize
	if size > MaxMessage {
		return wire.TooLarge(size, MaxMessage)
	}
	if uint64(size) <= uint64(w.max) {
		return w.put(buf)
	}
	return w.writeChunks(channel, buf[HeaderSize:])
}

// put fills in the header and writes the frame with one Write call, so that a
// reader never sees a header without its body because two writers met.
func (w *Writer) put(buf []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.putLocked(buf)
}

func (w *Writer) putLocked(buf []byte) error {
	binary.NativeEndian.PutUint32(buf, uint32(len(buf)-HeaderSize)) //nolint:gosec // bounded by the callers
	n, err := w.w.Write(buf)
	if err == nil && n < len(buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}
