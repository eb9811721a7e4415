//go:build unix

package native_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tabwright/host/native"
)

// roleNeighbour dials the socket as another user and says what came of it.
const roleNeighbour = "neighbour"

// TestMain's binary is started with this role under another user.
func neighbour() int {
	c, err := net.DialTimeout("unix", os.Getenv(native.SocketEnv), 5*time.Second)
	if err != nil {
		return 10
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Read(make([]byte, 1)); errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return 11 // turned away
	}
	return 12
}

// TestAnotherUserIsRefused: even where the file's permissions let another user of
// this computer in, their connection is turned away.
func TestAnotherUserIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir, err := os.MkdirTemp("/tmp", "tw-neighbour-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	binary := filepath.Join(dir, "neighbour")
	own, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, own, 0o755); err != nil { //nolint:gosec // another user must be able to run it
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // and to get to it
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s")
	t.Setenv(native.SocketEnv, path)
	l, err := native.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-ended })
	as := func() int {
		cmd := exec.CommandContext(t.Context(), binary)
		cmd.Dir = "/"
		cmd.Env = []string{"TABWRIGHT_TEST_ROLE=" + roleNeighbour, native.SocketEnv + "=" + path}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("%v: %s", err, out)
		}
		return exit.ExitCode()
	}
	if code := as(); code != 10 {
		t.Errorf("with the socket's own permissions: %d", code)
	}
	if err := os.Chmod(path, 0o666); err != nil { //nolint:gosec // what is under test is the check behind it
		t.Fatal(err)
	}
	if code := as(); code != 11 {
		t.Errorf("with the file open to all: %d", code)
	}
	select {
	case <-accepted:
		t.Error("the connection was given out")
	default:
	}
}
