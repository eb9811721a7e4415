// Package native connects the parts of Tabwright: it has the frames and chunks of native
// messaging, the broker's local socket, and the shim that Chrome starts. When Chrome started
// the program, nothing else reads stdin or writes stdout. The package wire has the messages of
// a connection, and the package rpc has its calls and events.
//
// These packages may import the standard library, zerolog, x/sys and go-winio, and of
// Tabwright only install/folders. rpc imports native, and native imports wire. Start reading
// at Reader, then RunShim.
package native

//go:generate go run ./tsgen
