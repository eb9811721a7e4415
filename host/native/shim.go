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
	// Stdin and Stdout are Chrome's port. Stdin is closed at the end if it can
	// be, to wake its reader.
	Stdin  io.Reader
	Stdout io.Writer
	// Dial joins the broker; Dial of this package if nil. An error that wraps
	// ErrNotRunning leads to StartBroker, once, and another Dial.
	Dial        func(ctx context.Context) (net.Conn, error)
	StartBroker func(ctx context.Context) error
	Log         zerolog.Logger
}

// sayBye bounds the wait for the hello that a failing shim answers.
const sayBye = 2 * time.Second

// shimChunkIDs keeps the ids of chunks that the shim makes apart from the
// broker's. JavaScript counts exactly up to 2^53.
const shimChunkIDs = 1 << 52

// RunShim is the program that Chrome starts: it joins the broker, starting it
// if there is none, and copies frames both ways until either side ends, which
// is nil. It thinks nothing and keeps nothing: Chrome kills it two seconds
// after the port closes, and starts another with the next port. When the
// broker goes it ends too; the service worker then connects again.
//
// If the broker can't be joined, the extension's hello is answered with the
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
	// Closing wakes the other copy. A read of a real stdin can't be woken; it
	// ends with the process, which is why it is not waited for.
	_ = conn.Close()
	o.closeStdin()
	return err
}

// ended notes which side ended first; the other follows.
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

// join checks who asks and gives a connection to the broker.
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

// refuseHello answers the first request with err. The service worker shows
// that to the user; without it Chrome would only say that the host exited.
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

// copyFrames copies until the reader's end, which is nil between two frames.
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

// closedHere says whether a read or write failed because this process closed the
// pipe: the same end as EOF, seen from the other direction first.
func closedHere(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// splitFrame writes a frame, as chunks if it is over the limit. The broker
// makes chunks itself; one byte too many would cost the port, though.
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
