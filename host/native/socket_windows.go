package native

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

var errLocked error = windows.ERROR_LOCK_VIOLATION

// lockFile takes the lock without waiting; closing the file, or the end of
// the process, lets go of it.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{})
}

// ownedByUs trusts the profile folder's own access list.
func ownedByUs(os.FileInfo) bool { return true }

// nobodyThere says whether a failed connect means that no broker listens.
func nobodyThere(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, windows.WSAECONNREFUSED)
}

// detach frees the process from the console and job of its parent as far as
// the system allows.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
		HideWindow:    true,
	}
}

func withoutSIGPIPE() func() { return func() {} }
