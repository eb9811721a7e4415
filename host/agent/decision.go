package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/prompts"
)

// decides says that the model is asked for one small decision at a time: a small
// one that a schema constrains.
func (r *run) decides() bool {
	small := r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall
	return small && r.point == nil && cmp.Or(r.way, r.caps.Way) == llm.WaySchema
}

// decision is what is asked for one: a form that fits the page, with rules in place of
// the list of actions, and one message with the page and what was done.
func (r *run) decision(obs action.Observation) (*llm.Form, func(room int) []llm.Message) {
	form := &llm.Form{
		System: r.formRules,
		Schema: action.PageForm(obs, action.FormOptions{Back: r.usage.Steps > 0, Undone: r.hist.idle(), GiveUp: r.hist.failed() || r.dog.still > 1}),
		Key:    action.PageFormKey,
		Read:   readForm,
	}
	data := prompts.DecisionData{
		Lang: r.Lang, Nonce: nonce(), Ask: cut(r.Text, longestAsk), Page: obs.Text, Notices: r.notices, Image: len(obs.Image) > 0,
	}
	if r.last != "" {
		data.Notices = append([]string{prompts.Fence("result", data.Nonce, r.last)}, data.Notices...)
	}
	r.notices, r.last = nil, ""
	pictures := r.newPictures(obs)
	return form, func(room int) []llm.Message { return r.hist.decision(data, pictures, room) }
}

// longestAsk bounds the task where it is repeated, in characters.
const longestAsk = 600

// readForm gives the call of the one function that a reply in the form stands for.
func readForm(reply json.RawMessage) (llm.Call, error) {
	call, err := action.ReadPageForm(reply)
	if err != nil {
		return llm.Call{}, err
	}
	args, err := json.Marshal(call)
	return llm.Call{Name: action.FunctionName, Args: args}, err
}

// Characters of what came of a step, from the roomiest to what is left when the
// window is short.
var resultLengths = []int{240, 120, 60}

// decision is the one message of a small decision, shortened until it fits room
// tokens: results first, then the oldest steps.
func (h *history) decision(d prompts.DecisionData, pictures []llm.Part, room int) []llm.Message {
	for _, length := range resultLengths {
		if ms := h.decisionOf(d, pictures, length); estimate(ms) <= room {
			return ms
		}
	}
	for {
		ms := h.decisionOf(d, pictures, resultLengths[len(resultLengths)-1])
		if estimate(ms) <= room || len(h.turns) == 0 {
			return ms
		}
		h.drop()
	}
}

func (h *history) decisionOf(d prompts.DecisionData, pictures []llm.Part, length int) []llm.Message {
	n := len(h.dropped)
	var lines, said []string
	for i, t := range h.turns {
		said = append(said, t.said...)
		for _, did := range t.did {
			n++
			lines = append(lines, fmt.Sprintf("%d. %s", n, cut(did, length)))
		}
		if len(t.did) == 0 && i == len(h.turns)-1 && len(t.answers) > 0 { // what was wrong with the last reply
			d.Notices = append([]string{t.answers[0].PlainText()}, d.Notices...)
		}
	}
	all := *h // what the user answered is theirs, and never cut
	all.said = slices.Concat(h.said, said)
	d.Task, d.Done, d.Fresh = all.first(), strings.Join(lines, "\n"), n == 0
	m := llm.Text(llm.RoleUser, prompts.Decision(d))
	m.Parts = append(append(m.Parts, h.pictures...), pictures...)
	return []llm.Message{m}
}

// failed says that the last step came to nothing.
func (h *history) failed() bool {
	return len(h.turns) > 0 && h.turns[len(h.turns)-1].failed
}

// idle says that the last step was a claim to be done, sent back as nothing was done.
func (h *history) idle() bool {
	return len(h.turns) > 0 && h.turns[len(h.turns)-1].idle
}
