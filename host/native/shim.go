package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/native/wire"
)

// ShimOptions are what the shim needs.
type ShimOptions struct {
	// Origin is the first argument of the process: chrome-extension://ID/.
	Origin string
	// Allowed are the extension ids that may be served.
	Allowed []string
	// Stdin and Stdout are Chrome's port. At the end Stdin is closed if it is an
	// io.Closer, which wakes its reader.
	Stdin  io.Reader
	Stdout io.Writer
	// Dial joins the broker; nil is Dial of this package. After an error that
	// wraps ErrNotRunning, StartBroker is called once, and then Dial again.
	Dial        func(ctx context.Context) (net.Conn, error)
	StartBroker func(ctx context.Context) error
	Log         zerolog.Logger
}

// sayBye is how long a shim that can't join the broker waits for a hello to
// answer.
const sayBye = 2 * time.Second

// shimChunkIDs is where the shim's ids of chunks begin, so that they differ from
// the broker's. JavaScript's integers are exact up to 2^53.
const shimChunkIDs = 1 << 52

// RunShim is the program that Chrome starts. It joins the broker, starting one if
// none runs, and copies frames both ways. It returns nil when either side ends. It
// decides nothing and stores nothing: Chrome kills it two seconds after the port
// closes, and starts another one for the next port. When the broker ends, the shim
// ends too; the service worker then connects again.
//
// If the broker can't be joined, RunShim answers the extension's hello with the
// reason, so that a panel can show more than "Native host has exited."
func RunShim(ctx context.Context, o ShimOptions) error {
	defer withoutSIGPIPE()()
	if o.Dial == nil {
		o.Dial = Dial
	}
	fromChrome, toChrome := NewReader(o.Stdin, MaxFromChrome), NewWriter(o.Stdout, MaxToChrome)
	toChrome.chunkID = shimChunkIDs
	conn, err := o.join(ctx)
	if err != nil {
		refuseHello(ctx, fromChrome, toChrome, err)
		o.closeStdin()
		return err
	}
	o.Log.Debug().Str("origin", o.Origin).Msg("shim joined the broker")
	toBroker := NewWriter(conn, MaxFromChrome)
	ends := make(chan error, 2)
	go func() { ends <- o.ended("Chrome", copyFrames(fromChrome, toBroker.WriteFrame)) }()
	go func() { ends <- o.ended("broker", copyFrames(NewReader(conn, MaxFromChrome), toChrome.splitFrame)) }()
	select {
	case err = <-ends:
	case <-ctx.Done():
		err = nil
	}
	// Closing wakes the other goroutine. A read of a real stdin can't be woken: it
	// ends with the process, so nothing waits for it.
	_ = conn.Close()
	o.closeStdin()
	return err
}

// ended logs that a side ended, and names the side in its error.
func (o *ShimOptions) ended(side string, err error) error {
	o.Log.Debug().Str("side", side).AnErr("cause", err).Msg("shim side ended")
	if err != nil {
		return fmt.Errorf("copy from %s: %w", side, err)
	}
	return nil
}

func (o *ShimOptions) closeStdin() {
	if c, ok := o.Stdin.(io.Closer); ok {
		// Windows closes a pipe only after the read of it that is under way.
		go c.Close() //nolint:errcheck // the process ends
	}
}

// join checks that an allowed extension started the shim, and returns a connection
// to the broker.
func (o *ShimOptions) join(ctx context.Context) (net.Conn, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(o.Origin, "chrome-extension://"), "/")
	if !strings.HasPrefix(o.Origin, "chrome-extension://") || !slices.Contains(o.Allowed, id) {
		return nil, &wire.Error{
			Code:    wire.CodeProtocol,
			Message: fmt.Sprintf("started for %.100q, which is not Tabwright's extension", o.Origin),
			Hint:    "run `tabwright doctor`",
		}
	}
	conn, err := o.Dial(ctx)
	if err == nil || !errors.Is(err, ErrNotRunning) || o.StartBroker == nil {
		return conn, err
	}
	if err := o.StartBroker(ctx); err != nil {
		return nil, err
	}
	return o.Dial(ctx)
}

// refuseHello answers the first request with err, which the service worker shows
// to the user. Without the answer Chrome would only say that the host exited.
func refuseHello(ctx context.Context, r *Reader, w *Writer, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		m, readErr := r.ReadMessage()
		if readErr == nil && m.Kind == wire.KindReq {
			// Chrome may be gone already; the reason is in the log.
			_ = w.WriteMessage(&wire.Message{Kind: wire.KindRes, Chan: m.Chan, ID: m.ID, Error: wire.AsError(err)})
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, sayBye)
	defer cancel()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// copyFrames copies frames until the reader ends or the writer's other side is
// gone. Both return nil; an end inside a frame is an error.
func copyFrames(r *Reader, write func([]byte) error) error {
	for {
		b, err := r.ReadFrame()
		if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || otherSideGone(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := write(b); err != nil {
			if otherSideGone(err) {
				return nil
			}
			return err
		}
	}
}

// closedHere reports whether a read or write failed because this process closed
// the connection or pipe.
func closedHere(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// splitFrame writes a frame, as chunks if it is over the limit. The broker makes
// chunks itself, but a frame one byte too long would close the port.
func (w *Writer) splitFrame(b []byte) error {
	if uint64(len(b)) <= uint64(w.max) {
		return w.WriteFrame(b)
	}
	m, err := DecodeMessage(b)
	if err != nil {
		return err
	}
	if m.Kind == wire.KindChunk {
		return wire.TooLarge(len(b), int(w.max))
	}
	return w.writeChunks(m.Chan, b)
}
