//go:build unix

package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

var errLocked error = unix.EWOULDBLOCK

// permissions: those of a folder say who may put a socket there.
const permissions = true

// maxSocketPath is the room in sockaddr_un without the final NUL: 108 bytes on
// Linux, 104 on macOS and the BSDs.
var maxSocketPath = map[bool]int{true: 107, false: 103}[runtime.GOOS == "linux"]

// endpoint is what is dialled for a path: the socket there.
func endpoint(path string) string { return path }

func dialEndpoint(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", path)
}

// listenEndpoint makes the socket, in place of one that nobody answers.
func listenEndpoint(path string) (net.Listener, error) {
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&os.ModeSocket == 0 {
			return nil, errors.New("the file there is no socket")
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove the stale socket: %w", err)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	// The folder already keeps others out between bind and chmod.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// sameUser is nil when the other end is this user, or the system can't tell
// (then the folder's permissions are what keeps others out).
func sameUser(c net.Conn) error {
	creds, err := PeerCreds(c)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	if uid := os.Getuid(); creds.UID != uid {
		return fmt.Errorf("the other side is user %d, not %d", creds.UID, uid)
	}
	return nil
}

// servedBySameUser: the kernel says of either end whose it is.
func servedBySameUser(c net.Conn) error { return sameUser(c) }

// lockFile takes the lock without waiting; closing the file, or the end of
// the process, lets go of it.
func lockFile(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

func ownedByUs(st os.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}

// nobodyThere says whether a failed connect means that no broker listens.
func nobodyThere(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED)
}

// startDetached starts a program in a session of its own: Chrome starts hosts in
// its own process group and kills them with their port.
func startDetached(cmd *exec.Cmd) (*exec.Cmd, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, cmd.Start()
}

// withoutSIGPIPE makes a write to a stdout that Chrome closed an error instead
// of the end of the process, until the given function is called.
func withoutSIGPIPE() func() {
	signal.Ignore(unix.SIGPIPE)
	return func() { signal.Reset(unix.SIGPIPE) }
}

// onFD calls f with the connection's descriptor.
func onFD(c net.Conn, f func(fd int) error) error {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return errors.ErrUnsupported
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// otherSideGone says whether a read or write failed because nobody is at the
// other end any more.
func otherSideGone(err error) bool {
	return errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) || closedHere(err)
}
