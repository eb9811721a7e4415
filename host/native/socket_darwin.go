package native

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// PeerCreds asks the kernel who opened the other end (LOCAL_PEERCRED,
// LOCAL_PEERPID).
func PeerCreds(c net.Conn) (Creds, error) {
	var cred *unix.Xucred
	var pid int
	err := onFD(c, func(fd int) (err error) {
		if cred, err = unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED); err != nil {
			return err
		}
		pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		return err
	})
	if err != nil {
		return Creds{}, fmt.Errorf("ask who is at the other end: %w", err)
	}
	return Creds{UID: int(cred.Uid), PID: pid}, nil
}
