package wire

// Ends reports whether a task has ended with an event of this type. After
// EvInterrupted it may be resumed.
func Ends(t EventType) bool {
	switch t {
	case EvComplete, EvFailed, EvCancelled, EvInterrupted:
		return true
	default:
		return false
	}
}
