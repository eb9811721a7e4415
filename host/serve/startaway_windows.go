package serve

import "os/exec"

// StartAway starts a program that goes on when this one's terminal is closed.
func StartAway(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
