package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/install"
	"tabwright/llm"
)

// terminal prints a task's events as lines.
type terminal struct {
	out io.Writer
	// inPanel is true when the side panel answers the cards.
	inPanel bool
	// shown, if not nil, hears of each card that was printed.
	shown func(id string)
	// answersHere is true when this terminal answers the agent's questions.
	answersHere bool
	// answer, if not nil, is where the answer is shown while it is written.
	answer *answerView
	// events, if not nil, is where each event goes as JSON, and nothing else is printed.
	events *json.Encoder
}

// terminalOfRun prints what happens in a task to out, for programs as JSON.
func terminalOfRun(cmd *cobra.Command, out io.Writer) terminal {
	if !asJSON(cmd) {
		return terminalTo(out)
	}
	t := terminal{out: io.Discard, events: json.NewEncoder(out)}
	t.events.SetEscapeHTML(false)
	return t
}

// terminalTo prints to out, and shows the answer while it is written if that is a
// terminal.
func terminalTo(out io.Writer) terminal {
	t := terminal{out: out}
	if w, ok := out.(*os.File); ok && term.IsTerminal(int(w.Fd())) && !plainOutput() {
		t.answer = &answerView{}
	}
	return t
}

func (t terminal) line(mark, text string) {
	t.endTyped()
	for i, l := range strings.Split(strings.TrimSpace(printable(text)), "\n") {
		if i > 0 {
			mark = " "
		}
		fmt.Fprintf(t.out, "%s %s\n", mark, l)
	}
}

// event prints one event.
func (t terminal) event(ev wire.Event) {
	if t.events != nil {
		_ = t.events.Encode(ev) // who reads it may have gone
	}
	switch ev.Type {
	case wire.EvStarted:
		t.line("▶", ev.Text)
	case wire.EvThinking, wire.EvPlan, wire.EvProgress:
		t.line("·", ev.Text)
	case wire.EvNotify, wire.EvPaused:
		t.line("!", ev.Text)
	case wire.EvToolResult:
		t.step(*ev.Step)
	case wire.EvConfirmRequest:
		t.card(*ev.Confirm)
		if t.shown != nil {
			t.shown(ev.Confirm.ID)
		}
	case wire.EvConfirmResult:
		t.line("?", answerWords(ev.Confirm.Answer, ev.Confirm.By))
	case wire.EvAsk:
		t.line("?", ev.Text)
		if t.inPanel && !t.answersHere {
			t.line(" ", inPanelWords)
		}
	case wire.EvComplete:
		t.complete(ev.Text)
	case wire.EvFailed:
		said := ev.Text
		if ev.Error != nil && ev.Error.Code != "" {
			said += fmt.Sprintf(" (%s)", ev.Error.Code)
		}
		t.line("✘", said)
		if ev.Error != nil && ev.Error.Hint != "" {
			t.line(" ", ev.Error.Hint)
		}
	case wire.EvInterrupted:
		t.line("✘", ev.Text)
		t.line(" ", "Continue it: tabwright resume "+ev.Task)
	case wire.EvCancelled:
		t.line("■", ev.Text)
	case wire.EvToolCall, wire.EvResumed, wire.EvSaid, wire.EvSteered:
	}
	if ev.Usage != nil && (ev.Type == wire.EvComplete || ev.Type == wire.EvFailed) {
		u := ev.Usage
		speed := ""
		if u.OutputRate > 0 {
			speed = fmt.Sprintf(", %.0f tokens/s in, %.0f tokens/s out", u.InputRate, u.OutputRate)
		}
		fmt.Fprintf(t.out, "  %d steps, %d tokens in, %d out, %.1f s%s\n", u.Steps, u.InputTokens, u.OutputTokens, float64(u.Millis)/1000, speed)
	}
}

// answerWords say how a card was answered, and by whom: --confirm, a policy file or
// a preset ("policy"), the terminal, the panel, or the end of its time ("limit").
func answerWords(answer, by string) string {
	said := map[string]string{"allow": "Allowed", "deny": "Denied", "expired": "No answer in time: denied", "void": "Not needed any more"}[answer]
	if by == "policy" {
		by = "--confirm or policy"
	}
	return fmt.Sprintf("%s (%s)", cmp.Or(said, answer), by)
}

func (t terminal) step(s wire.StepInfo) {
	mark := "✓"
	if s.Outcome != "ok" {
		mark = "✗"
	}
	text := "    " + s.Line // of a workflow's hook, which has no place among the steps
	if s.N >= 0 {
		text = fmt.Sprintf("%2d. %s", s.N, s.Line)
	}
	if s.Error != nil {
		if !strings.HasSuffix(s.Line, s.Error.Message) { // most lines say why already
			text += " — " + s.Error.Message
		}
	} else if s.Effect != "" {
		text += " — " + s.Effect
	}
	t.line(mark, text)
}

func (t terminal) card(c wire.ConfirmInfo) {
	head := fmt.Sprintf("CONFIRM: %s %s on %s", c.Action, c.Target, c.Site)
	if c.Amount != "" {
		head += ", amount " + c.Amount
	}
	t.line("?", head)
	for _, d := range c.Facts() {
		t.line(" ", "  "+d)
	}
	for _, r := range c.Reasons {
		t.line(" ", "  because: "+r)
	}
	if t.inPanel {
		t.line(" ", inPanelWords)
	}
}

// asker answers cards for a launched browser.
type asker struct {
	mode  string // ask, deny, allow
	in    io.Reader
	out   io.Writer
	once  sync.Once
	lines chan string // closed at the end of in, where that is no terminal
	tty   sync.Mutex  // who reads the terminal: one question at a time
	cards chan string // ids of cards that another goroutine has printed; nil: whoever asks prints it first
}

func newAsker(mode string, in io.Reader, out io.Writer) *asker {
	return &asker{mode: mode, in: in, out: out, lines: make(chan string)}
}

// read is the only reader of a pipe, from the first question on: a card that ran out
// must not leave a second one waiting for the same line.
func (a *asker) read() {
	defer close(a.lines)
	s := bufio.NewScanner(a.in)
	for s.Scan() { // ends with in, or with the process
		a.lines <- s.Text()
	}
}

// confirm asks at the terminal. Anything but a clear yes is a no, and what is written
// instead says why.
func (a *asker) confirm(ctx context.Context, c wire.ConfirmInfo) action.Answer {
	switch a.mode {
	case "allow":
		return action.Answer{Allow: true, By: "policy"}
	case "deny":
		return action.Answer{By: "policy"}
	}
	a.awaitCard(ctx, c.ID)
	line, ok := a.line(ctx, "  "+printable(c.Question())+" [y/N, or why not] ")
	switch {
	case ok || ctx.Err() == nil: // nothing at the end of the input
		yes, why := answerOf(line)
		return action.Answer{Allow: yes, By: "terminal", Note: why}
	case errors.Is(context.Cause(ctx), agent.ErrStopped):
		return action.Answer{By: "stop"}
	default:
		return action.Answer{By: "limit"}
	}
}

// answerOf reads a line: a yes, a no, or a no with the reason, which may follow the word:
// "no, the smaller one".
func answerOf(line string) (yes bool, why string) {
	line = strings.TrimSpace(line)
	first, rest, _ := strings.Cut(line, " ")
	switch strings.ToLower(strings.TrimRight(first, ",.:;!")) {
	case "y", "yes":
		if rest == "" {
			return first == line && !strings.ContainsAny(first, ",.:;!"), ""
		}
	case "n", "no":
		return false, strings.TrimSpace(rest)
	}
	return false, line
}

// line asks for a line; ok is false at the end of the input, and of ctx. What was
// typed at a terminal before it asked is no answer to what nobody could read yet;
// from a pipe answers come in their order.
func (a *asker) line(ctx context.Context, prompt string) (line string, ok bool) {
	if fd, tty := terminalOf(a.in); tty {
		a.tty.Lock()
		defer a.tty.Unlock()
		dropTyped(a.in, fd)
		fmt.Fprint(a.out, prompt)
		return typedLine(ctx, a.in, fd)
	}
	fmt.Fprint(a.out, prompt)
	a.once.Do(func() { go a.read() })
	select {
	case line, ok = <-a.lines:
		return line, ok
	case <-ctx.Done():
		return "", false
	}
}

// awaitCard waits until the card is printed: nobody is to say yes to a question
// that they can't read yet.
func (a *asker) awaitCard(ctx context.Context, id string) {
	for a.cards != nil {
		select {
		case printed := <-a.cards:
			if printed == id {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// printed notes that a card was printed.
func (a *asker) printed(id string) {
	select {
	case a.cards <- id:
	default: // nobody asks: the answer was given without a question
	}
}

// sayError prints an error with its hint.
func sayError(w io.Writer, err error) {
	hint := codedError(err).Hint
	text := err.Error()
	if hint != "" { // llm.Error repeats it in its sentence
		text = strings.Replace(text, " ("+hint+")", "", 1)
	}
	fmt.Fprintln(w, "tabwright:", text)
	if hint != "" {
		fmt.Fprintln(w, " ", hint)
	}
}

// codedError gives an error with its code and its hint, whichever part it is from.
func codedError(err error) *wire.Error {
	var le *llm.Error
	var ae *action.Error
	var ie *install.Error
	e := wire.AsError(err)
	switch {
	case errors.As(err, new(*wire.Error)):
	case errors.As(err, &le):
		e = &wire.Error{Code: wire.Code(le.Code), Message: e.Message, Hint: le.Hint}
	case errors.As(err, &ae):
		e = &wire.Error{Code: wire.Code(ae.Code), Message: e.Message, Hint: ae.Hint}
	case errors.As(err, &ie):
		e = &wire.Error{Code: wire.Code(ie.Code), Message: e.Message, Hint: ie.Hint}
	}
	return e
}
