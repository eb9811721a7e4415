package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tabwright/host/agent"
	"tabwright/host/native"
)

func TestAnythingButAClearYesIsNo(t *testing.T) {
	for in, want := range map[string]bool{
		"y\n": true, "yes\n": true, " YES \n": true, "Y": true,
		"": false, "\n": false, "n\n": false, "yup\n": false, "yes please\n": false, "allow\n": false,
	} {
		var out bytes.Buffer
		allow, by := newAsker("ask", strings.NewReader(in), &out).confirm(t.Context(), native.ConfirmInfo{})
		if allow != want || by != "terminal" {
			t.Errorf("%q: %v by %s", in, allow, by)
		}
		if !strings.Contains(out.String(), "[y/N]") {
			t.Errorf("nothing was asked: %q", out.String())
		}
	}
	for mode, want := range map[string]bool{"allow": true, "deny": false} {
		allow, by := newAsker(mode, strings.NewReader("y\n"), io.Discard).confirm(t.Context(), native.ConfirmInfo{})
		if allow != want || by != "policy" {
			t.Errorf("%s: %v by %s", mode, allow, by)
		}
	}
}

// A card that ran out must not swallow the answer to the next, nor read the
// terminal a second time beside it.
func TestACardThatRanOutLeavesTheTerminalToTheNext(t *testing.T) {
	in, typed := io.Pipe()
	defer typed.Close()
	a := newAsker("ask", in, io.Discard)
	for cause, want := range map[error]string{agent.ErrStopped: "stop", context.DeadlineExceeded: "limit"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if allow, by := a.confirm(ctx, native.ConfirmInfo{}); allow || by != want {
			t.Errorf("%v: %v by %s", cause, allow, by)
		}
	}
	go func() { _, _ = io.WriteString(typed, "y\n") }()
	if allow, by := a.confirm(t.Context(), native.ConfirmInfo{}); !allow || by != "terminal" {
		t.Errorf("the next answer was lost: %v by %s", allow, by)
	}
}

func TestExitCodesForScripts(t *testing.T) {
	for _, c := range []struct {
		end    native.EventType
		denied bool
		code   int
	}{
		{native.EvComplete, false, exitOK},
		{native.EvComplete, true, exitOK}, // it got there without what was denied
		{native.EvFailed, false, exitFailed},
		{native.EvFailed, true, exitDenied},
		{native.EvCancelled, false, exitCancelled},
		{native.EvCancelled, true, exitCancelled},
	} {
		err := exitFor(native.Event{Type: c.end, Text: "x"}, c.denied)
		code := exitOK
		var ee *exitError
		if errors.As(err, &ee) {
			code = ee.code
		}
		if code != c.code {
			t.Errorf("%s, denied %v: %d, want %d", c.end, c.denied, code, c.code)
		}
	}
}
