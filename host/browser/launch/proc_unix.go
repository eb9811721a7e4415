//go:build unix

package launch

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// detachProcess gives the browser a process group of its own, so that all of
// it can be ended at once.
func detachProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// killGroup ends what is left of the group and waits a little until it is
// empty: in a container whose init reaps nobody, zombies stay in it for ever.
func killGroup(pid int) {
	for range 30 {
		if err := syscall.Kill(-pid, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
