//go:build unix && !linux

package tether

import "syscall"

// dieWithParent does nothing: only Linux has a signal for the parent's death.
func dieWithParent(*syscall.SysProcAttr) {}

func lockThread() (unlock func()) { return func() {} }

func living(group int) bool { return syscall.Kill(-group, 0) == nil }
