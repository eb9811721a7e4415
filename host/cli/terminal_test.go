package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/install"
	"tabwright/llm"
)

func TestAnythingButAClearYesIsNo(t *testing.T) {
	for in, want := range map[string]bool{
		"y\n": true, "yes\n": true, " YES \n": true, "Y": true,
		"": false, "\n": false, "n\n": false, "yup\n": false, "yes please\n": false, "yes, but not now\n": false, "allow\n": false,
	} {
		var out bytes.Buffer
		got := newAsker("ask", strings.NewReader(in), &out).confirm(t.Context(), wire.ConfirmInfo{})
		if got.Allow != want || got.By != "terminal" {
			t.Errorf("%q: %+v", in, got)
		}
		if !strings.Contains(out.String(), "[y/N, or why not]") {
			t.Errorf("nothing was asked: %q", out.String())
		}
	}
	for mode, want := range map[string]bool{"allow": true, "deny": false} {
		got := newAsker(mode, strings.NewReader("y\n"), io.Discard).confirm(t.Context(), wire.ConfirmInfo{})
		if got.Allow != want || got.By != "policy" {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}

// A no at the terminal may say why, which the model is told.
func TestANoSaysWhy(t *testing.T) {
	for in, want := range map[string]string{
		"no\n": "", "N\n": "", "\n": "", "": "", "No.\n": "", "y\n": "",
		"no, take the smaller one\n": "take the smaller one", "n: too dear\n": "too dear", "take the smaller one\n": "take the smaller one",
		"none of these\n": "none of these",
	} {
		if got := newAsker("ask", strings.NewReader(in), io.Discard).confirm(t.Context(), wire.ConfirmInfo{}); got.Note != want || got.Allow != (in == "y\n") {
			t.Errorf("%q: %+v", in, got)
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
		if got := a.confirm(ctx, wire.ConfirmInfo{}); got.Allow || got.By != want {
			t.Errorf("%v: %+v", cause, got)
		}
	}
	go func() { _, _ = io.WriteString(typed, "y\n") }()
	if got := a.confirm(t.Context(), wire.ConfirmInfo{}); !got.Allow || got.By != "terminal" {
		t.Errorf("the next answer was lost: %+v", got)
	}
}

// What is asked is read before it is answered.
func TestThePromptComesAfterItsCard(t *testing.T) {
	var out bytes.Buffer
	a := newAsker("ask", strings.NewReader("y\n"), &out)
	a.cards = make(chan string, 2)
	show := terminal{out: &out, shown: a.printed}
	a.printed("an earlier card")
	card := wire.ConfirmInfo{
		ID: "c2", Action: "click", Target: "Pay", Amount: "$3", Yes: map[string]string{"en": "Pay $3 to Ida\u202e\U000E0041"}, To: "Ida Lind", About: "Invoice for May",
	}
	asked := make(chan bool, 1)
	go func() {
		asked <- a.confirm(t.Context(), card).Allow
	}()
	select {
	case <-asked:
		t.Fatal("it was answered before it was shown")
	case <-time.After(50 * time.Millisecond):
	}
	show.event(wire.Event{Type: wire.EvConfirmRequest, Confirm: &card})
	if allow := <-asked; !allow {
		t.Error("the answer was lost")
	}
	if card, prompt := strings.Index(out.String(), "CONFIRM"), strings.Index(out.String(), "[y/N, or why not]"); card < 0 || prompt < card {
		t.Errorf("card at %d, prompt at %d: %q", card, prompt, out.String())
	}
	for _, want := range []string{"To: Ida Lind\n", "About: Invoice for May\n", "  Pay $3 to Ida? [y/N, or why not] "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
}

func TestAFailedStepSaysItsReasonOnce(t *testing.T) {
	for line, want := range map[string]string{
		"Could not click Pay: the user said no": "✗ 3. Could not click Pay: the user said no\n",
		"Finished":                              "✗ 3. Finished — the user said no\n",
	} {
		var out bytes.Buffer
		terminal{out: &out}.step(wire.StepInfo{N: 3, Line: line, Outcome: "denied", Error: &wire.Error{Code: "denied", Message: "the user said no"}})
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}

func TestErrorSaysItsHintOnce(t *testing.T) {
	var out strings.Builder
	sayError(&out, fmt.Errorf("models: %w", &llm.Error{Code: llm.CodeUnreachable, Message: "can't reach Ollama", Hint: "is it running?"}))
	if want := "tabwright: models: unreachable: can't reach Ollama\n  is it running?\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestErrorsAreSaidWithWhatToDo(t *testing.T) {
	var out bytes.Buffer
	sayError(&out, &exitError{code: exitFailed, err: &install.Error{Code: install.CodeNoBrowser, Message: "no browser", Hint: "start one once"}})
	if got := out.String(); got != "tabwright: no browser\n  start one once\n" {
		t.Errorf("%q", got)
	}
	stale := wire.SessionResult{Error: &wire.Error{
		Code: wire.Code(action.StaleRef), Message: "stale_ref: e1 was link", Hint: "Use one of the candidates, or call getElements.",
		Data: []byte(`{"candidates":[{"ref":"e56","role":"link","name":"Mug Shop","exact":true},{"ref":"e57","tag":"a","name":""}]}`),
	}}
	out.Reset()
	sayError(&out, (&actOptions{}).show(&cobra.Command{}, stale, nil, ""))
	want := "tabwright: stale_ref: e1 was link\n  @e56 link \"Mug Shop\" (exact)\n  @e57 a\n  Use one of the candidates, or call `tabwright elements`.\n"
	if out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
}

func TestExitCodesForScripts(t *testing.T) {
	for _, c := range []struct {
		end    wire.EventType
		denied bool
		code   int
	}{
		{wire.EvComplete, false, exitOK},
		{wire.EvComplete, true, exitOK}, // it got there without what was denied
		{wire.EvFailed, false, exitFailed},
		{wire.EvFailed, true, exitDenied},
		{wire.EvCancelled, false, exitCancelled},
		{wire.EvCancelled, true, exitCancelled},
	} {
		err := exitFor(wire.Event{Type: c.end, Text: "x"}, c.denied)
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

// The answer is typed as the model writes it, taken back where it does not stand, and
// not said twice; what would steer the terminal is left out.
func TestTheAnswerIsTyped(t *testing.T) {
	var out bytes.Buffer
	term := terminal{out: &out, answer: &answerView{}}
	say := func(kind string, text ...string) {
		for _, s := range text {
			term.delta(wire.DeltaEvent{Kind: kind, Text: s})
		}
	}
	say("answer", "Two \x1b[2Jmu", "gs")
	say(wire.DeltaRetract, "")
	term.event(wire.Event{Type: wire.EvProgress, Text: "Thinking …"})
	say("reasoning", "hm")
	say("answer", "Three\n", "mugs")
	term.event(wire.Event{Type: wire.EvComplete, Text: "Three\nmugs"})
	want := "… Two [2Jmugs\n! That answer was withdrawn.\n· Thinking …\n… Three\n  mugs\n✔ Done; the answer is above.\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	out.Reset()
	pipe := terminalTo(&out)
	pipe.delta(wire.DeltaEvent{Kind: "answer", Text: "Two"})
	pipe.event(wire.Event{Type: wire.EvComplete, Text: "Two mugs"})
	if out.String() != "✔ Two mugs\n" {
		t.Errorf("a pipe got %q", out.String())
	}
}
