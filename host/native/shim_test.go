//go:build unix

package native_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

const (
	testID     = "abcdefghijklmnopabcdefghijklmnop"
	testOrigin = "chrome-extension://" + testID + "/"
)

// framePipe sends and reads single frames.
type framePipe struct {
	t testing.TB
	r *native.Reader
	w *native.Writer
}

func (p framePipe) send(frames ...string) {
	p.t.Helper()
	for _, f := range frames {
		if err := p.w.WriteFrame([]byte(f)); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p framePipe) read() string {
	p.t.Helper()
	b, err := p.r.ReadFrame()
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func echo(_ context.Context, _ *rpc.Channel, params json.RawMessage) (any, error) { return params, nil }

// chromeSide is Chrome's end of a shim's stdin and stdout.
type chromeSide struct {
	framePipe
	in  *io.PipeWriter
	out *io.PipeReader
	end chan error
}

func startShim(t *testing.T, ctx context.Context, o native.ShimOptions) chromeSide {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	o.Stdin, o.Stdout = inR, outW
	if o.Origin == "" {
		o.Origin = testOrigin
	}
	o.Allowed = []string{testID}
	c := chromeSide{framePipe{t, native.NewReader(outR, native.MaxToChrome), native.NewWriter(inW, native.MaxFromChrome)}, inW, outR, make(chan error, 1)}
	go func() {
		err := native.RunShim(ctx, o)
		_ = outW.Close()
		c.end <- err
	}()
	return c
}

// toBroker gives the Dial of a shim and the broker's end of it.
func toBroker() (dial func(context.Context) (net.Conn, error), broker net.Conn) {
	x, y := net.Pipe()
	return func(context.Context) (net.Conn, error) { return x, nil }, y
}

func TestShimCopiesBothWays(t *testing.T) {
	dial, end := toBroker()
	c := startShim(t, native.Bounded(t), native.ShimOptions{Dial: dial})
	b := framePipe{t, native.NewReader(end, native.MaxFromChrome), native.NewWriter(end, native.MaxFromChrome)}
	c.send(`{"kind":"req","id":1,"method":"ping"}`)
	if got := b.read(); got != `{"kind":"req","id":1,"method":"ping"}` {
		t.Errorf("towards the broker: %s", got)
	}
	go b.send(`{"kind":"res","id":1,"result":{}}`, `not even JSON`)
	for _, want := range []string{`{"kind":"res","id":1,"result":{}}`, `not even JSON`} {
		if got := c.read(); got != want {
			t.Errorf("towards Chrome: %s, want %s", got, want)
		}
	}
	// The roomy way: 5 MB from Chrome in one frame.
	big := `{"kind":"evt","method":"x","params":"` + strings.Repeat("x", 5<<20) + `"}`
	go c.send(big)
	if got := b.read(); got != big {
		t.Errorf("a big frame: %d bytes", len(got))
	}
	// The narrow way: a broker that did not chunk.
	go b.send(`{"kind":"evt","chan":"p","method":"x","params":"` + strings.Repeat("x", 5<<20) + `"}`)
	var a native.Assembler
	for frames := 1; ; frames++ {
		m, err := c.r.ReadMessage() // refuses frames over 1 MiB
		if err != nil {
			t.Fatal(err)
		}
		whole, err := a.Add(&m)
		if err != nil {
			t.Fatal(err)
		}
		if whole != nil {
			if len(whole.Params) != 5<<20+2 || whole.Chan != "p" || frames < 6 || m.Chunk.ID < native.ShimChunkIDs {
				t.Errorf("%d bytes in %d frames", len(whole.Params), frames)
			}
			break
		}
	}
	_ = c.in.Close() // Chrome closes the port
	if err := <-c.end; err != nil {
		t.Errorf("end: %v", err)
	}
	if _, err := b.r.ReadFrame(); !errors.Is(err, io.EOF) {
		t.Errorf("the broker sees %v", err)
	}
}

func TestShimEnds(t *testing.T) {
	head := native.HeaderOf(0xffffffff)
	chunk := `{"kind":"chunk","chunk":{"id":1,"seq":0,"total":1,"data":"` + strings.Repeat("AAAA", 1<<19) + `"}}`
	tests := []struct {
		name string
		do   func(c chromeSide, broker net.Conn, cancel context.CancelFunc)
		code wire.Code
		is   error
	}{
		{"the broker goes", func(_ chromeSide, b net.Conn, _ context.CancelFunc) { _ = b.Close() }, "", nil},
		{"Chrome goes", func(c chromeSide, _ net.Conn, _ context.CancelFunc) { _ = c.in.Close() }, "", nil},
		{"Chrome does not read", func(c chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = c.out.Close()
			_ = native.NewWriter(b, 100).WriteFrame([]byte("{}"))
		}, "", nil},
		{"told to", func(_ chromeSide, _ net.Conn, cancel context.CancelFunc) { cancel() }, "", nil},
		{"4 GB from Chrome", func(c chromeSide, _ net.Conn, _ context.CancelFunc) { _, _ = c.in.Write(head) }, wire.CodeTooLarge, nil},
		{"4 GB from the broker", func(_ chromeSide, b net.Conn, _ context.CancelFunc) { _, _ = b.Write(head) }, wire.CodeTooLarge, nil},
		{"a frame cut", func(c chromeSide, _ net.Conn, _ context.CancelFunc) {
			_, _ = c.in.Write(native.FrameOf("{}")[:5])
			_ = c.in.Close()
		}, "", io.ErrUnexpectedEOF},
		{"too large and no JSON", func(_ chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = native.NewWriter(b, native.MaxFromChrome).WriteFrame(make([]byte, native.MaxToChrome+1))
		}, wire.CodeMalformed, nil},
		{"too large a chunk", func(_ chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = native.NewWriter(b, native.MaxFromChrome).WriteFrame([]byte(chunk))
		}, wire.CodeTooLarge, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dial, end := toBroker()
			ctx, cancel := context.WithCancel(native.Bounded(t))
			c := startShim(t, ctx, native.ShimOptions{Dial: dial})
			tt.do(c, end, cancel)
			err := <-c.end
			cancel()
			switch {
			case tt.code != "":
				native.WantCode(t, err, tt.code)
			case !errors.Is(err, tt.is):
				t.Errorf("got %v, want %v", err, tt.is)
			}
			if _, err := end.Read(make([]byte, 1)); err == nil {
				t.Error("the broker's connection is still open")
			}
		})
	}
}

func TestShimThatCannotJoinAnswersTheHello(t *testing.T) {
	gone := func(context.Context) (net.Conn, error) { return nil, fmt.Errorf("join: %w", native.ErrNotRunning) }
	tests := []struct {
		name   string
		o      native.ShimOptions
		code   wire.Code
		phrase string
	}{
		{"another extension", native.ShimOptions{Origin: "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba/"}, wire.CodeProtocol, "not Tabwright"},
		{"no extension", native.ShimOptions{Origin: "https://" + testID + "/"}, wire.CodeProtocol, "not Tabwright"},
		{"the broker does not start", native.ShimOptions{Dial: gone, StartBroker: func(context.Context) error {
			return fmt.Errorf("start: %w", &wire.Error{Code: wire.CodeClosed, Message: "it will not", Hint: "see the log"})
		}}, wire.CodeClosed, "see the log"},
		{"started and still not there", native.ShimOptions{Dial: gone, StartBroker: func(context.Context) error { return nil }}, wire.CodeInternal, "not running"},
		{"nothing to start it with", native.ShimOptions{Dial: gone}, wire.CodeInternal, "not running"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startShim(t, native.Bounded(t), tt.o)
			c.send(`{"kind":"req","id":1,"method":"hello","params":{}}`)
			m, err := c.r.ReadMessage()
			if err != nil || m.Kind != wire.KindRes || m.ID != 1 || m.Error == nil || m.Error.Code != tt.code ||
				!strings.Contains(m.Error.Message+m.Error.Hint, tt.phrase) {
				t.Errorf("got %+v %v, %v", m, m.Error, err)
			}
			if err := <-c.end; err == nil {
				t.Error("ended without an error")
			}
		})
	}
	t.Run("Chrome says nothing", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		c := startShim(t, ctx, native.ShimOptions{Dial: gone})
		if err := <-c.end; !errors.Is(err, native.ErrNotRunning) {
			t.Error(err)
		}
	})
}

// TestMain lets the test binary play the broker and the shim.
func TestMain(m *testing.M) {
	switch os.Getenv("TABWRIGHT_TEST_ROLE") {
	case "broker":
		os.Exit(testBroker())
	case roleNeighbour:
		os.Exit(neighbour())
	case "broken":
		fmt.Fprintln(os.Stderr, "no such luck")
		os.Exit(3)
	case "shim":
		err := native.RunShim(context.Background(), native.ShimOptions{
			Origin: os.Args[1], Allowed: []string{testID, os.Getenv("TABWRIGHT_TEST_ID")}, Stdin: os.Stdin, Stdout: os.Stdout,
			Log: zerolog.New(os.Stderr).Level(zerolog.InfoLevel),
			StartBroker: func(ctx context.Context) error {
				return native.StartBroker(ctx, os.Args[0], nil, []string{
					"TABWRIGHT_TEST_ROLE=broker", native.SocketEnv + "=" + os.Getenv(native.SocketEnv),
				})
			},
		})
		if err != nil {
			os.Exit(4)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// testBroker answers ping with its pid and session, and ends on "end".
func testBroker() int {
	fmt.Fprintln(os.Stderr, "test broker here")
	fmt.Println("a stray line on stdout")
	l, err := native.Listen(os.Getenv(native.SocketEnv))
	if err != nil {
		return 5
	}
	// One that lost a race may get the lock after the test has ended.
	if err := l.Listener.(*net.UnixListener).SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return 6
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return 0
		}
		p := rpc.NewPeer(c, rpc.PeerOptions{MaxWrite: native.MaxToChrome})
		p.Handle("echo", echo)
		p.Handle("who", func(context.Context, *rpc.Channel, json.RawMessage) (any, error) {
			sid, _ := unix.Getsid(0)
			shim, _ := native.PeerOf(c)
			return map[string]any{"pid": os.Getpid(), "sid": sid, "shim": shim.PID, "binary": shim.Binary}, nil
		})
		p.Handle("end", func(context.Context, *rpc.Channel, json.RawMessage) (any, error) { return nil, l.Close() })
		p.Start()
	}
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// TestShimProcess runs the real thing: a shim process on pipes, as Chrome
// starts it, which starts a broker process that outlives it.
func TestShimProcess(t *testing.T) {
	path := native.OwnSocket(t)
	logFile := filepath.Join(filepath.Dir(path), "b.stderr")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type who struct {
		PID, SID, Shim int
		Binary         string
	}
	start := func() (*rpc.Peer, *exec.Cmd) {
		cmd := exec.Command(self, testOrigin)
		cmd.Env = append(os.Environ(), "TABWRIGHT_TEST_ROLE=shim")
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		p := rpc.NewPeer(pipes{out, in}, rpc.PeerOptions{MaxRead: native.MaxToChrome})
		p.Start()
		return p, cmd
	}
	ctx := native.Bounded(t)
	first, cmd := start()
	began := time.Now()
	one, err := rpc.Ask[who](ctx, first, "who", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("shim and broker from nothing to the first answer: %v", time.Since(began))
	t.Cleanup(func() { // whatever went wrong, leave no broker
		if p, err := os.FindProcess(one.PID); err == nil {
			_ = p.Kill()
		}
	})
	if one.SID != one.PID || one.PID == cmd.Process.Pid {
		t.Errorf("the broker has no session of its own: %+v", one)
	}
	if one.Shim != cmd.Process.Pid || one.Binary != self {
		t.Errorf("the broker sees %d %s, want %d %s", one.Shim, one.Binary, cmd.Process.Pid, self)
	}
	_ = first.Close() // Chrome closes the port
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shim ended with %v", err)
	}
	second, cmd := start() // the service worker connects again
	two, err := rpc.Ask[who](ctx, second, "who", nil)
	if err != nil || two.PID != one.PID {
		t.Fatalf("%+v, %v; want the same broker %d", two, err, one.PID)
	}
	big := strings.Repeat("é", 1<<20)
	if got, err := rpc.Ask[string](ctx, second, "echo", big); err != nil || got != big {
		t.Errorf("2 MB through shim and broker: %d bytes, %v", len(got), err)
	}
	_ = second.Call(ctx, "end", nil, nil) // the broker may be gone before it answers
	<-second.Done()                       // and the shim with it
	if err := cmd.Wait(); err != nil {
		t.Errorf("the shim ended with %v when its broker went", err)
	}
	if log, _ := os.ReadFile(logFile); !bytes.Contains(log, []byte("test broker here")) || !bytes.Contains(log, []byte("a stray line")) {
		t.Errorf("the broker's log: %q", log)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestStartBrokerThatFails(t *testing.T) {
	path := native.OwnSocket(t)
	self, _ := os.Executable()
	logFile := filepath.Join(filepath.Dir(path), "b.stderr")
	err := native.StartBroker(native.Bounded(t), self, nil, []string{"TABWRIGHT_TEST_ROLE=broken"})
	native.WantCode(t, err, wire.CodeClosed)
	if log, _ := os.ReadFile(logFile); !strings.Contains(string(log), "no such luck") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v; log: %s", err, log)
	}
	if err := native.StartBroker(native.Bounded(t), "/no/such/binary", nil, nil); err == nil {
		t.Error("a missing binary started")
	}
	t.Setenv(native.SocketEnv, "/dev/null/b.sock")
	if err := native.StartBroker(native.Bounded(t), self, nil, nil); err == nil {
		t.Error("a folder that can't be made")
	}
}

// TestStartBrokerRace: several shims start at once; one broker is left.
func TestStartBrokerRace(t *testing.T) {
	path := native.OwnSocket(t)
	self, _ := os.Executable()
	ctx := native.Bounded(t)
	const n = 4
	errs := make(chan error, n)
	for range n {
		go func() {
			errs <- native.StartBroker(ctx, self, nil, []string{"TABWRIGHT_TEST_ROLE=broker", native.SocketEnv + "=" + path})
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	c, err := native.Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p := rpc.NewPeer(c, rpc.PeerOptions{})
	p.Start()
	got, err := rpc.Ask[map[string]any](ctx, p, "who", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("one broker answers: %s", strconv.FormatFloat(got["pid"].(float64), 'f', -1, 64))
	_ = p.Call(ctx, "end", nil, nil)
	<-p.Done()
	p.Wait()
}
