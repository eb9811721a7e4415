// Package rpc is a symmetric peer over any byte stream that carries frames:
// requests with answers, events, cancellation, and channels within one
// connection. Every queue and wait in it is bounded. Start reading at Peer, then
// Handler.
package rpc
