package action

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// siteOf returns the host as a user knows it, with the port only for localhost and IP
// addresses.
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

// normalURL completes an address as a browser's address bar does, but never searches:
// no scheme means https, or http for this computer and test hosts.
func normalURL(raw string) (string, error) {
	s := strings.TrimSpace(raw)
	if s == "" {
		return "", errors.New("the address is empty")
	}
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	if !hasScheme(s) {
		host, _, _ := strings.Cut(s, "/")
		if strings.ContainsAny(host, " \t\n") || host == "" {
			return "", fmt.Errorf("%q is no address", raw)
		}
		scheme := "https://"
		if plainHTTP(host) {
			scheme = "http://"
		}
		s = scheme + s
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", fmt.Errorf("%q is no address: %w", raw, err)
	}
	if (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() == "" {
		return "", fmt.Errorf("%q has no host", raw)
	}
	return u.String(), nil
}

// hasScheme distinguishes "localhost:8080" (a host and a port) from "mailto:me".
func hasScheme(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "./[ ?#") {
		return false
	}
	port, _, _ := strings.Cut(rest, "/")
	if _, err := strconv.Atoi(port); err == nil && port != "" {
		return false
	}
	return true
}

func plainHTTP(hostPort string) bool {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".test") || net.ParseIP(host) != nil
}
