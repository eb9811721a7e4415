// Package httpapi serves the sessions and tasks of the broker over HTTP, as JSON and
// server-sent events, to programs of the same user. It translates, and decides nothing: every
// call is the broker's own method (session.do, task.start and the rest), and so goes through
// the same gate. It serves a Unix socket of this user, or loopback TCP with a bearer token, a
// right Host header and no Origin: no page of any browser may call it. docs/http.md is for its
// users. It may import host/control, host/action and host/native. Start reading at Server.
package httpapi
