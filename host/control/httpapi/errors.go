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
	"tabwright/host/native/wire"
)

// Codes of the HTTP API, besides those of the broker and the actions.
const (
	CodeForbidden    wire.Code = "forbidden"    // called by a page, or by a host name that is not served
	CodeUnauthorized wire.Code = "unauthorized" // no token, or a wrong one
	CodeNoBroker     wire.Code = "no_broker"    // the broker can't be started or reached
	CodeNoRoute      wire.Code = "no_route"     // no such address, or another method
	CodeTooMany      wire.Code = "too_many"     // too many calls or streams at once
)

var errClosing = &wire.Error{Code: wire.CodeClosed, Message: "The server is ending."}

// statuses maps codes to HTTP statuses. Other codes are 422 for an action and 500
// otherwise.
var statuses = map[wire.Code]int{
	wire.CodeInvalidParams: http.StatusBadRequest, wire.CodeTooLarge: http.StatusRequestEntityTooLarge,
	wire.CodeClosed: http.StatusServiceUnavailable, CodeNoBroker: http.StatusServiceUnavailable, CodeTooMany: http.StatusTooManyRequests,
	wire.CodeNoSession: http.StatusNotFound, wire.CodeNoTask: http.StatusNotFound, wire.CodeNoCard: http.StatusNotFound, CodeNoRoute: http.StatusNotFound,
	wire.CodePanelOnly: http.StatusForbidden, wire.CodeBusy: http.StatusConflict, wire.CodeNoBrowser: http.StatusServiceUnavailable,

	wire.Code(action.NeedsConfirmation): http.StatusAccepted, wire.Code(action.Denied): http.StatusForbidden, wire.Code(action.Blocked): http.StatusForbidden,
	wire.Code(action.StaleRef): http.StatusConflict, wire.Code(action.TabBusy): http.StatusConflict, wire.Code(action.DialogOpen): http.StatusConflict,
	wire.Code(action.StoppedAfter): http.StatusConflict,
	wire.Code(action.NotFound):     http.StatusNotFound, wire.Code(action.Timeout): http.StatusGatewayTimeout, wire.Code(action.Detached): http.StatusBadGateway,
	wire.Code(action.TabClosed): http.StatusGone,
}

func statusOf(code wire.Code, other int) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return other
}

// fail answers with an error: {"error": {"code", "message", "hint", "data"}}.
func fail(w http.ResponseWriter, status int, e *wire.Error) {
	answer(w, status, map[string]any{"error": e})
}

// writeError answers with an error and its status. It writes nothing if the client
// has disconnected.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = &wire.Error{Code: wire.CodeTooLarge, Message: "The request is longer than a megabyte."}
	}
	e := wire.AsError(err)
	fail(w, statusOf(e.Code, http.StatusInternalServerError), e)
}

// answer writes JSON. It ignores write errors: the client has disconnected.
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

// read reads a request's JSON object into p; an empty body leaves p as it is. It
// refuses the content types that a page's form could send.
func read(r *http.Request, p any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/json") {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "The body must be JSON.", Hint: "Send Content-Type: application/json."}
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
	return &wire.Error{Code: wire.CodeInvalidParams, Message: "The body can't be read: " + err.Error(), Hint: "docs/http.md has the fields of each call."}
}
