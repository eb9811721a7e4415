package safety

import (
	"net/netip"
	"strconv"
	"strings"
)

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// parseIP reads IPv4 in the forms that browsers and inet_aton take: one to four
// parts, each decimal, octal (0…) or hex (0x…); and IPv6 with or without
// brackets.
func parseIP(h string) (netip.Addr, bool) {
	h = strings.TrimRight(h, ".")
	if strings.Contains(h, ":") {
		a, err := netip.ParseAddr(strings.Trim(h, "[]"))
		return a.WithZone(""), err == nil
	}
	parts := strings.Split(h, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var v uint64
	for i, p := range parts {
		n, ok := parseIPPart(p)
		if !ok {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			room := uint(8 * (4 - i))
			if n >= 1<<room {
				return netip.Addr{}, false
			}
			v = v<<room | n
		} else {
			if n > 255 {
				return netip.Addr{}, false
			}
			v = v<<8 | n
		}
	}
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
}

func parseIPPart(p string) (uint64, bool) {
	base := 10
	switch {
	case p == "":
		return 0, false
	case len(p) >= 2 && (p[:2] == "0x" || p[:2] == "0X"):
		base, p = 16, p[2:]
		if p == "" {
			return 0, true // WHATWG: "0x" is zero
		}
	case len(p) > 1 && p[0] == '0':
		base, p = 8, p[1:]
	}
	n, err := strconv.ParseUint(p, base, 40)
	if err != nil || strings.ContainsAny(p, "_+-") {
		return 0, false
	}
	return n, true
}

var localNets = func() []netip.Prefix {
	var out []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
		"::/128", "::1/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "100::/64",
		// Clouds answer their metadata service here beside 169.254.169.254.
		"168.63.129.16/32", "100.100.100.200/32",
	} {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}()

// localAddr reports addresses of this machine, its networks and cloud metadata
// services, also where IPv6 carries an IPv4 one (mapped, compatible, NAT64,
// 6to4, Teredo).
func localAddr(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	for _, p := range localNets {
		if p.Contains(a) {
			return true
		}
	}
	if !a.Is6() {
		return false
	}
	b := a.As16()
	four := func(i int) bool { return localAddr(netip.AddrFrom4([4]byte(b[i : i+4]))) }
	switch {
	case netip.MustParsePrefix("::/96").Contains(a), netip.MustParsePrefix("64:ff9b::/96").Contains(a),
		netip.MustParsePrefix("64:ff9b:1::/48").Contains(a), netip.MustParsePrefix("::ffff:0:0:0/96").Contains(a):
		return four(12)
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return four(2)
	case netip.MustParsePrefix("2001::/32").Contains(a):
		return localAddr(netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}))
	}
	return false
}

// localSuffixes are names that never leave the local network, and public names
// that are known to answer with 127.0.0.1.
var localSuffixes = []string{
	"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "home.arpa", "corp", "private",
	"lvh.me", "localtest.me", "vcap.me", "lacolhost.com", "yoogle.com", "127-0-0-1.org.uk", "fbi.com",
}

// addressSuffixes are public names that answer with the address written in them.
var addressSuffixes = []string{"nip.io", "sslip.io", "xip.io", "traefik.me", "local-ip.co", "local-ip.sh", "backname.io"}

func isLocalName(h string) bool {
	h = strings.TrimRight(h, ".")
	if h == "" {
		return false
	}
	if !strings.Contains(h, ".") && !strings.Contains(h, ":") {
		return !isDigits(h)
	}
	for _, s := range localSuffixes {
		if h == s || strings.HasSuffix(h, "."+s) {
			return true
		}
	}
	for _, s := range addressSuffixes {
		if rest, ok := strings.CutSuffix(h, "."+s); ok && namesLocalAddr(rest) {
			return true
		}
	}
	return false
}

// namesLocalAddr finds an IPv4 address in "app.10-0-0-1" or "127.0.0.1" or
// "7f000001".
func namesLocalAddr(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' })
	for i := range parts {
		if i+4 <= len(parts) {
			if a, ok := parseIP(strings.Join(parts[i:i+4], ".")); ok && localAddr(a) {
				return true
			}
		}
		if len(parts[i]) == 8 {
			if a, ok := parseIP("0x" + parts[i]); ok && localAddr(a) {
				return true
			}
		}
	}
	return false
}
