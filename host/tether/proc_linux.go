package tether

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// dieWithParent has the kernel kill the program when the thread that started
// it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// living reports whether a process of the group runs. Zombies don't count: in a
// container whose init does not reap processes they stay forever.
func living(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is constant
	want := []byte(strconv.Itoa(group))
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid group …; the name may have any characters.
		f := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(f) > 2 && f[0][0] != 'Z' && f[0][0] != 'X' && bytes.Equal(f[2], want) {
			return true
		}
	}
	return false
}
