// Package native connects the parts of Tabwright: it has the frames and chunks of native
// messaging, the broker's local socket, and the shim that Chrome starts. Nothing else in the
// program reads stdin or writes stdout in host mode. What is said over a connection is in
// wire, the calls and events of one in rpc. These packages may import the standard library,
// zerolog, x/sys and go-winio, and of Tabwright only install/folders: rpc imports native,
// native imports wire. Start reading at Reader, then RunShim.
package native

//go:generate go run ./tsgen
