package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The codes of an Error.
const (
	CodeInvalidConfig   = "invalid_config"
	CodeUnreachable     = "unreachable"
	CodeUnauthorized    = "unauthorized"
	CodeRateLimited     = "rate_limited"
	CodeNoCredit        = "no_credit" // the account must be topped up
	CodeModelNotFound   = "model_not_found"
	CodeOverloaded      = "overloaded"
	CodeServerError     = "server_error"
	CodeBadRequest      = "bad_request"
	CodeUnsupported     = "unsupported"
	CodeContextOverflow = "context_overflow"
	CodeStreamCut       = "stream_cut"
	CodeStreamError     = "stream_error"
	CodeBadReply        = "bad_reply"
	CodeCancelled       = "cancelled"
	CodeTimeout         = "timeout"
	CodeUnfit           = "unfit_model"    // the model can't do any task
	CodeNoMemory        = "no_memory"      // the model does not fit in memory
	CodeNoWay           = "no_way"         // no way to an action works with the model
	CodeTooOld          = "server_too_old" // of a pull: the model needs a newer server
	CodeDiskFull        = "disk_full"
	CodeNoNetwork       = "no_network" // the model server can't reach its library
	CodeNoChoice        = "no_choice"  // the user has to choose a model
)

// Error is an error of a model or its server: a code, a sentence for the user (with
// bad_reply for the model), and a hint of what to do next.
type Error struct {
	Code       string
	Message    string
	Hint       string
	Status     int
	RetryAfter time.Duration
	Begun      bool // a part of the reply had come before
	Err        error
	loading    bool // the server is loading the model
}

// Error returns the code and the sentence, with the hint if there is one.
func (e *Error) Error() string {
	s := e.Code + ": " + e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Code: c}) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// CodeOf returns the code of err, or "" if it wraps no *Error.
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func badReply(format string, args ...any) *Error {
	return &Error{Code: CodeBadReply, Message: fmt.Sprintf(format, args...)}
}

// transportError returns the typed error of a failed round trip or read. It looks at
// the context first, since a cancelled request fails with many different errors.
func transportError(ctx context.Context, where string, err error) *Error {
	var known *Error
	if cause := context.Cause(ctx); cause != nil {
		if errors.As(cause, &known) {
			return known
		}
		if errors.Is(cause, context.DeadlineExceeded) {
			return &Error{Code: CodeTimeout, Message: "the time for this request has run out", Err: err}
		}
		return &Error{Code: CodeCancelled, Message: "the request was cancelled", Err: err}
	}
	if errors.As(err, &known) {
		return known
	}
	var netErr net.Error
	if errors.As(err, &netErr) && netErr.Timeout() {
		return &Error{Code: CodeTimeout, Message: where + " did not answer in time", Err: err}
	}
	// url.Error repeats the whole URL, which may hold a key: keep its cause.
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err
	}
	return &Error{Code: CodeUnreachable, Message: fmt.Sprintf("can't reach %s: %v", where, err), Err: err}
}

// statusError returns the typed error of an HTTP answer that is not a success.
func statusError(p provider, model string, status int, header http.Header, body []byte) *Error {
	msg := errorText(body)
	if msg == "" {
		msg = http.StatusText(status)
	}
	e := classify(p, model, status, msg, body)
	e.Status = status
	if after := retryAfter(header, time.Now()); after > 0 {
		e.RetryAfter = after
	}
	return e
}

// classify returns the typed error for a message. It goes by the words first, since
// servers agree on words more than on statuses: Ollama answers 500 for a malformed
// tool call, llama.cpp 503 while loading, OpenAI-like servers 400 or 413 for a long
// prompt, and an error within a stream has no status. body may say how long to wait.
func classify(p provider, model string, status int, msg string, body ...[]byte) *Error {
	low := strings.ToLower(msg)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	e := &Error{Message: fmt.Sprintf("%s says: %s", p.label, msg), Status: status, RetryAfter: waitIn(msg)}
	for _, b := range body {
		if after := waitIn(string(b)); e.RetryAfter == 0 {
			e.RetryAfter = after
		}
	}
	switch {
	case has("error parsing tool call", "failed to parse tool call", "xml syntax error", "tool_use_failed", "failed to call a function"):
		e.Code = CodeBadReply
		e.Message = "the tool call could not be read by the server: " + msg
	case has(tooLongFor...):
		e.Code = CodeContextOverflow
		e.Hint = "shorten the conversation or raise the context window"
	case status == http.StatusPaymentRequired || e.RetryAfter == 0 && has(noCreditWords...):
		e.Code = CodeNoCredit
		e.Hint = "top up the account at the provider, or choose another model"
	case status == http.StatusTooManyRequests || has(rateWords...):
		e.Code = CodeRateLimited
		e.Hint = "wait a little, or choose another model"
	case has(contextWords...):
		e.Code = CodeContextOverflow
		e.Hint = "shorten the conversation or raise the context window"
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has("invalid api key", "incorrect api key", "api key not valid"):
		e.Code = CodeUnauthorized
		e.Hint = p.keyHint()
	case modelMissing(status, low):
		e.Code = CodeModelNotFound
		e.Hint = p.missingModelHint(model)
	case has(templateWords...):
		e.Code = CodeUnsupported // the template may take the request in another way
		e.Hint = "the chat template of the model does not take the conversation: try another build of it"
	case status == http.StatusServiceUnavailable || status == 529 || has(busyWords...):
		e.Code, e.loading = CodeOverloaded, has("loading model", "model is loading") && !has("error loading", "failed") // a load that failed would fail again
		e.Hint = "the server is busy or still loading the model: try again in a moment"
	case has("does not support", "not supported", "unsupported", "unrecognized request argument", "unknown parameter", "extra inputs are not permitted",
		"not implemented", "response_format type is unavailable", "field chatrequest.format", "failed to parse grammar", "invalid schema", "no endpoints found that support"),
		wantsJSONObject(msg):
		e.Code = CodeUnsupported
	case status == http.StatusRequestEntityTooLarge:
		e.Code = CodeContextOverflow
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		e.Code = CodeTimeout
	case status >= 500:
		e.Code = CodeServerError
	case status == 0:
		e.Code = CodeStreamError
	default:
		e.Code = CodeBadRequest
	}
	return e
}

// The words of the servers. TestServerErrors has an example of each.
var (
	// tooLongFor are about limits that the request alone exceeds, so that waiting
	// does not help.
	tooLongFor = []string{"request too large for", "reduce your message size", "input or output tokens must be reduced", "tokens limit exceeded"}
	// contextWords say that the prompt does not fit.
	contextWords = []string{
		"context length", "context window", "context size", "context limit", "maximum context", "prompt is too long", "prompt too long",
		"input length exceeds", "too many tokens", "exceeds the available context", "context_length_exceeded", "exceed_context_size", "token limit",
		"exceeds the maximum number of tokens", "longer than the maximum model length", "range of input length should be", "prompt exceeds max length",
		"prompt 超长", "max_new_tokens` must be", "tokens to keep from the initial prompt", "reduce the length of the messages", "too long and exceeds limit",
	}
	noCreditWords = []string{
		"insufficient_quota", "insufficient balance", "insufficient credits", "credit balance is too low", "exceeded your current quota",
		"more credits", "arrearage", "余额不足", "账户已欠费",
	}
	rateWords = []string{
		"rate limit", "rate_limit", "quota exceeded", "resource_exhausted", "resource exhausted", "resource has been exhausted", "too many requests",
		"速率限制", "使用上限", "tokens per minute", "requests per minute", "please wait before trying again", "throttl",
	}
	busyWords = []string{
		"overloaded", "loading model", "server busy", "server is busy", "model is loading", "at capacity", "over capacity", "temporarily unavailable",
		"no available channel", "currently unavailable", "high demand", "model unloaded", "访问量过大",
	}
	templateWords = []string{
		"jinja", "chat template", "no user query found", "raise_exception", "roles must alternate", "generate parser for this template",
	}
)

func modelMissing(status int, low string) bool {
	if strings.Contains(low, "model_not_found") {
		return true
	}
	if !strings.Contains(low, "model") {
		return false
	}
	for _, w := range []string{"not found", "does not exist", "not exist", "try pulling", "is not a valid model", "no such model"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return status == http.StatusNotFound
}

// errorText returns the message in an error body. Bodies in use are {"error":"x"},
// {"error":{"message":"x"}}, {"message":"x"}, [{"error":…}] (Gemini) and plain text.
func errorText(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		s := strings.TrimSpace(string(body))
		if strings.HasPrefix(s, "<") { // a proxy's HTML page says nothing
			return ""
		}
		return clip(s, 300)
	}
	return clip(digError(v), 600)
}

func digError(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return digError(v[0])
		}
	case map[string]any:
		for _, key := range []string{"error", "message", "detail", "error_msg", "msg"} {
			if inner, ok := v[key]; ok {
				if s := digError(inner); s != "" {
					return s
				}
			}
		}
		if s, ok := v["type"].(string); ok {
			return s
		}
		if s, ok := v["code"].(string); ok {
			return s
		}
	}
	return ""
}

// retryAfter returns how long the headers ask to wait, at most an hour.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.Atoi(h.Get("Retry-After-Ms")); err == nil {
		return boundedWait(time.Duration(min(ms, 1<<31)) * time.Millisecond)
	}
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e6 {
		return boundedWait(time.Duration(s * float64(time.Second)))
	}
	if t, err := http.ParseTime(v); err == nil {
		return boundedWait(t.Sub(now))
	}
	return 0
}

func boundedWait(d time.Duration) time.Duration {
	return min(max(d, 0), time.Hour)
}

// clip cuts s to at most n bytes, at a rune boundary, and appends "…" if it cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
