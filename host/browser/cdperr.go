package browser

import (
	"errors"
	"strings"
)

// Chrome has no codes for these; the texts are V8's (v8-runtime-agent-impl.cc,
// injected-script.cc) and the dispatcher's.
var (
	neverRan = []string{
		"Cannot find context with specified id",
		"uniqueContextId not found",
		"Cannot find default execution context",
	}
	cutOff = []string{
		"Execution context was destroyed",
		"Inspected target navigated or closed",
		"Promise was collected",
		"Session with given id not found",
		"No frame for given id found",
		"Frame with the given id was not found",
		"No frame with given id found",
		"Could not find object with given id",
	}
)

// notRun reports whether the command was refused before it ran, since its
// context is gone. It is safe to repeat it elsewhere.
func notRun(err error) bool { return says(err, neverRan) }

// brokeOff reports whether the command failed because its document went away,
// during the command or before it.
func brokeOff(err error) bool { return says(err, neverRan) || says(err, cutOff) }

func says(err error, texts []string) bool {
	var ce *CDPError
	if !errors.As(err, &ce) {
		return false
	}
	for _, t := range texts {
		if strings.Contains(ce.Message, t) {
			return true
		}
	}
	return false
}
