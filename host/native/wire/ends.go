package wire

// Ends reports whether a task runs no more after an event of this type; one
// that was interrupted can be taken up again.
func Ends(t EventType) bool {
	switch t {
	case EvComplete, EvFailed, EvCancelled, EvInterrupted:
		return true
	default:
		return false
	}
}
