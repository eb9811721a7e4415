package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"tabwright/host/agent"
	"tabwright/host/native/wire"
)

// questions answers the agent's questions at this terminal: what it asks the user,
// and a tab that waits to be handed back. Cards are none of them.
type questions struct {
	asker *asker
	out   io.Writer
	say   func(ctx context.Context, task, text string) error
	// panel is true where the side panel may answer as well.
	panel bool
	// unanswered is called when the terminal is at its end and only it could answer.
	unanswered func()

	stop  context.CancelFunc // of the question that is open; nil: none is
	here  *atomic.Bool       // it was answered at this terminal
	ended chan struct{}      // nobody waits for its answer any more
}

// event puts a question that was shown, and takes it back when it was answered, here
// or elsewhere, or when its task has gone on.
func (q *questions) event(ctx context.Context, ev wire.Event) {
	switch ev.Type {
	case wire.EvAsk:
		q.close()
		ctx, q.stop = context.WithCancel(ctx)
		q.here, q.ended = &atomic.Bool{}, make(chan struct{})
		go q.put(ctx, ev, q.here, q.ended) // ends with the question
	case wire.EvSaid:
		open := q.stop != nil
		q.close()
		if open && !q.here.Load() {
			fmt.Fprintf(q.out, "\n? Answer: %s (panel)\n", ev.Text)
		}
	case wire.EvComplete, wire.EvFailed, wire.EvCancelled, wire.EvInterrupted:
		q.close()
	default: // a thumbnail, a word of the model's: the question stands
	}
}

// close takes the question back, and waits until its prompt is through.
func (q *questions) close() {
	if q.stop != nil {
		q.stop()
		<-q.ended
		q.stop = nil
	}
}

func (q *questions) put(ctx context.Context, ev wire.Event, here *atomic.Bool, ended chan<- struct{}) {
	defer close(ended)
	prompt := "  Your answer: "
	handover := ev.Level == agent.LevelHandover
	switch {
	case handover:
		prompt = "  Press Enter when you are done. "
	case q.panel:
		prompt = "  Your answer, here or in the side panel: "
	}
	for {
		line, ok := q.asker.line(ctx, prompt)
		if !ok {
			break
		}
		line = strings.TrimSpace(line)
		if line == "" && handover {
			line = "done"
		}
		if line == "" {
			continue
		}
		here.Store(true)
		if err := q.say(ctx, ev.Task, line); err != nil && ctx.Err() == nil {
			fmt.Fprintln(q.out, "  It was not taken:", err)
		}
		return
	}
	switch {
	case ctx.Err() != nil:
	case q.panel:
		fmt.Fprintln(q.out, "\n  "+inPanelWords)
	default:
		fmt.Fprintln(q.out, "\n  The terminal no longer waits for an answer.")
		q.unanswered()
	}
}

// inPanelWords say where a question is answered that this terminal can't answer.
const inPanelWords = "Answer it in the Tabwright side panel of your browser."
