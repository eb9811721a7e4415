package agent

import (
	"cmp"
	"encoding/json"
	"strings"
	"sync"

	"tabwright/host/action"
	"tabwright/llm"
)

// readForm gives the call of the one function that a reply in the form stands for.
func readForm(reply json.RawMessage) (llm.Call, error) {
	call, err := action.ReadPageForm(reply)
	if err != nil {
		return llm.Call{}, err
	}
	return llm.Call{Name: call.Name, Args: call.Params}, nil
}

// formTools are what the calls of a form are checked against.
var formTools = sync.OnceValue(func() []llm.Tool { return toTools(action.Tools(true)) })

// decides says that the model is asked for one small decision at a time: a small
// one that a schema constrains.
func (r *run) decides() bool {
	small := r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall
	return small && r.point == nil && cmp.Or(r.way, r.caps.Way) == llm.WaySchema
}

// greedy says that the likeliest reply is taken: a tiny model's others are too often wrong.
func (r *run) greedy() bool { return r.caps.Size == llm.SizeTiny }

// decisionText is whether a small decision is shown the beginning of the page's text
// besides its elements.
const decisionText = true

// formOf has a tool called by nothing but its arguments.
func (r *run) formOf(tool llm.Tool, system string) *llm.Form {
	return &llm.Form{
		System: system, Schema: tool.Schema, Key: tool.Name, Tools: []llm.Tool{tool}, Greedy: r.greedy(),
		Read: func(reply json.RawMessage) (llm.Call, error) { return llm.Call{Name: tool.Name, Args: reply}, nil },
	}
}

// judgedTask is the task with what the user said since.
func (r *run) judgedTask() string {
	return strings.Join(append([]string{cut(r.Text, longestTask)}, r.hist.allSaid()...), "\n")
}

// longestTask bounds the task where it is judged, in characters.
const longestTask = 4000
