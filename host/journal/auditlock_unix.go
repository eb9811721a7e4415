//go:build unix

package journal

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile waits until no other process writes the audit log (flock).
func lockFile(f *os.File) error {
	return lockWithin(func() (bool, error) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
			return false, nil
		}
		return err == nil, err
	}, 5*time.Second)
}

func unlockFile(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) } // closing lets go as well
