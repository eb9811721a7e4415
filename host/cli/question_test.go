package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"tabwright/host/agent"
	"tabwright/host/native/wire"
)

// Questions are answered at the terminal, a tab is handed back by Enter, and what
// was answered elsewhere, or has ended, is asked no more.
func TestQuestionsAtTheTerminal(t *testing.T) {
	ask := wire.Event{Type: wire.EvAsk, Task: "t1", Text: "Which colour?"}
	handover := ask
	handover.Level = agent.LevelHandover
	for _, c := range []struct {
		name, input string
		ask         wire.Event
		panel       bool
		says, shows string
	}{
		{"an answer", "blue\n", ask, false, "blue", "Your answer: "},
		{"empty lines are none", "\n  \nblue\n", ask, false, "blue", "Your answer:   Your answer:   Your answer: "},
		{"in one's own browser too", "blue\n", ask, true, "blue", "here or in the side panel: "},
		{"a tab is handed back", "\n", handover, true, "done", "Press Enter when you are done. "},
		{"the end of the input", "", ask, false, "", "The terminal no longer waits for an answer."},
		{"the end of the input, with a panel", "", ask, true, "", inPanelWords},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			said, alone := make(chan string, 1), make(chan bool, 1)
			q := &questions{
				asker: newAsker("ask", strings.NewReader(c.input), &out), out: &out, panel: c.panel,
				say:        func(_ context.Context, _, text string) error { said <- text; return nil },
				unanswered: func() { alone <- true },
			}
			q.event(t.Context(), c.ask)
			q.event(t.Context(), wire.Event{Type: wire.EvThinking}) // the question stands
			<-q.ended
			got := ""
			select {
			case got = <-said:
			default:
			}
			if got != c.says || !strings.Contains(out.String(), c.shows) {
				t.Errorf("said %q, want %q; shown %q", got, c.says, out.String())
			}
			if left := len(alone) > 0; left != (c.says == "" && !c.panel) {
				t.Errorf("nobody is left to answer: %v", left)
			}
			q.event(t.Context(), wire.Event{Type: wire.EvSaid, Text: got})
			if strings.Contains(out.String(), "(panel)") == (got != "") {
				t.Errorf("shown %q", out.String())
			}
		})
	}

	in, keyboard := io.Pipe()
	defer keyboard.Close()
	var out strings.Builder
	said := make(chan string, 1)
	q := &questions{asker: newAsker("ask", in, &out), out: &out, panel: true, say: func(_ context.Context, _, text string) error { said <- text; return nil }}
	for _, end := range []wire.Event{{Type: wire.EvSaid, Text: "red"}, {Type: wire.EvFailed}, {Type: wire.EvInterrupted}} {
		q.event(t.Context(), ask)
		q.event(t.Context(), end)
		if q.stop != nil {
			t.Errorf("%s leaves the question open", end.Type)
		}
	}
	if n := strings.Count(out.String(), "Answer: red (panel)"); n != 1 {
		t.Errorf("what the panel answered is shown %d times: %q", n, out.String())
	}
	q.event(t.Context(), ask) // the terminal is the next one's
	if _, err := io.WriteString(keyboard, "green\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-said:
		if got != "green" {
			t.Errorf("%q", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the answer was lost")
	}
}
