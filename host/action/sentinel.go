package action

import (
	"errors"

	"tabwright/host/action/effect"
)

// NoEffect is Result.Effect of an act that changed nothing visible.
const NoEffect = effect.None

// Causes that the loop must distinguish; they are in Error.Err (errors.Is finds
// them through *Error.Unwrap).
var (
	// ErrBrowserGone: the relay or socket was lost. It may come back; what was
	// sent before has an unknown outcome.
	ErrBrowserGone = errors.New("the connection to the browser was lost")
	// ErrUserCancelled: the user closed Chrome's debugging bar; nothing
	// attaches that tab until they resume.
	ErrUserCancelled = errors.New("the user closed the debugging bar")
	// ErrKeepsChanging: the act in question changed three times in a row before it
	// could be done; the task pauses.
	ErrKeepsChanging = errors.New("the page keeps changing under the question")
)
