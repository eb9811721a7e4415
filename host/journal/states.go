package journal

import (
	"errors"

	"tabwright/host/native/wire"
)

// ErrOver is the error for an event that would have a task go on, or end, which
// has ended already.
var ErrOver = errors.New("the task is over")

// stateAfter is the state a task is in once an event of this type stands.
func stateAfter(t wire.EventType) (wire.TaskState, bool) {
	switch t {
	case wire.EvStarted, wire.EvConfirmResult, wire.EvResumed, wire.EvSaid:
		return wire.TaskRunning, true
	case wire.EvConfirmRequest:
		return wire.TaskConfirming, true
	case wire.EvAsk:
		return wire.TaskAsking, true
	case wire.EvPaused:
		return wire.TaskPaused, true
	case wire.EvQueued:
		return wire.TaskQueued, true
	case wire.EvInterrupted:
		return wire.TaskInterrupted, true
	case wire.EvComplete:
		return wire.TaskDone, true
	case wire.EvFailed:
		return wire.TaskFailed, true
	case wire.EvCancelled:
		return wire.TaskCancelled, true
	default:
		return "", false
	}
}

// Ended reports whether a task in this state will not go on by itself.
func Ended(s wire.TaskState) bool {
	switch s {
	case wire.TaskDone, wire.TaskFailed, wire.TaskCancelled, wire.TaskInterrupted:
		return true
	default:
		return false
	}
}

// takes reports whether a task in this state takes an event. One that has ended
// does not go on and does not end once more; one that was interrupted begins
// anew or ends. What only tells of it is taken always, and so is the answer to
// what was open as it ended.
func takes(s wire.TaskState, t wire.EventType) bool {
	if _, changes := stateAfter(t); !changes || !Ended(s) || settled(s, t) {
		return true
	}
	if s != wire.TaskInterrupted {
		return false
	}
	switch t {
	case wire.EvStarted, wire.EvResumed, wire.EvInterrupted, wire.EvCancelled, wire.EvFailed:
		return true
	default:
		return false
	}
}

// settled reports whether an event only closes a question of a task that has
// ended, whose state stays.
func settled(s wire.TaskState, t wire.EventType) bool {
	return Ended(s) && (t == wire.EvConfirmResult || t == wire.EvSaid)
}
