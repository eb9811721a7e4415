package agent

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/prompts"
)

// What the user of a task wants, as its model says before the first decision.
const (
	wantsKnow    = "know"    // to be told something
	wantsOpen    = "open"    // to see something
	wantsChange  = "change"  // something done
	wantsUnknown = "unknown" // the model could not be asked
)

var wantsTool = llm.Tool{
	Name: "wants", Schema: json.RawMessage(`{"type":"object","properties":{"wants":{"type":"string","enum":["know","open","change"]}},"required":["wants"],"additionalProperties":false}`),
}

// askWants has the model say what the user wants: small models tell that well, and
// badly whether a task is done, which then needs an act of that kind before it may
// be claimed at all.
func (r *run) askWants(ctx context.Context) error {
	r.wants = wantsUnknown
	question, err := prompts.Wants(r.Lang, cut(r.Text, longestAsk))
	if err != nil {
		return err
	}
	reply, err := r.chat(ctx, llm.Request{
		System: r.formRules, Messages: []llm.Message{llm.Text(llm.RoleUser, question)}, Tools: []llm.Tool{wantsTool},
		MaxOutput: wantsOutput, NumCtx: r.window(), Brief: true,
		Form: formOf(wantsTool, r.formRules),
	})
	r.count(reply)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || reply == nil {
		return nil //nolint:nilerr // the task is done without it
	}
	for _, call := range reply.Calls {
		var said struct {
			Wants string `json:"wants"`
		}
		if json.Unmarshal(call.Args, &said) == nil && said.Wants != "" {
			r.wants = said.Wants
		}
	}
	return nil
}

const wantsOutput = 60 // tokens

// tooEarly says that the task can't be done yet: nothing was opened, or nothing
// was changed.
func (r *run) tooEarly() bool {
	switch r.wants {
	case wantsOpen:
		return !r.proof.acted()
	case wantsChange:
		return !slices.ContainsFunc(r.proof.steps, func(d deed) bool { return d.changed() && d.target.Href == "" && d.action != "type" })
	}
	return false
}

// judges says that whether the task is done is a question of its own: where something
// is to be changed. A small model answers it well from the steps alone, and badly
// beside a whole page. What is known or open only the page shows.
func (r *run) judges() bool { return r.wants == wantsChange }

var judgeTool = llm.Tool{
	Name: action.DoneKey,
	Schema: json.RawMessage(`{"anyOf":[` +
		`{"type":"object","properties":{"task_done":{"type":"boolean","enum":[false]}},"required":["task_done"],"additionalProperties":false},` +
		`{"type":"object","properties":{"task_done":{"type":"boolean","enum":[true]},"answer":{"type":"string"}},"required":["task_done","answer"],"additionalProperties":false}]}`),
}

// indexMark is the index of an element in a result; whoever judges has no list.
var indexMark = regexp.MustCompile(` ?\[\d+\]`)

// judge asks whether the task is done, once behind each step that may have done it.
// A nil reply: it is not, or that can't be said.
func (r *run) judge(ctx context.Context) (*llm.Reply, error) {
	n := len(r.proof.steps)
	if r.tooEarly() || n == r.judged || r.proof.steps[n-1].outcome != outcomeOK {
		return nil, nil //nolint:nilnil // documented
	}
	r.judged = n
	system, question, err := prompts.Judge(r.Lang, cut(r.Text, longestAsk), indexMark.ReplaceAllString(r.hist.doneSoFar(resultLengths[0]), ""))
	if err != nil {
		return nil, err
	}
	reply, err := r.chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{llm.Text(llm.RoleUser, question)}, Tools: []llm.Tool{judgeTool},
		MaxOutput: checkOutput, NumCtx: r.window(), Brief: true, Form: formOf(judgeTool, system),
	})
	r.count(reply)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || len(reply.Calls) != 1 {
		return nil, nil //nolint:nilerr,nilnil // the next request says what is wrong
	}
	call, err := readForm(reply.Calls[0].Args)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // not done: it names no action
	}
	reply.Calls[0].Name, reply.Calls[0].Args = call.Name, call.Args
	return reply, nil
}

// formOf has a tool called by nothing but its arguments.
func formOf(tool llm.Tool, system string) *llm.Form {
	return &llm.Form{
		System: system, Schema: tool.Schema, Key: tool.Name, Tools: []llm.Tool{tool}, Greedy: true,
		Read: func(reply json.RawMessage) (llm.Call, error) { return llm.Call{Name: tool.Name, Args: reply}, nil },
	}
}
