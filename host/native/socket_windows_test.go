package native

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Microsoft/go-winio"
)

func windowsSocket(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Zoë 张", "broker.sock")
	t.Setenv(SocketEnv, path)
	return path
}

// Shim and broker meet at a pipe that one broker has and that this user alone
// can open.
func TestPipeIsExclusiveAndOurs(t *testing.T) {
	path := windowsSocket(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := Dial(ctx); !errors.Is(err, ErrNotRunning) {
		t.Fatalf("dial before: %v", err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(l.Path(), `\\.\pipe\tabwright-`) || !strings.HasSuffix(l.Path(), "-broker") {
		t.Error(l.Path())
	}
	accepted := make(chan net.Conn, 4)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	c, err := Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	server := <-accepted
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []net.Conn{c, server} {
		creds, err := PeerOf(end)
		if err != nil || creds.PID != os.Getpid() || !strings.EqualFold(creds.Binary, self) {
			t.Errorf("the other end is %+v (%v), want %d %s", creds, err, os.Getpid(), self)
		}
	}
	if _, err := Listen(path); !errors.Is(err, ErrRunning) {
		t.Errorf("a second broker: %v", err)
	}
	// An end is EOF to who reads and an end to who writes.
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read from who is gone: %v", err)
	}
	if _, err := server.Write(make([]byte, 1)); !otherSideGone(err) {
		t.Errorf("write to who is gone: %v", err)
	}
	_ = server.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	for c := range accepted { // a pipe is there for as long as an end of it is open
		_ = c.Close()
	}
	if _, err := Dial(ctx); !errors.Is(err, ErrNotRunning) {
		t.Errorf("dial after: %v", err)
	}
	again, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

// A pipe of this name that belongs to somebody else is not taken for ours.
func TestPipeOfOthersIsRefused(t *testing.T) {
	path := windowsSocket(t)
	const administrators = "S-1-5-32-544"
	l, err := winio.ListenPipe(endpoint(path), &winio.PipeConfig{SecurityDescriptor: "O:" + administrators + "D:(A;;GA;;;WD)"})
	if err != nil {
		t.Skip("this user may not make a pipe that is another's: ", err)
	}
	defer l.Close()
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	if c, err := Dial(t.Context()); err == nil || !strings.Contains(err.Error(), administrators) {
		t.Errorf("joined %v, %v", c, err)
	}
}
