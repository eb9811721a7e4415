package native

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// PeerCreds asks the kernel who opened the other end (SO_PEERCRED).
func PeerCreds(c net.Conn) (Creds, error) {
	var cred *unix.Ucred
	err := onFD(c, func(fd int) (err error) {
		cred, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		return err
	})
	if err != nil {
		return Creds{}, fmt.Errorf("ask who is at the other end: %w", err)
	}
	// The link of a process of another namespace or user can't be read.
	binary, _ := os.Readlink("/proc/" + strconv.Itoa(int(cred.Pid)) + "/exe")
	return Creds{UID: int(cred.Uid), PID: int(cred.Pid), Binary: binary}, nil
}
