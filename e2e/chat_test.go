package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/standin"
)

// long is a reply that streams for many seconds.
var long = strings.Repeat("and so on ", 3000)

// A conversation of several tasks, through the real panel and the real broker:
// what is asked on knows what was said, what is attached reaches the model, the
// user takes over and lets it go on, Stop does not wait for a model that
// streams, and all of it is there again in a new panel.
func TestConversation(t *testing.T) {
	reached, open := make(chan struct{}), make(chan struct{})
	answer := standin.Tell
	script := standin.NewScript(
		answer("It is a **shop**."),
		answer("Mostly mugs."),
		func(standin.Observation, standin.Conversation) standin.Turn {
			close(reached)
			<-open
			return standin.Turn{Calls: []standin.Call{{Name: "getElements", Args: map[string]any{}}}}
		},
		answer("Looked again."),
		func(standin.Observation, standin.Conversation) standin.Turn {
			return standin.Turn{Reasoning: strings.Repeat("I had better tell all. ", 60) + "\nSo be it.", Text: long}
		},
	)
	loading := make(chan struct{})
	w := newWorldOf(t, standin.Options{
		Format: standin.OllamaTools, Brain: script, Delay: 5 * time.Millisecond, Thinks: true,
		Load: func(ctx context.Context) {
			select {
			case <-loading:
			case <-ctx.Done():
			}
		},
	})
	p := w.panel()
	said := func(want string) {
		t.Helper()
		w.must(p.Await(w.ctx, `[...document.querySelectorAll("[data-testid=message-agent][data-final=true]")].at(-1)?.innerText.includes("`+want+`") && document.querySelector("[data-testid=status]").dataset.state === "done"`))
	}
	asked := func() string {
		t.Helper()
		var out strings.Builder
		rs := w.model.Requests()
		for _, m := range rs[len(rs)-1].Conversation.Messages {
			out.WriteString(m.Text + "\n")
		}
		return out.String()
	}

	// While the model is loaded the panel names it with its size, then says that it
	// thinks, and shows what.
	w.must(p.Send(w.ctx, "what is this page?"))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=now]")?.innerText.includes("Loading `+w.model.Model()+` (5.2 GB)")`))
	close(loading)
	said("It is a shop.")
	_, err := w.page.Evaluate(w.ctx, `getSelection().selectAllChildren(document.querySelector("h1"))`)
	w.must(err)
	raw, err := w.page.Evaluate(w.ctx, `document.querySelector("h1").innerText.trim()`)
	w.must(err)
	w.must(p.Click(w.ctx, "attach"))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=attach-selection]")`))
	w.must(p.Click(w.ctx, "attach-selection"))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=chip][data-kind=selection]")`))
	w.must(p.Send(w.ctx, "and what does it sell?"))
	said("Mostly mugs.")
	for _, want := range []string{"It is a **shop**.", strings.Trim(string(raw), `"`)} {
		if !strings.Contains(asked(), want) {
			t.Errorf("what was asked on does not know %q", want)
		}
	}

	// The user takes the tab, and gives it back.
	w.must(p.Send(w.ctx, "look around"))
	select {
	case <-reached:
	case <-w.ctx.Done():
		t.Fatal("the model was not asked")
	}
	w.must(p.Click(w.ctx, "take-over"))
	close(open)
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=status]").dataset.state === "paused"`))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=resume]")`))
	w.must(p.Click(w.ctx, "resume"))
	said("Looked again.")

	// Stop, while the model streams.
	w.must(p.Send(w.ctx, "tell me everything"))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=thoughts] summary")?.innerText.includes("I had better") && document.querySelector("[data-testid=now]").innerText.includes("Thinking")`))
	w.must(p.Await(w.ctx, `document.querySelector(".agent.streaming")?.innerText.length > 100`))
	w.must(p.Click(w.ctx, "stop")) // how soon is in TestChatFromThePanel
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=status]").dataset.state === "cancelled"`))

	// In a new panel it is one conversation; it has a name, and can be saved.
	w.must(p.Close(w.ctx))
	p = w.panel()
	w.must(p.Await(w.ctx, `document.querySelectorAll("[data-testid=message-user]").length === 3`))
	w.must(p.Click(w.ctx, "earlier"))
	w.must(p.Await(w.ctx, `document.querySelectorAll("[data-testid=message-user]").length === 4`))
	w.must(p.Click(w.ctx, "open-conversations"))
	w.must(p.Await(w.ctx, `document.querySelectorAll("[data-testid=conversation]").length === 1`))
	w.must(p.Eval(w.ctx, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { b.text().then(t => window.saved = t); return make.call(URL, b) } })()`, nil))
	w.must(p.Click(w.ctx, "conv-menu"))
	w.must(p.Await(w.ctx, `document.querySelector("[data-testid=conv-md]")`))
	w.must(p.Click(w.ctx, "conv-md"))
	w.must(p.Await(w.ctx, `["what is this page?", "It is a **shop**.", "Mostly mugs."].every(s => window.saved?.includes(s))`))
	w.shots("conversations")
}
