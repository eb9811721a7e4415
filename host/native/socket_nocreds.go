//go:build unix && !linux && !darwin

package native

import (
	"errors"
	"net"
)

// PeerCreds returns errors.ErrUnsupported: this system does not tell. The
// folder's permissions keep other users out.
func PeerCreds(net.Conn) (Creds, error) { return Creds{}, errors.ErrUnsupported }
