package httpapi

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// TestHostileNeighbours: whoever is not a program of this user that knows the
// token is turned away before the broker hears of it.
func TestHostileNeighbours(t *testing.T) {
	b := newFake()
	c, addr := tcpServer(t, b)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	bearer := "Bearer " + testToken
	for name, x := range map[string]struct {
		head   []string
		method string
		status int
	}{
		"no token":                  {nil, "POST", 401},
		"a wrong token":             {[]string{"Authorization", "Bearer " + strings.Repeat("x", 32)}, "POST", 401},
		"an empty token":            {[]string{"Authorization", "Bearer "}, "POST", 401},
		"the beginning of it":       {[]string{"Authorization", "Bearer " + testToken[:31]}, "POST", 401},
		"another scheme":            {[]string{"Authorization", "Basic " + testToken}, "POST", 401},
		"a page's fetch":            {[]string{"Authorization", bearer, "Origin", "https://evil.example"}, "POST", 403},
		"a page of this computer":   {[]string{"Authorization", bearer, "Origin", "http://" + addr}, "POST", 403},
		"a sandboxed frame":         {[]string{"Authorization", bearer, "Origin", "null"}, "POST", 403},
		"another extension":         {[]string{"Authorization", bearer, "Origin", "chrome-extension://abcdefghijklmnop"}, "POST", 403},
		"an empty origin":           {[]string{"Authorization", bearer, "Origin", ""}, "POST", 403},
		"a picture on a page":       {[]string{"Authorization", bearer, "Sec-Fetch-Site", "cross-site"}, "GET", 403},
		"a preflight":               {[]string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, "OPTIONS", 403},
		"a name that is rebound":    {[]string{"Authorization", bearer, "Host", "evil.example:" + port}, "POST", 421},
		"a name without the port":   {[]string{"Authorization", bearer, "Host", "127.0.0.1"}, "POST", 421},
		"another port":              {[]string{"Authorization", bearer, "Host", "127.0.0.1:1"}, "POST", 421},
		"a name that begins alike":  {[]string{"Authorization", bearer, "Host", "localhost.evil.example:" + port}, "POST", 421},
		"another loopback address":  {[]string{"Authorization", bearer, "Host", "127.0.0.2:" + port}, "POST", 421},
		"rebound, without a token":  {[]string{"Host", "evil.example:" + port}, "GET", 421},
		"a page, without the token": {[]string{"Origin", "https://evil.example"}, "GET", 403},
	} {
		for _, path := range []string{browserAPI, "/api/v1/status", "/api/v1/agent/events", "/nowhere"} {
			r := ask(t, c, x.method, "http://"+addr+path, "", x.head...)
			if r.status != x.status {
				t.Errorf("%s, %s: %d %s", name, path, r.status, r.body)
			}
			if cors := r.head.Get("Access-Control-Allow-Origin"); cors != "" {
				t.Errorf("%s, %s: pages of %s may read it", name, path, cors)
			}
			if r.status == 401 && !strings.HasPrefix(r.head.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s: no word of how to authenticate", name)
			}
			r.code(t)
		}
	}
	if got := b.calls(); got != "" {
		t.Errorf("the broker was asked %s", got)
	}
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port} {
		if r := ask(t, c, "GET", "http://"+addr+browserAPI, "", "Authorization", "bearer "+testToken, "Host", host); r.status != 200 {
			t.Errorf("by %s: %d %s", host, r.status, r.body)
		}
	}
	u := unixServer(t, b)
	if r := ask(t, u, "POST", "http://tabwright"+browserAPI, "{}", "Origin", "https://evil.example"); r.status != 403 {
		t.Errorf("a page through a proxy to the socket: %d", r.status)
	}
	if r := ask(t, u, "GET", "http://any.name"+browserAPI, ""); r.status != 200 {
		t.Errorf("by the socket: %d %s", r.status, r.body)
	}
}

// TestTheSocketIsOneUsers: its file is for its owner alone. Who connects all the
// same is asked of the kernel (native.Listener, which has a test of its own).
func TestTheSocketIsOneUsers(t *testing.T) {
	l := unixListener(t)
	defer l.Close()
	st, err := os.Stat(l.Addr().String())
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

// TestWhatIsServed: never an address that others reach, and never TCP without a
// token worth the name.
func TestWhatIsServed(t *testing.T) {
	for _, x := range []struct{ address, token string }{{"0.0.0.0:0", testToken}, {"127.0.0.1:0", ""}, {"127.0.0.1:0", "short"}, {"[::]:0", testToken}} {
		var lc net.ListenConfig
		l, err := lc.Listen(t.Context(), "tcp", x.address)
		if err != nil {
			continue // no IPv6 here
		}
		s := New(Options{Token: x.token, Log: zerolog.Nop()})
		if err := s.Serve(t.Context(), l); err == nil {
			t.Errorf("%s is served with token %q", x.address, x.token)
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s is left open: %v", x.address, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
