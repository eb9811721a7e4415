package agent

import (
	"fmt"
	"strings"

	"tabwright/host/action"
	"tabwright/llm"
)

// turn is one question to the model and what came of its answer.
type turn struct {
	seen  string      // one line that stands for the page as it was
	reply llm.Message // the assistant's, with its calls
	// answers are one tool result for each call, or one user message that says
	// what was wrong with the reply.
	answers []llm.Message
	lines   []string // the steps in plain words, for the summary of old turns
}

// history is what the model is reminded of. Only the newest page is sent in
// full; each older one has shrunk to a line, and when the window is short the
// oldest turns shrink to a list of steps. The task itself never goes.
type history struct {
	task  string
	turns []turn
	// dropped are the steps of turns that were taken out to fit the window.
	dropped []string
}

// messages builds the conversation for a window: task, older turns, then the
// page as it is now. It drops the oldest turns until the estimate fits room
// tokens, but never the last two.
func (h *history) messages(now llm.Message, room int) []llm.Message {
	for {
		ms := h.build(now)
		if estimate(ms) <= room || len(h.turns) <= 2 {
			return ms
		}
		h.dropped = append(h.dropped, h.turns[0].lines...)
		h.turns = h.turns[1:]
	}
}

func (h *history) build(now llm.Message) []llm.Message {
	first := h.task
	if len(h.dropped) > 0 {
		first += "\n\nSteps done so far (oldest first):\n- " + strings.Join(h.shortDropped(), "\n- ")
	}
	ms := []llm.Message{llm.Text(llm.RoleUser, first)}
	last := ""
	for _, t := range h.turns {
		if t.seen != "" && t.seen != last { // the same page is named once
			ms = append(ms, llm.Text(llm.RoleUser, t.seen))
			last = t.seen
		}
		ms = append(ms, t.reply)
		ms = append(ms, t.answers...)
	}
	return append(ms, now)
}

// shortDropped keeps the list of old steps itself bounded: the newest forty.
func (h *history) shortDropped() []string {
	const most = 40
	if len(h.dropped) <= most {
		return h.dropped
	}
	skipped := len(h.dropped) - most
	return append([]string{fmt.Sprintf("(%d earlier steps)", skipped)}, h.dropped[skipped:]...)
}

func estimate(ms []llm.Message) int { return llm.EstimateRequest(llm.Request{Messages: ms}) }

// seenLine is what is left of an observation once a newer one stands.
func seenLine(o action.Observation) string {
	return fmt.Sprintf("[page then: %q, %s]", o.Title, o.URL)
}
