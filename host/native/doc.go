// Package native is how the parts of Tabwright talk: native-messaging frames,
// the message envelope with its types, a symmetric RPC peer over any byte
// stream, the broker's local socket, and the shim that Chrome starts. Nothing
// else in the program reads stdin or writes stdout in host mode. It may import
// the standard library, zerolog and x/sys, and nothing of Tabwright.
//
// PROTOCOL.md is the wire, message by message, and a test keeps it true. Start
// reading at Message, then Peer.
package native

//go:generate go run ./tsgen
