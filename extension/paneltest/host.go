package paneltest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"

	"tabwright/host/native/wire"
)

// hostEnv names the socket when this program was started by Chrome.
const hostEnv = "TABWRIGHT_PANELTEST_SOCKET"

// ServeHost must be called first thing in main or TestMain: when Chrome
// started this program as native host, it copies frames between Chrome and
// the test until either is gone, and ends the program.
func ServeHost() {
	path := os.Getenv(hostEnv)
	if path == "" {
		return
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "paneltest:", err)
		os.Exit(1)
	}
	done := make(chan struct{}, 2)
	pump := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from) // either end closing is the normal way to stop
		done <- struct{}{}
	}
	go pump(conn, os.Stdin)
	go pump(os.Stdout, conn)
	<-done
	os.Exit(0)
}

// Handler answers the requests of the extension: from the relay itself (Chan
// empty) and from panels. It runs on a goroutine of its own for each request.
type Handler func(ctx context.Context, h *Host, m wire.Message) (any, error)

// Host is one connection of the extension, seen from the native host's side.
type Host struct {
	conn    net.Conn
	handler Handler
	next    atomic.Uint64

	write   sync.Mutex
	mu      sync.Mutex
	waiting map[uint64]chan wire.Message
	stray   []wire.Message
	// Events gets every event of the extension, in order.
	Events chan wire.Message
	// Ready is closed when the hello was answered, Done when the connection is gone.
	Ready, Done chan struct{}
}

func serve(ctx context.Context, conn net.Conn, handler Handler) *Host {
	h := &Host{
		conn: conn, handler: handler, waiting: map[uint64]chan wire.Message{},
		Events: make(chan wire.Message, 1024), Ready: make(chan struct{}), Done: make(chan struct{}),
	}
	go h.read(ctx)
	return h
}

func (h *Host) read(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		close(h.Done)
	}()
	for {
		m, err := readFrame(h.conn)
		if err != nil {
			return
		}
		switch {
		case m.Kind == wire.KindReq:
			go h.answer(ctx, m)
		case m.Kind == wire.KindRes && m.Chan == "":
			h.mu.Lock()
			c := h.waiting[m.ID]
			delete(h.waiting, m.ID)
			h.mu.Unlock()
			if c != nil {
				c <- m
			} else {
				h.mu.Lock()
				h.stray = append(h.stray, m)
				h.mu.Unlock()
			}
		default:
			h.Events <- m
		}
	}
}

// Later is what a Handler gives when it has more to do behind its answer.
type Later struct {
	Answer any
	Then   func()
}

func (h *Host) answer(ctx context.Context, m wire.Message) {
	res := wire.Message{Kind: wire.KindRes, Chan: m.Chan, ID: m.ID}
	v, err := h.handler(ctx, h, m)
	then := func() {}
	if l, ok := v.(Later); ok {
		v, then = l.Answer, l.Then
	}
	var coded *wire.Error
	switch {
	case errors.As(err, &coded):
		res.Error = coded
	case err != nil:
		res.Error = &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
	default:
		res.Result = raw(v)
	}
	_ = h.Send(res) // Done tells when the connection is gone
	then()
	if m.Method == wire.MethodHello && res.Error == nil {
		close(h.Ready)
	}
}

// Call asks the extension's relay and decodes its answer into out.
func (h *Host) Call(ctx context.Context, method string, params, out any) error {
	id := h.next.Add(1)
	c := make(chan wire.Message, 1)
	h.mu.Lock()
	h.waiting[id] = c
	h.mu.Unlock()
	if err := h.Send(wire.Message{Kind: wire.KindReq, ID: id, Method: method, Params: raw(params)}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case <-h.Done:
		return fmt.Errorf("%s: connection closed", method)
	case m := <-c:
		if m.Error != nil {
			return m.Error
		}
		if out == nil {
			return nil
		}
		return json.Unmarshal(m.Result, out)
	}
}

// Event sends an event to the relay (ch empty) or to a panel.
func (h *Host) Event(ch, method string, params any) error {
	return h.Send(wire.Message{Kind: wire.KindEvt, Chan: ch, Method: method, Params: raw(params)})
}

// Send writes one message as one frame.
func (h *Host) Send(m wire.Message) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return h.SendBytes(b)
}

// SendBytes writes b as one frame, whatever it holds.
func (h *Host) SendBytes(b []byte) error {
	h.write.Lock()
	defer h.write.Unlock()
	frame := binary.NativeEndian.AppendUint32(make([]byte, 0, len(b)+4), uint32(len(b)))
	_, err := h.conn.Write(append(frame, b...))
	return err
}

// Stray gives the answer to a request that was sent by hand, once it is there.
func (h *Host) Stray(id uint64) *wire.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.stray {
		if h.stray[i].ID == id {
			return &h.stray[i]
		}
	}
	return nil
}

// Close ends the connection; Chrome sees its host exit.
func (h *Host) Close() error { return h.conn.Close() }

func readFrame(r io.Reader) (wire.Message, error) {
	var m wire.Message
	var n [4]byte
	if _, err := io.ReadFull(r, n[:]); err != nil {
		return m, err
	}
	b := make([]byte, binary.NativeEndian.Uint32(n[:]))
	if _, err := io.ReadFull(r, b); err != nil {
		return m, err
	}
	return m, json.Unmarshal(b, &m)
}

func raw(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only types of the protocol are passed here
	}
	return b
}
