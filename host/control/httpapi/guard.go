package httpapi

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"tabwright/host/native/wire"
)

// guard checks each request before a handler. It refuses requests that a browser sends
// for a page, known by Origin and Sec-Fetch-Site, even with a token. By Host it
// refuses other names that resolve to this computer (DNS rebinding).
type guard struct {
	next       http.Handler
	calls      chan struct{} // holds a token for each running call
	hosts      []string      // allowed values of Host; nil for a Unix socket, which has none
	token      [sha256.Size]byte
	needsToken bool // requires the token
}

// Guard returns a handler that checks each request before next. Over TCP, which must
// be loopback, a client needs the token. It refuses a listener that others can reach.
func Guard(l net.Listener, token string, next http.Handler) (http.Handler, error) {
	return guardOf(l, token, next, make(chan struct{}, maxCalls))
}

func guardOf(l net.Listener, token string, next http.Handler, calls chan struct{}) (*guard, error) {
	g := &guard{next: next, calls: calls}
	switch a := l.Addr().(type) {
	case *net.UnixAddr:
		return g, nil
	case *net.TCPAddr:
		if !a.IP.IsLoopback() {
			return nil, errors.New("only an address of this computer itself is served: 127.0.0.1 or [::1]")
		}
		if len(token) < minToken {
			return nil, errors.New("TCP needs a token of 32 characters or more")
		}
		_, port, err := net.SplitHostPort(a.String())
		if err != nil {
			return nil, err
		}
		for _, h := range []string{"127.0.0.1", "localhost", "::1"} {
			g.hosts = append(g.hosts, net.JoinHostPort(h, port))
		}
		g.token, g.needsToken = sha256.Sum256([]byte(token)), true
		return g, nil
	}
	return nil, errors.New("only a Unix socket or TCP is served")
}

// minToken is the shortest allowed token, in bytes.
const minToken = 32

// ServeHTTP checks a request and passes it to the next handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if status, e := g.refusal(r); e != nil {
		if status == http.StatusUnauthorized {
			h.Set("WWW-Authenticate", `Bearer realm="tabwright"`)
		}
		fail(w, status, e)
		return
	}
	if err := readBody(w, r); err != nil {
		writeError(w, r, err)
		return
	}
	select {
	case g.calls <- struct{}{}:
		defer func() { <-g.calls }()
	default:
		fail(w, http.StatusTooManyRequests, &wire.Error{Code: CodeTooMany, Message: "Too many calls at once.", Hint: "Wait for one of them to end."})
		return
	}
	g.next.ServeHTTP(w, r)
}

// readBody reads the body within readTime before the call begins. The call itself may
// then wait longer, as for a user.
func readBody(w http.ResponseWriter, r *http.Request) error {
	c := http.NewResponseController(w)
	if err := c.SetReadDeadline(time.Now().Add(readTime)); err != nil {
		return err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return c.SetReadDeadline(time.Time{})
}

// refusal returns the status and error of a request that is refused by its header.
func (g *guard) refusal(r *http.Request) (int, *wire.Error) {
	if g.hosts != nil && !slices.Contains(g.hosts, strings.ToLower(r.Host)) {
		return http.StatusMisdirectedRequest, &wire.Error{
			Code: CodeForbidden, Message: "This name is not the one that is served here.", Hint: "Call it by 127.0.0.1 and its port.",
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if _, page := r.Header["Origin"]; page || site != "" && site != "none" {
		return http.StatusForbidden, &wire.Error{
			Code: CodeForbidden, Message: "Pages of a browser may not call this.", Hint: "Call it from a program, without an Origin header.",
		}
	}
	if !g.needsToken {
		return 0, nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sum[:], g.token[:]) != 1 {
		return http.StatusUnauthorized, &wire.Error{
			Code: CodeUnauthorized, Message: "This needs the token of this server.", Hint: "Send it as Authorization: Bearer TOKEN; the command that serves this says in which file it is.",
		}
	}
	return 0, nil
}
