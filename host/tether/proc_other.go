//go:build unix && !linux

package tether

import "syscall"

// dieWithParent: only Linux has a parent's death signal.
func dieWithParent(*syscall.SysProcAttr) {}

func lockThread() (unlock func()) { return func() {} }

func living(group int) bool { return syscall.Kill(-group, 0) == nil }
