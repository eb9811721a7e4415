package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Limits on what a server may send: an error body, one line of a stream.
const (
	maxErrorBody = 64 << 10
	maxLine      = 16 << 20
)

// doer is the HTTP client of langchaingo's clients. It corrects what they get
// wrong (v0.1.14): errors without status, cut streams and error frames that look
// like success, lines over 64 KB, tool-call deltas merged by type.
type doer struct {
	client  *http.Client
	prov    provider
	model   string
	headers map[string]string
	// request rewrites the body. stream turns the server's stream into one that
	// langchaingo reads correctly.
	request func(*callState, map[string]json.RawMessage) error
	stream  func(*callState, io.Reader, io.Writer) error
	// whole returns an answer that came in one piece as a stream.
	whole func(body []byte) ([]byte, bool)
}

// Do sends req. Its errors are of type *Error.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	state := stateFrom(req.Context())
	if err := d.rewrite(state, req); err != nil {
		return nil, state.fail(err)
	}
	for k, v := range d.headers {
		req.Header.Set(k, v)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, state.fail(transportError(req.Context(), d.prov.label+" at "+req.URL.Host, err))
	}
	state.alive()
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, state.fail(statusError(d.prov, d.model, resp.StatusCode, resp.Header, body))
	}
	if whole, is := inOnePiece(resp); is {
		defer resp.Body.Close()
		stream, fault := d.asStream(whole)
		if fault != nil {
			return nil, state.fail(fault)
		}
		resp.Body = io.NopCloser(bytes.NewReader(stream))
	}
	state.begin()
	resp.Body = d.clean(req, state, resp.Body)
	return resp, nil
}

// inOnePiece reports whether the server answers with one JSON object instead of a
// stream, and returns a reader of it.
func inOnePiece(resp *http.Response) (io.Reader, bool) {
	kind := resp.Header.Get("Content-Type")
	switch {
	case strings.HasPrefix(kind, "application/json"):
		return resp.Body, true
	case strings.HasPrefix(kind, "text/event-stream"):
		return nil, false
	}
	// Some gateways send no content type, or that of plain text.
	r := bufio.NewReader(resp.Body)
	first, err := r.Peek(1)
	if err == nil && first[0] == '{' {
		return r, true
	}
	resp.Body = &peeked{Reader: r, Closer: resp.Body}
	return nil, false
}

type peeked struct {
	io.Reader
	io.Closer
}

// asStream returns an answer in one piece as the stream that it should have been.
// Some gateways report errors in such an answer, with status 200.
func (d *doer) asStream(r io.Reader) ([]byte, *Error) {
	body, err := io.ReadAll(io.LimitReader(r, maxLine))
	if err != nil {
		return nil, cutStream(d.prov, err)
	}
	var top struct {
		Error json.RawMessage `json:"error"`
		Type  string          `json:"type"`
	}
	if json.Unmarshal(body, &top) != nil {
		return nil, &Error{Code: CodeStreamError, Message: d.prov.label + " answered without streaming: " + clip(strings.TrimSpace(string(body)), 200)}
	}
	if len(top.Error) > 0 && string(top.Error) != "null" || top.Type == "error" {
		return nil, classify(d.prov, d.model, 0, errorText(body), body)
	}
	stream, ok := d.whole(body)
	if !ok {
		return nil, classify(d.prov, d.model, 0, cmp.Or(errorText(body), "an answer that is no reply: "+clip(strings.TrimSpace(string(body)), 200)), body)
	}
	return stream, nil
}

func (d *doer) rewrite(state *callState, req *http.Request) *Error {
	raw, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return &Error{Code: CodeBadRequest, Message: "can't read the request", Err: err}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return &Error{Code: CodeBadRequest, Message: "the request is not JSON", Err: err}
	}
	if err := d.request(state, fields); err != nil {
		return &Error{Code: CodeBadRequest, Message: fmt.Sprintf("can't write the request: %v", err), Err: err}
	}
	raw, err = json.Marshal(fields)
	if err != nil {
		return &Error{Code: CodeBadRequest, Message: "can't write the request", Err: err}
	}
	req.Body = io.NopCloser(bytes.NewReader(raw))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	req.ContentLength = int64(len(raw))
	return nil
}

// clean returns the stream as rewritten by d.stream. A goroutine reads the server
// and writes to a pipe; it ends when the server, the context or the reader of the
// pipe does.
func (d *doer) clean(req *http.Request, state *callState, body io.ReadCloser) io.ReadCloser {
	pr, pw := io.Pipe()
	go func() {
		defer body.Close()
		err := d.stream(state, &liveReader{r: body, state: state}, pw)
		// A closed pipe is no fault of the stream: langchaingo stops reading
		// at [DONE], perhaps before the last line break is written.
		if err == nil || errors.Is(err, io.ErrClosedPipe) {
			pw.Close()
			return
		}
		pw.CloseWithError(state.fail(streamFailure(req, d.prov, err)))
	}()
	return &pipeBody{PipeReader: pr, body: body}
}

func streamFailure(req *http.Request, p provider, err error) *Error {
	if typed, ok := err.(*Error); ok && req.Context().Err() == nil { //nolint:errorlint // made by the stream parsers themselves
		return typed
	}
	if req.Context().Err() != nil {
		return transportError(req.Context(), p.label, err)
	}
	return cutStream(p, err)
}

// cutStream returns the error for a stream that ended before the reply did.
func cutStream(p provider, err error) *Error {
	msg := "the stream from " + p.label + " ended before the reply did"
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { //nolint:errorlint // only the bare ones say nothing
		msg += ": " + err.Error()
	}
	return &Error{Code: CodeStreamCut, Message: msg, Hint: "try again; the server may have run out of memory or been stopped", Err: err}
}

// liveReader calls state.alive after every read that returns bytes.
type liveReader struct {
	r     io.Reader
	state *callState
}

func (l *liveReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if n > 0 {
		l.state.alive()
	}
	return n, err
}

// pipeBody closes the connection together with the pipe.
type pipeBody struct {
	*io.PipeReader
	body io.Closer
}

func (b *pipeBody) Close() error {
	err := b.PipeReader.Close()
	b.body.Close()
	return err
}
