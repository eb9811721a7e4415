package install

import "fmt"

// Code names an error for programs.
type Code string

// The codes of this package.
const (
	CodeUnsupported Code = "unsupported"     // this operating system
	CodeBinary      Code = "binary"          // no program Chrome could start
	CodeExtension   Code = "extension"       // no extension to install
	CodeNoBrowser   Code = "no_browser"      // nothing to install into
	CodeUnknown     Code = "unknown_browser" // a filter that names no browser of the table
	CodeWrite       Code = "write"           // a file could not be written or removed
)

// Error is an error with a hint of what to do about it.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error
}

// Error returns the sentence, with the cause if there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Err)
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is compares codes, so that errors.Is(err, &Error{Code: CodeBinary}) works.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}
