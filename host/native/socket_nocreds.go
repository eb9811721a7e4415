//go:build unix && !linux && !darwin

package native

import (
	"errors"
	"net"
)

// PeerCreds is not known on this system; the folder's permissions keep others
// out.
func PeerCreds(net.Conn) (Creds, error) { return Creds{}, errors.ErrUnsupported }
