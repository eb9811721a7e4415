package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native"
)

// Codes of this door, beside those of the broker and the actions.
const (
	CodeForbidden    native.Code = "forbidden"    // a page, or a name that is not served
	CodeUnauthorized native.Code = "unauthorized" // no token, or a wrong one
	CodeNoBroker     native.Code = "no_broker"    // the broker can't be started or joined
	CodeNoRoute      native.Code = "no_route"     // no such address, or another method
	CodeTooMany      native.Code = "too_many"     // calls or streams at once
)

var errClosing = &native.Error{Code: native.CodeClosed, Message: "The server is ending."}

// statuses are the HTTP statuses of codes; what is missing is 422 for an action
// and 500 else.
var statuses = map[native.Code]int{
	native.CodeInvalidParams: http.StatusBadRequest, native.CodeTooLarge: http.StatusRequestEntityTooLarge,
	native.CodeClosed: http.StatusServiceUnavailable, CodeNoBroker: http.StatusServiceUnavailable, CodeTooMany: http.StatusTooManyRequests,
	control.CodeNoSession: http.StatusNotFound, control.CodeNoTask: http.StatusNotFound, control.CodeNoCard: http.StatusNotFound, CodeNoRoute: http.StatusNotFound,
	control.CodePanelOnly: http.StatusForbidden, control.CodeBusy: http.StatusConflict, control.CodeNoBrowser: http.StatusServiceUnavailable,

	native.Code(action.NeedsConfirmation): http.StatusAccepted, native.Code(action.Denied): http.StatusForbidden, native.Code(action.Blocked): http.StatusForbidden,
	native.Code(action.StaleRef): http.StatusConflict, native.Code(action.TabBusy): http.StatusConflict, native.Code(action.DialogOpen): http.StatusConflict,
	native.Code(action.StoppedAfter): http.StatusConflict,
	native.Code(action.NotFound):     http.StatusNotFound, native.Code(action.Timeout): http.StatusGatewayTimeout, native.Code(action.Detached): http.StatusBadGateway,
	native.Code(action.TabClosed): http.StatusGone,
}

func statusOf(code native.Code, other int) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return other
}

// fail answers with an error: {"error": {"code", "message", "hint", "data"}}.
func fail(w http.ResponseWriter, status int, e *native.Error) {
	answer(w, status, map[string]any{"error": e})
}

// failed answers with an error by its own status. Who has gone gets nothing.
func failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = &native.Error{Code: native.CodeTooLarge, Message: "The request is longer than a megabyte."}
	}
	e := native.AsError(err)
	fail(w, statusOf(e.Code, http.StatusInternalServerError), e)
}

// answer writes JSON. A client that went away in the middle is nobody to tell.
func answer(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"The answer can't be written as JSON."}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	if http.NewResponseController(w).SetWriteDeadline(time.Now().Add(readTime)) != nil {
		return // the connection is gone
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n'))
}

// read reads a request's JSON object into p; an empty body leaves it as it is.
// What a form or a plain text of a page could send is refused by its type.
func read(r *http.Request, p any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/json") {
		return &native.Error{Code: native.CodeInvalidParams, Message: "The body must be JSON.", Hint: "Send Content-Type: application/json."}
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err = d.Decode(p)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && d.More() {
		err = errors.New("more than one JSON value")
	}
	if err == nil {
		return nil
	}
	return &native.Error{Code: native.CodeInvalidParams, Message: "The body can't be read: " + err.Error(), Hint: "docs/http.md has the fields of each call."}
}
