package serve

import (
	"os"
	"syscall"
)

var errQuota error = syscall.Errno(1295) // ERROR_DISK_QUOTA_EXCEEDED

// foreignOwner: folders under the user's profile are the user's.
func foreignOwner(string) int { return -1 }

func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
