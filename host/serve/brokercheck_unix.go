//go:build unix

package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tabwright/host/native/wire"
	"tabwright/install"
)

// socketFolder says what is wrong with the folder of the socket; nil where it is
// good, or not there yet.
func socketFolder(dir string) *install.Fault {
	st, err := os.Stat(dir)
	if err != nil {
		return nil //nolint:nilerr // it is made with the right rights
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(sys.Uid) != os.Getuid():
		f := socketFault("other_owner", fmt.Sprintf("%s, the folder of the broker's socket, belongs to user %d", dir, sys.Uid), "make it yours", dir)
		f.Command = "sudo chown -R \"$(id -un)\" '" + dir + "'"
		return f
	case st.IsDir() && st.Mode().Perm()&0o022 != 0:
		f := socketFault("open_folder", "others may write to "+dir+", the folder of the broker's socket", "remove the right of others to write to it", dir)
		f.Command, f.Mend = "chmod go-w '"+dir+"'", wire.FixSocket
		return f
	}
	return nil
}

// closeFolder takes the right to write from others.
func closeFolder(dir string) error {
	st, err := os.Stat(dir)
	if err != nil || st.Mode().Perm()&0o022 == 0 {
		return nil //nolint:nilerr // it is made with the right rights
	}
	return os.Chmod(dir, st.Mode().Perm()&^0o022)
}

// lockHolder is the process that holds the lock at path; 0 where nobody does, or
// the system does not say who.
func lockHolder(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	if !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK) {
		return 0 // closing lets go of it
	}
	st, err := f.Stat()
	if err != nil {
		return 0
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	locks, err := os.Open("/proc/locks")
	if err != nil || !ok {
		return 0
	}
	defer locks.Close()
	inode := ":" + strconv.FormatUint(sys.Ino, 10)
	for lines := bufio.NewScanner(locks); lines.Scan(); {
		// 1: FLOCK  ADVISORY  WRITE 4242 00:2f:12345 0 EOF
		w := strings.Fields(lines.Text())
		if len(w) > 5 && w[1] == "FLOCK" && strings.HasSuffix(w[5], inode) {
			if pid, err := strconv.Atoi(w[4]); err == nil {
				return pid
			}
		}
	}
	return 0
}

// endProcess asks a process to end, and makes it after a while.
func endProcess(ctx context.Context, pid int) error {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if err := syscall.Kill(pid, sig); errors.Is(err, syscall.ESRCH) {
			return nil
		} else if err != nil {
			return fmt.Errorf("end process %d: %w", pid, err)
		}
		for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
			if !running(pid) || zombie(pid) {
				return nil
			}
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return fmt.Errorf("process %d does not end", pid)
}

// zombie says that a process has ended, and its parent has yet to hear of it.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, ok := strings.Cut(string(b), ") ")
	return ok && strings.HasPrefix(state, "Z")
}
