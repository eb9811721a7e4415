// Package httpapi serves the sessions and tasks of the broker over HTTP, as JSON and
// server-sent events, to programs of the same user. It only translates: every call is a method
// of the broker (session.do, task.start and others), so it goes through the same gate.
//
// It serves a Unix socket of this user, or loopback TCP. Over TCP, a call needs a bearer token
// and the right Host header, and must have no Origin header. So no web page can call it.
//
// docs/http.md is the documentation for users. The package may import host/control,
// host/action and host/native. Start reading at Server.
package httpapi
