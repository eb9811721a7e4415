package cli

import (
	"fmt"
	"strings"

	"tabwright/host/native/wire"
)

// answerView is the answer as a terminal shows it while the model writes it. A pipe gets
// only what is finished.
type answerView struct {
	text strings.Builder
	open bool // its line is not ended
}

// delta prints what streams of the answer.
func (t terminal) delta(d wire.DeltaEvent) {
	w := t.answer
	switch {
	case w == nil:
	case d.Kind == wire.DeltaRetract:
		t.endTyped()
		if w.text.Len() > 0 {
			w.text.Reset()
			t.line("!", "That answer was withdrawn.")
		}
	case d.Kind == wire.DeltaAnswer:
		if !w.open {
			fmt.Fprint(t.out, "… ")
			w.open = true
		}
		w.text.WriteString(d.Text)
		fmt.Fprint(t.out, strings.ReplaceAll(printable(d.Text), "\n", "\n  "))
	}
}

// endTyped ends the line of an answer that was being typed.
func (t terminal) endTyped() {
	if t.answer != nil && t.answer.open {
		t.answer.open = false
		fmt.Fprintln(t.out)
	}
}

// complete prints the answer, if it does not stand there already.
func (t terminal) complete(answer string) {
	if t.answer != nil && strings.TrimSpace(t.answer.text.String()) == strings.TrimSpace(answer) {
		answer = "Done; the answer is above."
	}
	t.line("✔", answer)
}

// printable leaves out what would steer the terminal: a page may have written it.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f: // what turns text around, and tags
			return -1
		}
		return r
	}, s)
}
