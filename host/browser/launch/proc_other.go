//go:build unix && !linux

package launch

import "syscall"

// dieWithParent: only Linux has a parent's death signal.
func dieWithParent(*syscall.SysProcAttr) {}

func lockThread() (unlock func()) { return func() {} }
