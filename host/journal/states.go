package journal

import (
	"errors"

	"tabwright/host/native"
)

// ErrOver is the error for an event that would have a task go on, or end, which
// has ended already.
var ErrOver = errors.New("the task is over")

// stateAfter is the state a task is in once an event of this type stands.
func stateAfter(t native.EventType) (native.TaskState, bool) {
	switch t {
	case native.EvStarted, native.EvConfirmResult, native.EvResumed, native.EvSaid:
		return native.TaskRunning, true
	case native.EvConfirmRequest:
		return native.TaskConfirming, true
	case native.EvAsk:
		return native.TaskAsking, true
	case native.EvPaused:
		return native.TaskPaused, true
	case native.EvQueued:
		return native.TaskQueued, true
	case native.EvInterrupted:
		return native.TaskInterrupted, true
	case native.EvComplete:
		return native.TaskDone, true
	case native.EvFailed:
		return native.TaskFailed, true
	case native.EvCancelled:
		return native.TaskCancelled, true
	default:
		return "", false
	}
}

// Ended reports whether a task in this state will not go on by itself.
func Ended(s native.TaskState) bool {
	switch s {
	case native.TaskDone, native.TaskFailed, native.TaskCancelled, native.TaskInterrupted:
		return true
	default:
		return false
	}
}

// takes reports whether a task in this state takes an event. One that has ended
// does not go on and does not end once more; one that was interrupted begins
// anew or ends. What only tells of it is taken always, and so is the answer to
// what was open as it ended.
func takes(s native.TaskState, t native.EventType) bool {
	if _, changes := stateAfter(t); !changes || !Ended(s) || settled(s, t) {
		return true
	}
	if s != native.TaskInterrupted {
		return false
	}
	switch t {
	case native.EvStarted, native.EvResumed, native.EvInterrupted, native.EvCancelled, native.EvFailed:
		return true
	default:
		return false
	}
}

// settled reports whether an event only closes a question of a task that has
// ended, whose state stays.
func settled(s native.TaskState, t native.EventType) bool {
	return Ended(s) && (t == native.EvConfirmResult || t == native.EvSaid)
}
