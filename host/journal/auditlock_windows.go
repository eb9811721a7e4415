package journal

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lockFile waits until no other process writes the audit log (LockFileEx). What
// is locked is one byte far behind the head: Windows would keep others from
// reading it.
func lockFile(f *os.File) error {
	return lockWithin(func() (bool, error) {
		o := windows.Overlapped{OffsetHigh: 1}
		err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &o)
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return false, nil
		}
		return err == nil, err
	}, 5*time.Second)
}

func unlockFile(f *os.File) {
	o := windows.Overlapped{OffsetHigh: 1}
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &o) // closing lets go as well
}
