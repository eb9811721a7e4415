package agent

import (
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/prompts"
)

// turn is one request to the model, its reply, and the results.
type turn struct {
	seen  string      // one line that stands for the page as it was
	reply llm.Message // the assistant's, with its calls
	// answers are one tool result for each call, or one user message that says
	// what was wrong with the reply.
	answers []llm.Message
	did     []string // what came of each step, in one line
	failed  bool     // a step of it came to an error
	// idle says that it claimed to be done when nothing was done, and was sent back.
	idle  bool
	lines []string // the steps in plain words, for the summary of old turns
	said  []string // what the user answered in it: never dropped
	shot  llm.Part // the screenshot, for a model that points
}

// history is what the model is reminded of. Only the newest page is sent in
// full; each older one has shrunk to a line. When the window is short, the
// results of older steps shrink to a line each, then the oldest turns to a
// summary. The task, the plan and the user's words never go.
type history struct {
	lang string
	task string
	// pictures are what the user attached; they go with the task.
	pictures []llm.Part
	plan     string // as it stands, in words
	// usersPlan says that the user edited it.
	usersPlan bool
	said      []string // by the user, oldest first
	turns     []turn
	// dropped are the steps of turns that were taken out to fit the window, and
	// summary the model's words for the first summed of them.
	dropped []string
	summary string
	summed  int

	// layout writes the conversation for a model that wants it in its own way. The
	// turn that is added next was shown shown and shot, of the page at url.
	layout            func(h *history, now llm.Message) []llm.Message
	shown, url, title string
	shot              llm.Part
	// shots is how many screenshots a request carries, the newest included: older ones
	// are not kept.
	shots int
}

// add keeps a turn.
func (h *history) add(t turn) {
	if h.layout != nil {
		t.seen, t.shot, h.shot = h.shown, h.shot, llm.Part{}
	}
	h.turns = append(h.turns, t)
	if old := len(h.turns) - max(h.shots, 1); old >= 0 {
		h.turns[old].shot = llm.Part{}
	}
}

const (
	keptTurns  = 2   // are only touched when nothing else is left
	shrunkText = 160 // characters of an older result
)

// messages builds the conversation for a window: task, older turns, then the
// page as it is now. It shrinks and drops, oldest first, until the estimate
// fits room tokens.
func (h *history) messages(now llm.Message, room int) []llm.Message {
	fits := func() ([]llm.Message, bool) {
		ms := h.build(now)
		return ms, estimate(ms) <= room
	}
	for i := 0; i < len(h.turns)-keptTurns; i++ {
		if ms, ok := fits(); ok {
			return ms
		}
		h.turns[i].shrink()
	}
	for len(h.turns) > keptTurns {
		if ms, ok := fits(); ok {
			return ms
		}
		h.drop()
	}
	for i := range h.turns {
		if ms, ok := fits(); ok {
			return ms
		}
		h.turns[i].shrink()
	}
	for {
		ms, ok := fits()
		if ok || len(h.turns) == 0 {
			return ms
		}
		h.drop()
	}
}

// shrink cuts what a turn's results and words say to a line; a picture goes.
func (t *turn) shrink() {
	t.shot = llm.Part{}
	t.answers = slices.Clone(t.answers)
	for i, a := range t.answers {
		line := strings.Join(strings.Fields(a.PlainText()), " ")
		a.Parts = []llm.Part{{Text: cut(line, shrunkText)}}
		t.answers[i] = a
	}
	if text := t.reply.PlainText(); text != "" {
		t.reply.Parts = []llm.Part{{Text: cut(text, shrunkText)}}
	}
}

func (h *history) drop() {
	h.said = append(h.said, h.turns[0].said...)
	for _, line := range h.turns[0].lines {
		if line != "" { // a question to the user stands in said
			h.dropped = append(h.dropped, line)
		}
	}
	h.turns = h.turns[1:]
}

// countUnsummed returns how many dropped steps no summary covers yet.
func (h *history) countUnsummed() int { return len(h.dropped) - h.summed }

func (h *history) build(now llm.Message) []llm.Message {
	if h.layout != nil {
		return h.layout(h, now)
	}
	ms := []llm.Message{llm.Text(llm.RoleUser, h.first())}
	ms[0].Parts = append(ms[0].Parts, h.pictures...)
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

// first returns the first message, which is never shortened.
func (h *history) first() string {
	out := h.task
	add := func(kind string, args ...any) { out += "\n\n" + prompts.Notice(kind, h.lang, args...) }
	switch {
	case h.plan != "" && h.usersPlan:
		add(prompts.PlanOfUser, h.plan)
	case h.plan != "":
		add(prompts.PlanSoFar, h.plan)
	}
	if len(h.said) > 0 {
		add(prompts.SaidSoFar, "- "+strings.Join(h.said, "\n- "))
	}
	if h.summary != "" {
		add(prompts.SummarySoFar, h.summary)
	}
	if lines := h.shortDropped(); len(lines) > 0 {
		add(prompts.StepsSoFar, "- "+strings.Join(lines, "\n- "))
	}
	return out
}

// shortDropped bounds the list of old steps to the newest forty.
func (h *history) shortDropped() []string {
	const most = 40
	list := h.dropped[h.summed:]
	if len(list) <= most {
		return list
	}
	skipped := len(list) - most
	return append([]string{fmt.Sprintf("(%d earlier steps)", skipped)}, list[skipped:]...)
}

func estimate(ms []llm.Message) int { return llm.EstimateRequest(llm.Request{Messages: ms}) }

// seenLine returns the line that replaces an observation once there is a newer one.
func seenLine(o action.Observation) string {
	return fmt.Sprintf("[page then: %q, %s]", o.Title, o.URL)
}

// Characters of a step's result, the longest first; the others are for a short
// window.
var resultLengths = []int{240, 120, 60}

// allSaid returns what the user said and answered, also in the turns that are kept.
func (h *history) allSaid() []string {
	said := slices.Clone(h.said)
	for _, t := range h.turns {
		said = append(said, t.said...)
	}
	return said
}

// doneSoFar returns the steps of the turns, a line each.
func (h *history) doneSoFar(length int) string {
	n := len(h.dropped)
	var lines []string
	for i, t := range h.turns {
		most := length
		if i == len(h.turns)-1 { // which says most of where the task stands
			most = 2 * length
		}
		if t.idle { // nothing was done; why stands in a notice
			continue
		}
		for _, did := range t.did {
			n++
			lines = append(lines, fmt.Sprintf("%d. %s", n, cut(did, most)))
		}
	}
	return strings.Join(lines, "\n")
}

// lastStepFailed tells whether the last step failed.
func (h *history) lastStepFailed() bool {
	return len(h.turns) > 0 && h.turns[len(h.turns)-1].failed
}

// idle tells whether the last step was a claim to be done, sent back since nothing was done.
func (h *history) idle() bool {
	return len(h.turns) > 0 && h.turns[len(h.turns)-1].idle
}
