package browser

import (
	"errors"
	"fmt"
)

// Errors of an action's commands; callers tell them apart with errors.Is.
var (
	// ErrDocumentGone: the frame shows another document now, or is no more.
	ErrDocumentGone = errors.New("the frame's document is gone")
	// ErrDialogOpen: the page stands still until a native dialog is answered.
	ErrDialogOpen = errors.New("a dialog is open")
	// ErrGone: the relay or the socket was lost; a relay may come back.
	ErrGone = errors.New("the connection to the browser is lost")
	// ErrDetached: the debugger is no longer attached to the tab.
	ErrDetached = errors.New("the tab is detached")
	// ErrUserCancelled: the user closed Chrome's debugging bar. It is also
	// ErrDetached.
	ErrUserCancelled = fmt.Errorf("the user stopped the debugging of this tab: %w", ErrDetached)
	// ErrNoTab: there is no such tab. It is also ErrDetached.
	ErrNoTab = fmt.Errorf("there is no such tab: %w", ErrDetached)
	// ErrNoNode: the extractor knows no connected node of that id.
	ErrNoNode = errors.New("there is no such node")
	// ErrNoWorld: the extension can't put the extractor into this frame.
	ErrNoWorld = errors.New("the extractor can't run there")
	// ErrCrashed: the page's process ended; Navigate and Reload bring it back.
	ErrCrashed = errors.New("the page crashed")
	// ErrOwnPage: the tab shows a page of Chrome's own (a warning about a
	// certificate), to which an extension's debugger has no access, so that no
	// command can leave it. It is also ErrDetached.
	ErrOwnPage = fmt.Errorf("the tab shows a page of Chrome's own, such as a warning about a certificate: %w", ErrDetached)
	// ErrTimeout: the browser did not answer in time.
	ErrTimeout = errors.New("the browser did not answer in time")
)

// CDPError is a command that Chrome refused.
type CDPError struct {
	Method  string
	Code    int
	Message string
}

// Error returns the command and Chrome's message.
func (e *CDPError) Error() string { return fmt.Sprintf("%s: %s", e.Method, e.Message) }

// NavError is a navigation that failed. Text is Chrome's name for the reason
// (net::ERR_NAME_NOT_RESOLVED) or a sentence of ours.
type NavError struct {
	URL  string
	Text string
	Err  error
}

// Error returns the address and the reason.
func (e *NavError) Error() string { return fmt.Sprintf("navigate to %s: %s", e.URL, e.Text) }

// Unwrap returns the cause, or nil.
func (e *NavError) Unwrap() error { return e.Err }

// JSError is an exception thrown by a script.
type JSError struct {
	Text string // the error's own string
	Line int    // from 1
	Col  int
}

// Error returns the exception's text.
func (e *JSError) Error() string { return e.Text }
