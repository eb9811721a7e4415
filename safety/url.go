package safety

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// CheckURL judges the destination of a navigation and gives the normal form of the
// URL that was judged. Callers navigate to that form only, so that no second parser
// can read it differently.
func CheckURL(raw string, c Context) (string, Decision) {
	u, bad := parseURL(raw)
	if bad != nil {
		return "", blockedDecision(Navigate, Reason{"bad_url", c.say(bad.format, bad.args...)})
	}
	switch u.Scheme {
	case "http", "https":
		return checkHost(u, c)
	case "about":
		if u.Opaque == "blank" {
			return "about:blank", Decision{Level: Auto, Class: Navigate}
		}
		return u.String(), blockedDecision(Navigate, Reason{"scheme", c.say("Pages of the browser itself are closed to the agent: %s", "about:"+u.Opaque)})
	case "file":
		return checkFile(u, c)
	}
	return u.String(), blockedDecision(Navigate, Reason{"scheme", c.say("Addresses that begin with %s are closed to the agent", u.Scheme+":")})
}

func blockedDecision(class Class, r Reason) Decision {
	return Decision{Level: Block, Class: class, Reasons: []Reason{r}}
}

// What a browser drops from an address, and the other dots it takes for one.
var (
	noBreaks  = strings.NewReplacer("\t", "", "\n", "", "\r", "")
	plainDots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")
)

// unreadable says why an address can't be read.
type unreadable struct {
	format string
	args   []any
}

// parseURL reads an address as a browser does: surrounding white space and
// inner line breaks fall away, backslashes are slashes, a missing scheme is
// https (http for a local name), hosts are lower case, in ASCII, without
// trailing dots, and numbers in any notation are addresses.
func parseURL(raw string) (*url.URL, *unreadable) {
	s := strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	s = noBreaks.Replace(s)
	if s == "" {
		return nil, &unreadable{"There is no address", nil}
	}
	if len(s) > 1<<16 {
		return nil, &unreadable{"The address is too long", nil}
	}
	scheme, rest, ok := cutScheme(s)
	if !ok {
		scheme, rest = "https", "//"+strings.TrimLeft(s, `/\`)
		if h := hostOf(rest[2:]); isLocalName(h) {
			scheme = "http"
		} else if a, ok := parseIP(h); ok && localAddr(a) {
			scheme = "http"
		}
	}
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		return parseSpecial(scheme, rest)
	case "file":
		p, err := url.PathUnescape(strings.ReplaceAll(cutTail(rest), `\`, "/"))
		if err != nil || strings.ContainsRune(p, 0) {
			return nil, &unreadable{"The address can't be read: %s", []any{clip(s, 80)}}
		}
		host, path := "", p
		if strings.HasPrefix(p, "//") {
			host, path, _ = strings.Cut(p[2:], "/")
			path = "/" + path
		}
		return &url.URL{Scheme: "file", Host: strings.ToLower(host), Path: filepath.Clean("/" + path)}, nil
	}
	return &url.URL{Scheme: scheme, Opaque: strings.TrimLeft(strings.ToLower(rest), "/")}, nil
}

func cutTail(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		return s[:i]
	}
	return s
}

// cutScheme splits off a scheme; "localhost:3000" and "shop.test:80/x" are a
// host with a port.
func cutScheme(s string) (scheme, rest string, ok bool) {
	i := strings.IndexByte(s, ':')
	if i <= 0 {
		return "", "", false
	}
	scheme = strings.ToLower(s[:i])
	for j, r := range scheme {
		alpha := r >= 'a' && r <= 'z'
		if !alpha && (j == 0 || !(r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')) {
			return "", "", false
		}
	}
	rest = s[i+1:]
	port := rest
	if j := strings.IndexAny(port, `/\?#`); j >= 0 {
		port = port[:j]
	}
	if n, err := strconv.Atoi(port); err == nil && n > 0 && n < 65536 && (strings.Contains(scheme, ".") || scheme == "localhost" || !strings.HasPrefix(rest, "/") && !knownScheme[scheme]) {
		return "", "", false
	}
	return scheme, rest, true
}

var knownScheme = map[string]bool{
	"http": true, "https": true, "file": true, "about": true, "data": true, "javascript": true, "chrome": true,
	"edge": true, "devtools": true, "view-source": true, "blob": true, "mailto": true, "tel": true, "sms": true,
}

func hostOf(s string) string {
	if i := strings.IndexAny(s, `/\?#`); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	host, _ := cutPort(s)
	return strings.ToLower(strings.TrimRight(host, "."))
}

func cutPort(hostport string) (host, port string) {
	if strings.HasPrefix(hostport, "[") {
		if i := strings.IndexByte(hostport, ']'); i >= 0 {
			return hostport[:i+1], strings.TrimPrefix(hostport[i+1:], ":")
		}
	}
	if i := strings.LastIndexByte(hostport, ':'); i >= 0 {
		return hostport[:i], hostport[i+1:]
	}
	return hostport, ""
}

func parseSpecial(scheme, rest string) (*url.URL, *unreadable) {
	bad := func() (*url.URL, *unreadable) {
		return nil, &unreadable{"The address can't be read: %s", []any{clip(scheme+":"+rest, 80)}}
	}
	frag, query := "", ""
	hasQuery := false
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, frag = rest[:i], rest[i+1:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query, hasQuery = rest[:i], rest[i+1:], true
	}
	rest = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	authority, path, _ := strings.Cut(rest, "/")
	u := &url.URL{Scheme: scheme}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		name, pass, has := strings.Cut(authority[:i], ":")
		authority = authority[i+1:]
		u.User = url.User(unescape(name))
		if has {
			u.User = url.UserPassword(unescape(name), unescape(pass))
		}
	}
	host, port := cutPort(authority)
	host, ok := canonicalHost(host)
	if !ok {
		return bad()
	}
	if port != "" {
		n, err := strconv.Atoi(port)
		if err != nil || n < 0 || n > 65535 {
			return bad()
		}
		if !(scheme == "http" && n == 80 || scheme == "https" && n == 443) {
			host += ":" + strconv.Itoa(n)
		}
	}
	u.Host = host
	// Paths and queries are kept as they came: a server reads %2F and / apart.
	u.RawQuery, u.ForceQuery = query, hasQuery && query == ""
	full := "/" + path
	if p, err := url.PathUnescape(full); err == nil {
		u.Path, u.RawPath = p, full
	} else {
		u.Path = full
	}
	u.Fragment = frag
	if f, err := url.PathUnescape(frag); err == nil {
		u.Fragment, u.RawFragment = f, frag
	}
	return u, nil
}

// unescape undoes percent escapes; what is none stays as it is.
func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// canonicalHost gives a host as a browser would ask for it, or reports that no
// browser would.
func canonicalHost(h string) (string, bool) {
	h = unescape(h)
	h = strings.ToLower(norm.NFKC.String(h))
	h = plainDots.Replace(h)
	if strings.HasPrefix(h, "[") {
		a, err := netip.ParseAddr(strings.Trim(h, "[]"))
		if err != nil || !a.Is6() {
			return "", false
		}
		return "[" + a.WithZone("").String() + "]", true
	}
	h = strings.TrimRight(h, ".")
	if h == "" || strings.Contains(h, ":") {
		return "", false // IPv6 stands in brackets
	}
	if a, ok := parseIP(h); ok {
		return a.String(), true
	}
	if last := h[strings.LastIndexByte(h, '.')+1:]; last == "" || isDigits(last) || strings.HasPrefix(last, "0x") {
		return "", false // not a valid IP address though it looks like one: browsers refuse it too
	}
	for _, r := range h {
		if r <= ' ' || strings.ContainsRune(`#%/:<>?@[\]^|`, r) || r == 0x7f {
			return "", false
		}
	}
	ascii, err := idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false)).ToASCII(h)
	if err != nil || ascii == "" {
		return "", false
	}
	return strings.TrimRight(ascii, "."), true
}

func checkHost(u *url.URL, c Context) (string, Decision) {
	norm := u.String()
	host := u.Hostname()
	d := Decision{Level: Auto, Class: Navigate}
	a, isIP := parseIP(host)
	switch {
	case c.allowsLocal(u):
	case isIP && localAddr(a):
		return norm, blockedDecision(Navigate, Reason{"private_address", c.say("%s is an address of this computer or its network, and the task did not name it", host)})
	case !isIP && isLocalName(host):
		return norm, blockedDecision(Navigate, Reason{"private_address", c.say("%s is a name on the local network, and the task did not name it", host)})
	}
	if set, from := c.Policy.For(u.Host, Navigate); set == SetBlock {
		return norm, blockedDecision(Navigate, Reason{"policy_" + from, c.say("The policy says of %s on %s: %s", string(Navigate), u.Host, string(set))})
	}
	if u.User != nil {
		d.raise(Confirm, Navigate, Reason{"userinfo", c.say("The address carries a name or password before the site %s", host)})
	}
	if does := addressDeedOf(u); does.word != "" {
		d.raise(Confirm, does.class, Reason{"acting_url", c.say("Opening this address may itself do what it says: %s", does.word)})
	}
	if w := sensitiveURL(u); w != "" {
		d.raise(Notify, Navigate, Reason{"sensitive_url", c.say("The address is of a sensitive page: %s", w)})
	}
	return norm, d
}

// CheckAddress judges the address Chrome really used for a host, which a name
// alone does not tell (rebinding, split DNS).
func CheckAddress(rawURL, remoteIP string, c Context) Decision {
	u, bad := parseURL(rawURL)
	if bad != nil {
		return blockedDecision(Navigate, Reason{"bad_url", c.say(bad.format, bad.args...)})
	}
	a, ok := parseIP(remoteIP)
	if ok && localAddr(a) && !c.allowsLocal(u) {
		return blockedDecision(Navigate, Reason{"private_address", c.say("%s is served from %s, an address of this computer or its network", u.Hostname(), a.String())})
	}
	return Decision{Level: Auto, Class: Navigate}
}

// allowsLocal reports whether the user named u's host: by host, host:port,
// ".suffix" or a network like 192.168.1.0/24.
func (c Context) allowsLocal(u *url.URL) bool {
	host := strings.Trim(u.Hostname(), "[]")
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	a, isIP := parseIP(host)
	for _, e := range c.LocalHosts {
		e = strings.ToLower(strings.TrimSpace(e))
		if p, err := netip.ParsePrefix(e); err == nil {
			if isIP && p.Contains(a.Unmap()) {
				return true
			}
			continue
		}
		if strings.HasPrefix(e, ".") {
			if strings.HasSuffix(host, e) {
				return true
			}
			continue
		}
		eh, ep := e, ""
		if b, err := netip.ParseAddr(strings.Trim(e, "[]")); err != nil {
			eh, ep = cutPort(e)
		} else if isIP && b.Unmap() == a.Unmap() {
			return true
		}
		eh, ok := canonicalHost(eh)
		if ok && strings.Trim(eh, "[]") == host && (ep == "" || ep == port) {
			return true
		}
	}
	return false
}

func checkFile(u *url.URL, c Context) (string, Decision) {
	if u.Host == "" || u.Host == "localhost" {
		if inDirs(u.Path, c.UploadDirs) {
			return u.String(), Decision{Level: Auto, Class: Navigate}
		}
		return u.String(), blockedDecision(Navigate, Reason{"file_scheme", c.say("The file %s is outside the folders the task may use", u.Path)})
	}
	return u.String(), blockedDecision(Navigate, Reason{"file_scheme", c.say("Files of other computers are closed to the agent")})
}

// inDirs reports whether path lies in one of dirs. It only cleans their text; the
// caller must resolve symbolic links.
func inDirs(path string, dirs []string) bool {
	path = filepath.Clean(path)
	for _, d := range dirs {
		if d == "" {
			continue
		}
		rel, err := filepath.Rel(filepath.Clean(d), path)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// Site gives the registrable domain of a URL's host, or the host itself for
// addresses and names that have none. Empty when there is no host.
func Site(raw string) string {
	u, reason := parseURL(raw)
	if reason != nil || u.Host == "" {
		return ""
	}
	return siteOf(u.Hostname())
}

func siteOf(host string) string {
	if _, ok := parseIP(host); ok {
		return host
	}
	if s, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return s
	}
	return host
}
