//go:build unix

package serve

import (
	"errors"
	"os"
	"syscall"
)

var errQuota error = syscall.EDQUOT

// foreignOwner is the user that a folder belongs to, where that is another; else -1.
func foreignOwner(dir string) int {
	st, err := os.Stat(dir)
	if err != nil {
		return -1
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Getuid() {
		return int(sys.Uid)
	}
	return -1
}

func running(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
