// Package rpc sends requests, answers and events in both directions over one connection. A
// connection can carry several channels, and requests can be cancelled. Every queue and wait
// in it is bounded. Start reading at Peer, then Handler.
package rpc
