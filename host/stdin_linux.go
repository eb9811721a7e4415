package main

import "golang.org/x/sys/unix"

// dropTyped forgets what was typed at a terminal and not read yet.
func dropTyped(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
