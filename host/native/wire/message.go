package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Protocol range this build speaks. A peer whose range does not overlap gets
// CodeProtocol and is told which side is older.
const (
	ProtocolMin = 1
	ProtocolMax = 1
)

// maxName bounds Chan and Method, which are kept in maps and logs.
const maxName = 256

// Kind says what a Message is.
type Kind string

// The kinds of message. A Req is answered by exactly one Res with the same id, an
// Evt is not answered. Cancel withdraws a request by its id, whose Res then carries
// CodeCancelled. Chunk carries a slice of a message too large for one frame.
const (
	KindReq    Kind = "req"
	KindRes    Kind = "res"
	KindEvt    Kind = "evt"
	KindCancel Kind = "cancel"
	KindChunk  Kind = "chunk"
)

// Message is the one envelope on every leg: Chrome ↔ shim ↔ broker, and
// CLI ↔ broker. Ids are chosen by the requester and are unique per direction
// and channel.
type Message struct {
	Kind Kind `json:"kind"`
	// Chan is empty for the relay itself (or a CLI client); the service worker
	// puts the id of a panel's runtime port there, so that many panels share
	// one native port.
	Chan   string          `json:"chan,omitempty"`
	ID     uint64          `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
	Chunk  *Chunk          `json:"chunk,omitempty"`
}

// Chunk is one slice of the UTF-8 JSON of a whole Message. Data is base64 so
// that a slice may fall inside a character. Slices of one message arrive in
// order and are not interleaved with slices of another on the same channel.
type Chunk struct {
	ID    uint64 `json:"id"`
	Seq   int    `json:"seq"`
	Total int    `json:"total"`
	Data  []byte `json:"data"`
}

// Code names an error for programs; see PROTOCOL.md for what each means.
type Code string

// Codes of the protocol itself. Actions add their own (host/action).
const (
	CodeMalformed     Code = "malformed"      // a frame that is not a Message
	CodeTooLarge      Code = "too_large"      // a length over the limit
	CodeUnknownMethod Code = "unknown_method" // no handler of that name
	CodeInvalidParams Code = "invalid_params" // params do not decode
	CodeProtocol      Code = "protocol"       // no common protocol version
	CodeTimeout       Code = "timeout"        // the bound of the request ran out
	CodeCancelled     Code = "cancelled"      // the requester withdrew it
	CodeClosed        Code = "closed"         // the other side is gone
	CodeInternal      Code = "internal"       // a bug on the answering side
	CodeBrowser       Code = "browser"        // chrome.* or CDP refused; Message is its text
	CodeBusy          Code = "busy"           // too many requests or channels at once; try again later
	CodeOverflow      Code = "overflow"       // one side does not keep up; the connection was closed
)

// Error is how every failure travels: a code for programs, a sentence for a
// user, a hint of what to do next, and data where the code defines some.
type Error struct {
	Code    Code            `json:"code"`
	Message string          `json:"message"`
	Hint    string          `json:"hint,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the code and the sentence.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Is reports whether target is an *Error of the same code, so that
// errors.Is(err, &Error{Code: CodeTimeout}) works through wrapping.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Check returns an error of CodeMalformed if m lacks what its kind needs.
func (m *Message) Check() error {
	switch {
	case len(m.Chan) > maxName:
		m.Chan, m.ID = "", 0 // so that no answer goes to another channel
		return Malformed("the channel's name is over %d bytes", maxName)
	case len(m.Method) > maxName:
		return Malformed("the method's name is over %d bytes", maxName)
	}
	switch m.Kind {
	case KindReq:
		if m.ID == 0 || m.Method == "" {
			return Malformed("a request needs id and method")
		}
	case KindRes, KindCancel:
		if m.ID == 0 {
			return Malformed("a %s needs an id", m.Kind)
		}
	case KindEvt:
		if m.Method == "" {
			return Malformed("an event needs a method")
		}
	case KindChunk:
		if m.Chunk == nil {
			return Malformed("a chunk needs its chunk field")
		}
	default:
		return Malformed("unknown kind %.40q", string(m.Kind))
	}
	return nil
}

// Malformed returns the error for a message that breaks the rules of its kind.
func Malformed(format string, args ...any) *Error {
	return &Error{Code: CodeMalformed, Message: fmt.Sprintf(format, args...)}
}

// TooLarge returns the error for a message over a limit; both are in bytes.
func TooLarge(size, limit int) *Error {
	return &Error{Code: CodeTooLarge, Message: fmt.Sprintf("a message of %d bytes is over the limit of %d", size, limit)}
}

// AsError returns err as it travels: the *Error that it wraps, or a new one with its
// text, of CodeCancelled or CodeTimeout for a context's error, else of CodeInternal.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &Error{Code: CodeCancelled, Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeTimeout, Message: err.Error()}
	default:
		return &Error{Code: CodeInternal, Message: err.Error()}
	}
}
