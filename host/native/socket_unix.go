//go:build unix

package native

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

var errLocked error = unix.EWOULDBLOCK

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

// detach puts the process into a session of its own: Chrome starts hosts in
// its own process group and kills them with their port.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

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
