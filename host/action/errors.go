package action

import (
	"context"
	"errors"
	"fmt"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// asError gives err as an *Error if it is or wraps one, or if its cause has a
// code of its own.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var no *browser.Refusal
	if errors.As(err, &no) {
		return refusedError(no)
	}
	if errors.Is(err, browser.ErrRefused) {
		return &Error{Code: Blocked, Message: "the page in this tab may not be opened", Hint: "Use goBack or navigate to go elsewhere.", Err: err}
	}
	var stale *pagecontext.StaleError
	if errors.As(err, &stale) {
		e := &Error{Code: StaleRef, Message: stale.Was + " is no longer there: " + stale.Reason, Data: stale, Err: err}
		if len(stale.Candidates) > 0 {
			e.Hint = candidatesHint
		}
		return e
	}
	if errors.Is(err, pagecontext.ErrNotFound) {
		return &Error{Code: NotFound, Message: err.Error(), Err: err}
	}
	return browserError(err)
}

// candidatesHint says what to do where a stale element may be one of several.
const candidatesHint = "The page has changed. Use one of the candidates, or call getElements for a fresh list; do not repeat the old index."

// wrap turns any error into an *Error, saying what was being tried.
func wrap(doing string, err error) *Error {
	if err == nil {
		return nil
	}
	if e := asError(err); e != nil {
		return e
	}
	code := Unsupported
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		code = Timeout
	}
	return &Error{Code: code, Message: doing + ": " + err.Error(), Err: err}
}

// tooLong returns the error of an action that used up its time, with the error it
// ended with.
func tooLong(action string, at *Error) *Error {
	e := &Error{Code: Timeout, Message: fmt.Sprintf("%s took longer than %s and was stopped", action, actionTime), Err: at}
	if at == nil {
		return e
	}
	e.Hint = at.Hint
	if at.Message != "" {
		e.Message += ": " + at.Message
	}
	return e
}
