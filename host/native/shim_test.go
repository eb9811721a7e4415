//go:build unix

package native

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
)

const (
	testID     = "abcdefghijklmnopabcdefghijklmnop"
	testOrigin = "chrome-extension://" + testID + "/"
)

// chromeSide is Chrome's end of a shim's stdin and stdout.
type chromeSide struct {
	raw
	in  *io.PipeWriter
	out *io.PipeReader
	end chan error
}

func startShim(t *testing.T, ctx context.Context, o ShimOptions) chromeSide {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	o.Stdin, o.Stdout = inR, outW
	if o.Origin == "" {
		o.Origin = testOrigin
	}
	o.Allowed = []string{testID}
	c := chromeSide{raw{t, NewReader(outR, MaxToChrome), NewWriter(inW, MaxFromChrome)}, inW, outR, make(chan error, 1)}
	go func() {
		err := RunShim(ctx, o)
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
	c := startShim(t, bounded(t), ShimOptions{Dial: dial})
	b := raw{t, NewReader(end, MaxFromChrome), NewWriter(end, MaxFromChrome)}
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
	var a Assembler
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
			if len(whole.Params) != 5<<20+2 || whole.Chan != "p" || frames < 6 || m.Chunk.ID < shimChunkIDs {
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
	head := header(0xffffffff)
	chunk := `{"kind":"chunk","chunk":{"id":1,"seq":0,"total":1,"data":"` + strings.Repeat("AAAA", 1<<19) + `"}}`
	tests := []struct {
		name string
		do   func(c chromeSide, broker net.Conn, cancel context.CancelFunc)
		code Code
		is   error
	}{
		{"the broker goes", func(_ chromeSide, b net.Conn, _ context.CancelFunc) { _ = b.Close() }, "", nil},
		{"Chrome goes", func(c chromeSide, _ net.Conn, _ context.CancelFunc) { _ = c.in.Close() }, "", nil},
		{"Chrome does not read", func(c chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = c.out.Close()
			_ = NewWriter(b, 100).WriteFrame([]byte("{}"))
		}, "", nil},
		{"told to", func(_ chromeSide, _ net.Conn, cancel context.CancelFunc) { cancel() }, "", nil},
		{"4 GB from Chrome", func(c chromeSide, _ net.Conn, _ context.CancelFunc) { _, _ = c.in.Write(head) }, CodeTooLarge, nil},
		{"4 GB from the broker", func(_ chromeSide, b net.Conn, _ context.CancelFunc) { _, _ = b.Write(head) }, CodeTooLarge, nil},
		{"a frame cut", func(c chromeSide, _ net.Conn, _ context.CancelFunc) {
			_, _ = c.in.Write(frame("{}")[:5])
			_ = c.in.Close()
		}, "", io.ErrUnexpectedEOF},
		{"too large and no JSON", func(_ chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = NewWriter(b, MaxFromChrome).WriteFrame(make([]byte, MaxToChrome+1))
		}, CodeMalformed, nil},
		{"too large a chunk", func(_ chromeSide, b net.Conn, _ context.CancelFunc) {
			_ = NewWriter(b, MaxFromChrome).WriteFrame([]byte(chunk))
		}, CodeTooLarge, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dial, end := toBroker()
			ctx, cancel := context.WithCancel(bounded(t))
			c := startShim(t, ctx, ShimOptions{Dial: dial})
			tt.do(c, end, cancel)
			err := <-c.end
			cancel()
			switch {
			case tt.code != "":
				wantCode(t, err, tt.code)
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
	gone := func(context.Context) (net.Conn, error) { return nil, fmt.Errorf("join: %w", ErrNotRunning) }
	tests := []struct {
		name   string
		o      ShimOptions
		code   Code
		phrase string
	}{
		{"another extension", ShimOptions{Origin: "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba/"}, CodeProtocol, "not Tabwright"},
		{"no extension", ShimOptions{Origin: "https://" + testID + "/"}, CodeProtocol, "not Tabwright"},
		{"the broker does not start", ShimOptions{Dial: gone, StartBroker: func(context.Context) error {
			return fmt.Errorf("start: %w", &Error{Code: CodeClosed, Message: "it will not", Hint: "see the log"})
		}}, CodeClosed, "see the log"},
		{"started and still not there", ShimOptions{Dial: gone, StartBroker: func(context.Context) error { return nil }}, CodeInternal, "not running"},
		{"nothing to start it with", ShimOptions{Dial: gone}, CodeInternal, "not running"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startShim(t, bounded(t), tt.o)
			c.send(`{"kind":"req","id":1,"method":"hello","params":{}}`)
			m, err := c.r.ReadMessage()
			if err != nil || m.Kind != KindRes || m.ID != 1 || m.Error == nil || m.Error.Code != tt.code ||
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
		c := startShim(t, ctx, ShimOptions{Dial: gone})
		if err := <-c.end; !errors.Is(err, ErrNotRunning) {
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
		err := RunShim(context.Background(), ShimOptions{
			Origin: os.Args[1], Allowed: []string{testID, os.Getenv("TABWRIGHT_TEST_ID")}, Stdin: os.Stdin, Stdout: os.Stdout,
			Log: zerolog.New(os.Stderr).Level(zerolog.InfoLevel),
			StartBroker: func(ctx context.Context) error {
				return StartBroker(ctx, os.Args[0], nil, []string{
					"TABWRIGHT_TEST_ROLE=broker", SocketEnv + "=" + os.Getenv(SocketEnv),
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
	l, err := Listen(os.Getenv(SocketEnv))
	if err != nil {
		return 5
	}
	// One that lost a race may get the lock after the test has ended.
	if err := l.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return 6
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return 0
		}
		p := NewPeer(c, PeerOptions{MaxWrite: MaxToChrome})
		p.Handle("echo", echo)
		p.Handle("who", func(context.Context, *Channel, json.RawMessage) (any, error) {
			sid, _ := unix.Getsid(0)
			shim, _ := PeerOf(c)
			return map[string]any{"pid": os.Getpid(), "sid": sid, "shim": shim.PID, "binary": shim.Binary}, nil
		})
		p.Handle("end", func(context.Context, *Channel, json.RawMessage) (any, error) { return nil, l.Close() })
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
	path := ownSocket(t)
	logFile := filepath.Join(filepath.Dir(path), "b.stderr")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type who struct {
		PID, SID, Shim int
		Binary         string
	}
	start := func() (*Peer, *exec.Cmd) {
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
		p := NewPeer(pipes{out, in}, PeerOptions{MaxRead: MaxToChrome})
		p.Start()
		return p, cmd
	}
	ctx := bounded(t)
	first, cmd := start()
	began := time.Now()
	one, err := Ask[who](ctx, first, "who", nil)
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
	two, err := Ask[who](ctx, second, "who", nil)
	if err != nil || two.PID != one.PID {
		t.Fatalf("%+v, %v; want the same broker %d", two, err, one.PID)
	}
	big := strings.Repeat("é", 1<<20)
	if got, err := Ask[string](ctx, second, "echo", big); err != nil || got != big {
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
	path := ownSocket(t)
	self, _ := os.Executable()
	logFile := filepath.Join(filepath.Dir(path), "b.stderr")
	err := StartBroker(bounded(t), self, nil, []string{"TABWRIGHT_TEST_ROLE=broken"})
	wantCode(t, err, CodeClosed)
	if log, _ := os.ReadFile(logFile); !strings.Contains(string(log), "no such luck") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v; log: %s", err, log)
	}
	if err := StartBroker(bounded(t), "/no/such/binary", nil, nil); err == nil {
		t.Error("a missing binary started")
	}
	t.Setenv(SocketEnv, "/dev/null/b.sock")
	if err := StartBroker(bounded(t), self, nil, nil); err == nil {
		t.Error("a folder that can't be made")
	}
}

// TestStartBrokerRace: several shims start at once; one broker is left.
func TestStartBrokerRace(t *testing.T) {
	path := ownSocket(t)
	self, _ := os.Executable()
	ctx := bounded(t)
	const n = 4
	errs := make(chan error, n)
	for range n {
		go func() {
			errs <- StartBroker(ctx, self, nil, []string{"TABWRIGHT_TEST_ROLE=broker", SocketEnv + "=" + path})
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	c, err := Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPeer(c, PeerOptions{})
	p.Start()
	got, err := Ask[map[string]any](ctx, p, "who", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("one broker answers: %s", strconv.FormatFloat(got["pid"].(float64), 'f', -1, 64))
	_ = p.Call(ctx, "end", nil, nil)
	<-p.Done()
	p.Wait()
}
