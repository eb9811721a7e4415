//go:build unix

package native

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

// ownSocket gives this test a socket path of its own.
func ownSocket(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tw") // t.TempDir can be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "run", "b.sock")
	t.Setenv(SocketEnv, path)
	return path
}

func TestSocketPath(t *testing.T) {
	runtimeDir, cache := t.TempDir(), t.TempDir()
	long := filepath.Join("/tmp", strings.Repeat("x", 120), "b.sock")
	tests := []struct {
		name, env, runtime, want string
		code                     wire.Code
	}{
		{"named", "/tmp/mine/b.sock", runtimeDir, "/tmp/mine/b.sock", ""},
		{"runtime folder", "", runtimeDir, filepath.Join(runtimeDir, "tabwright", "broker.sock"), ""},
		{"runtime folder missing", "", "/nowhere/at/all", filepath.Join(cache, "tabwright", "broker.sock"), ""},
		{"too long", long, "", "", wire.CodeTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(SocketEnv, tt.env)
			t.Setenv("XDG_RUNTIME_DIR", tt.runtime)
			t.Setenv("XDG_CACHE_HOME", cache)
			if runtime.GOOS != "linux" && tt.name == "runtime folder missing" {
				t.Skip("the cache folder has another name here")
			}
			got, err := SocketPath()
			if tt.code != "" {
				wantCode(t, err, tt.code)
				if !strings.Contains(err.Error(), long) {
					t.Errorf("%v does not name the path", err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestListenIsExclusiveAndPrivate(t *testing.T) {
	path := ownSocket(t)
	ctx := bounded(t)
	if _, err := Dial(ctx); !errors.Is(err, ErrNotRunning) {
		t.Fatalf("dial before: %v", err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if l.Path() != path {
		t.Errorf("listens at %s, want %s", l.Path(), path)
	}
	for _, f := range []struct {
		path string
		want os.FileMode
	}{{path, 0o600}, {filepath.Dir(path), 0o700}, {path + ".lock", 0o600}} {
		if st, err := os.Stat(f.path); err != nil || st.Mode().Perm() != f.want {
			t.Errorf("%s: %v, %v; want %v", f.path, st.Mode(), err, f.want)
		}
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			select {
			case accepted <- c:
			default: // Listen looks whether somebody answers
				_ = c.Close()
			}
		}
	}()
	c, err := Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []net.Conn{c, <-accepted} {
		creds, err := PeerOf(end)
		self, _ := os.Executable()
		if runtime.GOOS == "linux" && (err != nil || creds != Creds{os.Getuid(), os.Getpid(), self}) {
			t.Errorf("the other end is %+v (%v), want %d %s", creds, err, os.Getpid(), self)
		}
		_ = end.Close()
	}
	if _, err := Listen(path); !errors.Is(err, ErrRunning) {
		t.Errorf("a second broker: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
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

func TestStaleSocketIsReplacedAndALiveOneIsNot(t *testing.T) {
	path := ownSocket(t)
	ctx := bounded(t)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	old, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	old.SetUnlinkOnClose(false)
	// Somebody answers who has no lock: not ours to remove.
	if _, err := Listen(path); !errors.Is(err, ErrRunning) {
		t.Fatalf("a live socket: %v", err)
	}
	_ = old.Close() // as after a crash: the file stays, nobody answers
	if _, err := Dial(ctx); !errors.Is(err, ErrNotRunning) {
		t.Fatalf("dial of a stale socket: %v", err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatalf("a stale socket: %v", err)
	}
	_ = l.Close()
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path); err == nil {
		t.Error("took the place of a file that is no socket")
	}
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Error("removed a file that is no socket")
	}
}

func TestListenWaitsForAnEndingBroker(t *testing.T) {
	path := ownSocket(t)
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Listener.Close() // no longer answers, still has the lock
	got := make(chan error, 1)
	go func() {
		next, err := Listen(path)
		if err == nil {
			err = next.Close()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("did not wait for the lock of %s: %v", path, err)
	default:
	}
	_ = l.Close()
	if err := <-got; err != nil {
		t.Fatal(err)
	}

	held, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = held.Listener.Close()
	short, cancel := context.WithCancel(bounded(t))
	cancel()
	if _, err := listen(short, path, false); !errors.Is(err, ErrRunning) {
		t.Errorf("a lock that is never let go: %v", err)
	}
	_ = held.Close()
}

// The folder of a path that the user chose is not closed to others for it.
func TestAChosenFolderStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(SocketEnv, "")
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the point of the test
		t.Fatal(err)
	}
	l, err := ListenChosen(filepath.Join(dir, "h.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if st, _ := os.Stat(dir); st.Mode().Perm() != 0o755 {
		t.Errorf("it is %v now", st.Mode())
	}
	if st, _ := os.Stat(l.Path()); st.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v", st.Mode())
	}
}

func TestFolderOfOthersIsRefused(t *testing.T) {
	path := ownSocket(t)
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // the point of the test
		t.Fatal(err)
	}
	_, err := Listen(path)
	wantCode(t, err, wire.CodeInvalidParams)
	if err := privateDir(dir, true); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Stat(dir); st.Mode().Perm() != 0o700 {
		t.Errorf("a folder of our own naming stays %v", st.Mode())
	}
	link := filepath.Join(filepath.Dir(dir), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if err := privateDir(link, true); err == nil {
		t.Error("a link passed for a folder")
	}
	if os.Getuid() == 0 {
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if err := privateDir(dir, true); err == nil {
			t.Error("a folder of another user passed")
		}
	}
}

func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func wantCode(t testing.TB, err error, code wire.Code) {
	t.Helper()
	if !errors.Is(err, &wire.Error{Code: code}) {
		t.Fatalf("got %v, want code %s", err, code)
	}
}
