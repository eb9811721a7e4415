//go:build unix

package serve

import (
	"os/exec"
	"syscall"
)

// StartAway starts a program that goes on when this one's terminal is closed.
func StartAway(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
