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

// permissions says that the mode of a folder tells who may put a socket there.
const permissions = true

// maxSocketPath is the most bytes of a path that fit sockaddr_un, which has 108 on
// Linux, 104 on macOS and the BSDs, with the final NUL.
var maxSocketPath = map[bool]int{true: 107, false: 103}[runtime.GOOS == "linux"]

// endpoint returns the address to dial for a path: the path itself.
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

// sameUser returns nil if the other end is a process of this user, or if the
// system can't tell: then the folder's permissions keep other users out.
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

// servedBySameUser is sameUser: the kernel tells of either end whose it is.
func servedBySameUser(c net.Conn) error { return sameUser(c) }

// lockFile takes the lock without waiting. Closing the file, or the end of the
// process, releases it.
func lockFile(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

func ownedByUs(st os.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}

// nobodyThere reports whether a failed connect means that no broker listens.
func nobodyThere(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED)
}

// startDetached starts a program in a session of its own: Chrome starts hosts in
// its own process group and kills them with their port.
func startDetached(cmd *exec.Cmd) (*exec.Cmd, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, cmd.Start()
}

// withoutSIGPIPE makes a write to a stdout that Chrome closed return an error
// instead of ending the process, until the returned function is called.
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

// otherSideGone reports whether a read or write failed because the connection is
// closed, on either side.
func otherSideGone(err error) bool {
	return errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) || closedHere(err)
}
