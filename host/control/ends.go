package control

import "tabwright/host/native/wire"

// Ends reports whether a task runs no more after an event of this type; one
// that was interrupted can be taken up again.
func Ends(t wire.EventType) bool {
	switch t {
	case wire.EvComplete, wire.EvFailed, wire.EvCancelled, wire.EvInterrupted:
		return true
	default:
		return false
	}
}
