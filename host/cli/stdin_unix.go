//go:build unix

package cli

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// ready reports whether a terminal has something to read, waiting so long for it; that
// it can't be asked the read says.
func ready(fd int, wait time.Duration) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(wait.Milliseconds()))
	return n > 0 || err != nil && !errors.Is(err, unix.EINTR)
}
