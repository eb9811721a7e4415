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

// The limits of native messaging, in bytes. Chrome closes the port at the first
// frame from the host that is over MaxToChrome, even by one byte (seen on
// Chromium 156). It never sends a frame over MaxFromChrome. On the broker's
// socket MaxFromChrome holds both ways.
const (
	MaxToChrome   uint32 = 1 << 20
	MaxFromChrome uint32 = 64 << 20
	// MaxMessage bounds a whole message, in one frame or in chunks.
	MaxMessage = 64 << 20
)

const (
	// HeaderSize is the size of a frame's length field, in bytes.
	HeaderSize = 4
	// firstRead is how many bytes are allocated for a frame of which only the
	// header has come. The buffer grows as bytes arrive.
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

// NewReader returns a Reader of frames of up to limit bytes from r.
func NewReader(r io.Reader, limit uint32) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, firstRead), max: limit}
}

// ReadFrame returns the bytes of the next frame, valid until the next call. At an
// end between two frames the error is io.EOF, at an end inside a frame it wraps
// io.ErrUnexpectedEOF, and for a length over the limit it has CodeTooLarge. After
// an error every later call returns the same one: where the next frame begins is
// not known.
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
		// A step at most doubles what has arrived, so that a header alone can't
		// make us allocate the limit.
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

// ReadMessage reads the next frame as a Message. If the frame is none, the error
// has CodeMalformed, the Message holds what could be read, so that it can be
// answered, and the next call reads the next frame.
func (r *Reader) ReadMessage() (wire.Message, error) {
	b, err := r.ReadFrame()
	if err != nil {
		return wire.Message{}, err
	}
	return DecodeMessage(b)
}

// Writer writes frames, each with one Write call. Several goroutines may use it.
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	max     uint32
	chunkID uint64
}

// NewWriter returns a Writer of frames of up to limit bytes to w. A limit under
// 1 KiB is raised to 1 KiB: a chunk's envelope must fit.
func NewWriter(w io.Writer, limit uint32) *Writer {
	return &Writer{w: w, max: max(limit, 1<<10)}
}

// WriteFrame writes payload as one frame. If it is over the limit, nothing is
// written and the error has CodeTooLarge.
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

// WriteEncoded writes a message that Encode encoded, in chunks if it is over the
// limit. buf begins with HeaderSize bytes of room.
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

// put fills in the header and writes the frame with one Write call, so that
// frames of two goroutines do not mix.
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
