package action

import (
	"net"
	"net/url"
)

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// siteOf is a host as a user knows it: the port counts only where the host
// says nothing, on this computer and on bare addresses.
func siteOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if h := u.Hostname(); h != "localhost" && net.ParseIP(h) == nil {
		return h
	}
	return u.Host
}
